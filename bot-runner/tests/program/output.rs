//! Standard output that cannot be written, or has no reader any more; the hidden command.

use std::fs::File;
use std::io::{Write, pipe};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::configs::Folder;
use crate::common::libraries::PROGRAM;

/// A command whose output is its result.
fn check(folder: &Folder, out: impl Into<Stdio>) -> Output {
    let mut command = Command::new(PROGRAM);
    command
        .arg("check")
        .arg(folder.bot("kuma"))
        .env_remove("BOT_RUNNER_LOG")
        .stdout(out);
    command.output().expect("the program starts")
}

#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("it is there");
    let Output { status, stderr, .. } = check(&Folder::new(), full);
    let err = String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(1), "{err}");
    assert!(
        err.contains(
            "standard output cannot be written, so the result is not complete: No space left"
        ),
        "{err}"
    );
}

#[test]
fn the_lines_of_games_that_cannot_be_written_are_an_error_at_the_end() {
    let folder = Folder::new();
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("it is there");
    let mut command = Command::new(PROGRAM);
    command
        .arg("play")
        .args([folder.bot("kuma")])
        .args(["--seed", "1"])
        .env_remove("BOT_RUNNER_LOG")
        .stdout(full);
    let Output { status, stderr, .. } = command.output().expect("the program starts");
    let err = String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(1), "{err}");
    assert_eq!(
        err.matches("standard output cannot be written: No space left")
            .count(),
        1,
        "{err}"
    );
    assert!(
        err.contains(
            "standard output cannot be written, so the result is not complete: No space left"
        ),
        "{err}"
    );
}

#[test]
fn a_reader_of_the_lines_of_games_that_has_seen_enough_is_no_error() {
    let folder = Folder::new();
    let (reader, writer) = pipe().expect("there are pipes");
    drop(reader);
    let mut command = Command::new(PROGRAM);
    command
        .arg("play")
        .args([folder.bot("kuma")])
        .args(["--seed", "1"])
        .env_remove("BOT_RUNNER_LOG")
        .stdout(writer);
    let Output { status, stderr, .. } = command.output().expect("the program starts");
    assert_eq!(
        (status.code(), &*String::from_utf8_lossy(&stderr)),
        (Some(0), "")
    );
}

#[test]
fn a_reader_that_takes_nothing_delays_no_game() {
    let folder = Folder::new();
    let bots = ["kuma", "neko", "risu", "tora"].map(|name| folder.bot(name));
    let (reader, writer) = pipe().expect("there are pipes");
    let flags = fcntl_getfl(&writer).expect("it is open");
    fcntl_setfl(&writer, flags | OFlags::NONBLOCK).expect("a pipe can");
    while (&writer).write(&[b'x'; 4096]).is_ok() {}
    fcntl_setfl(&writer, flags).expect("a pipe can");
    let mut command = Command::new(PROGRAM);
    command
        .arg("play")
        .args(bots)
        .args(["--games", "1", "--seed", "1"])
        .stdout(writer)
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    drop(command);
    let until = Instant::now() + Duration::from_secs(60);
    let status = loop {
        if let Some(status) = child.try_wait().expect("it was started") {
            break status;
        }
        if Instant::now() > until {
            let _ = child.kill();
        }
        sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(0), "it waits for its reader");
    drop(reader);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let (reader, writer) = pipe().expect("there are pipes");
    drop(reader);
    let Output { status, stderr, .. } = check(&Folder::new(), writer);
    assert_eq!(
        (status.code(), &*String::from_utf8_lossy(&stderr)),
        (Some(0), "")
    );
}

#[test]
fn the_command_of_a_process_is_hidden_and_says_whose_it_is() {
    let help = Command::new(PROGRAM)
        .arg("--help")
        .output()
        .expect("it starts");
    assert!(!String::from_utf8_lossy(&help.stdout).contains("policy-child"));
    let alone = Command::new(PROGRAM)
        .arg("policy-child")
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    assert_eq!(alone.status.code(), Some(1));
    let said = String::from_utf8_lossy(&alone.stderr).into_owned();
    assert!(
        said.contains("which only the runner itself can start: no order to load a library"),
        "{said}"
    );
}
