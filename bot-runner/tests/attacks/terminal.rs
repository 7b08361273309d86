//! Foreign text on its way to a terminal: it begins no line and moves no cursor, in any command.

use super::{PROBE, probe};
use crate::configs::Folder;
use crate::program::Runner;

/// The text of a forged line.
const FORGED: &str = "FORGED: passed";

/// A bot with this library, whose policy is instructed to forge a line this way.
fn bot(folder: &Folder, library: &std::path::Path, what: &str) -> std::path::PathBuf {
    let params =
        format!("[policy.params]\nwhat = {what:?}\nwith = \"\\u001b[2J\\n\\r{FORGED}\\u009b\"\n");
    folder.file(
        "kuma.toml",
        format!("name = \"kuma\"\n[policy]\nlibrary = {library:?}\n{params}"),
    )
}

#[track_caller]
fn shows_no_forgery(command: &[&str]) -> String {
    let finished = Runner::new(command).env("BOT_RUNNER_LOG", "debug").run();
    let all = finished.all();
    assert!(
        !all.contains(['\u{1b}', '\u{9b}', '\r']),
        "{command:?}: {all:?}"
    );
    assert!(
        !all.lines()
            .any(|line| line.trim_start().starts_with(FORGED)),
        "{command:?}: {all}"
    );
    all
}

#[test]
fn what_a_library_says_of_itself_is_escaped_in_every_command() {
    let library = probe(&[&format!("SHOWN=\"\\x1b[2J\\n\\r{FORGED}\\xc2\\x9b\"")]);
    let folder = Folder::new();
    let config = bot(&folder, &library.file, "nothing");
    let (config, file) = (
        config.to_str().expect("UTF-8"),
        library.file.to_str().expect("UTF-8"),
    );
    let around = library
        .file
        .parent()
        .and_then(|folder| folder.to_str())
        .expect("UTF-8");
    for command in [
        &["plugin", "inspect", file][..],
        &["plugin", "list", around],
        &["plugin", "test", file],
        &["check", config],
        &["play", config, "--games=1", "--seed=1"],
        &["analyze", "123m456p789s1122z3z", "--policy", config],
    ] {
        let all = shows_no_forgery(command);
        // The words were there.
        assert!(
            all.contains("FORGED") || command[0] == "analyze",
            "{command:?}: {all}"
        );
    }
}

#[test]
fn what_a_policy_says_of_its_decisions_and_failures_is_escaped_in_every_command() {
    let folder = Folder::new();
    let file = PROBE.file.to_str().expect("UTF-8");
    for what in ["say", "fail", "refuse"] {
        let config = bot(&folder, &PROBE.file, what);
        let config = config.to_str().expect("UTF-8");
        for command in [
            &["plugin", "test", file, "--config", config][..],
            &["check", config],
            &["play", config, "--games=1", "--seed=1"],
            &["analyze", "123m456p789s1122z3z", "--policy", config],
        ] {
            shows_no_forgery(command);
        }
    }
}
