//! The page that a command serves while it works.

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Context;
use client::place::complete;
use view::web::{PageServer, PageSubject, RecentLog};

use crate::config::SecretKeys;
use crate::fleet::SecretFile;
use crate::output::say;

/// The options of the page.
#[derive(Debug, Clone)]
pub struct PageOptions {
    /// The address to listen on.
    pub address: SocketAddr,
    /// The file with the token that a reader must know; needed where other machines can ask.
    pub token_file: Option<PathBuf>,
    /// The last lines of the log.
    pub log: Option<RecentLog>,
}

impl PageOptions {
    /// The token's file, with the option that names it: no policy's process may read it.
    pub(crate) fn secret_file(&self) -> Option<SecretFile> {
        Some((complete(self.token_file.clone()).pop()?, "--page-token-file"))
    }

    /// Serves the page and prints its address. Call this on the runtime of the bots.
    ///
    /// # Errors
    ///
    /// If the token cannot be had, or the page cannot be served there.
    pub(crate) fn serve(&self, subject: PageSubject) -> anyhow::Result<PageServer> {
        let token = self.token_file.clone().map(|file| SecretKeys::PAGE_TOKEN.in_file(file).token());
        let token = token.transpose().context("--page-token-file")?;
        let server = PageServer::start(self.address, token.as_ref(), self.log.clone(), subject)?;
        say(format!("page: {}", server.place));
        Ok(server)
    }
}
