//! The commands of the program, one file each.
//!
//! Output for users goes to standard output, logs to standard error.

mod adviser;
pub mod analyze;
pub mod arena;
pub mod botzone;
pub mod check;
mod entrants;
pub mod init;
pub mod ladder;
pub mod manual;
pub mod play;
pub mod plugin;
pub mod policy_child;
pub mod records;
pub mod reload;
pub mod replay;
pub mod results;
pub mod review;
pub mod run;
pub mod sprt;
pub mod stats;
pub mod status;
pub mod stdio;
pub mod suite;
pub mod takeover;
pub mod tournament;
pub mod tune;
pub mod validate;
pub mod view;

mod csv;
mod database;
mod doudizhu_hand;
#[cfg(test)]
mod false_verdicts;
mod game_pages;
mod judged_log;
mod logs;
mod low_priority;
mod mcr_hand;
mod news;
mod simulate;
mod table;
mod verdict;
mod words;
mod work;

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;

pub const FAILED: u8 = 1;
/// The arena's validation was not passed.
pub const NOT_PASSED: u8 = 3;

/// Refuses an output file in a folder that does not exist.
fn require_folder_of(out: &Path) -> anyhow::Result<()> {
    match out
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
    {
        Some(folder) => bail!(
            "{}: the folder {} does not exist; make it first",
            out.display(),
            folder.display()
        ),
        None => Ok(()),
    }
}

fn success(yes: bool) -> ExitCode {
    if yes {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    }
}
