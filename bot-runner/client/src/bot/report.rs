//! The report of a bot: its games, and its numbers of faults.

use std::sync::Arc;
use std::time::Duration;

use super::figures::{BotFigures, GameTotals, LiveFigures};
use super::policy::BotPolicy;
use crate::game_report::GameReport;
use crate::latency::Latency;
use crate::records::RecordCounts;
use crate::session::desync::DesyncKind;
use crate::session::{AckCounts, GameState};
use policy_host::{FaultCounts, PolicyIdentity};

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
    /// Requests answered with the safe answer, for any reason: the policy was late, failed, was no
    /// more or was not asked.
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
    pub fn games(&self) -> u32 {
        self.totals.games()
    }

    /// Number of games that have begun, finished or not.
    pub fn begun(&self) -> u32 {
        self.games() + self.abandoned + self.aborted
    }

    /// Whether this number of games has been finished; never without a number.
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
