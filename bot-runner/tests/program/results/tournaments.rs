//! The games of tournaments in the database.

use std::time::{Duration, Instant};

use results::ResultKind;

use super::kept;
use crate::common::libraries::numbered;
use crate::configs::Folder;
use crate::program::{Finished, Runner, Running};

fn play(folder: &Folder, more: &[&str]) -> Finished {
    started(folder, &[&["--games", "24"], more].concat()).finish()
}

fn started(folder: &Folder, more: &[&str]) -> Running {
    for (name, policy) in [("one", "greedy-tenpai"), ("two", "weighted-shape")] {
        folder.file(
            &format!("{name}.toml"),
            format!("name = \"{name}\"\n[policy]\nid = \"{policy}\"\nlibrary = \"builtin\"\n"),
        );
    }
    begun(folder, more)
}

/// Starts the tournament with the configs that are there.
fn begun(folder: &Folder, more: &[&str]) -> Running {
    let base = [
        "tournament",
        "one.toml",
        "two.toml",
        "--length",
        "east",
        "--seed",
        "7",
    ];
    let results = ["--results", "sqlite:results.db"];
    Runner::new(base.iter().chain(&results).chain(more))
        .in_folder(folder.path())
        .start()
}

#[test]
fn the_shards_of_a_tournament_meet_in_one_database_and_none_of_their_games_is_there_twice() {
    let folder = Folder::new();
    for (shard, file) in [
        ("0/2", "a.json"),
        ("1/2", "b.json"),
        ("1/2", "b.json"),
        ("1/2", "c.json"),
    ] {
        let played = play(&folder, &["--shard", shard, "--out", file]);
        assert!(played.status.success(), "{played:?}");
    }
    let games = kept(&folder.path().join("results.db"), ResultKind::Tournament);
    // 24 games of four seats.
    assert_eq!(games.len(), 96);
    let of = |shard: &str| {
        games
            .iter()
            .filter(|game| game.shard.as_deref() == Some(shard))
            .count()
    };
    assert_eq!((of("0/2"), of("1/2")), (48, 48));
    let told = Runner::new(["stats", "--tournaments", "--by", "bot"])
        .in_folder(folder.path())
        .run();
    assert!(
        told.out.contains("one ") && told.out.contains("two ") && told.out.contains("48"),
        "{told:?}"
    );
    // The whole in one run has the same places.
    let whole = play(&folder, &["--out", "whole.json"]);
    assert!(whole.status.success(), "{whole:?}");
    let again = play(&folder, &["--out", "whole.json"]);
    assert!(
        again
            .err
            .contains("Nothing new to store in sqlite:results.db: all walls were played"),
        "{again:?}"
    );
    assert_eq!(
        kept(&folder.path().join("results.db"), ResultKind::Tournament).len(),
        96
    );
}

#[test]
fn a_tournament_that_is_killed_and_resumed_has_every_game_in_the_database_once() {
    let folder = Folder::new();
    // Each decision of `one` takes a while, so that few games last longer than the time between two
    // writes.
    folder.file("libnumbered.so", numbered(0));
    let slow = "[policy]\nlibrary = \"libnumbered.so\"\nparams = { pause_ms = 1 }\n";
    folder.file("one.toml", format!("name = \"one\"\n{slow}"));
    folder.bot("two");
    let arguments = ["--out", "all.json", "--games", "18", "--jobs", "1"];
    let running = begun(&folder, &arguments);
    // In the middle of it: the file has walls, and is not whole.
    let file = folder.path().join("all.json");
    let until = Instant::now() + Duration::from_secs(60);
    while !std::fs::read_to_string(&file).is_ok_and(|text| text.contains("\"wall\":1")) {
        assert!(Instant::now() < until, "no wall is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    running.signal(rustix::process::Signal::KILL);
    assert!(!running.finish().status.success());
    let played = begun(&folder, &arguments).finish();
    assert!(
        played.status.success() && played.err.contains("walls; resuming there"),
        "{played:?}"
    );
    let games = kept(&folder.path().join("results.db"), ResultKind::Tournament);
    assert_eq!(games.len(), 4 * 18);
}

#[test]
fn walls_whose_results_are_lost_are_reported_and_left_out_of_the_file_and_the_same_command_plays_them_again()
 {
    let folder = Folder::new();
    let (spool, database) = (
        folder.path().join("results-waiting"),
        folder.path().join("results.db"),
    );
    // A folder is no file of SQLite's.
    std::fs::create_dir(&database).expect("it can be made");
    let arguments = ["--out", "all.json", "--games", "120"];
    let mut running = started(&folder, &arguments);
    running.line_with("two against two");
    // Only now: a spool that is a file is refused at the start.
    let _ = std::fs::remove_dir_all(&spool);
    std::fs::write(&spool, "").expect("it is ours");
    let played = running.finish();
    played.exited(1);
    for words in [
        "results lost: neither the disk nor the database took them",
        "left out of the file, so that",
    ] {
        assert!(played.err.contains(words), "{words}: {}", played.err);
    }
    std::fs::remove_dir(&database).expect("it is there");
    std::fs::remove_file(&spool).expect("it is there");
    let played = started(&folder, &arguments).finish();
    played.exited(0);
    assert_eq!(kept(&database, ResultKind::Tournament).len(), 4 * 120);
}

#[test]
fn more_games_of_the_same_seed_add_only_the_new_ones() {
    let folder = Folder::new();
    for games in ["24", "48"] {
        let played = started(&folder, &["--games", games]).finish();
        assert!(played.status.success(), "{played:?}");
    }
    assert_eq!(
        kept(&folder.path().join("results.db"), ResultKind::Tournament).len(),
        4 * 48
    );
}
