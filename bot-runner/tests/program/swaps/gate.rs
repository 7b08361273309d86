//! Swaps that wait for a command.

use std::fs;

use rustix::process::Signal;

use super::builds::Build;
use super::by_file::{end, play};
use crate::common::libraries::PROGRAM;
use crate::configs::Folder;
use crate::program::{Runner, Running};

/// A bot's section whose gate is this command.
fn gated(gate: &str) -> String {
    format!("[policy]\nlibrary = \"./libnumbered.so\"\ngate = {gate:?}\n")
}

/// Games of built-in bots, in the folder `games`.
fn record_games(folder: &Folder) {
    let args = ["play", "--games=2", "--length=east", "--record", "games"];
    Runner::new(args).in_folder(folder.path()).run().exited(0);
}

#[test]
fn the_old_version_plays_on_while_the_gate_is_closed() {
    let folder = Folder::new();
    let file = folder.file("libnumbered.so", Build::new(1).bytes);
    let gate = "sh -c 'touch begun; until test -e open; do sleep 0.02; done'";
    let mut running = play(&folder, &gated(gate));
    fs::write(&file, Build::new(2).bytes).expect("it can be written over");
    running.line_with("its gate tries");
    for _ in 0..2 {
        running.line_with("East 1-0");
    }
    assert!(folder.path().join("begun").exists());
    folder.file("open", "");
    running.error_with(&format!("sha256 {}) takes over", Build::new(2).hash()));
    let (swaps, log) = end(running);
    assert_eq!(swaps, 1, "{log}");
    let left = fs::read_dir(folder.path()).expect("it can be read");
    let names = left.map(|entry| entry.expect("it is there").file_name());
    assert!(
        names
            .into_iter()
            .all(|name| !name.to_string_lossy().contains(".gate-"))
    );
}

/// A bot whose library is overwritten by another build, which decides otherwise at every decision,
/// and whose gate is a review that lets so many decisions change.
fn swap_with_review(folder: &Folder, max_change: &str) -> Running {
    record_games(folder);
    let file = folder.file("libnumbered.so", Build::new(1).bytes);
    let review = format!("{PROGRAM} review games --old {{old}} --new {{new}}");
    let running = play(
        folder,
        &gated(&format!("{review} --max-change {max_change}")),
    );
    fs::write(&file, Build::new(2).bytes).expect("it can be written over");
    running
}

#[test]
fn a_review_of_both_builds_of_one_file_lets_the_new_one_take_over() {
    let folder = Folder::new();
    let mut running = swap_with_review(&folder, "100%");
    running.error_with(&format!("sha256 {}) takes over", Build::new(2).hash()));
    assert_eq!(end(running).0, 1);
}

#[test]
fn a_build_that_fails_the_review_is_kept_out_with_its_verdict() {
    let folder = Folder::new();
    let mut running = swap_with_review(&folder, "1%");
    let why = running.error_with("its gate refuses numbered");
    assert!(
        why.contains("ended with exit code 1: The check fails: 100.0 % of the decisions change"),
        "{why}"
    );
    let (swaps, log) = end(running);
    assert_eq!(swaps, 0, "{log}");
}

#[test]
fn the_version_that_plays_needs_no_gate_to_be_loaded_again() {
    let folder = Folder::new();
    folder.file("libnumbered.so", Build::new(1).bytes);
    let mut running = play(&folder, &gated("false"));
    running.signal(Signal::HUP);
    running.error_with("takes over from");
    folder.file("libnumbered.so", Build::new(2).bytes);
    running.error_with("its gate refuses");
    let (swaps, log) = end(running);
    assert_eq!(swaps, 1, "{log}");
}
