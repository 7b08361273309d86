//! `records`: what to do with the records of ranked games.

use std::path::PathBuf;

use clap::Subcommand;

/// What to do with records.
#[derive(Debug, Subcommand)]
pub enum RecordsCommand {
    /// Show which games are recorded, the oldest first
    ///
    /// What runners that are gone left unfinished is finished first.
    List {
        /// Folders of records
        #[arg(value_name = "FOLDER", default_value = "records")]
        folders: Vec<PathBuf>,
        /// For programs instead of people: each manifest on a line, with the record's path and size
        #[arg(long)]
        json: bool,
    },
    /// Show what a record says of its game
    Show {
        /// The record's folder
        game: PathBuf,
        /// For programs instead of people: the manifest
        #[arg(long)]
        json: bool,
    },
    /// Write the mjai record of a game, as its own seat saw it
    Export {
        /// The record's folder
        game: PathBuf,
        /// Write it into this file, which must not be there yet (default: to standard output)
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Remove records that are old or take too much room, the oldest first
    Prune {
        /// The folder of records, of all bots that keep theirs there
        folder: PathBuf,
        /// Remove what began more than so many days ago
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(..=36_500), required_unless_present = "to_size")]
        older_than: Option<u32>,
        /// Remove until what is left is no larger
        #[arg(long, value_name = "MIB")]
        to_size: Option<u32>,
        /// Only say what would be removed
        #[arg(long)]
        dry_run: bool,
    },
}
