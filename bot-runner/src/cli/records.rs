//! `records`: what to do with the records of ranked games.

use std::path::PathBuf;

use clap::Subcommand;

/// What to do with records.
#[derive(Debug, Subcommand)]
pub enum RecordsCommand {
    /// List the recorded games, oldest first
    ///
    /// First finishes records that ended runners left unfinished.
    List {
        /// Folders of records
        #[arg(value_name = "FOLDER", default_value = "records")]
        folders: Vec<PathBuf>,
        /// JSON output: each manifest on a line, with the record's path and size
        #[arg(long)]
        json: bool,
    },
    /// Show the manifest of a record
    Show {
        /// The record's folder
        game: PathBuf,
        /// JSON output: the manifest
        #[arg(long)]
        json: bool,
    },
    /// Write the mjai record of a game from its own seat's view
    Export {
        /// The record's folder
        game: PathBuf,
        /// The output file, which must not exist yet (default: standard output)
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Remove records by age or total size, oldest first
    Prune {
        /// The folder of records, with the records of all its bots
        folder: PathBuf,
        /// Remove games that began more than this many days ago
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(..=36_500), required_unless_present = "to_size")]
        older_than: Option<u32>,
        /// Remove the oldest until the folder is no larger than this
        #[arg(long, value_name = "MIB")]
        to_size: Option<u32>,
        /// Only show what would be removed
        #[arg(long)]
        dry_run: bool,
    },
}
