//! `plugin`: commands for policy authors.

mod inspect;
mod list;
mod new;
mod test;

use std::path::Path;
use std::process::ExitCode;

use policy_host::LibraryChoice;

use crate::cli::PluginCommand;
use crate::commands::success;
use say::output::say_data;

/// Runs one of the commands.
///
/// # Errors
///
/// If the command itself fails; problems that it finds in libraries are not an error.
pub fn plugin(command: PluginCommand) -> anyhow::Result<ExitCode> {
    match command {
        PluginCommand::List { paths } => list::list(&paths),
        PluginCommand::Inspect { library } => inspect::inspect(&library),
        PluginCommand::Test(args) => test::test(args),
        PluginCommand::Schema { example, game } => {
            let line = program::EXAMPLES
                .iter()
                .find(|(name, _)| *name == game.name())
                .map(|(_, line)| *line);
            say_data(
                line.filter(|_| example)
                    .unwrap_or(program::SCHEMA)
                    .trim_end(),
            );
            Ok(success(true))
        }
        PluginCommand::New {
            name,
            lang,
            game,
            sdk,
        } => new::new(&name, lang, game, sdk.as_deref()),
    }
}

/// The library that an argument of the command line names.
fn library_named(word: &str) -> LibraryChoice {
    let path = Path::new(word);
    if word.contains('/') || word.ends_with(std::env::consts::DLL_SUFFIX) || path.is_file() {
        LibraryChoice::Path(path.to_owned())
    } else {
        LibraryChoice::LikeId(word.to_owned())
    }
}
