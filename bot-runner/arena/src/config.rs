//! The options of the arena.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use riichi::rules::{Length, Preset};
use secrecy::SecretString;

use crate::bots::{RegisteredBot, Tokens};
use crate::event::EventSettings;
use crate::kept::ArenaLadder;
use crate::time::TimeControl;

#[derive(Debug, Clone)]
pub struct ArenaSettings {
    /// The address to listen on; port 0 takes a free port.
    pub listen: SocketAddr,
    /// Determines the walls and the seats of all games, each by its number.
    pub seed: u64,
    /// Number of players, 3 or 4.
    pub players: u8,
    /// The length of ranked games. A validation is always East-only.
    pub length: Length,
    pub preset: Preset,
    pub tokens: Tokens,
    /// Bots that may connect beside those of the tokens: the people of this process.
    pub beside: Vec<RegisteredBot>,
    /// Bots (by their tokens, at most one for each seat) that make one table: it starts when all of
    /// them are queued, with built-in bots on the remaining seats. Their order here, not the order
    /// of connecting, decides the seating, together with the seed. Bots that are not named are
    /// matched among themselves.
    pub table_of: Vec<SecretString>,
    /// Time that the first bot in the queue waits before built-in bots take the remaining seats;
    /// `None`: forever.
    pub fill_after: Option<Duration>,
    pub time: TimeControl,
    /// The minimum time of each table between two steps, like at a table of humans.
    pub pace: Duration,
    /// Keeps the ranked games.
    pub ladder: Option<Arc<ArenaLadder>>,
    /// The games to play in place of those of the queue, between the listed bots. It needs a
    /// ladder.
    pub event: Option<EventSettings>,
    /// What the arena serves beside its WebSockets, on the same port.
    pub http: Router,
}

impl Default for ArenaSettings {
    /// Ranked games of the public arena's kind on a free loopback port, open to every token.
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            seed: 0,
            players: 4,
            length: Length::Half,
            preset: Preset::Tenhou,
            tokens: Tokens::AcceptAny,
            beside: Vec::new(),
            table_of: Vec::new(),
            fill_after: None,
            time: TimeControl::default(),
            pace: Duration::ZERO,
            ladder: None,
            event: None,
            http: Router::new(),
        }
    }
}
