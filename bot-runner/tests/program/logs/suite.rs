//! `suite`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{games, policy, run};
use crate::configs::Folder;

const HAND: &str = "123m456p789s1155z9m";

#[test]
fn positions_pass_and_fail_by_what_is_right() {
    let folder = Folder::new();
    let line = |name: &str, rest: &str| {
        format!(
            "{{\"name\":{name:?},\"hand\":{HAND:?},\"reason\":\"9m is no part of it\",{rest}}}\n"
        )
    };
    let text = line("right", r#""right":["discard 9m", "riichi with 9m"]"#)
        + &line("wrong", r#""wrong":["discard 1m"]"#)
        + &line(
            "values",
            r#""values":{"discard 9m":1.5,"riichi with 9m":2.5,"discard 1m":-1}"#,
        )
        + &line("a fold", r#""right":["discard 1z"]"#);
    let file = folder.file("positions.jsonl", text);
    let config = policy(&folder, "greedy-tenpai");
    let finished = run(&["suite", "--policy"], &[&config, &file]);
    finished.exited(1);
    assert!(
        finished
            .out
            .contains("greedy-tenpai: 3 of 4 positions pass"),
        "{}",
        finished.out
    );
    let json = run(&["suite", "--json", "--policy"], &[&config, &file]);
    let answers: Value = serde_json::from_str(json.exited(1).trim()).expect("it is JSON");
    assert_eq!(
        (&answers["passed"], &answers["positions"]),
        (&3.into(), &4.into())
    );
    assert_eq!(answers["answers"][2]["answer"]["loss"], 0.0);
}

#[test]
fn a_line_that_is_no_position_is_named() {
    let folder = Folder::new();
    let config = policy(&folder, "greedy-tenpai");
    for (line, why) in [
        (
            r#"{"name":"a","hand":"123m456p789s1155z9m","right":["discard 3p"]}"#,
            "\"discard 3p\" is not legal; legal are: ",
        ),
        (
            r#"{"name":"a","hand":"123m456p789s1155z","right":["discard 1m"]}"#,
            "the hand has drawn nothing",
        ),
        (
            r#"{"name":"a","right":["discard 1m"]}"#,
            "a position has a `hand`, or `events`",
        ),
        (
            r#"{"name":"a","hand":"123m456p789s11559z","right":["discard 1m"]}"#,
            "line 2: `hand`: 9z in ",
        ),
        (
            r#"{"name":"a","hand":"123m456p789s1155z9m","melds":"x","right":["discard 1m"]}"#,
            "line 2: `melds`: 'x' in ",
        ),
    ] {
        let file = folder.file("positions.jsonl", format!("\n{line}\n"));
        let finished = run(&["suite", "--policy"], &[&config, &file]);
        finished.exited(1);
        assert!(
            finished.err.contains("positions.jsonl, line 2"),
            "{}",
            finished.err
        );
        assert!(finished.err.contains(why), "{}", finished.err);
    }
}

#[test]
fn the_costliest_decisions_of_a_review_become_positions_that_its_policy_passes() {
    let folder = Folder::new();
    let games = games(&folder, 1, &[]);
    let config = policy(&folder, "defensive-fold");
    let saved = folder.path().join("positions.jsonl");
    run(
        &["review", "--save-positions"],
        &[&saved, &games, "--policy".as_ref(), &config],
    )
    .exited(0);
    let text = fs::read_to_string(&saved).expect("it is written");
    assert_eq!(text.lines().count(), 20);
    run(&["suite", "--policy"], &[&config, &saved]).exited(0);
    let other = policy(&folder, "greedy-tenpai");
    run(&["suite", "--policy"], &[&other, &saved]).exited(1);
}

/// The arguments of a review that saves positions.
fn saving<'p>(config: &'p Path, saved: &'p Path, games: &'p Path) -> [&'p Path; 5] {
    let (policy, positions) = ("--policy".as_ref(), "--save-positions".as_ref());
    [policy, config, positions, saved, games]
}

#[test]
fn a_position_of_a_review_has_the_length_of_its_game() {
    let folder = Folder::new();
    let games = folder.path().join("games");
    // In its last round, which only this length makes the last, the policy decides otherwise.
    run(
        &["play", "--seed=1", "--length=east", "--record"],
        &[&games],
    )
    .exited(0);
    let config = policy(&folder, "defensive-fold");
    let saved = folder.path().join("positions.jsonl");
    let paths = saving(&config, &saved, &games);
    run(&["review"], &paths).exited(0);
    let text = fs::read_to_string(&saved).expect("it is written");
    assert!(
        text.lines().all(|line| line.contains(r#""length":"east""#)),
        "{text}"
    );
    run(&["suite", "--policy"], &[&config, &saved]).exited(0);
    let longer = text.replace(r#""length":"east""#, r#""length":"half""#);
    let longer = folder.file("longer.jsonl", longer);
    run(&["suite", "--policy"], &[&config, &longer]).exited(1);
}

#[test]
fn a_review_begins_only_if_its_positions_can_be_written_and_a_resumed_one_writes_them_anew() {
    let folder = Folder::new();
    let games = games(&folder, 1, &[]);
    let config = policy(&folder, "greedy-tenpai");
    let saved = folder.path().join("positions.jsonl");
    let state = folder.path().join("state");
    let paths = saving(&config, &saved, &games);
    let resumed: Vec<&Path> = ["--resume".as_ref(), &*state]
        .into_iter()
        .chain(paths)
        .collect();
    run(&["review"], &resumed).exited(0);
    let text = fs::read_to_string(&saved).expect("it is written");
    fs::write(&saved, "").expect("it is written");
    run(&["review"], &resumed).exited(0);
    assert_eq!(fs::read_to_string(&saved).expect("it is written"), text);
    let refused = run(&["review"], &paths);
    refused.exited(1);
    assert_eq!(refused.out, "");
    assert!(
        refused.err.contains("the file must not exist yet"),
        "{}",
        refused.err
    );
}

#[test]
fn the_positions_of_the_repository_are_legal_have_reasons_and_a_table_for_several_policies() {
    let folder = Folder::new();
    let positions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/positions");
    let of = |game: &str| positions.join(game).with_extension("jsonl");
    let mut count = 0;
    for game in ["riichi", "doudizhu", "chinese-standard"] {
        let text = fs::read_to_string(of(game)).expect("it is in the repository");
        for line in text.lines() {
            let position: Value = serde_json::from_str(line).expect("it is JSON");
            let reason = position["reason"].as_str().expect("a reason");
            assert!(reason.len() > 20, "{position}");
            count += 1;
        }
    }
    assert_eq!(count, 50);
    for (game, by) in [
        ("doudizhu", "doudizhu-split"),
        ("chinese-standard", "cs-eight-step"),
    ] {
        let config = policy(&folder, by);
        let finished = run(&["suite", "--policy"], &[&config, &of(game)]);
        assert_eq!(finished.err, "");
        assert!(finished.out.contains(" positions pass"), "{}", finished.out);
    }
    let (one, other) = (
        policy(&folder, "defensive-fold"),
        policy(&folder, "learned"),
    );
    let finished = run(
        &["suite", "--policy"],
        &[&one, "--policy".as_ref(), &other, &of("riichi")],
    );
    assert_eq!(finished.err, "");
    for name in ["defensive-fold: ", "learned: "] {
        let line = finished
            .out
            .lines()
            .find(|line| line.starts_with(name))
            .expect("its line");
        assert!(line.contains(" of 47 positions pass"), "{line}");
    }
}
