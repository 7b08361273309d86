//! The report of a bot: its games, and its numbers of faults.

use std::sync::Arc;
use std::time::Duration;

use riichi::{PerSeat, Seat};

use super::figures::{BotFigures, GameTotals, LiveFigures};
use super::policy::BotPolicy;
use crate::latency::Latency;
use crate::records::RecordCounts;
use crate::session::desync::DesyncKind;
use crate::session::{AckCounts, GameState};
use lab_stats::SeatCounter;
use policy_host::{FaultCounts, GameKind, Measure, PolicyIdentity};

/// A game from one bot's seat.
#[derive(Debug, Clone)]
pub struct GameReport {
    pub game: GameKind,
    pub seat: Seat,
    /// Final score of each seat, in the game's units.
    pub scores: PerSeat<i32>,
    /// Its place, from 1.
    pub place: u8,
    pub rounds: u32,
}

impl GameReport {
    /// The report of a game that has ended; `None` if the seat never became known, or there was no deal.
    #[must_use]
    pub fn of(game: &GameState, counts: &SeatCounter) -> Option<Self> {
        let seat = game.table()?.seat();
        let (scores, rounds) = (*game.final_scores()?, counts.rounds());
        let report = Self { game: GameKind::Riichi, seat, scores, place: scores.place(seat), rounds };
        (rounds > 0).then_some(report)
    }

    /// The report of a game from the scores of all seats, in points, if nothing else is known; `None` if the game has
    /// no such seats.
    #[must_use]
    pub fn of_scores(game: GameKind, seat: usize, scores: &[f64]) -> Option<Self> {
        scores.get(seat)?;
        let units: Vec<i32> =
            scores.iter().map(|score| (score * f64::from(game.score_units())).round() as i32).collect();
        Some(Self {
            game,
            seat: Seat::at(seat)?,
            scores: PerSeat::from_slice(&units)?,
            place: game.measure().place(scores, seat),
            rounds: 1,
        })
    }

    /// The bot's points, if games are compared by them.
    #[must_use]
    pub fn points(&self) -> Option<f64> {
        let points = f64::from(self.scores[self.seat]) / f64::from(self.game.score_units());
        (self.game.measure() != Measure::Places).then_some(points)
    }
}

/// Everything a bot did in this process.
#[derive(Debug, Clone, Default)]
pub struct BotReport {
    /// The outcomes of finished games.
    pub totals: GameTotals,
    pub last_game: Option<GameReport>,
    /// Games lost from sight by a dropped connection.
    pub abandoned: u32,
    /// Games aborted by the arena.
    pub aborted: u32,
    /// How requests ended.
    pub acks: AckCounts,
    /// Differences between our picture of the games and the arena's.
    pub desyncs: u32,
    /// The first difference of each sort.
    pub first_desyncs: Vec<(DesyncKind, String)>,
    /// Frames that could not be read.
    pub unreadable: u32,
    /// Decisions that the policy made.
    pub decisions: u32,
    /// Requests answered with the safe answer, for any reason: the policy was late, failed, was no more or was not
    /// asked.
    pub safe_answers: u32,
    /// Those that were given without asking the policy, because there was no table to ask it about.
    pub blind_answers: u32,
    pub faults: FaultCounts,
    /// Why its policy is set aside, once the bot is done; `None` if it is not.
    pub set_aside: Option<String>,
    /// The policy that decided last, once the bot is done.
    pub policy: Option<Arc<PolicyIdentity>>,
    pub latency: Latency,
    /// The arena's time limit for a reply, if it states one.
    pub limit: Option<Duration>,
    /// The outcome of its records, once the bot has ended; `None` if none are kept.
    pub records: Option<RecordCounts>,
    /// The published figures.
    pub live: LiveFigures,
}

impl BotReport {
    /// Adds the figures of a connection.
    pub fn add(&mut self, game: &GameState) {
        self.acks.add(&game.acks);
        self.desyncs += game.desyncs.total();
        self.safe_answers += game.blind_answers;
        self.blind_answers += game.blind_answers;
        self.unreadable += game.unreadable;
        for (kind, details) in game.desyncs.first_of_each() {
            if !self.first_desyncs.iter().any(|(known, _)| known == kind) {
                self.first_desyncs.push((*kind, details.clone()));
            }
        }
    }

    pub(super) fn played(&mut self, game: GameReport) {
        self.totals.add(game.place, game.points());
        self.last_game = Some(game);
    }

    /// Number of finished games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.totals.games()
    }

    /// Number of games that have begun, finished or not.
    #[must_use]
    pub fn begun(&self) -> u32 {
        self.games() + self.abandoned + self.aborted
    }

    /// Whether this number of games has been finished; never without a number.
    #[must_use]
    pub fn has_played(&self, games: Option<u32>) -> bool {
        games.is_some_and(|games| self.games() >= games)
    }

    /// Publishes the figures during a game, whose own counts are added at its end; never waits.
    pub(super) fn show(&self, bot_policy: &BotPolicy, game: Option<&GameState>) {
        self.live.offer(|figures| {
            self.fill(figures, bot_policy);
            if let Some(game) = game {
                figures.safe_answers += game.blind_answers;
                figures.desyncs += game.desyncs.total();
            }
        });
    }

    /// Publishes the figures after a connection.
    pub(super) fn show_after(&self, bot_policy: &BotPolicy) {
        self.live.put(|figures| self.fill(figures, bot_policy));
    }

    fn fill(&self, figures: &mut BotFigures, bot_policy: &BotPolicy) {
        figures.totals = self.totals;
        figures.decisions = self.decisions;
        figures.safe_answers = self.safe_answers;
        figures.faults = self.faults.total() + bot_policy.faults().total();
        figures.desyncs = self.desyncs;
        figures.latency.clone_from(&self.latency);
        figures.limit = self.limit;
        figures.policy = Some(Arc::clone(bot_policy.identity()));
    }
}
