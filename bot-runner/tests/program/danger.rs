//! `danger`: the figures of `riichi::danger` measured anew.

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
        assert!(out.contains(&format!("pub(super) const {name}: ")), "{name}: {out}");
    }
    assert_eq!(danger(&args).exited(0), out, "the same seed measures the same");
    let of_three = danger(&[&["--players", "3"], &args[..]].concat()).exited(0).to_owned();
    let command = format!("//! `bot-runner danger --players 3 --games 2 --seed 3 --bot {bot}`\n");
    assert!(of_three.contains(&command), "{of_three}");
}

#[test]
fn a_record_is_counted_like_the_game_it_is_of() {
    let folder = Folder::new();
    let records = folder.path().join("records");
    Runner::new(["play", "--seed", "3", "--record", records.to_str().expect("a plain path")]).run().exited(0);
    let record = fs::read_dir(&records).expect("it was made").map(|entry| entry.expect("an entry").path());
    let record = record.into_iter().find(|path| path.is_file()).expect("a record");
    let out = danger(&[record.to_str().expect("a plain path")]).exited(0).to_owned();
    let samples = out.lines().skip_while(|line| !line.starts_with("pub(super) const TENPAI")).nth(1).expect("samples");
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

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn shards_of_records_and_games_make_up_exactly_what_one_run_counts() {
    let folder = Folder::new();
    let bot = folder.bot("kuma");
    let records = folder.path().join("records");
    Runner::new(["play", "--games", "3", "--seed", "3", "--record", text(&records)]).run().exited(0);
    let mut all: Vec<_> =
        fs::read_dir(&records).expect("it was made").map(|entry| entry.expect("one").path()).collect();
    all.retain(|path| path.is_file());
    all.sort();
    let mut args: Vec<&str> = all.iter().map(|record| text(record)).collect();
    args.extend(["--games", "4", "--seed", "3", "--bot", text(&bot)]);
    let out = |name: &str| folder.path().join(name);
    let plain = danger(&args).exited(0).to_owned();
    let one = danger(&[&args[..], &["--out", text(&out("one.json"))]].concat()).exited(0).to_owned();
    assert_eq!(one, plain);
    let parts: Vec<_> = (0..3).map(|number| out(&format!("part-{number}.json"))).collect();
    for (number, part) in parts.iter().enumerate() {
        let shard = format!("{number}/3");
        let finished = danger(&[&args[..], &["--shard", &shard, "--out", text(part)]].concat());
        assert_eq!(finished.exited(0), "", "the figures are those of all parts");
    }
    let merge = |parts: &[&Path], to: &str| {
        let parts = parts.iter().map(|part| text(part));
        let to = out(to);
        let args: Vec<&str> = ["--merge"].into_iter().chain(parts).chain(["--out", text(&to)]).collect();
        danger(&args)
    };
    let merged = merge(&[&parts[2], &parts[0], &parts[1]], "all.json");
    assert_eq!(merged.exited(0), plain);
    assert_eq!(fs::read(out("all.json")).ok(), fs::read(out("one.json")).ok());

    let refused = |parts: &[&Path], words: &str| {
        let finished = merge(parts, "refused.json");
        finished.exited(1);
        assert!(finished.err.contains(words) && !out("refused.json").exists(), "{words}: {}", finished.err);
    };
    refused(&[&parts[0], &parts[2]], "parts are missing: shard 1/3");
    refused(&[&parts[0], &parts[0]], "overlap");
    let content = fs::read(&parts[1]).expect("it was written");
    let cut = folder.file("cut.json", &content[..content.len() / 2]);
    refused(&[&parts[0], &cut, &parts[2]], "cut.json cannot be used");
}

#[test]
fn counting_goes_on_where_it_was_cut_and_with_other_arguments_not_at_all() {
    let folder = Folder::new();
    let bot = folder.bot("kuma");
    let (cut, whole) = (folder.path().join("cut.json"), folder.path().join("whole.json"));
    let args = |out| ["danger", "--games", "600", "--seed", "3", "--bot", text(&bot), "--out", out];
    let running = Runner::new(args(text(&cut))).start();
    // Written after every hundred.
    let done = || {
        let text = fs::read_to_string(&cut).ok()?;
        serde_json::from_str::<serde_json::Value>(&text).expect("it is whole at any moment")["done"].as_u64()
    };
    while done().is_none_or(|done| done == 0) {
        std::thread::yield_now();
    }
    running.signal(rustix::process::Signal::KILL);
    running.finish();
    let kept = done().expect("it is there");
    let finished = Runner::new(args(text(&cut))).run();
    finished.exited(0);
    assert!(finished.err.contains(&format!("holds {kept} records and games already")), "{}", finished.err);
    Runner::new(args(text(&whole))).run().exited(0);
    assert_eq!(fs::read(&cut).ok(), fs::read(&whole).ok());

    let finished = danger(&["--games", "600", "--seed", "4", "--bot", text(&bot), "--out", text(&cut)]);
    finished.exited(1);
    assert!(finished.err.contains("seed is 3 and 4"), "{}", finished.err);
}

#[test]
fn ctrl_c_keeps_what_was_counted() {
    let folder = Folder::new();
    let (bot, out) = (folder.bot("kuma"), folder.path().join("counts.json"));
    let args = ["danger", "--games", "1000000", "--seed", "3", "--bot", text(&bot), "--out", text(&out)];
    let running = Runner::new(args).start();
    let done = || {
        let text = fs::read_to_string(&out).ok()?;
        serde_json::from_str::<serde_json::Value>(&text).expect("it is whole at any moment")["done"].as_u64()
    };
    while done().is_none_or(|done| done == 0) {
        std::thread::yield_now();
    }
    running.interrupt();
    let finished = running.finish();
    finished.exited(1);
    let kept = done().expect("it is there");
    assert!(finished.err.contains(&format!("stopped after {kept} of 1000000")), "{kept}: {}", finished.err);
    assert_eq!(finished.out, "", "half the games give no figures");
}
