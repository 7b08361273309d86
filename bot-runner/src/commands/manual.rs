//! `manual`: man pages and shell completions for packages, both made from the command line's own description.

use std::fs;
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;

/// The program's name on the command line.
const PROGRAM: &str = "bot-runner";

/// The shells that completions are written for.
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Fish, Shell::Zsh];

/// The command line as users see it: completions would offer hidden commands too.
fn command_line() -> clap::Command {
    let whole = Cli::command();
    let visible = whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    clap::Command::new(PROGRAM)
        .version(env!("CARGO_PKG_VERSION"))
        .about(whole.get_about().cloned().unwrap_or_default())
        .long_about(whole.get_long_about().cloned().unwrap_or_default())
        .args(whole.get_arguments().cloned())
        .subcommands(visible)
        .subcommand_required(true)
}

/// Writes a page for each command into `man` and a script for each shell into `completions`, both in `folder`.
///
/// # Errors
///
/// When a folder cannot be made or a file in it cannot be written.
pub fn manual(folder: &Path) -> anyhow::Result<()> {
    let pages = folder.join("man");
    let scripts = folder.join("completions");
    for folder in [&pages, &scripts] {
        fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    }
    clap_mangen::generate_to(command_line(), &pages)
        .with_context(|| format!("the man pages cannot be written into {}", pages.display()))?;
    for shell in SHELLS {
        clap_complete::generate_to(shell, &mut command_line(), PROGRAM, &scripts)
            .with_context(|| format!("the completions of {shell} cannot be written into {}", scripts.display()))?;
    }
    Ok(())
}
