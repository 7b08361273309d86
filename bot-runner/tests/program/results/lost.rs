//! Results that nothing takes.

use std::fs;

use super::waiting;
use crate::configs::{Folder, POLICY, arena};
use crate::program::{Finished, Runner, Running};

/// A bot that plays this many games while files block the database's folder and the spool;
/// `meanwhile` is called when its first game is over.
fn played(folder: &Folder, games: u32, meanwhile: impl FnOnce(&mut Running)) -> Finished {
    let mut server = Runner::new([
        "arena",
        "--length",
        "east",
        "--fill-after",
        "0",
        "--pace-ms",
        "5",
    ])
    .start();
    let url = server
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    let results = "[results]\ndatabase = \"sqlite:away/results.db\"";
    folder.file(
        "kuma.toml",
        format!(
            "name = \"kuma\"\n{}{POLICY}\n{results}\n",
            arena(&url, "BOT_TOKEN")
        ),
    );
    folder.file("away", "");
    let games = format!("--games={games}");
    let runner = Runner::new(["run", "kuma.toml", &games]).env("BOT_TOKEN", "token-of-a-bot");
    let mut running = runner.in_folder(folder.path()).start();
    running.line_with("kuma: game started");
    // Not before: a config that names such a spool is refused.
    let spool = folder.path().join("results-waiting");
    let _ = fs::remove_dir_all(&spool);
    fs::write(&spool, "").expect("it is ours");
    meanwhile(&mut running);
    running.finish()
}

#[test]
fn a_game_that_neither_the_disk_nor_the_database_takes_is_reported_as_not_kept_and_the_exit_code_says_so()
 {
    let folder = Folder::new();
    let ended = played(&folder, 1, |_| {});
    let out = ended.exited(1);
    let line = out
        .lines()
        .find(|line| line.contains("kuma: game over"))
        .expect("the game is reported");
    assert!(line.contains("; its result is not kept yet"), "{out}");
    assert!(
        out.contains("1 are lost: neither the disk nor the database took them"),
        "{out}"
    );
    assert!(!out.contains(" wait in "), "{out}");
}

#[test]
fn a_game_that_is_not_kept_yet_holds_no_other_back_and_is_kept_when_the_disk_takes_it() {
    let folder = Folder::new();
    let ended = played(&folder, 3, |running| {
        running.line_with("; its result is not kept yet");
        fs::remove_file(folder.path().join("results-waiting")).expect("it is there");
    });
    let out = ended.exited(0);
    assert_eq!(out.matches("kuma: game over").count(), 3, "{out}");
    assert!(
        out.contains("3 wait in ") && !out.contains("are lost"),
        "{out}"
    );
    // Each line in its place: over, queued, started.
    let lines: Vec<&str> = out
        .lines()
        .filter_map(|line| line.strip_prefix("kuma: "))
        .collect();
    let words = |line: &&str| line.split([' ', ',']).take(2).collect::<Vec<_>>().join(" ");
    let course: Vec<String> = lines
        .iter()
        .map(words)
        .filter(|word| word.starts_with("game "))
        .collect();
    assert_eq!(course, ["game started", "game over"].repeat(3), "{out}");
    assert_eq!(waiting(&folder.path().join("results-waiting")).len(), 3);
}
