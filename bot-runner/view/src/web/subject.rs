//! The subject of a page.

use std::sync::Arc;

use serde_json::json;

use super::texts::shown;
use crate::person::{PersonSeat, PersonSeats};
use client::board::{Board, BotActivity, BotStatus};

#[derive(Debug, Clone)]
pub enum PageSubject {
    /// The bots of this process.
    Bots {
        board: Board,
        /// The seats that people play or may take over.
        people: PersonSeats,
    },
    Tournament(Arc<dyn TournamentPage>),
}

/// A tournament, as its page needs it.
pub trait TournamentPage: std::fmt::Debug + Send + Sync {
    fn standing(&self) -> serde_json::Value;
}

impl PageSubject {
    /// The file of the document for this subject.
    pub(super) const fn document(&self) -> &'static str {
        match self {
            Self::Bots { .. } => "bots.html",
            Self::Tournament(_) => "tournament.html",
        }
    }

    /// The name of the event that carries its state.
    pub(super) const fn event(&self) -> &'static str {
        match self {
            Self::Bots { .. } => "bots",
            Self::Tournament(_) => "tournament",
        }
    }

    /// The seats that people play or may take over.
    #[must_use]
    pub fn people(&self) -> PersonSeats {
        match self {
            Self::Bots { people, .. } => people.clone(),
            Self::Tournament(_) => PersonSeats::default(),
        }
    }

    /// These seats at this moment.
    pub(super) fn seats(&self) -> Vec<PersonSeat> {
        self.people().all()
    }

    /// Its bots, with texts cleaned for display; empty for a tournament.
    pub(super) fn bots(&self) -> Vec<BotStatus> {
        let Self::Bots { board, .. } = self else {
            return Vec::new();
        };
        board.status().into_iter().map(with_shown_texts).collect()
    }

    /// The output of `status --json` for this process, or the state of the tournament.
    pub(super) fn status(&self) -> serde_json::Value {
        match self {
            Self::Bots { .. } => json!([{"process": std::process::id(), "bots": self.bots()}]),
            Self::Tournament(tournament) => tournament.standing(),
        }
    }
}

fn with_shown_texts(mut bot: BotStatus) -> BotStatus {
    if let BotActivity::Waiting { why, .. }
    | BotActivity::Stopped { why }
    | BotActivity::DoesNotPlay { why } = &mut bot.state
    {
        *why = shown(why);
    }
    if !bot.is_bot() {
        bot.bot = shown(&bot.bot);
    }
    if let Some(trouble) = &mut bot.trouble {
        trouble.why = shown(&trouble.why);
    }
    bot.refused_change = bot.refused_change.map(|why| shown(&why));
    bot.arena = shown(&bot.arena);
    if let Some(policy) = &mut bot.policy {
        policy.id = shown(&policy.id);
        policy.version = shown(&policy.version);
    }
    bot
}
