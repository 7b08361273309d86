//! The page that a command serves while it works.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context;
use client::place::complete;
use config::SecretKeys;
use fleet::CommandFiles;
use say::output::say;
use view::web::{PageServer, PageSubject, RecentLog};

use crate::cli::PageArgs;

impl PageArgs {
    /// The token's file, which no policy's process may read.
    pub(crate) fn files(&self) -> CommandFiles {
        let token = complete(self.token_file.clone())
            .into_iter()
            .map(|file| (file, "--page-token-file"));
        CommandFiles {
            secrets: token.collect(),
            stored: Vec::new(),
        }
    }

    /// Serves the page, if one is asked for, with the last lines of the log, and says where it is.
    /// To be called on the runtime of those that play.
    ///
    /// # Errors
    ///
    /// If the token cannot be had, or the page cannot be served there.
    pub(crate) fn serve(
        &self,
        log: Option<RecentLog>,
        subject: PageSubject,
    ) -> anyhow::Result<Option<PageServer>> {
        let of_seat = || {
            let has_seat = !subject.people().is_empty();
            has_seat.then_some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
        };
        let Some(address) = self.address.or_else(of_seat) else {
            return Ok(None);
        };
        let token = self
            .token_file
            .clone()
            .map(|file| SecretKeys::PAGE_TOKEN.in_file(file).token());
        let token = token.transpose().context("--page-token-file")?;
        // The lines of bots may hold what a person may not know.
        let log = log.filter(|_| subject.people().is_empty());
        let server = PageServer::start(address, token.as_ref(), log, subject, self.language)?;
        say(format!("page: {}", server.place));
        Ok(Some(server))
    }
}
