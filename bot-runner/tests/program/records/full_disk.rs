//! A real disk that is full: a small tmpfs, where this machine allows to mount one.

use std::process::Command;

use serde_json::Value;

use super::{arena_alone, recorded};
use crate::common::libraries::PROGRAM;
use crate::configs::Folder;

/// Runs a script where it may mount what nobody else sees.
fn in_own_mounts(script: &str, folder: &Folder) -> std::process::Output {
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-ec", script]).current_dir(folder.path());
    command.env("RUNNER", PROGRAM).env("BOT_TOKEN", "token-of-a-bot").env("NO_COLOR", "1").env_remove("BOT_RUNNER_LOG");
    command.output().unwrap_or_else(|error| panic!("`unshare`: {error}"))
}

#[test]
fn a_full_disk_costs_one_warning_and_the_rest_of_the_records_and_no_action() {
    let folder = Folder::new();
    folder.private("records");
    let mount = "mount -t tmpfs -o size=256k none records";
    let allowed =
        Command::new("unshare").arg("--version").output().is_ok_and(|_| in_own_mounts(mount, &folder).status.success());
    if !allowed {
        eprintln!("SKIPPED: this machine does not allow to mount a tmpfs, so no disk was full");
        return;
    }
    let (_arena, url) = arena_alone();
    recorded(&folder, "kuma", &url, "");
    let script = format!(
        "{mount}; \"$RUNNER\" run kuma.toml --games 2 >run.txt 2>log.txt; \"$RUNNER\" records list records --json >list.txt"
    );
    let output = in_own_mounts(&script, &folder);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let (out, log) = (read("run.txt"), read("log.txt"));
    assert!(output.status.success(), "{out}{log}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(out.matches("kuma: game over after").count(), 2, "{out}");
    for trouble in ["safe answer", "rejected", "answered"] {
        assert!(!out.lines().any(|line| line.starts_with("kuma: ") && line.contains(trouble)), "{out}");
    }
    assert_eq!(log.matches("WARN").count(), 1, "two games, and one disk that is full: {log}");
    assert!(log.contains("the record of this game breaks off here: No space left on device"), "{log}");
    let listed = read("list.txt");
    let first: Value = serde_json::from_str(listed.lines().next().expect("a record")).expect("JSON");
    assert_eq!(first["state"], "cut", "{listed}");
    // What room was left when the game began is enough for the truth about it.
    assert!(first["cut"].as_str().is_some_and(|why| why.contains("No space left")), "{listed}");
    assert!(first["played"]["place"].is_u64() && first["missing"]["frames"].as_u64() > Some(0), "{listed}");
}
