//! Events: a fixed number of games between certain bots.

mod draw;
mod plan;
mod standing;

use serde::{Deserialize, Serialize};

pub(crate) use self::plan::{EventPlan, PlannedGame};
pub use self::standing::{EventStanding, standings};

/// Maximum number of bots in an event, and of its games.
pub const MAX_EVENT_BOTS: usize = 64;
pub const MAX_EVENT_GAMES: u32 = 10_000;

/// How tables are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventFormat {
    /// All bots meet each other equally often, as far as the number of games allows.
    RoundRobin,
    /// From the second round on bots meet others of the same strength, by the standing.
    Swiss,
}

/// An event. Its bots are those that the arena lists, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventSettings {
    pub name: String,
    pub format: EventFormat,
    /// Number of games.
    pub games: u32,
    /// Number of players at a table, 3 or 4.
    pub players: u8,
    /// Whether each table plays the same walls once from each seat.
    pub duplicate: bool,
    /// Determines the tables and seats.
    pub seed: u64,
    /// The names of the bots.
    pub bots: Vec<String>,
}

impl EventSettings {
    /// Number of games on the same walls.
    pub(crate) fn games_of_set(&self) -> u32 {
        if self.duplicate {
            self.players.into()
        } else {
            1
        }
    }

    /// What makes the event impossible: the key, and the reason.
    ///
    /// # Errors
    ///
    /// The first mistake.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        if !matches!(self.players, 3 | 4) {
            return Err((
                "players",
                format!("found {}; 3 and 4 are allowed", self.players),
            ));
        }
        let players = usize::from(self.players);
        if !(players..=MAX_EVENT_BOTS).contains(&self.bots.len()) {
            let found = self.bots.len();
            return Err((
                "bots",
                format!("found {found}; {players} to {MAX_EVENT_BOTS} bots are allowed"),
            ));
        }
        for (index, name) in self.bots.iter().enumerate() {
            if self.bots[..index].contains(name) {
                return Err(("bots", format!("two bots have the name {name:?}")));
            }
        }
        if !(1..=MAX_EVENT_GAMES).contains(&self.games) {
            let found = self.games;
            return Err((
                "games",
                format!("found {found}; 1 to {MAX_EVENT_GAMES} are allowed"),
            ));
        }
        if !self.games.is_multiple_of(self.games_of_set()) {
            let (found, players) = (self.games, self.players);
            return Err((
                "games",
                format!(
                    "found {found}; with `duplicate` each table plays its walls {players} times, so a multiple of \
                     {players} is allowed"
                ),
            ));
        }
        Ok(())
    }
}
