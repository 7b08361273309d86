//! `records export`: a game for other tools.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::output::say;
use crate::records::{GAME, Published};

pub(super) fn export(game: &Path, out: Option<&Path>) -> anyhow::Result<ExitCode> {
    let record = Published::open(game)?;
    let source = record.path.join(GAME);
    let text = fs::read_to_string(&source).with_context(|| format!("{} cannot be read", source.display()))?;
    let Some(out) = out else {
        say(text.trim_end());
        return Ok(ExitCode::SUCCESS);
    };
    match File::create_new(out).and_then(|mut file| file.write_all(text.as_bytes())) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{} is there already and is not overwritten; name another file", out.display())
        }
        written => written.with_context(|| format!("{} cannot be written", out.display()))?,
    }
    Ok(ExitCode::SUCCESS)
}
