//! `danger`: the figures of `mahjong::danger` measured anew.

use std::fs;
use std::path::Path;

use super::configs::Folder;
use super::program::{Finished, Runner};

fn danger(args: &[&str]) -> Finished {
    Runner::new(std::iter::once("danger").chain(args.iter().copied())).run()
}

#[test]
fn games_played_for_it_give_the_whole_file_of_figures_with_the_command() {
    let folder = Folder::new();
    let bot = folder.bot("kuma");
    let bot = bot.to_str().expect("a plain path");
    let args = ["--games", "2", "--seed", "3", "--bot", bot];
    let out = danger(&args).exited(0).to_owned();
    assert!(out.contains(&format!("//! `bot-runner danger --games 2 --seed 3 --bot {bot}`\n")), "{out}");
    for name in ["TENPAI", "RIICHI_LOSS", "OPEN_LOSS", "DORA_LOSS", "RIICHI", "OPEN"] {
        assert!(out.contains(&format!("pub const {name}: ")), "{name}: {out}");
    }
    assert_eq!(danger(&args).exited(0), out, "the same seed measures the same");
}

#[test]
fn a_record_is_counted_like_the_game_it_is_of() {
    let folder = Folder::new();
    let records = folder.path().join("records");
    Runner::new(["play", "--seed", "3", "--record", records.to_str().expect("a plain path")]).run().exited(0);
    let record = fs::read_dir(&records).expect("it was made").map(|entry| entry.expect("an entry").path());
    let record = record.into_iter().find(|path| path.is_file()).expect("a record");
    let out = danger(&[record.to_str().expect("a plain path")]).exited(0).to_owned();
    let samples = out.lines().skip_while(|line| !line.starts_with("pub const TENPAI")).nth(1).expect("samples");
    assert!(samples.trim_start_matches("    // ").split(", ").any(|samples| samples != "0"), "{out}");
}

#[test]
fn a_record_that_hides_hands_is_refused_with_file_line_and_seat() {
    let text = r#"{"type":"start_game"}
{"type":"start_kyoku","bakaze":"E","dora_marker":"1m","honba":0,"kyoku":1,"kyotaku":0,"oya":0,"scores":[25000,25000,25000,25000],"tehais":[["1m","2m","3m","4m","5m","6m","7m","8m","9m","1p","1p","1p","2p"],HIDDEN,HIDDEN,HIDDEN]}"#;
    let hidden = format!("[{}]", ["\"?\""; 13].join(","));
    let folder = Folder::new();
    let record = folder.file("masked.jsonl", text.replace("HIDDEN", &hidden));
    let finished = danger(&[record.to_str().expect("a plain path")]);
    finished.exited(1);
    for words in ["masked.jsonl, line 2", "the hand of seat 1 is hidden"] {
        assert!(finished.err.contains(words), "{}", finished.err);
    }
}

#[test]
fn what_gives_nothing_to_count_is_refused_with_what_to_name() {
    let finished = danger(&[]);
    finished.exited(1);
    assert!(finished.err.contains("name mjai records, or say --games N --bot CONFIG"), "{}", finished.err);
    danger(&["--games", "2"]).exited(2);
    let finished = danger(&[Path::new("no/such/record").to_str().expect("a plain path")]);
    finished.exited(1);
    assert!(finished.err.contains("no/such/record cannot be opened"), "{}", finished.err);
}
