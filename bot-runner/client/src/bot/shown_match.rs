//! A match of a bot in a game other than riichi, for other tasks to read while it is played, in the
//! form of its record.

use std::sync::Arc;

use policy_host::GameKind;

use crate::decision_note::NotedDecision;

/// A match from one seat.
#[derive(Debug, Clone)]
pub struct ShownMatch {
    pub number: u64,
    pub game: GameKind,
    pub lines: Vec<String>,
    /// The bot's last decision.
    pub decision: Option<Arc<dyn NotedDecision>>,
}

impl ShownMatch {
    /// Adds the additions of a later state.
    pub(super) fn catch_up(&mut self, newer: &Self) {
        self.lines
            .extend_from_slice(newer.lines.get(self.lines.len()..).unwrap_or_default());
        self.decision.clone_from(&newer.decision);
    }
}
