//! Why the ladder gives no answer.

use std::time::Duration;

use foreign_text::ForeignText;
use hyper::StatusCode;

/// Why there is no usable answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LadderError {
    /// HTTP 401, 403 or 404: this address is not asked again.
    #[error("{address}: the ladder refused it: HTTP {status}")]
    Refused { address: String, status: StatusCode },
    /// It asks to be left alone for longer than a request may wait.
    #[error("{address}: the ladder asks to wait {} s", wait.as_secs())]
    AsksToWait { address: String, wait: Duration },
    /// A redirect, which is not followed.
    #[error(
        "{address}: the ladder answered HTTP {status}, a redirect, which is not followed; is ladder.api right?"
    )]
    Redirect { address: String, status: StatusCode },
    /// Three tries had no usable answer; the last one's reason.
    #[error("{address}: no usable answer in {tries} tries; the last: {why}")]
    NoAnswer {
        address: String,
        tries: u32,
        why: String,
    },
    #[error("{address}: the answer is longer than {} MiB", max_bytes >> 20)]
    TooLong { address: String, max_bytes: usize },
    /// The answer is not what the interface is known to send.
    #[error("{address}: the answer has no meaning: {why}")]
    NoMeaning { address: String, why: ForeignText },
}

impl LadderError {
    /// Whether the same request may have an answer later.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::AsksToWait { .. } | Self::NoAnswer { .. })
    }
}
