//! The `[alerts]` section: the program that is run when something happens to a bot.

use std::env;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use policy_section::{Section, complete_folder_of, split_command};

/// The `[alerts]` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertsConfig {
    /// A name, which is looked up on the PATH, or a complete path.
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// The config's folder, in which it runs.
    pub folder: PathBuf,
}

pub(super) fn read_alerts(mut section: Section<'_>) -> Option<AlertsConfig> {
    let folder = complete_folder_of(section.file);
    let command = section.text("command");
    let split = command.map(|command| split_command(&command, &folder));
    let alerts = match split {
        Some(Ok((program, arguments))) => Some(AlertsConfig {
            program,
            arguments,
            folder,
        }),
        Some(Err(why)) => {
            section.refuse("command", why);
            None
        }
        None => {
            section.refuse_missing(
                "command",
                "the key is missing; give a program and its arguments",
            );
            None
        }
    };
    section.finish();
    alerts
}

/// Why the program of the alerts cannot be run, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum UnusableProgram {
    #[error("{} is not executable; chmod +x it", .0.display())]
    NotExecutable(PathBuf),
    #[error("{} is not a file; name a program", .0.display())]
    NoFile(PathBuf),
    #[error("{} cannot be run: {error}; correct the path", .program.display())]
    Unreadable { program: PathBuf, error: io::Error },
    #[error(
        "{program} is not on the PATH; correct the name (a program in the config's folder is written ./{program})",
        program = .0.display()
    )]
    NotOnPath(PathBuf),
}

impl AlertsConfig {
    /// Checks that the program is there and can be run.
    ///
    /// # Errors
    ///
    /// If not.
    pub fn usable(&self) -> Result<(), UnusableProgram> {
        let program = self.program.clone();
        if program.is_absolute() {
            return match program.metadata() {
                Ok(found) if is_executable(&found) => Ok(()),
                Ok(found) if found.is_file() => Err(UnusableProgram::NotExecutable(program)),
                Ok(_) => Err(UnusableProgram::NoFile(program)),
                Err(error) => Err(UnusableProgram::Unreadable { program, error }),
            };
        }
        let folders = env::var_os("PATH").unwrap_or_default();
        let is_in = |folder: PathBuf| {
            Path::metadata(&folder.join(&self.program)).is_ok_and(|found| is_executable(&found))
        };
        if env::split_paths(&folders).any(is_in) {
            return Ok(());
        }
        Err(UnusableProgram::NotOnPath(program))
    }
}

fn is_executable(found: &std::fs::Metadata) -> bool {
    found.is_file() && found.permissions().mode() & 0o111 != 0
}
