//! The lines that one policy writes into the runner's log.

use policy_abi::host::{LOG_DEBUG, LOG_ERROR, LOG_INFO, LOG_WARN};
use tracing::Level;

use crate::log_limit::LogLimit;

/// The log of one policy: its lines are escaped, limited in bytes, and carry the bot's name. What was left out at the end
/// is told when this is dropped.
#[derive(Debug)]
pub(super) struct PolicyLog {
    bot: String,
    limit: LogLimit,
}

impl PolicyLog {
    pub(super) fn new(bot: &str) -> Self {
        Self { bot: bot.to_owned(), limit: LogLimit::new() }
    }

    /// Writes a line, of a level as the boundary has it.
    pub(super) fn line(&mut self, level: u32, text: &str) {
        // What nobody reads does not count.
        let is_read = match level {
            LOG_ERROR => tracing::enabled!(target: "policy", Level::ERROR),
            LOG_WARN => tracing::enabled!(target: "policy", Level::WARN),
            LOG_INFO => tracing::enabled!(target: "policy", Level::INFO),
            LOG_DEBUG => tracing::enabled!(target: "policy", Level::DEBUG),
            _ => tracing::enabled!(target: "policy", Level::TRACE),
        };
        let Some(text) = is_read.then(|| self.limit.line(text.as_bytes())).flatten() else { return };
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

impl Drop for PolicyLog {
    fn drop(&mut self) {
        if let Some(left_out) = self.limit.take_left_out() {
            tracing::warn!(target: "policy", bot = self.bot, "{left_out}");
        }
    }
}
