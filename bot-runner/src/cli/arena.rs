//! The options of `arena`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use config::PLAYERS;

use super::LengthName;
use super::numbers::number;

/// The options of the arena.
#[derive(Debug, Args)]
pub struct ArenaArgs {
    /// The address to listen on; port 0 takes a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0", value_parser = super::page::address)]
    pub listen: SocketAddr,
    /// Seed of walls and seats; each game depends on the seed and its number
    #[arg(long, default_value_t = 0, value_parser = number::<u64>(0..=u64::MAX))]
    pub seed: u64,
    /// Players per game, 4 or 3
    #[arg(long, default_value_t = PLAYERS, value_parser = number::<u8>(3..=4))]
    pub players: u8,
    /// Length of ranked games (a validation is always East-only)
    #[arg(long, value_enum, default_value_t = LengthName::Half)]
    pub length: LengthName,
    /// Milliseconds after the first bot queued until built-in bots take the empty seats (default:
    /// never)
    #[arg(long, value_name = "MS", value_parser = number::<u64>(0..=u64::MAX))]
    pub fill_after: Option<u64>,
    /// Accept only the tokens in this file, with lines TOKEN [NAME [active|pending|inactive]]
    #[arg(long, value_name = "FILE")]
    pub tokens: Option<PathBuf>,
    /// Free time for each answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 3000, value_parser = number::<u64>(0..=u64::MAX))]
    pub grace_ms: u64,
    /// Additional time for each round, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 15000, value_parser = number::<u64>(0..=u64::MAX))]
    pub bank_ms: u64,
    /// Delay of each table after its answers in milliseconds, like a table of humans
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = number::<u64>(0..=u64::MAX))]
    pub pace_ms: u64,
}
