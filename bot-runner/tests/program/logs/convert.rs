//! `records convert` and `records list`, and logs in other commands.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{games, run};
use crate::configs::Folder;
use crate::program::Runner;

#[test]
fn games_are_converted_and_read_by_every_command() {
    let folder = Folder::new();
    let games = games(&folder, 2, &[]);
    let tenhou = folder.path().join("tenhou");
    let out = ["records", "convert", "--to=tenhou", "--out"];
    let converted = run(&out, &[&tenhou, &games]);
    let said = converted.exited(0);
    assert!(said.contains("2 games written to "), "{said}");
    let log = tenhou.join("game-0001.json");
    let replayed = run(&["replay"], &[&log]);
    assert!(
        replayed.exited(0).contains("no contradiction in "),
        "{}",
        replayed.out
    );
    let page = folder.path().join("game.html");
    run(&["view", "--seat=1", "--out"], &[&page, &log]).exited(0);
    let html = fs::read_to_string(&page).expect("it is written");
    assert!(
        html.contains("Tenhou JSON"),
        "the page says where the game is from"
    );
    run(&["analyze", "--at=1.1", "--seat=0"], &[&log]).exited(0);
    let listed = run(&["records", "list"], &[&tenhou]);
    let list = listed.exited(0);
    assert!(
        list.contains("Tenhou JSON") && list.contains("3 red fives"),
        "{list}"
    );
    let back = folder.path().join("back.jsonl");
    run(
        &["records", "convert", "--to=mjai", "--out"],
        &[&back, &log],
    )
    .exited(0);
    let text = fs::read_to_string(&back).expect("it is written");
    let first: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["log"]["form"], "Tenhou JSON");
    assert_eq!(first["log"]["began"], Value::Null, "it is unknown");
    let site = folder.path().join("site");
    run(&["view", "--out"], &[&site, &tenhou]).exited(0);
    assert!(site.join("index.html").exists());
}

#[test]
fn a_log_is_read_from_standard_input() {
    let folder = Folder::new();
    let games = games(&folder, 1, &[]);
    let log = folder.path().join("log.json");
    let one = games.join("game-0001.jsonl");
    run(
        &["records", "convert", "--to=tenhou", "--out"],
        &[&log, &one],
    )
    .exited(0);
    let input = fs::read_to_string(&log).expect("it is written");
    let finished = Runner::new(["replay", "-"]).input(&input).run();
    assert!(
        finished.exited(0).contains("no contradiction in "),
        "{}",
        finished.out
    );
}

#[test]
fn a_malformed_log_is_named_with_its_place_and_the_others_are_converted() {
    let folder = Folder::new();
    let games = games(&folder, 1, &[]);
    let logs = folder.path().join("logs");
    run(
        &["records", "convert", "--to=tenhou", "--out"],
        &[&logs, &games],
    )
    .exited(0);
    let text = fs::read_to_string(logs.join("game-0001.json")).expect("it is written");
    let mut log: Value = serde_json::from_str(&text).expect("it is JSON");
    log["log"][0][5][1] = 99.into();
    fs::write(logs.join("bad.json"), log.to_string()).expect("it is written");
    fs::write(logs.join("cut.json"), &text[..text.len() / 2]).expect("it is written");
    let out = folder.path().join("out");
    let converted = run(
        &["records", "convert", "--to=mjai", "--out"],
        &[&out, &logs],
    );
    converted.exited(1);
    let said = "bad.json: Tenhou JSON, round 1, seat 0, draw 2: 99 is neither a tile nor a call";
    assert!(converted.err.contains(said), "{}", converted.err);
    assert!(
        converted
            .err
            .contains("cut.json: Tenhou JSON, value 1: it is not JSON, or cut"),
        "{}",
        converted.err
    );
    assert!(out.join("game-0001.jsonl").exists());
    let replayed = run(&["replay"], &[&logs.join("bad.json")]);
    replayed.exited(1);
    assert!(
        replayed
            .err
            .contains("cannot be read: Tenhou JSON, round 1"),
        "{}",
        replayed.err
    );
}

#[test]
fn games_of_a_folder_are_listed_whatever_their_ending_and_with_their_game() {
    let folder = Folder::new();
    let games = games(&folder, 1, &[]);
    let game = games.join("game-0001.jsonl");
    let text = fs::read_to_string(&game).expect("it is written");
    fs::write(games.join("plain.mjai"), text).expect("it is written");
    let other = folder.path().join("other");
    run(
        &["play", "--game=doudizhu", "--seed=1", "--record"],
        &[&other],
    )
    .exited(0);
    let listed = run(&["records", "list", "--json"], &[&games, &other]);
    let listed: Vec<Value> = listed
        .exited(0)
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    let of = |log: &Value| (log["game"].clone(), log["players"].clone());
    let (riichi, doudizhu) = (("riichi".into(), 4.into()), ("doudizhu".into(), 3.into()));
    assert_eq!(
        listed.iter().map(of).collect::<Vec<_>>(),
        [riichi.clone(), riichi, doudizhu]
    );
}

#[test]
fn a_gzipped_log_that_is_cut_is_no_wrong_path() {
    let folder = Folder::new();
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/logs/mjlog.gz");
    let bytes = fs::read(log).expect("it is in the repository");
    let cut = folder.file("cut.mjlog.gz", &bytes[..200]);
    let replayed = run(&["replay"], &[&cut]);
    replayed.exited(1);
    assert!(
        replayed
            .err
            .contains("cut.mjlog.gz cannot be read: incomplete deflate stream"),
        "{}",
        replayed.err
    );
}

#[test]
fn several_games_need_a_folder_and_no_file_is_overwritten() {
    let folder = Folder::new();
    let games = games(&folder, 2, &[]);
    let refused = run(&["records", "convert", "--to=mjai"], &[&games]);
    refused.exited(1);
    assert!(
        refused
            .err
            .contains("name a folder for them with --out FOLDER"),
        "{}",
        refused.err
    );
    let refused = run(
        &["records", "convert", "--to=mjai", "--out"],
        &[&games, &games],
    );
    refused.exited(1);
    assert!(
        refused
            .err
            .contains("already exists and is not overwritten"),
        "{}",
        refused.err
    );
    let nothing = folder.path().join("nothing");
    fs::create_dir(&nothing).expect("it is made");
    let refused = run(&["records", "convert", "--to=mjai"], &[&nothing]);
    refused.exited(1);
    assert!(
        refused.err.contains("no game in this folder"),
        "{}",
        refused.err
    );
}
