//! The options of `arena`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use config::PLAYERS;

use super::numbers::number;
use super::{LengthName, PageArgs};

/// The options of the arena.
#[derive(Debug, Args)]
pub struct ArenaArgs {
    /// The address to listen on; port 0 takes a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0", value_parser = super::page::address)]
    pub listen: SocketAddr,
    /// Seed of walls and seats; each game depends on the seed and its number (default: 0, with
    /// --keep a random one)
    #[arg(long, value_parser = number::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Players per game, 4 or 3
    #[arg(long, default_value_t = PLAYERS, value_parser = number::<u8>(3..=4))]
    pub players: u8,
    /// Length of ranked games (a validation is always East-only)
    #[arg(long, value_enum, default_value_t = LengthName::Half)]
    pub length: LengthName,
    /// Milliseconds after the first bot queued until built-in bots take the empty seats, in an event
    /// those of bots that are away for so long (default: never)
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
    /// Keep a ladder in this folder: ranked games, ratings and logs
    ///
    /// The port then serves pages, and the ladder's public interface as RiichiLab does: `bot-runner
    /// ladder --api http://ADDR --logs http://ADDR` reads it. The folder is created if it is
    /// missing, and continued if it is there.
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
    /// Maximum size of the logs in the folder, in MiB; the oldest are removed
    #[arg(long, value_name = "MIB", requires = "keep", default_value_t = 1024, value_parser = number::<u64>(1..=1 << 20))]
    pub keep_mib: u64,
    /// Play the event in this TOML file, then show its standing and end
    ///
    /// The file names bots, format and number of games. An event that was interrupted continues
    /// with the same folder.
    #[arg(long, value_name = "FILE", requires = "keep", conflicts_with_all = ["seed", "players", "length", "tokens"])]
    pub event: Option<PathBuf>,
    /// A person of this name plays, in the browser that opens the printed link first; once for each
    /// person (default name: person)
    #[arg(long = "person", value_name = "NAME", num_args = 0..=1, default_missing_value = "person", conflicts_with = "event")]
    pub people: Vec<String>,
    /// A config whose policy advises each person: its values and its reason on demand, and where it
    /// would have decided otherwise
    #[arg(long, requires = "people", value_name = "CONFIG")]
    pub adviser: Option<PathBuf>,
    #[command(flatten)]
    pub page: PageArgs,
}
