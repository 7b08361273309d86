//! A training at tiny size: it goes on after a stop as if there had been none, and what it makes can be played.

use std::fs;
use std::path::Path;
use std::process::Command;

use learned::weights::Weights;

/// Trains until so many hanchan of self-play were played, the earlier ones in the folder included; returns the error.
fn try_to_train(folder: &Path, max_games: u32, more: &[&str]) -> Result<(), String> {
    let mut trainer = Command::new(env!("CARGO_BIN_EXE_trainer"));
    trainer.arg(folder).args(["--seed", "5", "--games", "100", "--match-games", "12", "--jobs", "1"]).args(more);
    let ended = trainer.args(["--max-games", &max_games.to_string()]).output().expect("it starts");
    if ended.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&ended.stderr).into_owned()) }
}

fn train(folder: &Path, max_games: u32) {
    try_to_train(folder, max_games, &[]).unwrap();
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("it was written")
}

#[test]
fn a_training_that_goes_on_after_a_stop_learns_the_same_as_one_that_was_not_stopped() {
    let (whole, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    train(whole.path(), 100);
    train(cut.path(), 50);
    train(cut.path(), 100);
    let weights = text(whole.path(), "challenger.txt");
    assert_eq!(weights, text(cut.path(), "challenger.txt"));
    let weights: Weights = weights.parse().expect("the policy reads what the trainer writes");
    assert!(!weights.is_none() && weights.provenance.games == 100, "{:?}", weights.provenance);
    let log: serde_json::Value = serde_json::from_str(text(whole.path(), "log.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!((&log["games"], log["matches"].as_array().map(Vec::len)), (&100.into(), Some(1)));
}

#[test]
fn a_training_with_three_players_keeps_that_number_and_makes_weights_for_three() {
    let folder = tempfile::tempdir().unwrap();
    try_to_train(folder.path(), 50, &["--players", "3"]).unwrap();
    let error = try_to_train(folder.path(), 100, &["--players", "4"]).unwrap_err();
    assert!(error.contains("it trains at tables of 3 players, and --players is 4"), "{error}");
    train(folder.path(), 100);
    let weights: Weights = text(folder.path(), "challenger.txt").parse().expect("the policy reads it");
    assert_eq!((weights.players, weights.provenance.games), (3, 100));
}
