//! The arguments of `stats` and `results`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use policy_host::GameKind;

/// Which database is asked or written to.
#[derive(Debug, Clone, Args)]
pub struct DatabaseArgs {
    /// The database, sqlite:FILE or postgres://USER@HOST/DATABASE (default: sqlite:results.db)
    #[arg(long, value_name = "DB", conflicts_with = "config")]
    pub results: Option<String>,
    /// The database that this config names in its section [results]
    #[arg(long, value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    /// The environment variable with the database's password
    #[arg(long, value_name = "NAME", requires = "results", conflicts_with = "password_file")]
    pub password_env: Option<String>,
    /// A file with the database's password, which only you can read (mode 0600)
    #[arg(long, value_name = "FILE", requires = "results")]
    pub password_file: Option<PathBuf>,
}

/// The arguments of `stats`.
#[derive(Debug, Clone, Args)]
pub struct StatsArgs {
    /// Where the results are
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// Games of this bot alone
    #[arg(long, value_name = "NAME")]
    pub bot: Option<String>,
    /// Games of this policy alone
    #[arg(long, value_name = "ID", value_parser = super::names::PolicyId, hide_possible_values = true)]
    pub policy: Option<String>,
    /// Games at this arena alone, named by its address as `stats --json` shows it
    #[arg(long, value_name = "ADDRESS")]
    pub arena: Option<String>,
    /// Which game's results (default: all, in rows of their own)
    #[arg(long, value_parser = super::names::game())]
    pub game: Option<GameKind>,
    /// Games that ended on this day (UTC) or later, 2026-01-31, or within this time, 30d or 12h
    #[arg(long, value_name = "WHEN", value_parser = super::since::since)]
    pub since: Option<super::since::Since>,
    /// What makes a row
    #[arg(long, value_enum, default_value_t = StatsBy::Version)]
    pub by: StatsBy,
    /// Games of tournaments instead of ranked games
    #[arg(long)]
    pub tournaments: bool,
    /// For programs instead of people: one JSON object
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// For spreadsheets instead of people
    #[arg(long)]
    pub csv: bool,
    /// Draw average places with their intervals, and the places, into this file, as SVG
    #[arg(long, value_name = "FILE.svg")]
    pub chart: Option<PathBuf>,
}

/// What makes a row of `stats`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatsBy {
    /// Each version of each policy; each build of it where a version has several
    Version,
    /// Each week (ISO 8601, UTC)
    Week,
    /// Each opponent, where the arena tells who sits at the table
    Opponent,
    /// Each bot
    Bot,
}

/// What to do with results.
#[derive(Debug, Subcommand)]
pub enum ResultsCommand {
    /// Write the games of records that are there already into a database; what it has stays as it is
    Import {
        /// Folders of records, and single records
        #[arg(value_name = "RECORDS", required = true)]
        records: Vec<PathBuf>,
        /// Where the results go
        #[command(flatten)]
        database: DatabaseArgs,
    },
}
