//! How an arena is set up.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use riichi::rules::{Length, Preset};
use secrecy::SecretString;

use crate::bots::Tokens;
use crate::time::TimeControl;

/// How an arena is set up.
#[derive(Debug, Clone)]
pub struct ArenaSettings {
    /// The address to listen on; port 0 takes a free port.
    pub listen: SocketAddr,
    /// Decides the walls and the seats of all games, each by its number.
    pub seed: u64,
    /// How many play a game, 3 or 4.
    pub players: u8,
    /// How long ranked games last. A validation is always East-only.
    pub length: Length,
    /// The house whose rules hold.
    pub preset: Preset,
    /// Who may connect.
    pub tokens: Tokens,
    /// Bots (at most as many as play a game, by their tokens) that make one table: it starts when all of them are queued, with built-in
    /// bots on the seats left. Their order here, not that of connecting, decides together with the seed who sits where.
    /// Bots that are not named are matched among themselves.
    pub table_of: Vec<SecretString>,
    /// How long the first in the queue waits before built-in bots take the seats left; `None`: for ever.
    pub fill_after: Option<Duration>,
    /// The time for answers.
    pub time: TimeControl,
    /// How long each table waits before it plays on from its answers, as tables of people do.
    pub pace: Duration,
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
            table_of: Vec::new(),
            fill_after: None,
            time: TimeControl::default(),
            pace: Duration::ZERO,
        }
    }
}
