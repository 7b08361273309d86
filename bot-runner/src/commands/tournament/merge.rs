//! Merges the parts of a tournament.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use lab::tournament::ResultsFile;
use say::output::say;

use super::super::{require_folder_of, success};
use super::report::{closing_words, conclusion, for_users, introduction, tables};

/// Merges the parts of a tournament into the result of a single run, and prints it.
///
/// # Errors
///
/// If a part cannot be read, parts do not belong together, overlap or are missing, or the result
/// cannot be written.
pub fn merge(parts: &[PathBuf], out: Option<&Path>) -> anyhow::Result<ExitCode> {
    out.map(require_folder_of).transpose()?;
    let whole = ResultsFile::merge(parts)?;
    if let Some(out) = out {
        whole.write_merged(out, parts)?;
    }
    let whole = for_users(whole);
    let Some(result) = whole.result()? else {
        bail!("the parts hold no wall")
    };
    let introduction = introduction(&whole.arguments, &whole.plan()?);
    say(format!(
        "{introduction}\n\n{}\n{}\n{}",
        tables(&result),
        closing_words(&result),
        conclusion(&result)
    ));
    Ok(success(true))
}
