//! A command in a config: a program with its arguments.

use std::path::{Path, PathBuf};

/// A program, and its arguments.
pub type ProgramAndArguments = (PathBuf, Vec<String>);

/// Splits a command into words as a shell would. A program's path starts at the config's folder; a
/// name is looked up on the `PATH`.
///
/// # Errors
///
/// What is wrong with it, and what to do.
pub fn split_command(text: &str, folder: &Path) -> Result<ProgramAndArguments, &'static str> {
    let words = shell_words::split(text).map_err(
        |_| "a quote is left open; close it, or leave it out (no shell runs the command)",
    )?;
    let mut words = words.into_iter();
    let Some(program) = words.next().filter(|program| !program.is_empty()) else {
        return Err("found no program; give a program and its arguments");
    };
    let program = match program.contains('/') {
        true => folder.join(program),
        false => program.into(),
    };
    Ok((program, words.collect()))
}
