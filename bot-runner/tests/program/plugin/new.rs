//! `plugin new`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::configs::Folder;
use crate::library::alone;
use crate::program::{Finished, Runner, cell, table};

/// The games, as the command line has them.
const GAMES: [&str; 3] = ["riichi", "chinese-standard", "doudizhu"];

fn new(folder: &Folder, more: &[&str]) -> Finished {
    Runner::new(["plugin", "new"].iter().chain(more))
        .in_folder(folder.path())
        .run()
}

/// Everything in a folder, by its path.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("it is there").flatten() {
        match entry.path() {
            path if path.is_dir() => files.append(&mut self::files(&path)),
            path => files.push((path.clone(), fs::read_to_string(&path).expect("a text"))),
        }
    }
    files.sort();
    files
}

#[test]
fn a_policy_bears_its_name_wherever_the_template_has_one() {
    let folder = Folder::new();
    for (number, (language, game)) in ["rust", "c"]
        .into_iter()
        .flat_map(|lang| GAMES.map(|game| (lang, game)))
        .enumerate()
    {
        let name = &format!("my-{number}th");
        let begun = new(&folder, &[name, "--lang", language, "--game", game]);
        assert_eq!(
            begun.exited(0).lines().last(),
            Some("  bot-runner play bot.toml")
        );
        let files = files(&folder.path().join(name));
        for (file, text) in &files {
            let left = [
                "my-policy",
                "my_policy",
                "MY_POLICY",
                "../../../../policies",
            ];
            assert!(
                !left.iter().any(|word| text.contains(word)),
                "{}: {text}",
                file.display()
            );
        }
        let bot = &files
            .iter()
            .find(|(file, _)| file.ends_with("bot.toml"))
            .expect("there is a bot")
            .1;
        let library = format!(
            "lib{}{}",
            name.replace('-', "_"),
            std::env::consts::DLL_SUFFIX
        );
        assert!(
            bot.contains(&library) && bot.contains(&format!("id = {name:?}")),
            "{bot}"
        );
    }
}

#[test]
fn policies_of_the_other_games_in_python_play_at_once_and_pass() {
    for game in &GAMES[1..] {
        let folder = Folder::new();
        new(&folder, &["mine", "--lang", "python", "--game", game]).exited(0);
        let run = |args: &[&str]| Runner::new(args).in_folder(folder.path()).run();
        let played = run(&["play", "mine/bot.toml", "--games", "4", "--seed", "2"]);
        let out = played.exited(0);
        let row = table(out)
            .into_iter()
            .find(|row| cell(row, "bot") == "mine")
            .expect("it is in the table");
        assert!(
            cell(&row, "won") != "0" && cell(&row, "faults") == "0",
            "{out}"
        );
        let tested = run(&["plugin", "test", "mine/bot.toml"]);
        let out = tested.exited(0);
        assert!(
            out.contains("20 of 20 games") && out.contains("it is repeatable"),
            "{out}"
        );
    }
}

#[test]
fn policies_of_the_other_games_in_c_build_without_a_warning_play_and_pass() {
    for game in &GAMES[1..] {
        let folder = Folder::new();
        new(&folder, &["mine", "--lang", "c", "--game", game]).exited(0);
        let mine = folder.path().join("mine");
        // As the Makefile has it.
        let mut cc = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
        cc.args([
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fPIC",
            "-shared",
            "-fvisibility=hidden",
            "-O2",
        ]);
        let built = cc
            .args(["-o", "libmine.so", "policy.c"])
            .current_dir(&mine)
            .output()
            .expect("there is a C compiler");
        assert!(
            built.status.success(),
            "{}",
            String::from_utf8_lossy(&built.stderr)
        );
        let run = |args: &[&str]| Runner::new(args).in_folder(&mine).run();
        assert!(
            run(&["plugin", "test", "libmine.so"])
                .exited(0)
                .contains("20 of 20 games")
        );
        let played = run(&["play", "bot.toml", "--games", "4", "--seed", "2"]);
        let out = played.exited(0);
        let row = table(out)
            .into_iter()
            .find(|row| cell(row, "bot") == "mine")
            .expect("it is in the table");
        assert!(
            cell(&row, "won") != "0" && cell(&row, "faults") == "0",
            "{out}"
        );
    }
}

#[test]
fn a_policy_in_python_plays_at_once_and_passes() {
    let folder = Folder::new();
    new(&folder, &["my-third", "--lang", "python"]).exited(0);
    let files = files(&folder.path().join("my-third"));
    assert!(
        !files.iter().any(|(_, text)| text.contains("my-policy")),
        "it bears its name"
    );
    assert_eq!(
        files
            .iter()
            .filter(|(_, text)| text.contains("bot-runner validate bot.toml"))
            .count(),
        2,
        "{files:?}"
    );
    let run = |args: &[&str]| Runner::new(args).in_folder(folder.path()).run();
    let played = run(&["play", "my-third/bot.toml", "--seed", "1"]);
    let out = played.exited(0);
    let row = table(out)
        .into_iter()
        .find(|row| cell(row, "bot") == "my-third")
        .expect("it is in the table");
    assert!(
        cell(&row, "policy").starts_with("policy.py program ") && cell(&row, "wins") != "0",
        "{out}"
    );
    assert!(!played.err.contains("safe answer"), "{}", played.err);
    assert!(
        run(&["check", "my-third/bot.toml"])
            .exited(0)
            .contains("decides by policy.py program ")
    );
    let tested = run(&["plugin", "test", "my-third/bot.toml"]);
    let out = tested.exited(0);
    assert!(
        out.contains("20 of 20 games") && out.contains("it is repeatable"),
        "{out}"
    );
    assert_eq!(out.lines().last(), Some("verdict: passed"));
}

#[test]
fn the_header_of_a_policy_in_c_is_the_runners() {
    let folder = Folder::new();
    new(&folder, &["mine", "--lang", "c"]).exited(0);
    let committed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../policies/abi/include/bot_policy.h");
    let header = fs::read_to_string(folder.path().join("mine/bot_policy.h")).expect("it is there");
    assert!(header == fs::read_to_string(committed).expect("it is there"));
}

#[test]
fn a_policy_in_c_builds_by_its_makefile() {
    let folder = Folder::new();
    new(&folder, &["mine", "--lang", "c"]).exited(0);
    let built = Command::new("make")
        .current_dir(folder.path().join("mine"))
        .output();
    // Make is not among what the tests need; the guide's commands build the library without it.
    if built
        .as_ref()
        .is_err_and(|error| error.kind() == ErrorKind::NotFound)
    {
        return;
    }
    let built = built.expect("make starts");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let library = folder.path().join("mine/libmine.so");
    let finished = Runner::new([Path::new("plugin"), Path::new("inspect"), &library]).run();
    assert!(
        finished.exited(0).contains("policy mine 0.1.0"),
        "{}",
        finished.out
    );
}

#[test]
fn a_policy_in_rust_names_the_sdk_and_the_versions_it_is_tested_with() {
    let folder = Folder::new();
    new(&folder, &["mine"]).exited(0);
    let manifest: toml::Table = toml::from_str(
        &fs::read_to_string(folder.path().join("mine/Cargo.toml")).expect("it is there"),
    )
    .expect("it is TOML");
    assert_eq!(manifest["package"]["name"].as_str(), Some("mine"));
    assert!(
        manifest["workspace"]
            .as_table()
            .expect("it has one")
            .is_empty(),
        "it joins no other"
    );
    let sdk = manifest["dependencies"]["policy-sdk"]["path"]
        .as_str()
        .expect("a path");
    assert!(
        folder
            .path()
            .join("mine")
            .join(sdk)
            .join("src/lib.rs")
            .is_file(),
        "{sdk}"
    );
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    let copied = fs::read_to_string(folder.path().join("mine/Cargo.lock")).expect("it is there");
    assert!(copied == fs::read_to_string(lock).expect("it is there"));
}

#[test]
fn the_sdk_that_lies_beside_the_program_is_taken() {
    let (archive, program) = alone();
    let manifest = "[package]\nname = \"policy-sdk\"\n";
    fs::create_dir_all(archive.path().join("policies/sdk")).expect("it can be made");
    fs::write(archive.path().join("policies/sdk/Cargo.toml"), manifest).expect("it can be written");
    let folder = Folder::new();
    Runner::of(&program, ["plugin", "new", "mine"])
        .in_folder(folder.path())
        .run()
        .exited(0);
    let manifest: toml::Table = toml::from_str(
        &fs::read_to_string(folder.path().join("mine/Cargo.toml")).expect("it is there"),
    )
    .expect("it is TOML");
    let sdk = manifest["dependencies"]["policy-sdk"]["path"]
        .as_str()
        .expect("a path");
    assert_eq!(
        Path::new(sdk),
        archive
            .path()
            .join("policies/sdk")
            .canonicalize()
            .expect("it is there")
    );
}

#[test]
fn an_invalid_name_is_refused_with_the_allowed_ones() {
    let folder = Folder::new();
    for name in [
        "Mine",
        "1st",
        "mine_2",
        "mine-",
        "-",
        "mi--ne",
        "../mine",
        "mine.so",
        &"m".repeat(41),
    ] {
        let finished = new(&folder, &["--", name]);
        finished.exited(1);
        assert!(
            finished
                .err
                .contains("allowed are up to 40 of a-z, 0-9 and single -"),
            "{name}: {}",
            finished.err
        );
    }
    assert!(
        new(&folder, &["greedy-tenpai"])
            .err
            .contains("is the name of a built-in policy")
    );
    assert!(
        new(&folder, &["match"])
            .err
            .contains("Rust or the SDK uses")
    );
    assert!(files(folder.path()).is_empty(), "nothing was begun");
}

#[test]
fn a_folder_that_is_there_is_left_alone() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("mine")).expect("it can be made");
    folder.file("mine/precious", "work");
    let finished = new(&folder, &["mine"]);
    finished.exited(1);
    assert!(
        finished.err.contains("mine already exists"),
        "{}",
        finished.err
    );
    assert_eq!(
        files(folder.path()),
        [(folder.path().join("mine/precious"), "work".to_owned())]
    );
}

#[test]
fn a_folder_that_does_not_hold_the_sdk_is_refused() {
    let folder = Folder::new();
    let finished = new(&folder, &["mine", "--sdk", "."]);
    finished.exited(1);
    assert!(
        finished
            .err
            .contains("name the folder policies/sdk of the release archive"),
        "{}",
        finished.err
    );
    assert!(files(folder.path()).is_empty(), "nothing was begun");
}
