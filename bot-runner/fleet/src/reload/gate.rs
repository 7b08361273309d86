//! The gate of a swap: a command of the user's that judges another version before it takes over.

use std::io::{self, PipeReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use client::own_thread::on_own_thread;
use foreign_text::ForeignText;
use policy_host::{KnownPolicy, ProcessEnd, StartOptions};
use policy_section::{complete_folder_of, split_command, written_policy};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::NamedTempFile;
use toml::Table;

use crate::control::GATE_TIMEOUT;

const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Maximum length of what is kept of the end of its output, in bytes.
const MAX_OUTPUT: usize = 512;
/// Maximum number of reads of its output at each look.
const MAX_READS: usize = 64;

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
    // Its own group: Ctrl-C is for the runner.
    command.process_group(0).stdin(Stdio::null());
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
fn run(mut command: Command, wanted: &Weak<()>, within: Duration) -> Result<(), String> {
    let begun = Instant::now();
    let started = io::pipe().and_then(|(output, writer)| {
        ioctl_fionbio(&output, true)?;
        let child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
        Ok((child, output))
    });
    // The command holds the other end of the pipe.
    drop(command);
    let (mut child, mut output) = started.map_err(|error| format!("cannot be started: {error}"))?;
    let mut said = Vec::new();
    loop {
        let end = child.try_wait();
        read_end(&mut output, &mut said);
        let why = match end {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => ProcessEnd::from(status).to_string(),
            Ok(None) if wanted.strong_count() == 0 => {
                kill(&mut child);
                return Err("is no longer wanted".to_owned());
            }
            Ok(None) if begun.elapsed() < within => {
                thread::sleep(LOOK_EVERY);
                continue;
            }
            Ok(None) => {
                kill(&mut child);
                format!("did not end within {} s", within.as_secs())
            }
            Err(error) => format!("cannot be waited for: {error}"),
        };
        let said = String::from_utf8_lossy(&said);
        // The last line has the verdict.
        return Err(match said.trim().lines().next_back() {
            None => why,
            Some(said) => format!("{why}: {}", ForeignText::new(said, None)),
        });
    }
}

fn kill(child: &mut Child) {
    // It has not been reaped, so its number is its own.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.wait();
}

/// Reads what there is of the output, and keeps its end.
fn read_end(output: &mut PipeReader, said: &mut Vec<u8>) {
    let mut part = [0; 4096];
    for _ in 0..MAX_READS {
        let Ok(length @ 1..) = output.read(&mut part) else {
            return;
        };
        said.extend_from_slice(&part[..length]);
        said.drain(..said.len().saturating_sub(MAX_OUTPUT));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).process_group(0);
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
