//! `records list`, `show`, `export` and `prune`, and what a bot's config says of records.

use std::fs;
use std::path::Path;

use bot_runner::records::{GAME, MANIFEST, Published};
use serde_json::{Value, json};

use super::{arena_alone, recorded, run};
use crate::common::records::{names, sound_records};
use crate::configs::{Folder, POLICY};
use crate::program::{Finished, Runner, cell, table};

fn records<const N: usize>(args: [&str; N]) -> Finished {
    Runner::new(["records"].iter().chain(&args)).run()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A bot's games, played and recorded.
struct Played {
    folder: Folder,
    records: Vec<Published>,
}

impl Played {
    fn games(games: u32) -> Self {
        let folder = Folder::new();
        let (_arena, url) = arena_alone();
        let out = run(recorded(&folder, "kuma", &url, ""), games).run().exited(0).to_owned();
        assert!(out.contains(&format!("kuma: records of {games} whole games, 0 cut off")), "{out}");
        let records = sound_records(&folder.path().join("records"));
        assert_eq!(records.len(), games as usize);
        Self { folder, records }
    }

    fn path(&self) -> String {
        self.folder.path().join("records").display().to_string()
    }

    /// Makes a record older, by so many days.
    fn age(&self, index: usize, days: i64) {
        let path = self.records[index].path.join(MANIFEST);
        let mut manifest: Value = serde_json::from_slice(&fs::read(&path).expect("it is there")).expect("JSON");
        let started = self.records[index].manifest.started - std::time::Duration::from_secs(86_400 * days as u64);
        manifest["started"] = json!(started.format(&time::format_description::well_known::Rfc3339).expect("a time"));
        fs::write(path, manifest.to_string()).expect("it can be written");
    }
}

#[test]
fn played_games_are_listed_shown_and_exported_for_other_tools() {
    let played = Played::games(2);
    let path = played.path();
    let listed = records(["list", &path]);
    let rows = table(listed.exited(0).rsplit_once("\n2 records, ").expect("a sum").0);
    assert_eq!(rows.len(), 2);
    for (row, record) in rows.iter().zip(&played.records) {
        assert_eq!((cell(row, "bot"), cell(row, "record"), cell(row, "name")), ("kuma", "complete", &*record.name()));
        let place = record.manifest.played.as_ref().and_then(|played| played.place).expect("a place");
        assert_eq!(cell(row, "place"), place.to_string());
    }
    let lines = records(["list", "--json", &path]);
    for (line, record) in lines.exited(0).lines().zip(&played.records) {
        let line: Value = serde_json::from_str(line).expect("a line of JSON");
        assert_eq!((&line["path"], &line["state"]), (&json!(record.path), &json!("complete")));
    }

    let game = text(&played.records[0].path);
    let shown = records(["show", game]);
    for words in [
        "record    complete\n",
        "bot       kuma on seat ",
        "policy    greedy-tenpai ",
        " accepted, 0 rejected",
        "desyncs   0\n",
    ] {
        assert!(shown.exited(0).contains(words), "{words:?} is not in {}", shown.out);
    }
    let manifest: Value = serde_json::from_str(records(["show", "--json", game]).exited(0)).expect("JSON");
    assert_eq!(manifest["arena"], json!(played.records[0].manifest.about.arena));

    let file = played.folder.path().join("game.jsonl");
    records(["export", game, "--out", text(&file)]).exited(0);
    let exported = fs::read_to_string(&file).expect("it was written");
    assert_eq!(exported, fs::read_to_string(played.records[0].path.join(GAME)).expect("it is there"));
    assert_eq!(records(["export", game]).exited(0), exported);
    let again = records(["export", game, "--out", text(&file)]);
    again.exited(1);
    assert!(again.err.contains("is not overwritten"), "{}", again.err);
    let seat = played.records[0].manifest.seat.to_string();
    let replay = Runner::new(["replay", text(&file), "--seat", &seat]).run();
    assert!(replay.exited(0).contains("no contradiction"), "{}", replay.out);
}

#[test]
fn pruning_removes_the_oldest_and_says_so_first_when_asked_to() {
    let played = Played::games(3);
    let path = played.path();
    played.age(1, 40);
    played.age(2, 20);
    let would = records(["prune", &path, "--older-than", "30", "--dry-run"]);
    assert!(would.exited(0).contains("1 of 3 records would be removed"), "{}", would.out);
    assert_eq!(names(Path::new(&path)).len(), 3);
    let done = records(["prune", &path, "--older-than", "30"]);
    assert!(done.exited(0).contains("1 of 3 records removed") && done.out.contains(&played.records[1].name()));
    assert!(!played.records[1].path.exists() && played.records[2].path.exists());
    let smaller = records(["prune", &path, "--to-size", "0"]);
    assert!(smaller.exited(0).contains("2 of 2 records removed"), "{}", smaller.out);
    assert_eq!(names(Path::new(&path)), Vec::<String>::new());
    records(["prune", &path]).exited(2);
}

#[test]
fn a_bot_removes_its_own_old_records_and_nobody_elses() {
    let played = Played::games(2);
    played.age(0, 40);
    let (_arena, url) = arena_alone();
    run(recorded(&played.folder, "neko", &url, "keep_days = 30"), 1).run().exited(0);
    assert!(played.records[0].path.exists());
    run(recorded(&played.folder, "kuma", &url, "keep_days = 30"), 1).run().exited(0);
    assert!(!played.records[0].path.exists() && played.records[1].path.exists());
    assert_eq!(sound_records(Path::new(&played.path())).len(), 3);
}

#[test]
fn a_path_that_is_no_record_is_told_with_the_next_step() {
    let folder = Folder::new();
    let nowhere = folder.path().join("recrods");
    let listed = records(["list", text(&nowhere)]);
    listed.exited(1);
    assert!(listed.err.contains("recrods cannot be read; is the path right?"), "{}", listed.err);
    for command in ["show", "export"] {
        let finished = records([command, text(&nowhere)]);
        finished.exited(1);
        assert!(finished.err.contains("is no record of a game") && finished.err.contains("records list"));
    }
    let broken = folder.private("broken");
    fs::write(broken.join(MANIFEST), r#"{"format": 99}"#).expect("it can be written");
    let shown = records(["show", text(&broken)]);
    shown.exited(1);
    assert!(shown.err.contains("has format 99, and this runner reads format 1"), "{}", shown.err);
}

#[test]
fn check_says_where_records_go_and_everything_that_is_wrong_with_that() {
    let folder = Folder::new();
    let check = |text: &str| {
        let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{POLICY}\n[records]\n{text}"));
        Runner::new(["check".into(), config]).run()
    };
    let records = folder.path().join("games").display().to_string();
    let good = check("folder = \"games\"\nkeep_days = 90\nkeep_mib = 1000");
    assert!(good.exited(0).contains(&format!("; records of its ranked games go to {records}")), "{}", good.out);
    folder.file("file", "");
    let bad = check("folder = \"file/records\"\nkeep_days = 0\nkeep_mb = 5");
    for words in [
        "records.folder: ",
        "is a file; allowed is a folder",
        "records.keep_days: found 0, allowed are whole days from 1 to 36500",
        "records.keep_mb: unknown key; did you mean `keep_mib`?",
        "3 problems found",
    ] {
        assert!(bad.exited(1).contains(words), "{words:?} is not in {}", bad.out);
    }
    assert!(!folder.path().join("games").exists(), "checking makes nothing");
}
