//! The page of a process at work: its bots or its tournament, for browsers and for programs.
//!
//! It is served by a thread of its own, which gives way to those that play: it reads what they have put down and never has
//! them wait. What nobody looks at is not drawn. Pages get whole states: one that is slow skips those between, and nothing is
//! kept for it.

mod access;
mod feed;
mod log;
mod metrics;
mod rounds;
mod routes;
mod serve;
mod subject;
mod texts;

use std::net::SocketAddr;
use std::path::PathBuf;

pub use self::log::{RecentLog, RecentLogLayer, recent_log};
pub use self::serve::PageServer;
pub(crate) use self::subject::{PageSubject, TournamentPage};
use client::place::complete;

/// Where the page of a process is.
#[derive(Debug, Clone)]
pub struct PageOptions {
    /// Where to listen.
    pub address: SocketAddr,
    /// The file with the token that a reader must know; needed where others than this machine can ask.
    pub token_file: Option<PathBuf>,
    /// The last lines of the log.
    pub log: Option<RecentLog>,
}

impl PageOptions {
    /// The token's file, with the option that names it: no policy's process may read it.
    pub(crate) fn secret_file(&self) -> Option<(PathBuf, &'static str)> {
        Some((complete(self.token_file.clone()).pop()?, "--page-token-file"))
    }
}
