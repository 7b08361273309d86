//! The state of bots while `play` plays: for the page, the terminal and `status`.

use std::sync::Arc;

use client::bot::{BotEvent, BotFigures, LiveFigures, LiveRound, MatchPublisher};
use client::decision_note::{DecisionNote, DecisionOutcome};
use client::game_report::GameReport;
use client::seat_news::SeatNews;
use lab::game::PlayedGame;
use policy_host::{GameKind, PolicyIdentity};
use protocol::game_record::RecordStart;
use riichi::Seat;
use view::person::PersonSeat;

use client::board::Board;

/// The place of the person among the bots, if one plays.
const PERSON: usize = 0;

/// The news of a game that is played here.
pub(super) enum ToldNews {
    /// A line of its record.
    Line {
        line: Arc<str>,
        /// Whether a page shows the game from this line on.
        begins_round: bool,
    },
    Decision {
        seat: usize,
        bot: String,
        note: Arc<DecisionNote>,
    },
}

impl ToldNews {
    pub(super) fn line(line: String) -> Self {
        Self::Line {
            line: line.into(),
            begins_round: false,
        }
    }

    pub(super) const fn begins_round(&self) -> bool {
        matches!(
            self,
            Self::Line {
                begins_round: true,
                ..
            }
        )
    }
}

/// The published state of the bots. The last state remains when this is dropped.
pub(super) struct ShownBots {
    game: GameKind,
    board: Board,
    bots: Vec<ShownBot>,
    /// Number of the game that is on.
    number: u64,
    /// The bot at each seat.
    seated: Vec<Option<usize>>,
    /// The first line of the game, before a seat is known.
    start: RecordStart,
    has_person: bool,
}

/// Whose rounds are shown.
pub(super) enum ShownRounds {
    None,
    All,
    /// That of the first bot, a person, who may not see the hands of the others.
    Person(LiveRound),
}

impl ShownRounds {
    pub(super) fn of(has_page: bool, person: Option<&PersonSeat>) -> Self {
        match person {
            Some(person) => Self::Person(person.round().clone()),
            None if has_page => Self::All,
            None => Self::None,
        }
    }

    fn of_bot(&self, index: usize) -> Option<LiveRound> {
        match self {
            Self::All => Some(LiveRound::default()),
            Self::Person(round) if index == PERSON => Some(round.clone()),
            Self::None | Self::Person(_) => None,
        }
    }
}

struct ShownBot {
    name: String,
    publisher: MatchPublisher,
    live: LiveFigures,
    figures: BotFigures,
}

impl ShownBots {
    /// Enters bots with these names and policies on the board, with their game and its place.
    pub(super) fn enter<'b>(
        board: Board,
        (game, place): (GameKind, &str),
        bots: impl Iterator<Item = (&'b str, Arc<PolicyIdentity>)>,
        rounds: ShownRounds,
    ) -> Self {
        let shown = |(index, (name, policy)): (usize, (&str, Arc<PolicyIdentity>))| {
            let round = rounds.of_bot(index);
            let mut live = LiveFigures::default();
            live.round.clone_from(&round);
            board.enter(name, place.to_owned(), live.clone());
            let figures = BotFigures {
                policy: Some(policy),
                ..BotFigures::default()
            };
            ShownBot {
                name: name.to_owned(),
                publisher: MatchPublisher::new(round),
                live,
                figures,
            }
        };
        let bots = bots.enumerate().map(shown).collect();
        Self {
            game,
            board,
            bots,
            number: 0,
            seated: Vec::new(),
            start: RecordStart::default(),
            has_person: matches!(rounds, ShownRounds::Person(_)),
        }
    }

    /// Tells the person a line, as the seat hears it.
    pub(super) fn tell_person(&mut self, line: Arc<str>, begins_round: bool) {
        let of = (self.number, self.game);
        let seat = self.seated.iter().position(|&sits| sits == Some(PERSON));
        if let Some((seat, person)) = seat.zip(self.bots.get_mut(PERSON)) {
            person.tell_line(of, line, begins_round.then_some((&self.start, seat)));
            person.publisher.show();
        }
    }

    pub(super) fn begins(&mut self, number: u64, seated: Vec<Option<usize>>, start: &RecordStart) {
        (self.number, self.seated) = (number, seated);
        self.start.clone_from(start);
        for (seat, bot) in at_table(&self.seated, &mut self.bots) {
            let line = SeatNews::Line(start_line(start, seat));
            bot.publisher.tell(number, self.game, &line);
            if let Some(seat) = Seat::at(seat) {
                self.board.note(&bot.name, &BotEvent::Started(seat));
            }
        }
    }

    pub(super) fn take(&mut self, told: &ToldNews) {
        let (number, game) = (self.number, self.game);
        for (at, bot) in at_table(&self.seated, &mut self.bots) {
            match told {
                // The only one whose page is shown, and told what its seat hears.
                ToldNews::Line { .. } if self.has_person => {}
                // All bots belong to this process: their pages show all hands.
                ToldNews::Line { line, begins_round } => {
                    let round = begins_round.then_some((&self.start, at));
                    bot.tell_line((number, game), Arc::clone(line), round);
                }
                ToldNews::Decision { seat, note, .. } if *seat == at => {
                    let decided = SeatNews::Decided(Arc::clone(note));
                    bot.publisher.tell(number, game, &decided);
                    bot.figures.policy = Some(Arc::clone(&note.policy));
                    match &note.outcome {
                        DecisionOutcome::Decided { took, .. } => {
                            bot.figures.latency.record(*took);
                            bot.figures.decisions += 1;
                        }
                        DecisionOutcome::SafeAnswer(_) => bot.figures.safe_answers += 1,
                    }
                    bot.publish();
                }
                ToldNews::Decision { .. } => {}
            }
            bot.publisher.show();
        }
    }

    /// Ends the game, with this last line if it has one after its events.
    pub(super) fn ended(&mut self, played: &PlayedGame, line: Option<Arc<str>>) {
        let (number, game) = (self.number, self.game);
        for (seat, bot) in at_table(&self.seated, &mut self.bots) {
            if let Some(line) = line.clone() {
                bot.tell_line((number, game), line, None);
            }
            bot.publisher.ended(number);
            bot.publisher.show();
            bot.figures.faults += played.seats[seat].faults() as u32;
            if let Some(report) = GameReport::of_scores(game, seat, &played.end.scores) {
                bot.figures.totals.add(report.place, report.points());
                self.board.note(&bot.name, &BotEvent::Finished(report));
            }
            bot.publish();
        }
    }
}

/// The bots that sit, each with its seat.
fn at_table<'b>(
    seated: &[Option<usize>],
    bots: &'b mut [ShownBot],
) -> impl Iterator<Item = (usize, &'b mut ShownBot)> {
    let seat_of = |bot: usize| seated.iter().position(|&sits| sits == Some(bot));
    bots.iter_mut()
        .enumerate()
        .filter_map(move |(index, bot)| Some((seat_of(index)?, bot)))
}

/// The first line of a game, as the record of this seat has it.
fn start_line(start: &RecordStart, seat: usize) -> Arc<str> {
    let start = RecordStart {
        id: Some(seat),
        ..start.clone()
    };
    start.line().into()
}

impl ShownBot {
    /// Tells a line of a game; with the game's start and the seat if a round begins with it.
    fn tell_line(
        &mut self,
        (number, game): (u64, GameKind),
        line: Arc<str>,
        round: Option<(&RecordStart, usize)>,
    ) {
        if let Some((start, seat)) = round {
            let round = SeatNews::Round(start_line(start, seat));
            self.publisher.tell(number, game, &round);
        }
        self.publisher.tell(number, game, &SeatNews::Line(line));
    }

    fn publish(&self) {
        self.live.put(|figures| figures.clone_from(&self.figures));
    }
}
