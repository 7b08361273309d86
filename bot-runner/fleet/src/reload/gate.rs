//! The gate of a swap: a command of the user's that judges another version before it takes over.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use client::own_thread::on_own_thread;
use policy_host::{KnownPolicy, StartOptions};
use policy_section::{complete_folder_of, split_command, written_policy};
use tempfile::NamedTempFile;
use toml::Table;

use crate::control::GATE_TIMEOUT;
use crate::user_program::{KeptOutput, LOOK_EVERY, UserProgram};

/// Maximum length of what is kept of the end of its output, in bytes.
const MAX_OUTPUT: usize = 512;

/// Waits until the command lets a new version take over from the old one. In its words `{old}` and
/// `{new}` become files: configs for these versions, beside the bot's own, so that relative paths
/// in their parameters hold. Dropping the future kills the command.
///
/// # Errors
///
/// Why the new version may not take over.
pub(super) async fn pass_gate(
    gate: &str,
    config: &Path,
    versions: [&KnownPolicy; 2],
    options: &StartOptions,
) -> Result<(), String> {
    let folder = complete_folder_of(config);
    let mut files = Vec::new();
    for version in versions {
        let file = config_for(version, &folder, &options.bot).map_err(|error| {
            let folder = folder.display();
            format!(
                "its configs cannot be written to {folder}: {error}; let the runner write there"
            )
        })?;
        files.push(file);
    }
    let paths: Vec<String> = files
        .iter()
        .map(|file| file.path().display().to_string())
        .collect();
    let with_files = |word: &String| word.replace("{old}", &paths[0]).replace("{new}", &paths[1]);
    let (program, arguments) = split_command(gate, &folder)?;
    let mut command = Command::new(&program);
    command
        .args(arguments.iter().map(with_files))
        .current_dir(folder);
    options.launch.hide_secrets(&mut command);
    command.stdin(Stdio::null());
    let wanted = Arc::new(());
    let still_wanted = Arc::downgrade(&wanted);
    let end = on_own_thread(move || run(command, &still_wanted, GATE_TIMEOUT))
        .await
        .map_err(|error| error.to_string())?;
    drop((wanted, files));
    end.map_err(|why| format!("{} {why}", program.display()))
}

/// A config for a version, which is removed when it is dropped. It is no config of the folder: its
/// name has another ending.
fn config_for(version: &KnownPolicy, folder: &Path, bot: &str) -> io::Result<NamedTempFile> {
    let policy =
        written_policy(&version.section, version.copy.as_deref()).map_err(io::Error::other)?;
    let config = Table::from_iter([
        ("name".to_owned(), bot.into()),
        ("policy".to_owned(), policy.into()),
    ]);
    let mut file = tempfile::Builder::new()
        .prefix(".gate-")
        .suffix(".config")
        .tempfile_in(folder)?;
    file.write_all(config.to_string().as_bytes())?;
    Ok(file)
}

/// Runs the command while it is wanted; an error says why it does not open the gate.
fn run(command: Command, wanted: &Weak<()>, within: Duration) -> Result<(), String> {
    let started = UserProgram::start(command, KeptOutput::Last(MAX_OUTPUT), within);
    let mut program = started.map_err(|error| format!("cannot be started: {error}"))?;
    let end = loop {
        match program.end() {
            Some(end) => break end,
            None if wanted.strong_count() == 0 => {
                program.kill();
                return Err("is no longer wanted".to_owned());
            }
            None => thread::sleep(LOOK_EVERY),
        }
    };
    // The last line has the verdict.
    end.map_err(|why| match program.said() {
        None => why,
        Some(said) => format!("{why}: {said}"),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_command_that_exits_with_0_opens_the_gate_and_any_other_end_does_not() {
        let wanted = Arc::new(());
        let end = |command| run(command, &Arc::downgrade(&wanted), LONG);
        assert_eq!(end(shell("echo fine")), Ok(()));
        assert_eq!(
            end(shell("echo 7 % change >&2; exit 1")),
            Err("ended with exit code 1: 7 % change".to_owned())
        );
        let killed = end(shell("kill -9 $$")).expect_err("it is no exit");
        assert!(killed.contains("signal 9"), "{killed}");
        let none = end(Command::new("/no/such/program")).expect_err("it is not there");
        assert!(none.starts_with("cannot be started: "), "{none}");
    }

    #[test]
    fn the_last_line_of_much_output_is_the_verdict() {
        let wanted = Arc::new(());
        let much = shell("seq 200000; echo the verdict; exit 1");
        assert_eq!(
            run(much, &Arc::downgrade(&wanted), LONG),
            Err("ended with exit code 1: the verdict".to_owned())
        );
    }

    #[test]
    fn a_command_that_takes_too_long_or_is_no_longer_wanted_is_killed_with_what_it_started() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let begun = Instant::now();
        let wanted = Arc::new(());
        for (wanted, within, word) in [
            (
                Arc::downgrade(&wanted),
                Duration::from_millis(100),
                "did not end within",
            ),
            (Weak::new(), LONG, "no longer wanted"),
        ] {
            let mut command = shell("sh -c 'sleep 1; touch late' & sleep 100");
            command.current_dir(&folder);
            let why = run(command, &wanted, within).expect_err("it is killed");
            assert!(why.contains(word), "{why}");
        }
        assert!(begun.elapsed() < LONG);
        thread::sleep(Duration::from_millis(1500));
        assert!(!folder.path().join("late").exists());
    }
}
