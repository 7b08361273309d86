//! What can go wrong between a bot and its arena, by class, and what is done about each: one table.

use std::time::Duration;

use super::arena::{Arena, Refusal};
use crate::transport::ConnectError;

/// In what way a connection served no purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultClass {
    /// Nobody answers at the arena's address.
    Unreachable,
    /// The arena is down, or has too much to do.
    Overloaded,
    /// The connection was lost while we waited for a game.
    LostInQueue,
    /// A game of ours goes on without us.
    StillPlaying,
    /// The token or the bot is not accepted.
    Login,
    /// The arena refuses in words that are not known.
    Refused,
    /// What answers is no arena.
    NoArena,
    /// Who answers has no valid certificate.
    Certificate,
    /// What the arena sends in the queue is no WebSocket's.
    Garbled,
    /// A game ended in which nothing was dealt.
    NothingDealt,
    /// The server ended a game for all, or it cannot go on without us.
    Aborted,
    /// A game was lost in its first round.
    LostAtStart,
    /// A game was lost later.
    LostInGame,
}

/// What is done about a class of faults. What does not end the bot is tried again after a wait that grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// It will pass: a bot may be left alone for weeks.
    Endless,
    /// It lasts as long as a lost game can take, and then ends the bot.
    LostGame,
    /// It ends the bot at once.
    Once,
    /// It ends the bot when it has come so often, and no game was played to its end in between.
    Times {
        /// How often.
        most: u32,
        /// What came so often.
        what: &'static str,
        /// What to do about it.
        advice: &'static str,
    },
}

impl FaultClass {
    /// All of them.
    pub(super) const ALL: [Self; 13] = [
        Self::Unreachable,
        Self::Overloaded,
        Self::LostInQueue,
        Self::StillPlaying,
        Self::Login,
        Self::Refused,
        Self::NoArena,
        Self::Certificate,
        Self::Garbled,
        Self::NothingDealt,
        Self::Aborted,
        Self::LostAtStart,
        Self::LostInGame,
    ];

    /// The table. With waits of a minute at most, 60 attempts take about an hour.
    pub(super) const fn rule(self) -> Rule {
        match self {
            Self::Unreachable | Self::Overloaded | Self::LostInQueue => Rule::Endless,
            Self::StillPlaying => Rule::LostGame,
            Self::Login => Rule::Once,
            Self::Refused => Rule::Times {
                most: 60,
                what: "the arena refused the bot",
                advice: "see what the arena says about it, then start the bot again",
            },
            Self::NoArena => Rule::Times {
                most: 60,
                what: "the address answered and was no arena",
                advice: "put the arena's address into arena.url",
            },
            Self::Certificate => Rule::Times {
                most: 60,
                what: "who answered at the address had no valid certificate",
                advice: "see that arena.url names the arena, and that nothing stands between the two",
            },
            Self::Garbled => Rule::Times {
                most: 20,
                what: "the connection ended in the queue over what the arena sent",
                advice: "is arena.url right, and this version of the runner new enough?",
            },
            Self::NothingDealt => Rule::Times {
                most: 10,
                what: "the arena ended a game before anything was dealt",
                advice: "see what the arena says about it, then start the bot again",
            },
            Self::Aborted => Rule::Times {
                most: 20,
                what: "the server aborted a game",
                advice: "its words say whose reply was at fault; each aborted game spoils it for three others",
            },
            Self::LostAtStart => Rule::Times {
                most: 5,
                what: "a game was lost in its first round",
                advice: "the log says more; `bot-runner validate` plays a game that costs no rating",
            },
            Self::LostInGame => Rule::Times {
                most: 10,
                what: "a game was lost",
                advice: "lost games cost rating; is the network steady enough for a whole game?",
            },
        }
    }

    /// Whether it shows that we are not let in, which is over once we are.
    pub(super) const fn is_at_the_door(self) -> bool {
        !matches!(self, Self::Garbled | Self::NothingDealt | Self::Aborted | Self::LostAtStart | Self::LostInGame)
    }
}

/// Something that went wrong.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    /// In what way.
    pub(super) class: FaultClass,
    /// In words, without the token.
    pub(super) words: String,
    /// How long the arena asks to be left alone.
    pub(super) retry_after: Duration,
}

impl Fault {
    /// A fault of a class, in words that hold no token.
    pub(super) fn new(class: FaultClass, words: impl Into<String>) -> Self {
        Self { class, words: words.into(), retry_after: Duration::ZERO }
    }

    /// A refusal in the arena's words, as they may be shown.
    pub(super) fn refused(refusal: Refusal, words: String) -> Self {
        let class = match refusal {
            Refusal::Login => return Self::new(FaultClass::Login, words),
            Refusal::StillPlaying => FaultClass::StillPlaying,
            Refusal::Busy => FaultClass::Overloaded,
            Refusal::Other => FaultClass::Refused,
        };
        Self::new(class, format!("the arena says \"{words}\""))
    }

    /// No connection came about. The words of an answer tell only whether that will pass; else its status counts.
    pub(super) fn at_the_door(error: &ConnectError, arena: &Arena) -> Self {
        if let ConnectError::Refused { words: Some(words), .. } | ConnectError::Meaningless { words: Some(words), .. } =
            error
            && let refusal @ (Refusal::StillPlaying | Refusal::Busy) = arena.refusal(words)
        {
            return Self::refused(refusal, words.clone());
        }
        let (class, retry_after) = match error {
            ConnectError::Refused { .. } | ConnectError::Redirect(_) => (FaultClass::Login, None),
            ConnectError::Overloaded { retry_after, .. } => (FaultClass::Overloaded, *retry_after),
            ConnectError::NoArena(_) | ConnectError::Meaningless { .. } => (FaultClass::NoArena, None),
            ConnectError::Certificate(_) => (FaultClass::Certificate, None),
            ConnectError::TimedOut(_) | ConnectError::Network(_) => (FaultClass::Unreachable, None),
        };
        Self { class, words: error.to_string(), retry_after: retry_after.unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::RoomUrl;

    #[test]
    fn a_network_that_is_away_is_waited_for_and_a_wrong_certificate_not_for_ever() {
        let arena = Arena::Mjsonp(RoomUrl::parse("mjsonp://127.0.0.1:1").expect("a room"));
        let rule = |error: ConnectError| Fault::at_the_door(&error, &arena).class.rule();
        assert_eq!(rule(ConnectError::Network("connection refused".to_owned())), Rule::Endless);
        let wrong = rule(ConnectError::Certificate("for another name".to_owned()));
        assert!(matches!(wrong, Rule::Times { most: 60, .. }), "{wrong:?}");
    }
}
