//! A policy that goes wrong again and again.

use std::fs;

use super::{ISOLATIONS, misbehaving};
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
            let args = ["play".into(), "--seed=22".into(), "--record".into(), records.clone(), config];
            let played = Runner::new(args).run();
            played.exited(0);
            (played, fs::read_to_string(records.join("game-0001.jsonl")).expect("the game was recorded"))
        };
        let (played, record) = game("panic");
        assert!(played.out.contains("panicked 10 times"), "{}", played.out);
        assert_eq!(played.err.matches("it panicked").count(), 1, "{}", played.err);
        assert_eq!(played.err.matches("is set aside: it failed 10 times in one game").count(), 1, "{}", played.err);
        assert!(record == game("safe-answer").1, "another game than with the safe answer");
    }
}

#[test]
fn a_second_hang_sets_it_aside() {
    let folder = Folder::new();
    // Twice in the same decision: of the first game, and of the second.
    let config = misbehaving(&folder, "thread", "fault = \"hang\", at = 5");
    let args = ["play".into(), "--seed=25".into(), "--games=3".into(), config];
    let played = Runner::new(args).run();
    assert!(played.exited(0).contains("hung 2 times"), "{}", played.out);
    assert_eq!(played.err.matches("is set aside: it hung again").count(), 1, "{}", played.err);
}
