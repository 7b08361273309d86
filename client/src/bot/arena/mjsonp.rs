//! The original mjai server: lines over TCP, and a room that four bots join by their names.

use std::fmt;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use policy_host::Sha256;
use protocol::lines::{Line, parse_line};
use riichi::Rules;

use super::{ArenaFacts, ArenaProtocol, RefusalMeaning};
use crate::session::Dialect;
use crate::session::mjsonp::MjsonpSession;
use crate::session::riichilab::Goal;
use crate::transport::tcp::TcpConnection;
use crate::transport::{ConnectError, Connection, Limits};
use crate::{RoomUrl, Token};

/// A room of an original mjai server.
#[derive(Debug)]
pub(super) struct Mjsonp {
    pub(super) room: RoomUrl,
}

impl ArenaProtocol for Mjsonp {
    fn connect(&self, _goal: Goal, limits: Limits) -> BoxFuture<'_, Result<Connection, ConnectError>> {
        async move {
            let (host, port) = (self.room.host(), self.room.port());
            TcpConnection::open(host, port, limits, is_greeting).await.map(Connection::Tcp)
        }
        .boxed()
    }

    fn session(&self, bot: &str, _goal: Goal, rules: Rules) -> Box<dyn Dialect> {
        Box::new(MjsonpSession::new(bot, self.room.room(), rules))
    }

    /// The server's texts are `No such room. Available room: …`, `Expected e.g. …` and `JSON syntax error: …`, which its
    /// source gives for a wrong join and nothing else, and `The room is busy. Retry after a while.`. `Error in player N's
    /// response: …` tells of a game that ended before we heard of its beginning.
    fn refusal_meaning(&self, words: &str) -> RefusalMeaning {
        const WRONG_JOIN: [&str; 3] = ["No such room.", "Expected e.g. ", "JSON syntax error: "];
        if WRONG_JOIN.iter().any(|start| words.starts_with(start)) {
            RefusalMeaning::NotAccepted
        } else {
            RefusalMeaning::MayPass
        }
    }

    fn remedy_for_players(&self, _dealt: u8) -> String {
        "bots play with four at mjsonp servers: name another room as `url` in [arena]".to_owned()
    }

    fn plays_on_without_us(&self) -> bool {
        false
    }
}

impl ArenaFacts for Mjsonp {
    fn protocol(&self) -> &'static str {
        "mjsonp"
    }

    fn token(&self) -> Option<&Token> {
        None
    }

    fn fingerprint(&self) -> Option<Sha256> {
        None
    }

    fn exposes_token(&self) -> bool {
        false
    }

    fn validates(&self) -> bool {
        false
    }
}

/// Whether a server begins with this line. One that has no room may say so at once.
fn is_greeting(line: &str) -> bool {
    matches!(parse_line(line), Ok(Line::Hello | Line::Error { .. }))
}

impl fmt::Display for Mjsonp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.room.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_three_is_answered_with_what_can_be_done_about_it() {
        let arena = Mjsonp { room: RoomUrl::parse("mjsonp://127.0.0.1:1/default").expect("a room") };
        assert!(arena.remedy_for_players(3).ends_with("name another room as `url` in [arena]"));
    }

    #[test]
    fn a_join_that_is_wrong_is_not_accepted_and_a_busy_room_may_pass() {
        let arena = Mjsonp { room: RoomUrl::parse("mjsonp://127.0.0.1:1/default").expect("a room") };
        for (words, meaning) in [
            ("No such room. Available room: default", RefusalMeaning::NotAccepted),
            ("Expected e.g. {\"type\":\"join\",\"name\":\"…\",\"room\":\"default\"}", RefusalMeaning::NotAccepted),
            ("JSON syntax error: unexpected token", RefusalMeaning::NotAccepted),
            ("The room is busy. Retry after a while.", RefusalMeaning::MayPass),
            ("Error in player 0's response: Expected e.g. none", RefusalMeaning::MayPass),
            ("Expected a room to be free by now", RefusalMeaning::MayPass),
        ] {
            assert_eq!(arena.refusal_meaning(words), meaning, "{words}");
        }
    }
}
