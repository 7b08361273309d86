//! The luck of games, as sums whose expectation is 0 whatever the players do: control variates,
//! which make results less random without a bias.
//!
//! The functions and their weights were fixed before the games that they adjust: each file of
//! weights is a part of the program, its hash is a part of its [`version`], and results name the
//! version.

pub mod riichi;

use ::riichi::EventOf;
use policy_host::{PolicyTable, ShownTable};

use super::{GameRules, LabGame, SeatValues};

/// Parts of a place that luck is counted in.
pub const PARTS: i32 = 1_000;

/// Adds up the luck of a game.
pub trait GameLuck<G: LabGame<Table: ShownTable>> {
    /// Takes in an event with nothing hidden, which the tables of all seats have applied.
    fn hear(&mut self, event: &EventOf<G>, tables: &[Option<PolicyTable<G::Table>>]);

    /// What luck has added to the measure of each seat, in [parts](PARTS); the sum over seats is
    /// as near to 0 as whole numbers allow.
    fn of_seats(&self) -> SeatValues;
}

/// The version of the luck that is known of games by these rules; `None` if none is.
pub fn version(rules: &GameRules) -> Option<String> {
    match rules {
        GameRules::Riichi(rules) => riichi::version(rules),
        GameRules::Mcr(_) | GameRules::DouDizhu(_) => None,
    }
}
