//! Files: limits, places that are taken, and names.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::libraries::PROGRAM;
use crate::configs::{Folder, POLICY, arena};
use crate::program::Runner;

/// A bot with records at its own arena, in the folder `bots`.
fn bot_with_records(folder: &Folder) -> crate::program::Running {
    let mut table = Runner::new(["arena", "--length=east", "--fill-after=0", "--seed=1"]).start();
    let line = table.line_with("listening on ");
    let url = line.trim_start_matches("listening on ");
    let config = format!(
        "name = \"kuma\"\n{}[records]\n{POLICY}",
        arena(url, "KUMA_TOKEN")
    );
    fs::write(folder.private("bots").join("kuma.toml"), config).expect("it can be written");
    table
}

#[test]
fn a_limit_for_the_size_of_files_costs_records_and_ends_no_bot() {
    let folder = Folder::new();
    let _table = bot_with_records(&folder);
    // The limit is of blocks of 512 or 1,024 bytes: far less than a game's record.
    let script = format!("ulimit -f 4; exec {PROGRAM:?} run bots --games=1");
    let finished = Runner::of(Path::new("sh"), ["-c", &script])
        .in_folder(folder.path())
        .env("KUMA_TOKEN", "token-of-kuma")
        .run();
    let out = finished.exited(0);
    assert!(out.contains("kuma: game over"), "{out}");
    let told = [
        "the record of this game ends early",
        "this game gets no record",
    ];
    assert!(
        told.iter().any(|words| finished.err.contains(words)),
        "{}",
        finished.err
    );
}

#[test]
fn results_of_a_tournament_overwrite_nothing() {
    let folder = Folder::new();
    let (kuma, neko) = (folder.bot("kuma"), folder.bot("neko"));
    let results = folder.file("results.json", "mine");
    let finished = Runner::new([
        "tournament".as_ref(),
        kuma.as_path(),
        &neko,
        "--games=6".as_ref(),
        "--out".as_ref(),
        &results,
    ])
    .run();
    finished.exited(1);
    assert!(finished.err.contains("results.json"), "{}", finished.err);
    assert_eq!(fs::read_to_string(&results).expect("it is there"), "mine");
}

#[test]
fn a_config_that_is_not_an_ordinary_file_is_reported_without_delay_for_others() {
    let folder = Folder::new();
    let _table = bot_with_records(&folder);
    let bots = folder.path().join("bots");
    let made = Command::new("mkfifo")
        .arg(bots.join("fifo.toml"))
        .status()
        .expect("mkfifo runs");
    assert!(made.success());
    fs::create_dir(bots.join("folder.toml")).expect("it can be made");
    fs::write(
        bots.join("long.toml"),
        format!("name = \"neko\"\n{} = 1\n", "k".repeat(900_000)),
    )
    .expect("it can be written");
    let huge = fs::File::create(bots.join("huge.toml")).expect("it can be made");
    huge.set_len(1 << 40).expect("a sparse file can be made");
    let finished = Runner::new(["run", "bots", "--games=1"])
        .in_folder(folder.path())
        .env("KUMA_TOKEN", "token-of-kuma")
        .run();
    // The other configs are wrong, and one bot has played.
    finished.exited(1);
    assert!(
        finished.out.contains("kuma: game over"),
        "{}",
        finished.all()
    );
    for words in [
        "fifo.toml: cannot be read: it is not an ordinary file",
        "folder.toml: is a folder",
        "huge.toml: is not a config",
    ] {
        assert!(finished.err.contains(words), "{words}: {}", finished.err);
    }
    assert!(
        finished.err.len() < 64 << 10,
        "a key is not repeated at length: {} bytes",
        finished.err.len()
    );
}

#[test]
fn without_descriptors_left_for_it_a_bot_waits_and_then_plays() {
    let folder = Folder::new();
    let _table = bot_with_records(&folder);
    let script = format!("ulimit -n 24; exec {PROGRAM:?} run bots --games=1");
    let finished = Runner::of(Path::new("sh"), ["-c", &script])
        .in_folder(folder.path())
        .env("KUMA_TOKEN", "token-of-kuma")
        .run();
    assert!(
        finished.out.contains("kuma: game over"),
        "{}",
        finished.all()
    );
}
