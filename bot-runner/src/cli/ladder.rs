//! `ladder`: what the arena publishes about ranked games.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use ladder::{LadderAddress, RIICHILAB_API, RIICHILAB_LOGS};

use super::numbers::number;
use super::since::{Since, since};

/// Maximum number of games that one run fetches.
pub const MAX_FETCHED_GAMES: u32 = 250;

/// The options of `ladder`.
#[derive(Debug, Args)]
pub struct LadderArgs {
    #[command(subcommand)]
    pub command: LadderCommand,
    /// The base address of the ladder's interface
    #[arg(long, global = true, value_name = "URL", default_value = RIICHILAB_API, value_parser = LadderAddress::parse)]
    pub api: LadderAddress,
    /// The base address of the ladder's logs
    #[arg(long, global = true, value_name = "URL", default_value = RIICHILAB_LOGS, value_parser = LadderAddress::parse)]
    pub logs: LadderAddress,
    /// JSON output: one object per line
    #[arg(long, global = true)]
    pub json: bool,
}

/// The subcommands for the ladder.
#[derive(Debug, Subcommand)]
pub enum LadderCommand {
    /// Show the leaderboard
    Top {
        /// Number of bots
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<u32>(1..=1000))]
        limit: u32,
    },
    /// Find the ids of bots by a name, or a part of one
    Find { name: String },
    /// Show a bot: rating, rank, number of games
    Bot {
        /// The bot's id
        id: u64,
    },
    /// List the games of a bot, the newest first: place, points, rating
    Games {
        /// The bot's id
        id: u64,
        /// Only games since a day (2026-01-31) or for a time (30d, 12h)
        #[arg(long, value_name = "TIME", value_parser = since)]
        since: Option<Since>,
        /// Maximum number of games
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = number::<u32>(1..=10_000))]
        limit: u32,
    },
    /// Fetch the logs of a bot's newest games, with all hands and the players' names
    ///
    /// First prints the number of requests and the time that they take; at most 250 games a run.
    /// Games whose files exist are left out, so the same command continues. `view`, `replay` and
    /// `analyze --at` read the files. The logs are for your own use, not to be passed on.
    Fetch {
        /// The bot's id
        id: u64,
        /// Number of games
        #[arg(long, value_name = "N", value_parser = number::<u32>(1..=MAX_FETCHED_GAMES))]
        games: u32,
        /// The folder for the files, which is created if it is missing
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
}
