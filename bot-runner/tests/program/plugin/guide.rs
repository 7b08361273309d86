//! The guide for those who write policies: its commands run, and it leaves out nothing of the view.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::common::libraries::PROGRAM;
use crate::configs::Folder;
use crate::program::{Runner, cell, table};

const GUIDE: &str = include_str!("../../../../docs/writing-a-policy.md");

/// The line of its config for ranked games that an address may follow.
const ARENA: &str = "kind = \"riichilab\"\n";

/// The commands of the guide, in order.
fn commands() -> String {
    let blocks = GUIDE.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    blocks.collect()
}

/// A folder for `PATH` with the runner in it, and with a cargo that keeps what it builds for the next time.
fn programs(folder: &Folder) -> String {
    let programs = folder.path().join("programs");
    fs::create_dir(&programs).expect("it can be made");
    symlink(PROGRAM, programs.join("bot-runner")).expect("it can be linked");
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
    fs::create_dir_all(&kept).expect("it can be made");
    let cargo = programs.join("cargo");
    let script = format!("#!/bin/sh\nln -sfn '{}' target\nexec '{}' \"$@\"\n", kept.display(), env!("CARGO"));
    fs::write(&cargo, script).expect("it can be written");
    fs::set_permissions(&cargo, Permissions::from_mode(0o755)).expect("it is ours");
    format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default())
}

#[test]
fn every_command_works_in_order() {
    let folder = Folder::new();
    let mut arena = Runner::new(["arena", "--fill-after=200", "--seed=1"]).start();
    let line = arena.line_with("ws://");
    let url = line.split_whitespace().find(|word| word.starts_with("ws://")).expect("an address");
    // The one thing that a reader does otherwise: the public arena is not played at.
    let commands = commands();
    assert_eq!(commands.matches(ARENA).count(), 1);
    let commands = commands.replace(ARENA, &format!("{ARENA}url = {url:?}\n"));
    // Should a command fail, nothing plays on in the background.
    let commands = format!("trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{commands}");

    let work = folder.path().join("work");
    fs::create_dir(&work).expect("it can be made");
    let run = Command::new("sh")
        .args(["-eu", "-c", &commands])
        .current_dir(&work)
        .env("PATH", programs(&folder))
        .env("XDG_RUNTIME_DIR", folder.private("runtime"))
        .env("CARGO_NET_OFFLINE", "true")
        .env("NO_COLOR", "1")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .env_remove("BOT_RUNNER_LOG")
        .output()
        .expect("there is a shell");
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{out}\n{err}");
    assert_eq!(out.matches("verdict: passed").count(), 2, "one of each language: {out}");
    assert!(out.contains("mine: mine 0.2.0 (") && out.contains("decides from now on"), "{out}");
    assert!(out.contains("mine: passed"), "the validation: {out}");
    let games = table(&out);
    assert_eq!(["games", "rejected", "desyncs"].map(|heading| cell(&games[0], heading)), ["1", "0", "0"], "{out}");
}

/// The functions of a type in the SDK.
fn functions(source: &str) -> Vec<&str> {
    let declared = source.lines().filter_map(|line| {
        let declaration = line.strip_prefix("    pub ")?;
        declaration.strip_prefix("const ").unwrap_or(declaration).strip_prefix("fn ")
    });
    declared.filter_map(|declaration| declaration.split(['(', '<']).next()).collect()
}

/// The fields of a struct in the header.
fn fields<'h>(header: &'h str, name: &str) -> Vec<&'h str> {
    let from = header.find(&format!("typedef struct {name} {{")).expect("there is such a struct");
    let lines = header[from..].lines().skip(1).take_while(|line| !line.starts_with('}'));
    let declared = lines.filter_map(|line| line.trim().strip_suffix(';'));
    declared.filter_map(|field| field.split('[').next()?.split([' ', '*']).next_back()).collect()
}

/// Whether a table of the guide names it.
fn is_explained(name: &str) -> bool {
    let words = [format!("`{name}`"), format!("`{name}()`"), format!("`Player::{name}()`")];
    GUIDE.lines().filter(|line| line.starts_with('|')).any(|line| words.iter().any(|word| line.contains(word)))
}

#[test]
fn everything_in_a_view_is_explained() {
    let policies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../policies");
    let read = |path: &str| fs::read_to_string(policies.join(path)).expect("it is there");
    let sources = ["sdk/src/view.rs", "sdk/src/win.rs", "sdk/src/player.rs"].map(read);
    let functions: Vec<&str> = sources.iter().flat_map(|source| functions(source)).collect();
    assert!(functions.len() > 40, "{functions:?}");
    let header = read("abi/include/bot_policy.h");
    let fields = [fields(&header, "bp_view"), fields(&header, "bp_seat_view")].concat();
    assert!(fields.len() > 40, "{fields:?}");
    // The sum of the three sets of kinds that `cannot_ron` holds.
    let missing: Vec<_> =
        functions.iter().chain(&fields).filter(|name| **name != "all" && !is_explained(name)).collect();
    assert!(missing.is_empty(), "the guide leaves out {missing:?}");
}
