//! The arenas where a bot can play, and everything that differs between arenas.

use std::fmt;

use foreign_text::ForeignText;
use outbound::Authorities;
use policy_host::{GameKind, Sha256};
use protocol::lines::{Line, parse_line};
use riichi::Rules;

use crate::session::mjsonp::MjsonpSession;
use crate::session::riichilab::{ConnectionGoal, RiichilabSession};
use crate::session::{Dialect, WrongTable};
use crate::transport::botzone::BotzoneSite;
use crate::transport::tcp::TcpConnection;
use crate::transport::websocket::WebSocketConnection;
use crate::transport::{ConnectError, Connection, Limits, token_advice};
use crate::{ArenaUrl, BotzoneSeat, RoomUrl, Token};

/// An arena, with the data for logging in there. `Display` is its address.
#[derive(Debug, Clone)]
pub enum Arena {
    /// RiichiLab's protocol: a WebSocket, the bot's token, and a queue for each game.
    Riichilab {
        url: ArenaUrl,
        token: Token,
        authorities: Authorities,
    },
    /// The original mjai server: lines over TCP, and a room that four bots join by their names.
    Mjsonp(RoomUrl),
    /// Botzone: a long poll for all matches, whose address is the secret.
    Botzone {
        site: BotzoneSite,
        seat: BotzoneSeat,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefusalMeaning {
    /// The arena does not accept this bot or its token: the words are documented and unambiguous.
    NotAccepted,
    /// The arena believes that the bot is connected; one of its games may still be in progress.
    StillConnected,
    /// Any other refusal, which may be temporary.
    MayPass,
}

impl Arena {
    /// Connects for one game; returns the connection with the session of the bot of this name.
    pub(super) async fn open(
        &self,
        bot: &str,
        goal: ConnectionGoal,
        rules: Rules,
        limits: Limits,
    ) -> Result<(Connection, Box<dyn Dialect>), ConnectError> {
        match self {
            Self::Riichilab {
                url,
                token,
                authorities,
            } => {
                let opened = WebSocketConnection::open(
                    &url.with_path(goal.path()),
                    token,
                    authorities,
                    limits,
                )
                .await?;
                let session = RiichilabSession::new(goal, rules).hiding(token.clone());
                Ok((Connection::WebSocket(Box::new(opened)), Box::new(session)))
            }
            Self::Mjsonp(room) => {
                let opened =
                    TcpConnection::open(room.host(), room.port(), limits, is_greeting).await?;
                Ok((
                    Connection::Tcp(opened),
                    Box::new(MjsonpSession::new(bot, room.room(), rules)),
                ))
            }
            Self::Botzone { .. } => Err(ConnectError::NoArena("Botzone is polled".to_owned())),
        }
    }

    /// The meaning of a refusal in these words. It uses all the words, including any that are part
    /// of the bot's token.
    pub(super) fn refusal_meaning(&self, words: &ForeignText) -> RefusalMeaning {
        match self {
            Self::Riichilab { .. } => riichilab_refusal(words.understood()),
            Self::Mjsonp(_) => mjsonp_refusal(words.understood()),
            Self::Botzone { .. } => RefusalMeaning::MayPass,
        }
    }

    /// The shown text of a refusal, with what to do if its words are about the bot or its token.
    pub(super) fn with_advice(&self, words: &ForeignText, shown: impl fmt::Display) -> String {
        let Self::Riichilab { token, .. } = self else {
            return shown.to_string();
        };
        match verdict(&plain(words.understood())) {
            INACTIVE => format!(
                "{shown}; if the bot is new, let the arena validate it with `bot-runner validate`, else activate it on the \
                 arena's web site"
            ),
            INVALID_TOKEN => format!("{shown}; {}", token_advice(token.key())),
            _ => shown.to_string(),
        }
    }

    /// Describes the difference between the arena's table and the bot's, and how to resolve it.
    pub(super) fn wrong_table(&self, wrong: WrongTable) -> String {
        let remedy = match self {
            Self::Riichilab { .. } => format!("set `players = {}` in [arena]", wrong.dealt),
            Self::Mjsonp(_) => {
                "bots play with four at mjsonp servers: name another room as `url` in [arena]"
                    .to_owned()
            }
            Self::Botzone { .. } => "set another `game` in [arena]".to_owned(),
        };
        format!("{wrong}; {remedy}")
    }

    /// Whether a game continues when a player's connection is lost. The player is then not let in
    /// again before the game ends.
    pub(super) const fn plays_on_without_us(&self) -> bool {
        !matches!(self, Self::Mjsonp(_))
    }

    /// The protocol's name with its version.
    pub const fn protocol(&self) -> &'static str {
        match self {
            Self::Riichilab { .. } => "riichilab 2",
            Self::Mjsonp(_) => "mjsonp",
            Self::Botzone { .. } => "botzone localai",
        }
    }

    pub const fn game(&self) -> GameKind {
        match self {
            Self::Riichilab { .. } | Self::Mjsonp(_) => GameKind::Riichi,
            Self::Botzone { seat, .. } => seat.game.kind,
        }
    }

    /// The bot's token, which must not appear in any output; `None` if bots log in without one.
    pub fn token(&self) -> Option<&Token> {
        match self {
            Self::Riichilab { token, .. } => Some(token),
            Self::Mjsonp(_) => None,
            Self::Botzone { site, .. } => Some(site.secret()),
        }
    }

    /// A hash of address and token, which identifies this bot at this arena; `None` without a
    /// token.
    pub fn fingerprint(&self) -> Option<Sha256> {
        let place = match self {
            Self::Riichilab { url, .. } => url.under_one_name(),
            Self::Mjsonp(_) => return None,
            Self::Botzone { seat, .. } => format!("{} {}", seat.site, seat.user),
        };
        Some(self.token()?.fingerprint(&place))
    }

    pub fn shares_token(&self, other: &Self) -> bool {
        self.token()
            .is_some_and(|token| other.token() == Some(token))
    }

    /// Whether the token travels unencrypted over a network. To Botzone, plain HTTP goes to this
    /// machine only.
    pub fn exposes_token(&self) -> bool {
        matches!(self, Self::Riichilab { url, .. } if url.exposes_token())
    }

    /// Whether the arena has a test that a new bot must pass.
    pub const fn validates(&self) -> bool {
        matches!(self, Self::Riichilab { .. })
    }
}

impl fmt::Display for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Riichilab { url, .. } => url.fmt(f),
            Self::Mjsonp(room) => room.fmt(f),
            Self::Botzone { seat, .. } => seat.fmt(f),
        }
    }
}

/// Among the known texts, `Token verification failed: Bot is inactive` and `… Invalid token` are
/// about the bot, and `This bot is already connected to a game` is about its last game. Only a
/// complete text counts: during a deployment or under load, an arena sends many texts with a word
/// of these, such as `Invalid request`.
fn riichilab_refusal(words: &str) -> RefusalMeaning {
    let words = plain(words);
    match verdict(&words) {
        INACTIVE | INVALID_TOKEN => RefusalMeaning::NotAccepted,
        _ if words.contains("already connected") => RefusalMeaning::StillConnected,
        _ => RefusalMeaning::MayPass,
    }
}

/// RiichiLab's verdicts on a bot and on a token, as plain words.
const INACTIVE: &str = "bot is inactive";
const INVALID_TOKEN: &str = "invalid token";

/// The part of plain words that may be a verdict.
fn verdict(words: &str) -> &str {
    words
        .strip_prefix("token verification failed ")
        .unwrap_or(words)
}

/// The words of a text in lower case, separated by one space, without other characters.
fn plain(text: &str) -> String {
    let words = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The server's texts are `No such room. Available room: …`, `Expected e.g. …` and `JSON syntax
/// error: …`, which its source gives for a wrong join and nothing else, and `The room is busy.
/// Retry after a while.`. `Error in player N's response: …` refers to a game that ended before its
/// first message reached us.
fn mjsonp_refusal(words: &str) -> RefusalMeaning {
    const WRONG_JOIN: [&str; 3] = ["No such room.", "Expected e.g. ", "JSON syntax error: "];
    if WRONG_JOIN.iter().any(|start| words.starts_with(start)) {
        RefusalMeaning::NotAccepted
    } else {
        RefusalMeaning::MayPass
    }
}

/// Whether an mjsonp server may begin with this line. A server without a room may report that at
/// once.
fn is_greeting(line: &str) -> bool {
    matches!(parse_line(line), Ok(Line::Hello | Line::Error { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_documented_words_refuse_a_bot_and_only_as_the_whole_text() {
        for words in [
            "Token verification failed: Bot is inactive",
            "Token verification failed: Invalid token",
            "token verification failed: invalid token.",
            "Bot is inactive",
            "Invalid token",
            "invalid_token",
        ] {
            assert_eq!(
                riichilab_refusal(words),
                RefusalMeaning::NotAccepted,
                "{words}"
            );
        }
        for words in [
            "Token verification failed",
            "Token verification failed: database connection lost",
            "Token verification failed: upstream timeout",
            "Token verification failed: Invalid token cache entry",
            "Token verification failed: Bot is inactive in this shard",
            "Token is being verified by another node",
            "Token service unavailable",
            "Unexpected token < in JSON at position 0",
            "Unauthorized",
            "Forbidden while maintenance is going on",
            "Invalid request",
            "Invalid session",
            "Invalid state: matchmaking is being deployed",
            "invalid memory address or nil pointer dereference",
            "Queue is inactive",
            "Matchmaking inactive until 12:00",
            "Bot is inactive until the next season begins",
            "Rate limit exceeded for this token",
            "Duplicate connection for this token",
            "Internal server error",
            "no available server",
            "The moon is full",
            "",
        ] {
            assert_eq!(riichilab_refusal(words), RefusalMeaning::MayPass, "{words}");
        }
    }

    #[test]
    fn a_bot_that_is_already_connected_may_have_a_game_in_progress() {
        for words in [
            "This bot is already connected to a game",
            "Already connected.",
        ] {
            assert_eq!(
                riichilab_refusal(words),
                RefusalMeaning::StillConnected,
                "{words}"
            );
        }
    }

    #[test]
    fn a_table_of_three_is_reported_with_the_remedy() {
        let arena = Arena::Mjsonp(RoomUrl::parse("mjsonp://127.0.0.1:1/default").expect("a room"));
        let words = arena.wrong_table(WrongTable {
            dealt: 3,
            players: 4,
        });
        assert!(
            words.ends_with("name another room as `url` in [arena]"),
            "{words}"
        );
    }

    #[test]
    fn a_join_that_is_wrong_is_not_accepted_and_a_busy_room_may_pass() {
        for (words, meaning) in [
            (
                "No such room. Available room: default",
                RefusalMeaning::NotAccepted,
            ),
            (
                "Expected e.g. {\"type\":\"join\",\"name\":\"…\",\"room\":\"default\"}",
                RefusalMeaning::NotAccepted,
            ),
            (
                "JSON syntax error: unexpected token",
                RefusalMeaning::NotAccepted,
            ),
            (
                "The room is busy. Retry after a while.",
                RefusalMeaning::MayPass,
            ),
            (
                "Error in player 0's response: Expected e.g. none",
                RefusalMeaning::MayPass,
            ),
            ("Expected a room to be free by now", RefusalMeaning::MayPass),
        ] {
            assert_eq!(mjsonp_refusal(words), meaning, "{words}");
        }
    }
}
