//! `records`: lists, shows, exports and removes records of ranked games, and converts logs.

mod convert;
mod export;
mod list;
mod prune;
mod show;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use client::records::{self, GameRecord};
use lab::course::record_start;
use lab::record::Record;
use policy_host::escaped;
use riichi::Event;

use super::require_folder_of;
use crate::cli::RecordsCommand;
pub(super) use list::{began, files_of_games};

/// Runs a subcommand for records.
///
/// # Errors
///
/// If a folder cannot be read or is not a record, or a file cannot be written.
pub fn records(command: RecordsCommand) -> anyhow::Result<ExitCode> {
    match command {
        RecordsCommand::List { folders, json } => list::list(&folders, json),
        RecordsCommand::Show { game, json } => show::show(&game, json),
        RecordsCommand::Export { game, format, out } => {
            if let Some(out) = &out {
                require_folder_of(out)?;
            }
            if game.is_file() {
                require_game(&game)?;
            }
            export::export(&game, format, out.as_deref())
        }
        RecordsCommand::Convert { logs, to, out } => {
            if let Some(out) = &out {
                require_folder_of(out)?;
            }
            convert::convert(&logs, to, out.as_deref())
        }
        RecordsCommand::Prune {
            folder,
            older_than,
            to_size,
            dry_run,
        } => prune::prune(&folder, older_than, to_size, dry_run),
    }
}

/// Refuses a file whose first event begins no game.
fn require_game(file: &Path) -> anyhow::Result<()> {
    let name = file.display();
    let cannot = || format!("{name} cannot be read");
    if record_start(file).with_context(cannot)?.is_some() {
        return Ok(());
    }
    let why = match Record::open(file).with_context(cannot)?.next() {
        Some(Ok((_, Event::StartGame { .. }))) => return Ok(()),
        Some(Ok(_)) => "its first event is not `start_game`".to_owned(),
        Some(Err(why)) => escaped(why.to_string().as_bytes()),
        None => "it has no event".to_owned(),
    };
    bail!(
        "{name} is not a record of a game: {why}; name a record's folder or a file of `play --record`"
    )
}

/// The records of a folder, and whether all of this user's are readable; the others are warned of.
fn records_in(folder: &Path) -> anyhow::Result<(Vec<GameRecord>, bool)> {
    let (found, bad) = records::list(folder, |_| true).with_context(|| {
        format!(
            "the folder {} cannot be read; is the path right?",
            folder.display()
        )
    })?;
    for error in &bad {
        tracing::warn!("{error}");
    }
    Ok((found, bad.iter().all(|error| error.is_foreign)))
}

fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}
