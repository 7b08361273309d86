//! Merges the parts of a tournament.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use view::output::say;

use super::super::whole_file;
use super::super::{require_folder_of, success};
use super::journal::read_file;
use super::report::{closing_words, conclusion, for_users, introduction, tables};
use lab::part::{Shard, ShardPart, check_parts};
use lab::tournament::TournamentFile;

/// Merges the parts of a tournament into the result of a single run, and prints it.
///
/// # Errors
///
/// If a part cannot be read, parts do not belong together, overlap or are missing, or the result
/// cannot be written.
pub fn merge(parts: &[PathBuf], out: Option<&Path>) -> anyhow::Result<ExitCode> {
    out.map(require_folder_of).transpose()?;
    let mut files: Vec<TournamentFile> = Vec::new();
    let mut checked: Vec<ShardPart> = Vec::new();
    for path in parts {
        let name = path.display().to_string();
        let content = whole_file::read(path).with_context(|| format!("{name} cannot be read"))?;
        let Some(content) = content else {
            bail!("{name} does not exist; is the path right?")
        };
        let file = read_file(path, &content)?;
        checked.push(file.part(&name)?);
        files.push(file);
    }
    check_parts(&checked)?;
    let mut files = files.into_iter();
    let Some(mut whole) = files.next() else {
        bail!("there are no parts")
    };
    whole.shard = Shard::WHOLE;
    for file in files {
        whole.walls.extend(file.walls);
    }
    if let Some(out) = out {
        may_be_replaced(out, parts, &whole)?;
        let written = whole_file::replace(out, &whole.content()?);
        written.with_context(|| format!("the results cannot be written to {}", out.display()))?;
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

/// Refuses to overwrite a part, or a file of another tournament.
fn may_be_replaced(out: &Path, parts: &[PathBuf], whole: &TournamentFile) -> anyhow::Result<()> {
    let name = out.display();
    let Some(content) =
        whole_file::read(out).with_context(|| format!("{name} cannot be used for results"))?
    else {
        return Ok(());
    };
    let complete = out.canonicalize().ok();
    if parts
        .iter()
        .any(|part| part.canonicalize().ok() == complete)
    {
        bail!("{name} is one of the parts; choose another file for the result");
    }
    match TournamentFile::read(&content) {
        Ok(there) if there.arguments == whole.arguments => Ok(()),
        _ => bail!(
            "{name} already exists, and is not of this tournament; name another file, or remove it"
        ),
    }
}
