//! `play`: whole games on the embedded arena.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::configs::{Folder, POLICY, arena};
use super::program::{Finished, Runner, cell, table};

fn play(args: &[&str], configs: &[PathBuf]) -> Finished {
    let configs = configs.iter().map(|path| path.display().to_string());
    Runner::new(std::iter::once("play".to_owned()).chain(args.iter().map(|&arg| arg.to_owned())).chain(configs)).run()
}

fn four(folder: &Folder) -> Vec<PathBuf> {
    ["kuma", "neko", "risu", "tanuki"].map(|name| folder.bot(name)).to_vec()
}

#[test]
fn a_hanchan_ends_with_a_table_of_all_four() {
    let folder = Folder::new();
    let finished = play(&["--seed", "3"], &four(&folder));
    let rows = table(finished.exited(0));
    assert_eq!(rows.iter().map(|row| cell(row, "place")).collect::<Vec<_>>(), ["1", "2", "3", "4"]);
    let mut bots: Vec<&str> = rows.iter().map(|row| cell(row, "bot")).collect();
    bots.sort_unstable();
    assert_eq!(bots, ["kuma", "neko", "risu", "tanuki"]);
    let scores = rows.iter().map(|row| cell(row, "score").replace(',', "").parse::<i32>().expect("a score"));
    assert_eq!(scores.sum::<i32>(), 100_000);
    for row in &rows {
        assert!(cell(row, "policy").starts_with("greedy-tenpai "), "{row:?}");
        assert_eq!(cell(row, "library"), "built in");
        for count in ["wins", "deal-ins", "riichi", "calls"] {
            cell(row, count).parse::<u32>().expect("a count");
        }
    }
    let rounds = finished.out.lines().filter(|line| line.starts_with("East ") || line.starts_with("South ")).count();
    assert!(rounds >= 8, "a line for each round: {}", finished.out);
    assert!(!finished.out.contains("desync"), "{}", finished.out);
}

#[test]
fn the_same_seed_gives_the_same_game_and_another_seed_another() {
    let folder = Folder::new();
    let configs = four(&folder);
    let once = play(&["--seed", "4"], &configs);
    assert_eq!(once.exited(0), play(&["--seed", "4"], &configs).exited(0));
    let other = play(&["--seed", "5"], &configs).exited(0).replace("seed 5", "seed 4");
    assert_ne!(once.out, other);
}

#[test]
fn seats_left_empty_are_taken_by_the_arena() {
    let folder = Folder::new();
    let out = play(&["--seed", "3"], &[folder.bot("kuma")]).exited(0).to_owned();
    assert!(out.contains("The other 3 seats discard what they draw."), "{out}");
    assert!(table(&out).iter().any(|row| cell(row, "library") == "the arena's"), "{out}");
}

#[test]
fn one_config_may_be_given_several_times() {
    let folder = Folder::new();
    let kuma = folder.bot("kuma");
    let finished = play(&["--seed", "3"], &[kuma.clone(), kuma.clone(), kuma.clone(), kuma]);
    let rows = table(finished.exited(0));
    let mut bots: Vec<&str> = rows.iter().map(|row| cell(row, "bot")).collect();
    bots.sort_unstable();
    assert_eq!(bots, ["kuma", "kuma-2", "kuma-3", "kuma-4"]);
}

#[test]
fn five_configs_are_too_many() {
    let folder = Folder::new();
    let kuma = folder.bot("kuma");
    let finished = play(&[], &vec![kuma; 5]);
    finished.exited(1);
    assert!(finished.err.contains("seats 4"), "{}", finished.err);
}

#[test]
fn mistakes_in_a_config_are_told_before_anything_is_played() {
    let folder = Folder::new();
    let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{POLICY}think_ms = 0\nmargin = 3\n"));
    let finished = play(&[], &[config]);
    finished.exited(1);
    assert!(finished.err.contains("policy.think_ms") && finished.err.contains("policy.margin"), "{}", finished.err);
    assert_eq!(finished.out, "");
}

/// The files of a folder with their contents.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(folder).expect("it was made").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> =
        paths.filter(|path| path.is_file()).map(|path| (path.clone(), fs::read(&path).expect("it is there"))).collect();
    files.sort();
    files
}

#[test]
fn beside_a_record_stands_who_decided_what_and_why() {
    let folder = Folder::new();
    let records = folder.path().join("records");
    let args = ["play", "--seed=7", "--games=2", "--record"].map(Into::into);
    Runner::new(args.iter().chain([&records, &folder.bot("kuma")])).run().exited(0);
    for (record, _) in files(&records) {
        let decisions = records.join("decisions").join(record.file_name().expect("a file"));
        let text = fs::read_to_string(decisions).expect("it is there");
        let notes: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(notes.len() > 50, "{}", notes.len());
        for (number, note) in notes.iter().enumerate() {
            assert_eq!((&note["bot"], &note["decision"]), (&json!("kuma"), &json!(number)), "{note}");
            assert_eq!((&note["policy"], &note["sha256"]), (&json!("greedy-tenpai"), &Value::Null), "built in: {note}");
            let legal = note["legal"].as_array().expect("a list");
            assert!((note["chosen"].as_u64().expect("an index") as usize) < legal.len(), "{note}");
            assert!(note["reason"].is_string() && note.get("safe_answer").is_none(), "{note}");
        }
    }
}

#[test]
fn a_record_is_written_that_replays_and_is_never_overwritten() {
    const CANARY: &str = "canary-0123456789abcdef";
    let folder = Folder::new();
    let records = folder.path().join("records");
    let section = arena("wss://game.riichi.dev", "KUMA_TOKEN");
    let kuma = folder.file("kuma.toml", format!("name = \"kuma\"\n{section}{POLICY}"));
    let args = ["play", "--seed", "6", "--record"].map(Into::into);
    let play = || Runner::new(args.iter().chain([&records, &kuma])).env("KUMA_TOKEN", CANARY).run();

    let first = play();
    let [(record, text)] = &files(&records)[..] else { panic!("one game, one record") };
    assert!(first.exited(0).contains(&format!("record: {}", record.display())), "{}", first.out);
    let replayed = Runner::new([Path::new("replay"), record]).run();
    assert!(replayed.exited(0).contains("no contradiction"));

    let second = play();
    second.exited(0);
    let [(same, kept), (_, again)] = &files(&records)[..] else { panic!("two games, two records") };
    assert_eq!((same, kept), (record, text), "the first is untouched");
    assert_eq!(again, text, "the same game again");
    assert!(!String::from_utf8_lossy(text).contains("canary") && !second.all().contains("canary"));
}
