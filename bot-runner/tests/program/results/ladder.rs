//! Ranked games on their way into the database.

use std::fs;
use std::path::{Path, PathBuf};

use results::ResultKind;

use super::kept;
use crate::configs::{Folder, POLICY, arena};
use crate::program::{Runner, Running};

/// An arena with short games, where built-in bots take the empty seats at once; and its address.
fn arena_alone() -> (Running, String) {
    let mut running = Runner::new(["arena", "--length", "east", "--fill-after", "0"]).start();
    let url = running
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    (running, url)
}

fn config(folder: &Folder, url: &str, more: &str) -> PathBuf {
    folder.file(
        "kuma.toml",
        format!(
            "name = \"kuma\"\n{}{POLICY}\n{more}\n",
            arena(url, "BOT_TOKEN")
        ),
    )
}

fn run(config: &Path, games: u32) -> Runner {
    Runner::new([
        "run".into(),
        format!("--games={games}").into(),
        config.to_owned(),
    ])
    .env("BOT_TOKEN", "token-of-a-bot")
}

#[test]
fn a_ranked_game_is_in_the_database_and_its_record_read_later_is_the_same_game() {
    let (folder, (_arena, url)) = (Folder::new(), arena_alone());
    let config = config(
        &folder,
        &url,
        "[records]\n[results]\ndatabase = \"sqlite:results.db\"",
    );
    let ended = run(&config, 2).run();
    assert!(ended.status.success(), "{ended:?}");
    assert!(
        ended.out.contains("results of 2 games are in sqlite:"),
        "{}",
        ended.out
    );
    let database = folder.path().join("results.db");
    let games = kept(&database, ResultKind::Ladder);
    let [one, two] = &games[..] else {
        panic!("{games:?}")
    };
    assert!(one.key != two.key && one.shared != two.shared);
    for game in [one, two] {
        assert_eq!(
            (
                game.bot.as_str(),
                game.policy.as_str(),
                game.players,
                game.mixed
            ),
            ("kuma", "greedy-tenpai", 4, false)
        );
        assert!(
            game.scores.iter().sum::<i32>() >= 90_000 && game.rounds > 0 && game.arena == url,
            "{game:?}"
        );
        let better = game
            .scores
            .iter()
            .filter(|&&score| Some(score) > game.points())
            .count();
        assert!(usize::from(game.place) > better, "{game:?}");
    }
    // All of it is in the records too, to the millisecond of the end.
    let import_of = |records: &str, database: &str| {
        Runner::new(["results", "import", records, "--results", database])
            .in_folder(folder.path())
            .run()
    };
    let import = |database: &str| import_of("records", database);
    let again = import("sqlite:results.db");
    assert!(
        again.out.contains("2 games read, 0 of them new"),
        "{again:?}"
    );
    assert_eq!(kept(&database, ResultKind::Ladder), games);
    let elsewhere = import("sqlite:other.db");
    assert!(
        elsewhere.out.contains("2 games read, 2 of them new"),
        "{elsewhere:?}"
    );
    let mut imported = kept(&folder.path().join("other.db"), ResultKind::Ladder);
    for (imported, game) in imported.iter_mut().zip(&games) {
        imported.ended_ms = game.ended_ms;
    }
    assert_eq!(imported, games);
    // A game of `play --record` is no record.
    std::fs::write(folder.private("games").join("game-0001.jsonl"), "").expect("it can be written");
    let without = import_of("games", "sqlite:other.db");
    assert!(
        without
            .exited(0)
            .contains("left out: 1 file of games of `play --record`, since"),
        "{without:?}"
    );
}

#[test]
fn records_that_are_not_there_are_refused_before_a_database_is_made() {
    let folder = Folder::new();
    let import = [
        "results",
        "import",
        "nix",
        "--results",
        "sqlite:sub/dir/q.db",
    ];
    let finished = Runner::new(import).in_folder(folder.path()).run();
    finished.exited(1);
    assert!(
        finished
            .err
            .contains("the folder nix cannot be read; is the path right?"),
        "{}",
        finished.err
    );
    assert!(!folder.path().join("sub").exists());
}

#[test]
fn a_game_ends_as_ever_while_the_database_is_away_and_the_next_run_writes_it() {
    let (folder, (_arena, url)) = (Folder::new(), arena_alone());
    // A file in the place of the database's folder.
    let in_the_way = folder.file("away", "");
    let config = config(
        &folder,
        &url,
        "[results]\ndatabase = \"sqlite:away/results.db\"",
    );
    let ended = run(&config, 1).run();
    assert!(
        ended.status.success() && ended.out.contains("1 wait in "),
        "{ended:?}"
    );
    assert_eq!(
        ended
            .err
            .matches("results cannot be written to the database")
            .count(),
        1,
        "{}",
        ended.err
    );
    fs::remove_file(in_the_way).expect("it is there");
    let ended = run(&config, 1).run();
    assert!(
        ended.out.contains("results of 2 games are in sqlite:") && !ended.out.contains("wait in"),
        "{ended:?}"
    );
    assert_eq!(
        kept(&folder.path().join("away/results.db"), ResultKind::Ladder).len(),
        2
    );
}

#[test]
fn mistakes_in_the_section_are_reported_with_advice_and_without_secrets() {
    let folder = Folder::new();
    for (lines, words) in [
        (
            "database = \"postgres://bots:canary@host/db\"",
            "results.database: a password does not belong in an address",
        ),
        (
            "database = \"postgres://bots@host/db\"\npassword_env = \"NOT_SET_ANYWHERE\"",
            "results.password_env: the environment variable",
        ),
        (
            "database = \"postgres://bots@host/db\"\npassword_env = \"canary!\"",
            "results.password_env: this is not the name",
        ),
        (
            "database = \"postgres://bots@host/db\"\npassword = \"canary\"",
            "results.password: a token does not belong in a config",
        ),
        (
            "database = \"sqlite:a.db\"\npassword_file = \"p\"",
            "results.password_file: a file of SQLite's has no password",
        ),
        ("spool = \"a\"", "results.database: the key is missing"),
        (
            "database = \"mysql://host\"",
            "results.database: found no database; allowed are sqlite:FILE",
        ),
    ] {
        let config = config(&folder, "ws://127.0.0.1:1", &format!("[results]\n{lines}"));
        let checked = Runner::new(["check".into(), config])
            .env("BOT_TOKEN", "token-of-a-bot")
            .run();
        assert!(
            !checked.status.success() && checked.out.contains(words),
            "{lines}: {checked:?}"
        );
        assert!(
            !checked.out.contains("canary") && !checked.err.contains("canary"),
            "{lines}: {checked:?}"
        );
    }
}
