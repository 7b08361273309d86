//! The lines that one policy writes into the runner's log.

use std::sync::atomic::{AtomicU32, Ordering};

use policy_abi::host::{LOG_DEBUG, LOG_ERROR, LOG_INFO, LOG_WARN};
use tracing::Level;

use crate::call::log_limit::LogLimit;

/// Maximum number of lines between two questions.
const MAX_LINES: u32 = 100;

/// Number of lines that a policy has written since the last question. Restarted without waiting for
/// a writer.
#[derive(Debug, Default)]
pub(crate) struct LinesOfDecision(AtomicU32);

impl LinesOfDecision {
    /// A question is asked.
    pub(crate) fn begin(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    pub(crate) fn one_more(&self) -> bool {
        self.0.load(Ordering::Relaxed) < MAX_LINES
            && self.0.fetch_add(1, Ordering::Relaxed) < MAX_LINES
    }
}

/// The log of one policy: its lines are escaped, limited in bytes, and carry the bot's name.
/// Omitted lines are counted, and reported with the next line or when this is dropped.
#[derive(Debug)]
pub(crate) struct PolicyLog {
    bot: String,
    limit: LogLimit,
}

impl PolicyLog {
    pub(crate) fn new(bot: &str) -> Self {
        Self {
            bot: bot.to_owned(),
            limit: LogLimit::new(),
        }
    }

    /// Counts a line that is one too many.
    pub(crate) fn leave_out(&mut self, text: &str) {
        self.limit.leave_out(text.as_bytes());
    }

    /// Writes a line, of a level as the boundary has it.
    pub(crate) fn line(&mut self, level: u32, text: &str) {
        // Lines below the log's level do not count.
        let Some(text) = is_read(level)
            .then(|| self.limit.line(text.as_bytes()))
            .flatten()
        else {
            return;
        };
        let bot = &self.bot;
        match level {
            LOG_ERROR => tracing::error!(target: "policy", bot, "{text}"),
            LOG_WARN => tracing::warn!(target: "policy", bot, "{text}"),
            LOG_INFO => tracing::info!(target: "policy", bot, "{text}"),
            LOG_DEBUG => tracing::debug!(target: "policy", bot, "{text}"),
            _ => tracing::trace!(target: "policy", bot, "{text}"),
        }
    }
}

/// Whether the log takes lines of this level of the boundary.
pub(crate) fn is_read(level: u32) -> bool {
    match level {
        LOG_ERROR => tracing::enabled!(target: "policy", Level::ERROR),
        LOG_WARN => tracing::enabled!(target: "policy", Level::WARN),
        LOG_INFO => tracing::enabled!(target: "policy", Level::INFO),
        LOG_DEBUG => tracing::enabled!(target: "policy", Level::DEBUG),
        _ => tracing::enabled!(target: "policy", Level::TRACE),
    }
}

impl Drop for PolicyLog {
    fn drop(&mut self) {
        if let Some(left_out) = self.limit.take_left_out() {
            tracing::warn!(target: "policy", bot = self.bot, "{left_out}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_log_lines_counts_anew_for_each_decision() {
        let lines = LinesOfDecision::default();
        let written = || (0..MAX_LINES * 3).filter(|_| lines.one_more()).count();
        assert_eq!(written(), MAX_LINES as usize);
        lines.begin();
        assert_eq!(written(), MAX_LINES as usize);
    }
}
