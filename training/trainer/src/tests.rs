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

/// A copy of a committed state.
fn copy_of_state(name: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let state = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("state")
        .join(name);
    for file in fs::read_dir(&state).expect("it is there") {
        let file = file.unwrap();
        fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    copy
}

#[test]
fn committed_states_of_trainings_resume() {
    for (name, game) in [
        ("four-players", "riichi"),
        ("three-players", "riichi"),
        ("chinese-standard", "chinese-standard"),
        ("doudizhu", "doudizhu"),
    ] {
        let folder = copy_of_state(name);
        let json = |name: &str| -> serde_json::Value {
            serde_json::from_str(&text(folder.path(), name)).expect("JSON")
        };
        // A chunk is played, and no match.
        let mut wanted = json("state.json");
        let games = wanted["games"].as_u64().expect("a number") + 10;
        trainer(folder.path(), &["--max-games", &games.to_string()]).unwrap();
        for (field, more) in [
            ("games", 10),
            ("chunks", 1),
            ("chunks_of_attempt", 1),
            ("sums", 1),
        ] {
            wanted[field] = (wanted[field].as_u64().expect("a number") + more).into();
        }
        // Early states name no game.
        wanted["game"] = game.into();
        assert_eq!(json("state.json"), wanted, "{name}");
    }
}

#[test]
fn a_resumed_training_logs_matches_that_are_adjusted_for_luck_after_those_that_are_not() {
    for (state, game, players, version) in [
        ("chinese-standard", "chinese-standard", "4", Some("mcr ")),
        ("three-players", "riichi", "3", Some("riichi-3 ")),
        ("doudizhu", "doudizhu", "3", None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = [
            "--game",
            game,
            "--players",
            players,
            "--games",
            "10",
            "--max-games",
            "10",
        ];
        // The log of a training whose matches knew no luck.
        let log = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("state")
            .join(state);
        let before = fs::read_to_string(log.join("log.jsonl")).unwrap_or_default();
        fs::write(folder.path().join("log.jsonl"), &before).unwrap();
        trainer(folder.path(), &arguments).unwrap();
        let log = text(folder.path(), "log.jsonl");
        let line = log.strip_prefix(&before).expect("it goes on");
        let line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let played = &line["matches"][0];
        let luck = played["luck"].as_str();
        assert_eq!(luck.is_some(), version.is_some(), "{played}");
        assert!(
            luck.zip(version)
                .is_none_or(|(luck, version)| luck.starts_with(version)),
            "{played}"
        );
        assert_eq!(played["raw"].is_array(), version.is_some(), "{played}");
        // The first weights of Chinese Standard play as those before.
        let raw = played["raw"][0].as_f64();
        assert!(
            raw.is_none() || game != "riichi" || raw != played["mean"].as_f64(),
            "{played}"
        );
        let dots = before.lines().count() + 1;
        let chart = text(folder.path(), "log.svg");
        assert!(chart.matches("<circle").count() >= dots, "{chart}");
    }
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
