//! The arguments of `stats` and `results`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use policy_host::GameKind;

/// The database of a command.
#[derive(Debug, Clone, Args)]
pub struct DatabaseArgs {
    /// The database, sqlite:FILE or postgres://USER@HOST/DATABASE (default: sqlite:results.db)
    #[arg(long, value_name = "DB", conflicts_with = "config")]
    pub results: Option<String>,
    /// Use the database of this config's [results] section
    #[arg(long, value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    /// The environment variable with the database's password
    #[arg(
        long,
        value_name = "NAME",
        requires = "results",
        conflicts_with = "password_file"
    )]
    pub password_env: Option<String>,
    /// A file (mode 0600) with the database's password
    #[arg(long, value_name = "FILE", requires = "results")]
    pub password_file: Option<PathBuf>,
}

/// The arguments of `stats`.
#[derive(Debug, Clone, Args)]
pub struct StatsArgs {
    /// The database with the results
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// Only games of this bot
    #[arg(long, value_name = "NAME")]
    pub bot: Option<String>,
    /// Only games of this policy, by its name in the table: for a program that of its file, such as
    /// bot.py
    #[arg(long, value_name = "ID", value_parser = super::names::PolicyId, hide_possible_values = true)]
    pub policy: Option<String>,
    /// Only games at this arena, given by its address as shown by `stats --json`
    #[arg(long, value_name = "ADDRESS")]
    pub arena: Option<String>,
    /// Only results of this game (default: all, in separate rows)
    #[arg(long, value_parser = super::names::game())]
    pub game: Option<GameKind>,
    /// Only games that ended on or after this day (UTC, 2026-01-31) or within this time (30d, 12h)
    #[arg(long, value_name = "WHEN", value_parser = super::since::since)]
    pub since: Option<super::since::Since>,
    /// The grouping of rows
    #[arg(long, value_enum, default_value_t = StatsBy::Version)]
    pub by: StatsBy,
    /// Ratings on the arena's ladder instead of places: each bot and version with its rating at the
    /// start and the end, and whether it holds the threshold
    #[arg(long, conflicts_with_all = ["by", "tournaments"])]
    pub rating: bool,
    /// The rating that a bot holds, or not, with --rating: after game 200, and on average over the
    /// games 101 to 200
    #[arg(long, value_name = "RATING", default_value_t = 1800.0, value_parser = super::numbers::rating)]
    pub threshold: f64,
    /// Tournament games instead of ranked games
    #[arg(long)]
    pub tournaments: bool,
    /// JSON output: one object
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// CSV output
    #[arg(long)]
    pub csv: bool,
    /// Draw average places, or points in games that are compared by points, with intervals, and the
    /// distribution of places, into this SVG file; with --rating the rating over games
    #[arg(long, value_name = "FILE.svg")]
    pub chart: Option<PathBuf>,
}

/// The grouping of rows of `stats`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatsBy {
    /// Each version of each policy, and each build if a version has several
    Version,
    /// Each week (ISO 8601, UTC)
    Week,
    /// Each opponent, if the arena names the players
    Opponent,
    /// Each bot
    Bot,
}

/// The subcommands for results.
#[derive(Debug, Subcommand)]
pub enum ResultsCommand {
    /// Add the games of existing records to a database, with their luck where a record has all
    /// hands; nothing else changes in existing rows
    Import {
        /// Folders of records, and single records
        #[arg(value_name = "RECORDS", required = true)]
        records: Vec<PathBuf>,
        /// The database to write to
        #[command(flatten)]
        database: DatabaseArgs,
    },
}
