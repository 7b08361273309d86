//! Faults between a bot and its arena, and which of three rules applies: retry forever, retry a
//! limited number of times, or stop.

use std::time::Duration;

use outbound::MAX_RETRY_AFTER;

use super::arena::{Arena, RefusalMeaning};
use crate::transport::botzone::SiteFault;
use crate::transport::{Closed, ConnectError};

/// The rule after a connection without a finished game.
#[derive(Debug, Clone, Copy)]
pub(super) enum RetryRule {
    /// A temporary failure: the bot retries forever, with growing delays.
    Forever,
    /// The fault costs rating or spoils the game for others: after this many of them without a
    /// finished game in between, the bot gives up.
    Times(&'static FaultLimit),
    /// The arena certainly does not accept the bot: it ends at once.
    Stop,
}

/// The number of faults after which the bot gives up.
#[derive(Debug)]
pub(super) struct FaultLimit {
    /// The count at which it gives up.
    pub(super) most: u32,
    /// The description of the repeated fault.
    pub(super) what: &'static str,
    pub(super) advice: &'static str,
}

/// The client may be incompatible with this arena.
pub(super) static LOST_IN_FIRST_ROUND: FaultLimit = FaultLimit {
    most: 5,
    what: "a game was lost in its first round",
    advice: "the log says more; `bot-runner validate` plays a game that costs no rating",
};

/// The network may be unstable.
pub(super) static LOST_LATER: FaultLimit = FaultLimit {
    most: 10,
    what: "a game was lost",
    advice: "lost games cost rating; is the network steady enough for a whole game?",
};

/// A server that aborts the game for all four when one of them fails or leaves.
pub(super) static SPOILED_FOR_OTHERS: FaultLimit = FaultLimit {
    most: 20,
    what: "a game ended for all players because of this bot",
    advice: "each of them spoils a game for three others; the log and the server's words say more",
};

/// A fault between a bot and its arena.
#[derive(Debug, Clone)]
pub(super) struct ConnectionFault {
    pub(super) rule: RetryRule,
    /// The description of the fault, without the token.
    pub(super) words: String,
    /// How long the arena asks the bot to wait.
    pub(super) retry_after: Duration,
    /// Whether a game of the bot may continue at the arena, which lets it in again only after that.
    pub(super) game_may_go_on: bool,
}

impl ConnectionFault {
    fn new(rule: RetryRule, words: impl Into<String>) -> Self {
        Self {
            rule,
            words: words.into(),
            retry_after: Duration::ZERO,
            game_may_go_on: false,
        }
    }

    /// How long to wait because the arena asks for it: up to a fifth longer than that, because
    /// other bots have got the same answer. `jitter` is a random number from 0 to 1.
    pub(super) fn asked_wait(&self, jitter: f64) -> Duration {
        self.retry_after
            .min(MAX_RETRY_AFTER)
            .mul_f64(1.0 + 0.2 * jitter.clamp(0.0, 1.0))
    }

    /// A fault that may be temporary.
    pub(super) fn passing(words: impl Into<String>) -> Self {
        Self::new(RetryRule::Forever, words)
    }

    /// A game that was lost or spoiled.
    pub(super) fn game(
        limit: &'static FaultLimit,
        words: impl Into<String>,
        game_may_go_on: bool,
    ) -> Self {
        Self {
            game_may_go_on,
            ..Self::new(RetryRule::Times(limit), words)
        }
    }

    /// A refusal in the arena's words; `shown` is the part of them that may be shown.
    pub(super) fn refused(meaning: RefusalMeaning, shown: String) -> Self {
        let says = || format!("the arena says \"{shown}\"");
        match meaning {
            RefusalMeaning::NotAccepted => Self::new(RetryRule::Stop, shown),
            RefusalMeaning::StillConnected => Self {
                game_may_go_on: true,
                ..Self::passing(says())
            },
            RefusalMeaning::MayPass => Self::passing(says()),
        }
    }

    /// A connection that could not be opened. HTTP 401 and 403 are about the token, unless the
    /// arena says that the bot is connected.
    pub(super) fn not_connected(error: &ConnectError, arena: &Arena) -> Self {
        let (rule, retry_after, words) = match error {
            ConnectError::Refused { words, .. } => (RetryRule::Stop, None, words.as_ref()),
            ConnectError::Unavailable {
                retry_after, words, ..
            } => (RetryRule::Forever, *retry_after, words.as_ref()),
            ConnectError::Meaningless { words, .. } => (RetryRule::Forever, None, words.as_ref()),
            ConnectError::Redirect(_)
            | ConnectError::NoArena(_)
            | ConnectError::Certificate(_)
            | ConnectError::TimedOut { .. }
            | ConnectError::Network { .. } => (RetryRule::Forever, None, None),
        };
        if let Some(words) = words
            && arena.refusal_meaning(words) == RefusalMeaning::StillConnected
        {
            return Self::refused(RefusalMeaning::StillConnected, words.to_string());
        }
        Self {
            retry_after: retry_after.unwrap_or_default(),
            ..Self::new(rule, error.to_string())
        }
    }

    /// The fault of a failed poll of Botzone. Only a refusal of the account is certain.
    pub(super) fn at_site(fault: &SiteFault) -> Self {
        let (rule, retry_after) = match fault {
            SiteFault::Refused { .. } => (RetryRule::Stop, None),
            SiteFault::TooOften { wait, .. }
            | SiteFault::Closed { wait, .. }
            | SiteFault::NoAnswer { wait, .. } => (RetryRule::Forever, *wait),
            SiteFault::Displaced
            | SiteFault::Impossible(_)
            | SiteFault::Redirect(_)
            | SiteFault::NotBotzone(_)
            | SiteFault::Lost(_)
            | SiteFault::NotConnected(_) => (RetryRule::Forever, None),
        };
        Self {
            retry_after: retry_after.unwrap_or_default(),
            ..Self::new(rule, fault.to_string())
        }
    }

    /// The connection ended before a game began. A close frame with a code for a breach of policy,
    /// or with one of the arena's codes, counts like an error message if it has a reason.
    pub(super) fn closed_in_queue(closed: &Closed, arena: &Arena) -> Self {
        match closed {
            Closed::ByFrame {
                code: code @ (1008 | 4000..),
                reason,
            } if !reason.is_empty() => {
                let shown = arena.with_advice(reason, format_args!("{reason} (code {code})"));
                Self::refused(arena.refusal_meaning(reason), shown)
            }
            _ => Self::passing(closed.to_string()),
        }
    }
}
