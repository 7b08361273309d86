//! The length of games: the one that is played is the one that a policy sees.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::configs::{Folder, arena};
use super::program::{Finished, Runner};

/// A program that writes down each length that it sees, after its trial question, and plays the
/// last safe action.
const PROBE: &str = r#"import json, os, sys
for number, line in enumerate(sys.stdin):
    view = json.loads(line)
    if number > 0:
        with open("lengths", "a") as lengths:
            print(os.getpid(), view["rules"]["length"], file=lengths)
    legal = view["legal"]
    passes = [action for action in legal if action["type"] == "none"]
    discards = [action for action in legal if action["type"] == "dahai"]
    print(json.dumps({"index": (passes or discards or legal)[-1]["index"]}), flush=True)
"#;

/// A bot that the probe plays.
fn probe(folder: &Folder, section: &str) -> PathBuf {
    folder.file("probe.py", PROBE);
    let policy = "[policy]\nlibrary = \"builtin\"\nid = \"program\"\n[policy.params]\ncommand = \"python3 probe.py\"\n";
    folder.file("probe.toml", format!("name = \"probe\"\n{section}{policy}"))
}

/// The lengths that the last probe has seen: those before were on trial.
fn seen(folder: &Folder) -> BTreeSet<String> {
    let text = fs::read_to_string(folder.path().join("lengths")).expect("it was asked");
    let seen: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .collect();
    let last = seen.last().expect("it was asked").0;
    seen.iter()
        .filter(|(process, _)| *process == last)
        .map(|(_, length)| (*length).to_owned())
        .collect()
}

fn run(folder: &Folder, args: &[&str]) -> Finished {
    Runner::new(args)
        .env("PROBE_TOKEN", "t")
        .in_folder(folder.path())
        .run()
}

#[test]
fn the_lengths_of_own_games_are_those_of_the_options() {
    for (command, length, words) in [
        ("play", "east", "an East-only game"),
        ("play", "single", "a single round"),
        ("tournament", "east", "East-only games"),
        ("tournament", "single", "single rounds"),
    ] {
        let folder = Folder::new();
        let bot = probe(&folder, "");
        let other = folder.bot("neko");
        let games = if command == "tournament" {
            "--games=8"
        } else {
            "--games=1"
        };
        let args = [command, games, "--seed=1", "--length", length].map(Path::new);
        let played = Runner::new(args.iter().copied().chain([bot.as_path(), &other]))
            .in_folder(folder.path())
            .run();
        assert!(played.exited(0).contains(words), "{}", played.out);
        assert_eq!(
            seen(&folder),
            BTreeSet::from([length.to_owned()]),
            "{command}"
        );
    }
    let refused = Runner::new(["play", "--game=chinese-standard", "--length=east"]).run();
    refused.exited(1);
    assert!(
        refused.err.contains("--length is for games of riichi"),
        "{}",
        refused.err
    );
}

#[test]
fn at_an_arena_the_key_sets_the_length_of_ranked_games_and_a_validation_is_east_only() {
    let folder = Folder::new();
    let mut server = Runner::new(["arena", "--length=single", "--fill-after=0"]).start();
    let url = server
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    probe(
        &folder,
        &format!("{}length = \"single\"\n", arena(&url, "PROBE_TOKEN")),
    );
    assert!(
        run(&folder, &["validate", "probe.toml"])
            .exited(0)
            .contains("passed")
    );
    assert_eq!(seen(&folder), BTreeSet::from(["east".to_owned()]));
    run(&folder, &["run", "probe.toml", "--games=1"]).exited(0);
    assert_eq!(seen(&folder), BTreeSet::from(["single".to_owned()]));
    probe(&folder, &arena(&url, "PROBE_TOKEN"));
    run(&folder, &["run", "probe.toml", "--games=1"]).exited(0);
    assert_eq!(
        seen(&folder),
        BTreeSet::from(["half".to_owned()]),
        "the default"
    );
}

#[test]
fn a_hosted_bot_has_the_length_of_the_option_or_else_of_its_arena() {
    let hidden = ["?"; 13];
    let own = [
        "1m", "9m", "4p", "4p", "8p", "1s", "3s", "5s", "6s", "6s", "7s", "F", "C",
    ];
    let deal = json!({
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "2p",
        "scores": [25000, 25000, 25000, 25000], "tehais": [own, hidden, hidden, hidden],
    });
    let input = format!(
        "{deal}\n{}\n",
        json!({"type": "tsumo", "actor": 0, "pai": "9m"})
    );
    let section = format!(
        "{}length = \"single\"\n",
        arena("wss://game.riichi.dev", "PROBE_TOKEN")
    );
    for (section, option, length) in [
        ("", None, "half"),
        ("", Some("east"), "east"),
        (&section, None, "single"),
        (&section, Some("east"), "east"),
    ] {
        let folder = Folder::new();
        probe(&folder, section);
        let option: Vec<String> = option
            .map(|length| format!("--length={length}"))
            .into_iter()
            .collect();
        let args = ["stdio", "probe.toml", "--seat=0"]
            .map(str::to_owned)
            .into_iter()
            .chain(option);
        let hosted = Runner::new(args)
            .in_folder(folder.path())
            .input(&input)
            .run();
        assert!(hosted.exited(0).contains("dahai"), "{}", hosted.err);
        assert_eq!(seen(&folder), BTreeSet::from([length.to_owned()]));
    }
}

#[test]
fn a_length_that_is_none_is_refused() {
    let folder = Folder::new();
    let section = arena("wss://game.riichi.dev", "PROBE_TOKEN");
    for (found, says) in [
        (
            "\"south\"",
            "arena.length: found \"south\", allowed are \"half\", \"east\", \"single\"",
        ),
        ("4", "arena.length: found 4, allowed are "),
    ] {
        probe(&folder, &format!("{section}length = {found}\n"));
        let out = run(&folder, &["check", "probe.toml"]);
        assert!(out.exited(1).contains(says), "{}", out.out);
    }
    probe(
        &folder,
        "[arena]\nkind = \"botzone\"\ngame = \"doudizhu\"\nlength = \"east\"\n",
    );
    assert!(
        run(&folder, &["check", "probe.toml"])
            .exited(1)
            .contains("arena.length: unknown key")
    );
}
