//! A training at tiny size: a stop and shards change nothing of what it learns, and what it makes
//! can be played.

use std::fs;
use std::path::Path;

use clap::Parser as _;
use learned::RiichiWeights as Weights;

use crate::{Options, run};

/// Runs the trainer with chunks of ten hanchan; returns the error.
fn trainer(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let always = ["--seed", "5", "--match-games", "12", "--jobs", "1"];
    let folder = folder.to_str().expect("the path is UTF-8");
    let options =
        Options::try_parse_from(["trainer", folder].iter().chain(&always).chain(arguments))
            .unwrap();
    run(options).map_err(|error| format!("{error:#}"))
}

/// Trains until so many hanchan of self-play were played, the earlier ones in the folder included.
fn train(folder: &Path, max_games: u32) {
    trainer(
        folder,
        &["--games", "20", "--max-games", &max_games.to_string()],
    )
    .unwrap();
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("it was written")
}

#[test]
fn a_training_learns_the_same_at_once_and_from_shards_after_a_stop() {
    let (whole, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    train(whole.path(), 20);
    train(cut.path(), 10);
    play_shards(cut.path());
    let weights = text(whole.path(), "challenger.txt");
    assert_eq!(weights, text(cut.path(), "challenger.txt"));
    let weights: Weights = weights
        .parse()
        .expect("the policy reads what the trainer writes");
    assert!(
        !weights.is_none() && weights.provenance.games == 20,
        "{:?}",
        weights.provenance
    );
    let log: serde_json::Value =
        serde_json::from_str(text(whole.path(), "log.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!(
        (&log["games"], log["matches"].as_array().map(Vec::len)),
        (&20.into(), Some(1))
    );
}

/// Plays the ten hanchan that are left in two shards, of which the second is empty, and tries what
/// must fail.
fn play_shards(folder: &Path) {
    let [one, other] = ["0", "1"].map(|shard| folder.join(shard));
    let [one, other] = [&one, &other].map(|shard| shard.to_str().unwrap());
    let error = trainer(Path::new(one), &["--shard", "0/2", "--out", other]).unwrap_err();
    assert!(error.contains("it has no training"), "{error}");
    trainer(folder, &["--games", "20", "--shard", "0/2", "--out", one]).unwrap();
    let error = trainer(folder, &["--games", "20", "--merge", one]).unwrap_err();
    assert!(error.contains("parts are missing: shard 1/2"), "{error}");
    let error = trainer(folder, &["--games", "20", "--shard", "1/2", "--out", one]).unwrap_err();
    assert!(error.contains("it is shard 0/2 and not 1/2"), "{error}");
    trainer(folder, &["--games", "20", "--shard", "1/2", "--out", other]).unwrap();
    let merge = ["--games", "20", "--max-games", "20", "--merge", one, other];
    trainer(folder, &merge).unwrap();
    let error = trainer(folder, &merge).unwrap_err();
    assert!(
        error.contains("or was merged before: its first chunk is 1 and 2"),
        "{error}"
    );
    let error = trainer(Path::new(one), &["--max-games", "20"]).unwrap_err();
    assert!(error.contains("it is shard 0/2 of a training"), "{error}");
}

#[test]
fn a_training_with_three_players_keeps_that_number_and_makes_weights_for_three() {
    let folder = tempfile::tempdir().unwrap();
    trainer(folder.path(), &["--players", "3", "--max-games", "0"]).unwrap();
    let error = trainer(folder.path(), &["--players", "4", "--max-games", "10"]).unwrap_err();
    assert!(
        error.contains("it trains at tables of 3 players, and --players is 4"),
        "{error}"
    );
    trainer(folder.path(), &["--games", "10", "--max-games", "10"]).unwrap();
    let weights: Weights = text(folder.path(), "challenger.txt")
        .parse()
        .expect("the policy reads it");
    assert_eq!((weights.players, weights.provenance.games), (3, 10));
}

#[test]
fn a_training_of_another_game_keeps_that_game_and_makes_weights_for_its_policy() {
    let [mcr, cards] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let arguments = ["--games", "10", "--max-games", "10"];
    for (folder, game) in [(&mcr, "mcr"), (&cards, "doudizhu")] {
        trainer(folder.path(), &["--game", game, "--max-games", "0"]).unwrap();
        trainer(folder.path(), &arguments).unwrap();
    }
    let error = trainer(mcr.path(), &["--players", "3"]).unwrap_err();
    assert!(
        error.contains("--players is 3, and chinese-standard is played by 4"),
        "{error}"
    );
    let error = trainer(mcr.path(), &["--game", "riichi"]).unwrap_err();
    assert!(
        error.contains("it is a training of chinese-standard, and --game is riichi"),
        "{error}"
    );
    let of_mcr = text(mcr.path(), "challenger.txt");
    let weights: cs_learned::McrWeights = of_mcr.parse().expect("the policy reads it");
    assert_eq!((weights.players, weights.provenance.games), (4, 10));
    let of_cards = text(cards.path(), "challenger.txt");
    let weights: doudizhu_learned::DouDizhuWeights = of_cards.parse().expect("the policy reads it");
    assert_eq!((weights.players, weights.provenance.games), (3, 10));
    assert!(text(mcr.path(), "log.svg").contains("Average points"));
    assert!(of_mcr.parse::<Weights>().is_err(), "not for another game");
}
