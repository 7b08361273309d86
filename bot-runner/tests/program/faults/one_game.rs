//! The game of a bot whose policy goes wrong is the game of one whose policy gives the safe answer
//! there.

use std::fs;
use std::sync::LazyLock;

use super::{ISOLATIONS, misbehaving, policy};
use crate::common::libraries::misbehave_raw;
use crate::configs::Folder;
use crate::program::{Finished, Runner};

/// The decision of the game that goes wrong.
const AT: &str = "at = 5";

/// The game with the safe answer there, which makes it another one than that of a sound policy.
static SAFE: LazyLock<String> = LazyLock::new(|| rust("thread", "safe-answer").1);
static SOUND: LazyLock<String> = LazyLock::new(|| rust("thread", "none").1);

/// A short game of the bot against the arena's: the output, and the game's record.
fn game(config: impl Fn(&Folder) -> std::path::PathBuf) -> (Finished, String) {
    let folder = Folder::new();
    let records = folder.path().join("records");
    let args = [
        "play".into(),
        "--seed=29".into(),
        "--record".into(),
        records.clone(),
    ];
    let played = Runner::new(args.iter().chain([&config(&folder)]))
        .env("BOT_RUNNER_LOG", "warn")
        .run();
    played.exited(0);
    (
        played,
        fs::read_to_string(records.join("game-0001.jsonl")).expect("the game was recorded"),
    )
}

fn rust(isolation: &str, fault: &str) -> (Finished, String) {
    game(|folder| misbehaving(folder, isolation, &format!("fault = {fault:?}, {AT}")))
}

/// The same for faults that only C can produce (see `policies/misbehave/misbehave.c`).
fn raw(isolation: &str, fault: &str) -> (Finished, String) {
    let library = misbehave_raw(&[]);
    game(|folder| {
        let policy = policy(
            &library.file,
            isolation,
            &format!("fault = {fault:?}, {AT}"),
        );
        folder.file("kuma.toml", format!("name = \"kuma\"\n{policy}"))
    })
}

/// The fault cost one safe answer, is named by the log once, and the rest of the game is as it
/// would be.
#[track_caller]
fn assert_cost_one_answer((played, record): &(Finished, String), words: &str) {
    assert!(
        *record == *SAFE,
        "another game than with the safe answer: {}",
        played.all()
    );
    assert!(
        played.out.contains("kuma: 1 request got the safe answer"),
        "{}",
        played.out
    );
    assert_eq!(played.err.matches(words).count(), 1, "{}", played.err);
    assert!(!played.out.contains("rejected"), "{}", played.out);
}

#[test]
fn a_fault_costs_the_answer_that_it_hits() {
    assert_ne!(*SAFE, *SOUND, "the answer makes a difference");
    for isolation in ISOLATIONS {
        for (fault, words) in [
            ("fail", "it fails on purpose"),
            ("panic", "it panicked: on purpose"),
            ("out-of-range", "it chose the legal action"),
            ("late", "did not answer in time"),
        ] {
            assert_cost_one_answer(&rust(isolation, fault), words);
        }
    }
    // In a process it uses its own clock, and may be in time by a hair.
    assert_cost_one_answer(&rust("thread", "until-unwanted"), "did not answer in time");
}

#[test]
fn a_policy_that_hangs_continues_in_another_process() {
    for (isolation, words) in [
        ("thread", "it continues in its own process"),
        ("process", "so its process was killed"),
    ] {
        let played = rust(isolation, "hang");
        assert_cost_one_answer(&played, words);
        assert!(played.0.out.contains("hung once"), "{}", played.0.out);
    }
}

#[test]
fn a_process_that_dies_costs_the_answer_that_it_owed() {
    for (fault, words) in [
        ("exit", "its process ended with exit code 0"),
        ("abort", "its process was killed by signal 6 (abort)"),
        (
            "stack-overflow",
            "its process was killed by signal 6 (abort)",
        ),
    ] {
        assert_cost_one_answer(&rust("process", fault), words);
    }
    let crashed = raw("process", "segfault");
    assert_cost_one_answer(
        &crashed,
        "its process was killed by signal 11 (segmentation fault)",
    );
}

#[test]
fn what_no_sdk_would_let_through_costs_the_answer_that_it_hits() {
    for isolation in ISOLATIONS {
        for (fault, words) in [
            ("out-of-range", "it chose the legal action"),
            ("no-choice", "it chose the legal action"),
            ("other-question", "it answered question"),
            (
                "unavailable",
                "it cannot decide now, through no fault of its own: the server is away",
            ),
            ("unknown-status", "it failed"),
            ("garbage-error", "its message is not UTF-8"),
        ] {
            assert_cost_one_answer(&raw(isolation, fault), words);
        }
    }
}

#[test]
fn a_harmless_policy_costs_nothing() {
    for isolation in ISOLATIONS {
        for fault in ["leak", "print", "log", "panic-destroy", "hang-destroy"] {
            let (played, record) = rust(isolation, fault);
            assert!(
                record == *SOUND,
                "{fault} in a {isolation} changes the game: {}",
                played.all()
            );
            assert!(!played.out.contains("safe answer"), "{}", played.out);
        }
        for fault in ["garbage-reason", "log-garbage", "boast"] {
            let (played, record) = raw(isolation, fault);
            assert!(
                record == *SOUND,
                "{fault} in a {isolation} changes the game: {}",
                played.all()
            );
            assert!(!played.out.contains("safe answer"), "{}", played.out);
        }
    }
}

#[test]
fn a_policy_that_floods_the_log_is_cut_off_there_and_plays_on() {
    for isolation in ISOLATIONS {
        let (played, record) = rust(isolation, "log-flood");
        assert!(
            record == *SOUND,
            "in a {isolation} it changes the game: {}",
            played.all()
        );
        let bytes = played.err.len();
        assert!(bytes < 200 << 10, "{bytes} bytes of 1.6 MB");
        assert!(
            played.err.contains("too much for the log: "),
            "{}",
            &played.err[bytes - 2_000..]
        );
    }
}
