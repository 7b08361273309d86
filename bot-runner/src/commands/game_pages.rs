//! The state of bots while `play` plays games other than riichi: for the page, the terminal and
//! `status`.

use std::sync::Arc;

use client::bot::{BotEvent, BotFigures, LiveFigures, LiveRound, MatchPublisher};
use client::decision_note::{DecisionNote, DecisionOutcome};
use client::game_report::GameReport;
use client::seat_news::SeatNews;
use lab::game::PlayedGame;
use policy_host::{GameKind, PolicyIdentity};
use protocol::game_record::{RecordEnd, RecordStart};
use riichi::Seat;
use view::person::PersonSeat;

use client::board::Board;

/// The news of a game that is played here.
pub(super) enum ToldNews {
    /// A line of its record.
    Line(Arc<str>),
    Decision {
        seat: usize,
        bot: String,
        note: Arc<DecisionNote>,
    },
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
    publisher: MatchPublisher,
    live: LiveFigures,
    figures: BotFigures,
}

impl ShownBots {
    /// Enters bots with these names and policies on the board, with their games.
    pub(super) fn enter<'b>(
        board: Board,
        game: GameKind,
        bots: impl Iterator<Item = (&'b str, Arc<PolicyIdentity>)>,
        rounds: ShownRounds,
    ) -> Self {
        let shown = |(index, (name, policy)): (usize, (&str, Arc<PolicyIdentity>))| {
            let round = rounds.of_bot(index);
            let mut live = LiveFigures::default();
            live.round.clone_from(&round);
            board.enter(name, "the embedded judge".to_owned(), live.clone());
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
            has_person: matches!(rounds, ShownRounds::Person(_)),
        }
    }

    /// Tells the person a line, as the seat hears it.
    pub(super) fn tell_person(&mut self, line: Arc<str>) {
        let (number, game) = (self.number, self.game);
        if let Some(person) = self.bots.first_mut() {
            person.publisher.tell(number, game, &SeatNews::Line(line));
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
        let (board, game) = (self.board.clone(), self.game);
        for (seat, bot) in self.at_table() {
            let start = RecordStart {
                id: Some(seat),
                ..start.clone()
            };
            let line = SeatNews::Line(start.line().into());
            bot.publisher.tell(number, game, &line);
            if let Some(seat) = Seat::at(seat) {
                board.note(&bot.name, &BotEvent::Started(seat));
            }
        }
    }

    pub(super) fn take(&mut self, told: &ToldNews) {
        let (number, game, has_person) = (self.number, self.game, self.has_person);
        for (at, bot) in self.at_table() {
            match told {
                // The only one whose page is shown, and told what its seat hears.
                ToldNews::Line(_) if has_person => {}
                // All bots belong to this process: their pages show all hands.
                ToldNews::Line(line) => {
                    let line = SeatNews::Line(Arc::clone(line));
                    bot.publisher.tell(number, game, &line);
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

    pub(super) fn ended(&mut self, played: &PlayedGame) {
        let (number, game, board) = (self.number, self.game, self.board.clone());
        let end = RecordEnd {
            scores: played.end.scores.clone(),
            outcome: played.end.outcome.clone(),
        };
        for (seat, bot) in self.at_table() {
            let line = SeatNews::Line(end.line().into());
            bot.publisher.tell(number, game, &line);
            bot.publisher.ended(number);
            bot.publisher.show();
            bot.figures.faults += played.seats[seat].faults() as u32;
            if let Some(report) = GameReport::of_scores(game, seat, &end.scores) {
                bot.figures.totals.add(report.place, report.points());
                board.note(&bot.name, &BotEvent::Finished(report));
            }
            bot.publish();
        }
    }
}

impl ShownBot {
    fn publish(&self) {
        self.live.put(|figures| figures.clone_from(&self.figures));
    }
}
