//! Botzone: a long poll whose address is the secret, and many matches at once.

use std::fmt;

use policy_host::{GameKind, Sha256};

use super::ArenaFacts;
use crate::transport::botzone::BotzoneSite;
use crate::{BotzoneSeat, Token};

/// An account at Botzone, and what it plays there.
#[derive(Debug)]
pub(in crate::bot) struct Botzone {
    pub(in crate::bot) site: BotzoneSite,
    pub(in crate::bot) seat: BotzoneSeat,
}

impl ArenaFacts for Botzone {
    fn protocol(&self) -> &'static str {
        "botzone localai"
    }

    fn game(&self) -> GameKind {
        self.seat.game.kind()
    }

    fn token(&self) -> Option<&Token> {
        Some(self.site.secret())
    }

    fn fingerprint(&self) -> Option<Sha256> {
        Some(self.site.secret().fingerprint(&format!("{} {}", self.seat.site, self.seat.user)))
    }

    /// Plain HTTP goes to this machine only.
    fn exposes_token(&self) -> bool {
        false
    }

    fn validates(&self) -> bool {
        false
    }
}

impl fmt::Display for Botzone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.seat.fmt(f)
    }
}
