//! An arena as a bot reaches it, in the arena's own dialect.

use std::fmt;

use mahjong::Rules;
use protocol::lines::{Line, parse_line};

use crate::config::{ArenaUrl, RoomUrl, Token};
use crate::foreign::cut;
use crate::session::riichilab::Goal;
use crate::session::{Dialect, mjsonp, riichilab};
use crate::transport::{ConnectError, Connection, Limits, tcp, websocket};
use policy_host::Sha256;

/// Where a bot plays and how it logs in.
#[derive(Debug, Clone)]
pub enum Arena {
    /// One that speaks RiichiLab's protocol.
    Riichilab {
        /// Its address.
        url: ArenaUrl,
        /// The bot's token there.
        token: Token,
    },
    /// A room of a server that speaks the original mjai protocol.
    Mjsonp(RoomUrl),
}

/// What an arena means by refusing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Our last game goes on without us.
    StillPlaying,
    /// The bot, or how it wants in, is not accepted.
    Login,
    /// There is no room at the moment.
    Busy,
    /// Something else, which may pass.
    Other,
}

impl Arena {
    /// Connects for one game.
    pub(super) async fn connect(&self, goal: Goal, limits: Limits) -> Result<Connection, ConnectError> {
        match self {
            Self::Riichilab { url, token } => {
                let opened = websocket::Connection::open(&url.with_path(goal.path()), token, limits).await;
                opened.map(|connection| Connection::WebSocket(Box::new(connection)))
            }
            Self::Mjsonp(room) => {
                let opened = tcp::Connection::open(room.host(), room.port(), limits, is_mjsonp_greeting).await;
                opened.map(Connection::Tcp)
            }
        }
    }

    /// The session of a connection just opened by the bot of this name.
    pub(super) fn session(&self, name: &str, goal: Goal, rules: Rules) -> Box<dyn Dialect> {
        match self {
            Self::Riichilab { token, .. } => Box::new(riichilab::Session::new(goal, rules).hiding(token.clone())),
            Self::Mjsonp(room) => Box::new(mjsonp::Session::new(name, room.room(), rules)),
        }
    }

    /// What tells this bot at this arena from every other, and from which nobody learns a token; `None` where bots log in
    /// without one.
    #[must_use]
    pub fn fingerprint(&self) -> Option<Sha256> {
        match self {
            Self::Riichilab { url, token } => Some(token.fingerprint(url)),
            Self::Mjsonp(_) => None,
        }
    }

    /// Whether both log in by the same token, here or there.
    #[must_use]
    pub fn shares_token(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Riichilab { token, .. }, Self::Riichilab { token: other, .. }) => token == other,
            (Self::Mjsonp(_), _) | (_, Self::Mjsonp(_)) => false,
        }
    }

    /// What the arena means by the words it refuses with.
    pub(super) fn refusal(&self, message: &str) -> Refusal {
        match self {
            // The arena's words count, not those that stand in for a token it repeats.
            Self::Riichilab { token, .. } => riichilab_refusal(&token.redact_with(message, "")),
            Self::Mjsonp(_) => mjsonp_refusal(message),
        }
    }

    /// The protocol spoken there, with its version.
    #[must_use]
    pub const fn protocol(&self) -> &'static str {
        match self {
            Self::Riichilab { .. } => "riichilab 2",
            Self::Mjsonp(_) => "mjsonp",
        }
    }

    /// What nothing that is shown or kept may repeat.
    #[must_use]
    pub const fn token(&self) -> Option<&Token> {
        match self {
            Self::Riichilab { token, .. } => Some(token),
            Self::Mjsonp(_) => None,
        }
    }

    /// Whether others than the arena can read the token on its way there.
    pub(crate) fn exposes_token(&self) -> bool {
        match self {
            Self::Riichilab { url, .. } => url.exposes_token(),
            Self::Mjsonp(_) => false,
        }
    }

    /// Words of the arena as they may be shown and kept: without the token, on one line, and not without end.
    pub(super) fn shown(&self, message: &str) -> String {
        match self {
            Self::Riichilab { token, .. } => cut(&token.redact(message)),
            Self::Mjsonp(_) => cut(message),
        }
    }

    /// Whether a game goes on when a player's connection drops, so that he is not let in again before its end.
    pub(super) const fn plays_on_without_us(&self) -> bool {
        matches!(self, Self::Riichilab { .. })
    }
}

/// The address.
impl fmt::Display for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Riichilab { url, .. } => url.fmt(f),
            Self::Mjsonp(room) => room.fmt(f),
        }
    }
}

/// Whether a server of the mjai protocol begins with this line. One that has no room may say so at once.
fn is_mjsonp_greeting(line: &str) -> bool {
    matches!(parse_line(line), Ok(Line::Hello | Line::Error { .. }))
}

/// Of an arena that has no time now. A space stands where a word begins or ends, so that ` restart` is `restarting` too.
const OVERLOADED: [&str; 16] = [
    " rate limit",
    " ratelimit",
    " limit ",
    " too many ",
    " too fast ",
    " slow down ",
    " retry",
    " timeout",
    " timed out ",
    " time out ",
    " temporar",
    " unavailable ",
    " maintenance ",
    " busy ",
    " overload",
    " restart",
];

/// Of a connection that the arena believes to be open.
const ALREADY_THERE: [&str; 8] = [
    " already connected ",
    " already in a game ",
    " already in game ",
    " already playing ",
    " already queued ",
    " already in queue ",
    " in use ",
    " duplicate ",
];

/// Of an arena that does not know the bot, or does not want it.
const UNWANTED: [&str; 5] = [" inactive ", " unauthor", " not authorized ", " forbidden ", " invalid "];

/// Of an arena that may say so to everybody.
const POLITE: [&str; 2] = [" try again ", " later "];

/// RiichiLab's texts are `This bot is already connected to a game` and `Token verification failed: …`; others are not
/// known. What may pass comes first, whatever else is said: a bot that ends stays away, one that waits costs a minute.
fn riichilab_refusal(message: &str) -> Refusal {
    let mut words = String::from(" ");
    for word in message.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words.extend([&word.to_lowercase(), " "]);
    }
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    if says(&OVERLOADED) {
        Refusal::Busy
    } else if says(&ALREADY_THERE) {
        Refusal::StillPlaying
    } else if says(&UNWANTED) {
        Refusal::Login
    } else if says(&POLITE) {
        Refusal::Busy
    } else if says(&[" token"]) {
        Refusal::Login
    } else {
        Refusal::Other
    }
}

/// The original server's texts that mean us are `No such room. Available room: …`, `Expected e.g. …` and `JSON syntax
/// error: …`. A busy room is free again some time, and `Error in player N's response: …` tells of a game that ended before
/// we heard of its beginning.
fn mjsonp_refusal(message: &str) -> Refusal {
    let for_good = ["no such room", "expected", "json syntax error"];
    let message = message.to_ascii_lowercase();
    if for_good.iter().any(|words| message.starts_with(words)) {
        Refusal::Login
    } else if message.contains("busy") {
        Refusal::Busy
    } else {
        Refusal::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_ends_no_bot_even_where_the_words_speak_of_its_token() {
        for (words, refusal) in [
            // As documented and seen.
            ("This bot is already connected to a game", Refusal::StillPlaying),
            ("Token verification failed: Bot is inactive", Refusal::Login),
            ("Token verification failed: Invalid token", Refusal::Login),
            // Overload.
            ("Rate limit exceeded for this token, retry later", Refusal::Busy),
            ("RATE_LIMITED", Refusal::Busy),
            ("Too many connections with this token", Refusal::Busy),
            ("Token verification failed: upstream timeout", Refusal::Busy),
            ("Token verification failed: service temporarily unavailable", Refusal::Busy),
            ("Server is restarting", Refusal::Busy),
            ("Down for maintenance.", Refusal::Busy),
            ("The arena is busy", Refusal::Busy),
            ("Server overloaded", Refusal::Busy),
            ("You already connected twice this second: slow down!", Refusal::Busy),
            // A connection that is there.
            ("Duplicate connection for this token", Refusal::StillPlaying),
            ("Token already in use", Refusal::StillPlaying),
            ("You are already in a game.", Refusal::StillPlaying),
            // The login.
            ("Bot is already inactive", Refusal::Login),
            ("invalid_token", Refusal::Login),
            ("401 Unauthorized", Refusal::Login),
            // Nothing of it, though letters of it are there.
            ("Your rating is not updated now", Refusal::Other),
            ("Reused name", Refusal::Other),
            ("The moon is full", Refusal::Other),
            ("", Refusal::Other),
        ] {
            assert_eq!(riichilab_refusal(words), refusal, "{words}");
        }
    }

    #[test]
    fn a_busy_room_is_waited_for_and_a_room_that_is_not_there_is_not() {
        assert_eq!(mjsonp_refusal("The room is busy. Retry after a while."), Refusal::Busy);
        assert_eq!(mjsonp_refusal("No such room. Available room: default"), Refusal::Login);
        assert_eq!(mjsonp_refusal("Error in player 0's response: Expected one of"), Refusal::Other);
    }
}
