//! Swaps without a command: a file has changed.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use rustix::process::Signal;

use super::builds::Build;
use crate::configs::Folder;
use crate::program::{Runner, Running};

/// A while in which a change would have been noticed.
const A_WHILE: Duration = Duration::from_millis(400);

/// A bot with this section, at play.
pub(super) fn play(folder: &Folder, policy: &str) -> Running {
    let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{policy}"));
    let runtime = folder.private("runtime");
    let mut running = Runner::new([
        Path::new("play"),
        Path::new("--games=1000000"),
        Path::new("--fill=none"),
        Path::new("--watch-ms=20"),
        &config,
    ])
    .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
    .env("BOT_RUNNER_LOG", "warn,policy_host=info")
    .start();
    running.line_with("East 1-0");
    running
}

const NUMBERED: &str = "[policy]\nlibrary = \"./libnumbered.so\"\n";

/// Ends it; how often another build took over.
pub(super) fn end(running: Running) -> (usize, String) {
    running.interrupt();
    let finished = running.finish();
    finished.exited(0);
    (
        finished.err.matches("takes over from").count(),
        finished.err,
    )
}

#[test]
fn a_file_replaced_by_rename_by_copy_over_or_by_delete_and_create_is_one_swap_each() {
    let folder = Folder::new();
    let file = folder.file("libnumbered.so", Build::new(1).bytes);
    let mut running = play(&folder, NUMBERED);

    let new = folder.file("new", Build::new(2).bytes);
    fs::rename(new, &file).expect("it can be renamed");
    running.error_with(&format!("sha256 {}) takes over", Build::new(2).hash()));

    fs::write(&file, Build::new(3).bytes).expect("it can be written over");
    running.error_with(&format!("sha256 {}) takes over", Build::new(3).hash()));

    fs::remove_file(&file).expect("it is there");
    sleep(A_WHILE);
    fs::write(&file, Build::new(4).bytes).expect("it can be made again");
    running.error_with(&format!("sha256 {}) takes over", Build::new(4).hash()));

    sleep(A_WHILE);
    let (swaps, log) = end(running);
    assert_eq!(swaps, 3, "{log}");
}

#[test]
fn a_file_that_stays_incomplete_is_refused_once_and_used_when_it_is_whole() {
    let folder = Folder::new();
    let file = folder.file("libnumbered.so", Build::new(1).bytes);
    let mut running = play(&folder, NUMBERED);
    let whole = Build::new(2);
    let (half, rest) = whole.bytes.split_at(whole.bytes.len() / 2);

    let mut slow = File::create(&file).expect("it can be written over");
    slow.write_all(half).expect("it can be written");
    running.error_with("is incomplete");
    sleep(A_WHILE);
    slow.write_all(rest).expect("it can be written");
    running.error_with(&format!("sha256 {}) takes over", whole.hash()));

    let (swaps, log) = end(running);
    assert_eq!(
        (swaps, log.matches("is incomplete").count()),
        (1, 1),
        "{log}"
    );
}

#[test]
fn a_file_that_is_only_touched_is_no_swap() {
    let folder = Folder::new();
    let file = folder.file("libnumbered.so", Build::new(1).bytes);
    let mut running = play(&folder, NUMBERED);
    fs::write(&file, Build::new(1).bytes).expect("it can be written over");
    sleep(A_WHILE);
    // The watcher is running: a swap is detected.
    fs::write(&file, Build::new(2).bytes).expect("it can be written over");
    running.error_with(&format!("sha256 {}) takes over", Build::new(2).hash()));
    let (swaps, log) = end(running);
    assert_eq!(swaps, 1, "{log}");
}

#[test]
fn another_policy_section_takes_over_and_a_wrong_one_does_not() {
    let folder = Folder::new();
    folder.file("libnumbered.so", Build::new(1).bytes);
    let mut running = play(&folder, NUMBERED);
    let rewrite = |policy: &str| folder.file("kuma.toml", format!("name = \"kuma\"\n{policy}"));

    rewrite(
        "[policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\nparams = { calls = \"sometimes\" }\n",
    );
    running.error_with("policy.params.calls: found \"sometimes\"");
    rewrite(
        "[policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\nparams = { calls = \"yaku\" }\n",
    );
    running.error_with("takes over from numbered");
    rewrite(
        "[policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\nparams = { calls = \"never\" }\n",
    );
    running.error_with("takes over from greedy-tenpai");
    running.interrupt();
    let finished = running.finish();
    assert_eq!(
        finished.err.matches("takes over from").count(),
        2,
        "{}",
        finished.err
    );
    assert!(
        finished.exited(0).contains("kuma  ")
            && finished.out.contains(concat!(
                "greedy-tenpai ",
                env!("CARGO_PKG_VERSION"),
                "  built in"
            )),
        "{}",
        finished.out
    );
}

#[test]
fn with_reload_off_nothing_changes_until_the_config_turns_it_on() {
    let folder = Folder::new();
    let file = folder.file("libnumbered.so", Build::new(1).bytes);
    let mut running = play(&folder, &format!("{NUMBERED}reload = \"off\"\n"));
    fs::write(&file, Build::new(2).bytes).expect("it can be written over");
    sleep(A_WHILE);
    let runtime = folder.private("runtime");
    let reloaded = Runner::new(["reload", "kuma"])
        .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
        .run();
    assert!(
        reloaded.exited(1).contains("reload = \"off\""),
        "{}",
        reloaded.out
    );
    // The mode is a part of the config, and changes with it.
    folder.file(
        "kuma.toml",
        format!("name = \"kuma\"\n{NUMBERED}reload = \"decision\"\n"),
    );
    running.error_with(&format!("sha256 {}) takes over", Build::new(2).hash()));
    let (swaps, log) = end(running);
    assert_eq!(swaps, 1, "{log}");
}

#[test]
fn sighup_reloads_all_policies() {
    let folder = Folder::new();
    folder.file("libnumbered.so", Build::new(1).bytes);
    let mut running = play(&folder, NUMBERED);
    running.signal(Signal::HUP);
    running.error_with("takes over from");
    assert_eq!(end(running).0, 1);
}
