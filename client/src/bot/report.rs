//! What a bot did: its games, and counts of what went wrong.

use std::sync::Arc;
use std::time::Duration;

use riichi::{PerSeat, Seat};

use super::brain::BotPolicy;
use super::figures::{Figures, LiveFigures};
use crate::latency::Latency;
use crate::records::RecordCounts;
use crate::session::desync::DesyncKind;
use crate::session::{AckCounts, GameState};
use lab_stats::SeatCounter;
use policy_host::{FaultCounts, GameKind, PolicyIdentity};

/// A game from one bot's seat.
#[derive(Debug, Clone)]
pub struct GameReport {
    /// Which game it was.
    pub game: GameKind,
    /// Its seat.
    pub seat: Seat,
    /// Final score of each seat, in the game's units.
    pub scores: PerSeat<i32>,
    /// Its place, from 1.
    pub place: u8,
    /// Rounds played.
    pub rounds: u32,
}

impl GameReport {
    /// The report of a game that has ended; `None` when the seat never became known.
    #[must_use]
    pub fn of(game: &GameState, counts: &SeatCounter) -> Option<Self> {
        let seat = game.table()?.seat();
        let scores = *game.final_scores()?;
        Some(Self { game: GameKind::Riichi, seat, scores, place: scores.place(seat), rounds: counts.rounds() as u32 })
    }

    /// The report of a game of which the scores of all seats are known, in points, and nothing else; `None` when the game has no such
    /// seats.
    #[must_use]
    pub fn of_scores(game: GameKind, seat: usize, scores: &[f64]) -> Option<Self> {
        let own = *scores.get(seat)?;
        let units: Vec<i32> =
            scores.iter().map(|score| (score * f64::from(game.score_units())).round() as i32).collect();
        Some(Self {
            game,
            seat: Seat::new(u8::try_from(seat).ok()?)?,
            scores: PerSeat::from_slice(&units)?,
            // Equal scores have the better place.
            place: 1 + scores.iter().filter(|&&score| score > own).count() as u8,
            rounds: 1,
        })
    }
}

/// Everything a bot did in this process.
#[derive(Debug, Clone, Default)]
pub struct BotReport {
    /// Games played to their end.
    pub games: Vec<GameReport>,
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
    /// Requests answered with the safe answer, whatever the reason: the policy was late, failed, was no more or was not
    /// asked.
    pub safe_answers: u32,
    /// Those of them of which the policy was not asked, since there was no table to ask it about.
    pub blind_answers: u32,
    /// What the policies did wrong.
    pub faults: FaultCounts,
    /// The policy that decided last, once the bot is done.
    pub policy: Option<Arc<PolicyIdentity>>,
    /// How long replies took.
    pub latency: Latency,
    /// What its arena leaves for a reply, where it says so.
    pub limit: Option<Duration>,
    /// What has become of its records, once the bot is done; `None` where none are kept.
    pub records: Option<RecordCounts>,
    /// Where the figures are published.
    pub live: LiveFigures,
}

impl BotReport {
    /// Adds what a connection brought.
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

    /// How many games have begun, however they ended.
    #[must_use]
    pub fn begun(&self) -> u32 {
        self.games.len() as u32 + self.abandoned + self.aborted
    }

    /// Whether this number of games has been played to the end; never without a number.
    #[must_use]
    pub fn has_played(&self, games: Option<u32>) -> bool {
        games.is_some_and(|games| self.games.len() as u64 >= u64::from(games))
    }

    /// Publishes the figures while a game is played, whose own counts are added at its end; never waits.
    pub(super) fn show(&self, brain: &BotPolicy, game: Option<&GameState>) {
        let mut figures = self.figures(brain);
        if let Some(game) = game {
            figures.safe_answers += game.blind_answers;
            figures.desyncs += game.desyncs.total();
        }
        self.live.offer(figures);
    }

    /// Publishes the figures after a connection.
    pub(super) fn show_after(&self, brain: &BotPolicy) {
        self.live.put(self.figures(brain));
    }

    fn figures(&self, brain: &BotPolicy) -> Figures {
        Figures {
            games: self.games.len() as u32,
            average_place: self.average_place(),
            places: self.places(),
            decisions: self.decisions,
            safe_answers: self.safe_answers,
            faults: self.faults.total() + brain.faults().total(),
            desyncs: self.desyncs,
            p50: self.latency.quantile(0.5),
            p99: self.latency.quantile(0.99),
            slowest: self.latency.quantile(1.0),
            limit: self.limit,
            replies: *self.latency.times(),
            policy: Some(Arc::clone(brain.identity())),
        }
    }

    /// How often each place was taken, from the first to the fourth.
    #[must_use]
    pub fn places(&self) -> [u32; 4] {
        let mut places = [0; 4];
        for game in &self.games {
            if let Some(times) = places.get_mut(usize::from(game.place).wrapping_sub(1)) {
                *times += 1;
            }
        }
        places
    }

    /// Average place over the games; `None` without one.
    #[must_use]
    pub fn average_place(&self) -> Option<f64> {
        let places: u32 = self.games.iter().map(|game| u32::from(game.place)).sum();
        (!self.games.is_empty()).then(|| f64::from(places) / self.games.len() as f64)
    }
}
