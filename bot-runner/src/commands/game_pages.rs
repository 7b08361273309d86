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

/// The place of the person among the bots, if one plays from the beginning.
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

    /// The round of a bot with all hands, and as its seat sees it.
    fn of_bot(&self, index: usize) -> [Option<LiveRound>; 2] {
        match self {
            Self::All => [(); 2].map(|()| Some(LiveRound::default())),
            Self::Person(round) if index == PERSON => [None, Some(round.clone())],
            Self::None | Self::Person(_) => [None, None],
        }
    }
}

struct ShownBot {
    name: String,
    /// The game with all hands: all bots belong to this process.
    open: MatchPublisher,
    /// The game as the seat hears it, for a person there.
    own: MatchPublisher,
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
            let [round, seat_round] = rounds.of_bot(index);
            let mut live = LiveFigures::default();
            live.round.clone_from(&round);
            if round.is_some() {
                live.seat_round.clone_from(&seat_round);
            }
            board.enter(name, place.to_owned(), live.clone());
            let figures = BotFigures {
                policy: Some(policy),
                ..BotFigures::default()
            };
            ShownBot {
                name: name.to_owned(),
                open: MatchPublisher::new(round),
                own: MatchPublisher::new(seat_round),
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
        }
    }

    /// Tells those seats a line that a person plays or may take over, as each hears it.
    pub(super) fn tell_seats(
        &mut self,
        begins_round: bool,
        line: impl Fn(usize) -> Option<Arc<str>>,
    ) {
        let of = (self.number, self.game);
        for (seat, bot) in at_table(&self.seated, &mut self.bots) {
            if bot.own.is_on()
                && let Some(line) = line(seat)
            {
                let round = begins_round.then_some((&self.start, seat));
                tell_line(&mut bot.own, of, line, round);
                bot.own.show();
            }
        }
    }

    pub(super) fn begins(&mut self, number: u64, seated: Vec<Option<usize>>, start: &RecordStart) {
        (self.number, self.seated) = (number, seated);
        self.start.clone_from(start);
        for (seat, bot) in at_table(&self.seated, &mut self.bots) {
            let line = SeatNews::Line(start_line(start, seat));
            bot.open.tell(number, self.game, &line);
            bot.own.tell(number, self.game, &line);
            if let Some(seat) = Seat::at(seat) {
                self.board.note(&bot.name, &BotEvent::Started(seat));
            }
        }
    }

    pub(super) fn take(&mut self, told: &ToldNews) {
        let (number, game) = (self.number, self.game);
        for (at, bot) in at_table(&self.seated, &mut self.bots) {
            match told {
                ToldNews::Line { line, begins_round } => {
                    let round = begins_round.then_some((&self.start, at));
                    tell_line(&mut bot.open, (number, game), Arc::clone(line), round);
                }
                ToldNews::Decision { seat, note, .. } if *seat == at => {
                    let decided = SeatNews::Decided(Arc::clone(note));
                    bot.open.tell(number, game, &decided);
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
            bot.open.show();
        }
    }

    /// Ends the game, with this last line if it has one after its events.
    pub(super) fn ended(&mut self, played: &PlayedGame, line: Option<Arc<str>>) {
        let (number, game) = (self.number, self.game);
        for (seat, bot) in at_table(&self.seated, &mut self.bots) {
            for publisher in [&mut bot.open, &mut bot.own] {
                if let Some(line) = line.clone() {
                    tell_line(publisher, (number, game), line, None);
                }
                publisher.ended(number);
                publisher.show();
            }
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

/// Tells a line of a game; with the game's start and the seat if a round begins with it.
fn tell_line(
    publisher: &mut MatchPublisher,
    (number, game): (u64, GameKind),
    line: Arc<str>,
    round: Option<(&RecordStart, usize)>,
) {
    if let Some((start, seat)) = round {
        let round = SeatNews::Round(start_line(start, seat));
        publisher.tell(number, game, &round);
    }
    publisher.tell(number, game, &SeatNews::Line(line));
}

impl ShownBot {
    fn publish(&self) {
        self.live.put(|figures| figures.clone_from(&self.figures));
    }
}
