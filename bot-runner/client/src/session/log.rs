//! The log of a session. It repeats words of an arena, which may send any text any number of times.

use policy_host::LogLimit;
use tracing::Level;

/// The log of a session: lines are escaped, and limited in bytes.
#[derive(Debug, Default)]
pub(super) struct SessionLog(LogLimit);

impl SessionLog {
    pub(super) fn error(&mut self, line: impl FnOnce() -> String) {
        if let Some(line) = self.line(tracing::enabled!(Level::ERROR), line) {
            tracing::error!("{line}");
        }
    }

    pub(super) fn warn(&mut self, line: impl FnOnce() -> String) {
        if let Some(line) = self.line(tracing::enabled!(Level::WARN), line) {
            tracing::warn!("{line}");
        }
    }

    pub(super) fn info(&mut self, line: impl FnOnce() -> String) {
        if let Some(line) = self.line(tracing::enabled!(Level::INFO), line) {
            tracing::info!("{line}");
        }
    }

    pub(super) fn debug(&mut self, line: impl FnOnce() -> String) {
        if let Some(line) = self.line(tracing::enabled!(Level::DEBUG), line) {
            tracing::debug!("{line}");
        }
    }

    /// Lines below the log's level do not count.
    fn line(&mut self, is_read: bool, line: impl FnOnce() -> String) -> Option<String> {
        is_read.then(|| self.0.line(line().as_bytes())).flatten()
    }
}
