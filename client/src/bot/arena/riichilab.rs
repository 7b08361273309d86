//! RiichiLab: a WebSocket, a token, and a queue for each game.

use std::fmt;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use policy_host::Sha256;
use riichi::Rules;

use super::{ArenaFacts, ArenaProtocol, RefusalMeaning};
use crate::session::Dialect;
use crate::session::riichilab::{Goal, RiichilabSession};
use crate::transport::websocket::WebSocketConnection;
use crate::transport::{ConnectError, Connection, Limits};
use crate::{ArenaUrl, Token};

/// An arena that speaks RiichiLab's protocol.
#[derive(Debug)]
pub(super) struct Riichilab {
    pub(super) url: ArenaUrl,
    pub(super) token: Token,
}

impl ArenaProtocol for Riichilab {
    fn connect(&self, goal: Goal, limits: Limits) -> BoxFuture<'_, Result<Connection, ConnectError>> {
        async move {
            let opened = WebSocketConnection::open(&self.url.with_path(goal.path()), &self.token, limits).await?;
            Ok(Connection::WebSocket(Box::new(opened)))
        }
        .boxed()
    }

    fn session(&self, _bot: &str, goal: Goal, rules: Rules) -> Box<dyn Dialect> {
        Box::new(RiichilabSession::new(goal, rules).hiding(self.token.clone()))
    }

    /// Of the texts that have been seen, `Token verification failed: Bot is inactive` and `… Invalid token` are about the
    /// bot, and `This bot is already connected to a game` is about its last game. Only the whole text counts: while an
    /// arena is deployed or overloaded it says much that holds a word of these, such as `Invalid request`.
    fn refusal_meaning(&self, words: &str) -> RefusalMeaning {
        let words = plain(words);
        match words.strip_prefix("token verification failed ").unwrap_or(&words) {
            "bot is inactive" | "invalid token" => RefusalMeaning::NotAccepted,
            _ if words.contains("already connected") => RefusalMeaning::StillConnected,
            _ => RefusalMeaning::MayPass,
        }
    }

    fn remedy_for_players(&self, dealt: u8) -> String {
        format!("set `players = {dealt}` in [arena]")
    }

    fn plays_on_without_us(&self) -> bool {
        true
    }
}

impl ArenaFacts for Riichilab {
    fn protocol(&self) -> &'static str {
        "riichilab 2"
    }

    fn token(&self) -> Option<&Token> {
        Some(&self.token)
    }

    fn fingerprint(&self) -> Option<Sha256> {
        Some(self.token.fingerprint(&self.url.under_one_name()))
    }

    fn exposes_token(&self) -> bool {
        self.url.exposes_token()
    }

    fn validates(&self) -> bool {
        true
    }
}

/// The words of a text in lower case, with one space between them and without anything else.
fn plain(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Riichilab {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(words: &str) -> RefusalMeaning {
        let url = ArenaUrl::parse("ws://127.0.0.1:1").expect("an address");
        Riichilab { url, token: Token::new("canary-0123456789").expect("a token") }.refusal_meaning(words)
    }

    #[test]
    fn only_the_documented_words_refuse_a_bot_and_only_as_the_whole_text() {
        for words in [
            "Token verification failed: Bot is inactive",
            "Token verification failed: Invalid token",
            "token verification failed: invalid token.",
            "Bot is inactive",
            "invalid_token",
        ] {
            assert_eq!(meaning(words), RefusalMeaning::NotAccepted, "{words}");
        }
        for words in [
            "Token verification failed",
            "Token verification failed: database connection lost",
            "Token verification failed: Invalid token cache",
            "Invalid request",
            "Bot is inactive until the next season begins",
            "",
        ] {
            assert_eq!(meaning(words), RefusalMeaning::MayPass, "{words}");
        }
    }

    #[test]
    fn a_bot_that_is_already_connected_may_have_a_game_that_goes_on() {
        for words in ["This bot is already connected to a game", "Already connected."] {
            assert_eq!(meaning(words), RefusalMeaning::StillConnected, "{words}");
        }
    }
}
