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
            Self::Person(round) if index == 0 => Some(round.clone()),
            Self::None | Self::Person(_) => None,
        }
    }
}

struct ShownBot {
    name: String,
    /// The person is the first, if one plays.
    is_first: bool,
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
                is_first: index == 0,
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
        let (number, game, start) = (self.number, self.game, self.start.clone());
        let told = self.at_table().find(|(_, bot)| bot.is_first);
        if let Some((seat, person)) = told {
            person.tell_line((number, game), line, begins_round.then_some((&start, seat)));
            person.publisher.show();
        }
    }

    /// The bots that sit, each with its seat.
    fn at_table(&mut self) -> impl Iterator<Item = (usize, &mut ShownBot)> {
        let seated = &self.seated;
        let seat_of = |bot: usize| seated.iter().position(|&sits| sits == Some(bot));
        self.bots
            .iter_mut()
            .enumerate()
            .filter_map(move |(index, bot)| Some((seat_of(index)?, bot)))
    }

    pub(super) fn begins(&mut self, number: u64, seated: Vec<Option<usize>>, start: &RecordStart) {
        (self.number, self.seated) = (number, seated);
        self.start.clone_from(start);
        let (board, game) = (self.board.clone(), self.game);
        for (seat, bot) in self.at_table() {
            let line = SeatNews::Line(start_line(start, seat));
            bot.publisher.tell(number, game, &line);
            if let Some(seat) = Seat::at(seat) {
                board.note(&bot.name, &BotEvent::Started(seat));
            }
        }
    }

    pub(super) fn take(&mut self, told: &ToldNews) {
        let (number, game, has_person) = (self.number, self.game, self.has_person);
        let start = self.start.clone();
        for (at, bot) in self.at_table() {
            match told {
                // The only one whose page is shown, and told what its seat hears.
                ToldNews::Line { .. } if has_person => {}
                // All bots belong to this process: their pages show all hands.
                ToldNews::Line { line, begins_round } => {
                    let round = begins_round.then_some((&start, at));
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
        let (number, game, board) = (self.number, self.game, self.board.clone());
        for (seat, bot) in self.at_table() {
            if let Some(line) = line.clone() {
                bot.tell_line((number, game), line, None);
            }
            bot.publisher.ended(number);
            bot.publisher.show();
            bot.figures.faults += played.seats[seat].faults() as u32;
            if let Some(report) = GameReport::of_scores(game, seat, &played.end.scores) {
                bot.figures.totals.add(report.place, report.points());
                board.note(&bot.name, &BotEvent::Finished(report));
            }
            bot.publish();
        }
    }
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
