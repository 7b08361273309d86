//! A policy that goes wrong again and again.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::{ISOLATIONS, misbehaving};
use crate::common::libraries::numbered;
use crate::configs::Folder;
use crate::program::Runner;

#[test]
fn after_ten_faults_in_a_game_it_is_set_aside_and_each_is_reported_once() {
    for isolation in ISOLATIONS {
        let folder = Folder::new();
        let game = |fault: &str| {
            let records = folder.path().join(format!("records-{fault}"));
            let config = misbehaving(&folder, isolation, &format!("fault = {fault:?}, from = 5"));
            // The game is short.
            let args = [
                "play".into(),
                "--seed=22".into(),
                "--record".into(),
                records.clone(),
                config,
            ];
            let played = Runner::new(args).run();
            played.exited(0);
            (
                played,
                fs::read_to_string(records.join("game-0001.jsonl")).expect("the game was recorded"),
            )
        };
        let (played, record) = game("panic");
        assert!(played.out.contains("panicked 10 times"), "{}", played.out);
        assert_eq!(
            played.err.matches("it panicked").count(),
            1,
            "{}",
            played.err
        );
        assert_eq!(
            played
                .err
                .matches("is set aside: it failed 10 times in one game")
                .count(),
            1,
            "{}",
            played.err
        );
        assert!(
            record == game("safe-answer").1,
            "another game than with the safe answer"
        );
    }
}

#[test]
fn hangs_of_one_game_set_it_aside_and_hangs_of_others_do_not() {
    let folder = Folder::new();
    let game = |params: &str| {
        let config = misbehaving(&folder, "thread", &format!("fault = \"hang\", {params}"));
        let args = [
            "play".into(),
            "--seed=25".into(),
            "--games=3".into(),
            config,
        ];
        Runner::new(args).run()
    };
    // Once in each game.
    let played = game("at = 5");
    assert!(played.exited(0).contains("hung 3 times"), "{}", played.out);
    assert!(!played.err.contains("set aside"), "{}", played.err);
    let played = game("from = 5");
    assert!(played.exited(0).contains("hung 2 times"), "{}", played.out);
    let words = "is set aside: it hung again in the same game";
    assert_eq!(played.err.matches(words).count(), 1, "{}", played.err);
}

#[test]
fn a_policy_whose_process_is_stopped_for_seconds_does_not_hang() {
    let folder = Folder::new();
    let library = folder.file("libnumbered.so", numbered(0));
    let policy =
        format!("[policy]\nlibrary = {library:?}\nisolation = \"process\"\nthink_ms = 100\n");
    let config = folder.file(
        "kuma.toml",
        format!("name = \"kuma\"\n{policy}params = {{ pause_ms = 5 }}\n"),
    );
    let mut running = Runner::new(["play".into(), "--games=1000000".into(), config]).start();
    for _ in 0..2 {
        // A game that it plays is over.
        running.line_with("places ");
        let [guard] = running.children()[..] else {
            panic!("{:?}", running.children())
        };
        let [policy] = children_of(guard)[..] else {
            panic!("{:?}", children_of(guard))
        };
        let policy = Pid::from_raw(policy).expect("it is not 0");
        kill_process(policy, Signal::STOP).expect("it can be stopped");
        // Three times as long as a policy that sleeps may take.
        sleep(Duration::from_secs(3));
        kill_process(policy, Signal::CONT).expect("it is still there");
        running.line_with("places ");
    }
    let finished = running.stop();
    assert!(finished.exited(0).contains("was late"), "{}", finished.out);
    assert!(
        !finished.out.contains("hung") && !finished.err.contains("set aside"),
        "{}",
        finished.all()
    );
}

fn children_of(process: i32) -> Vec<i32> {
    let children =
        fs::read_to_string(format!("/proc/{process}/task/{process}/children")).expect("it runs");
    children
        .split_whitespace()
        .map(|id| id.parse().expect("a number"))
        .collect()
}
