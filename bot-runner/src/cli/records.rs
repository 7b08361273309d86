//! `records`: the records of ranked games.

use std::path::PathBuf;

use clap::{ArgGroup, Subcommand, ValueEnum};

use super::numbers::number;

/// The subcommands for records.
#[derive(Debug, Subcommand)]
pub enum RecordsCommand {
    /// List the recorded games, oldest first
    ///
    /// First finishes records that ended runners left unfinished. Logs of other programs are listed
    /// before.
    List {
        /// Folders of records or logs, and files of logs
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
    /// Write the events of a game from its own seat's view (riichi: an mjai record), or a riichi
    /// game with all hands visible in Tenhou's form
    Export {
        /// The record's folder, or a file of a game (plain or gzipped), for instance of `play
        /// --record`
        game: PathBuf,
        /// The form of the output
        #[arg(long, value_enum, default_value_t = ExportFormat::Mjai)]
        format: ExportFormat,
        /// The output file, which must not exist yet (default: standard output)
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Write the games of logs in another form
    ///
    /// Reads mjai in all dialects, Tenhou's JSON and mjlog, Majiang, Mahjong Soul's records as JSON,
    /// and the text form of the Chinese Standard competitions, plain, gzipped or in archives.
    Convert {
        /// Logs: files, folders, archives (.zip, .tar, .tar.gz), or - for standard input
        #[arg(value_name = "LOG", required = true)]
        logs: Vec<PathBuf>,
        /// The form of the output
        #[arg(long, value_enum)]
        to: ExportFormat,
        /// The output file, which must not exist yet; for several logs, a folder (default: standard
        /// output)
        #[arg(long, value_name = "PATH")]
        out: Option<PathBuf>,
    },
    /// Remove records by age or total size, oldest first
    #[command(group = ArgGroup::new("limit").required(true).multiple(true))]
    Prune {
        /// The folder of records, with the records of all its bots
        folder: PathBuf,
        /// Remove games that began more than this many days ago
        #[arg(long, value_name = "DAYS", value_parser = number::<u32>(0..=36_500), group = "limit")]
        older_than: Option<u32>,
        /// Remove the oldest until the folder is no larger than this
        #[arg(long, value_name = "MIB", value_parser = number::<u32>(0..=u32::MAX), group = "limit")]
        to_size: Option<u32>,
        /// Only show what would be removed
        #[arg(long)]
        dry_run: bool,
    },
}

/// The format of an exported game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// The recorded events, one a line
    Mjai,
    /// The JSON of Tenhou's viewer (tenhou.net/6), which most reviewers read; only for riichi with
    /// all hands visible
    Tenhou,
}
