//! A training at tiny size: a stop and shards change nothing of what it learns, and what it makes can be played.

use std::fs;
use std::path::Path;
use std::process::Command;

use learned::weights::Weights;

/// Runs the trainer; returns the error.
fn trainer(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut trainer = Command::new(env!("CARGO_BIN_EXE_trainer"));
    trainer.arg(folder).args(["--seed", "5", "--match-games", "12", "--jobs", "1"]).args(arguments);
    if !arguments.contains(&"--games") {
        trainer.args(["--games", "100"]);
    }
    let ended = trainer.output().expect("it starts");
    if ended.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&ended.stderr).into_owned()) }
}

/// Trains until so many hanchan of self-play were played, the earlier ones in the folder included.
fn train(folder: &Path, max_games: u32) {
    trainer(folder, &["--max-games", &max_games.to_string()]).unwrap();
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("it was written")
}

#[test]
fn a_training_learns_the_same_at_once_and_from_shards_after_a_stop() {
    let (whole, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    train(whole.path(), 100);
    train(cut.path(), 50);
    play_shards(cut.path());
    let weights = text(whole.path(), "challenger.txt");
    assert_eq!(weights, text(cut.path(), "challenger.txt"));
    let weights: Weights = weights.parse().expect("the policy reads what the trainer writes");
    assert!(!weights.is_none() && weights.provenance.games == 100, "{:?}", weights.provenance);
    let log: serde_json::Value = serde_json::from_str(text(whole.path(), "log.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!((&log["games"], log["matches"].as_array().map(Vec::len)), (&100.into(), Some(1)));
}

/// Plays the 50 hanchan that are left in two shards, of which the second is empty, and tries what must fail.
fn play_shards(folder: &Path) {
    let [one, other] = ["0", "1"].map(|shard| folder.join(shard));
    let [one, other] = [&one, &other].map(|shard| shard.to_str().unwrap());
    let error = trainer(Path::new(one), &["--shard", "0/2", "--out", other]).unwrap_err();
    assert!(error.contains("it has no training"), "{error}");
    trainer(folder, &["--shard", "0/2", "--out", one]).unwrap();
    let error = trainer(folder, &["--merge", one]).unwrap_err();
    assert!(error.contains("parts are missing: shard 1/2"), "{error}");
    let error = trainer(folder, &["--shard", "1/2", "--out", one]).unwrap_err();
    assert!(error.contains("it is shard 0/2 and not 1/2"), "{error}");
    trainer(folder, &["--shard", "1/2", "--out", other]).unwrap();
    let merge = ["--max-games", "100", "--merge", one, other];
    trainer(folder, &merge).unwrap();
    let error = trainer(folder, &merge).unwrap_err();
    assert!(error.contains("or was merged before: its first chunk is 1 and 2"), "{error}");
    let error = trainer(Path::new(one), &["--max-games", "100"]).unwrap_err();
    assert!(error.contains("it is shard 0/2 of a training"), "{error}");
}

#[test]
fn a_training_with_three_players_keeps_that_number_and_makes_weights_for_three() {
    let folder = tempfile::tempdir().unwrap();
    trainer(folder.path(), &["--players", "3", "--max-games", "0"]).unwrap();
    let error = trainer(folder.path(), &["--players", "4", "--max-games", "50"]).unwrap_err();
    assert!(error.contains("it trains at tables of 3 players, and --players is 4"), "{error}");
    trainer(folder.path(), &["--games", "50", "--max-games", "50"]).unwrap();
    let weights: Weights = text(folder.path(), "challenger.txt").parse().expect("the policy reads it");
    assert_eq!((weights.players, weights.provenance.games), (3, 50));
}
