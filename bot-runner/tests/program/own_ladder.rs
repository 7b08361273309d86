//! A ladder of one's own, and events: the arena, bots and readers, each in its own process.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;

use rustix::process::Signal;
use serde_json::Value;

use super::configs::Folder;
use super::page::{ask, get};
use super::program::{Finished, Runner, Running, cell, table};

/// The options of an arena with short games that keeps a ladder.
const ARENA: [&str; 7] = [
    "arena",
    "--length",
    "east",
    "--fill-after",
    "0",
    "--keep",
    "ladder",
];

/// The address of an arena, without a scheme.
fn address(arena: &mut Running) -> String {
    let line = arena.line_with("listening on ws://");
    line.trim_start_matches("listening on ws://").to_owned()
}

/// Runs a bot to the end of its games.
fn play(folder: &Folder, address: &str, games: u32) {
    let config = folder.bot_at("kuma", &format!("ws://{address}"), "BOT_TOKEN");
    let finished = Runner::new(["run".into(), format!("--games={games}").into(), config])
        .env("BOT_TOKEN", "token-of-kuma")
        .run();
    finished.exited(0);
}

/// A command of `ladder` at this arena.
fn ladder(folder: &Folder, address: &str, args: &[&str]) -> Finished {
    let base = format!("http://{address}");
    let args = ["ladder", "--api", &base, "--logs", &base]
        .into_iter()
        .chain(args.iter().copied());
    Runner::new(args).in_folder(folder.path()).run()
}

#[test]
fn a_game_at_an_own_ladder_is_read_listed_fetched_and_shown() {
    let folder = Folder::new();
    folder.file("tokens", "token-of-kuma kuma\n");
    let mut arena = Runner::new(ARENA.iter().chain(&["--tokens", "tokens"]))
        .in_folder(folder.path())
        .start();
    let address = address(&mut arena);
    play(&folder, &address, 1);
    arena.line_with("game 1: ");

    let found = ladder(&folder, &address, &["find", "kuma"]);
    let rows = table(found.exited(0));
    assert_eq!((cell(&rows[0], "id"), cell(&rows[0], "games")), ("1", "1"));
    let listed = ladder(&folder, &address, &["games", "1", "--json"]);
    let game: Value = serde_json::from_str(listed.exited(0)).expect("one game");
    assert_eq!(game["rating_before"], 1500.0);
    let id = game["game"].as_str().expect("an id");
    let fetched = ladder(
        &folder,
        &address,
        &["fetch", "1", "--games", "1", "--out", "logs"],
    );
    let file = fetched.exited(0).lines().last().expect("a file").to_owned();
    assert!(file.contains(id), "{file}");
    for command in [&["replay"][..], &["view", "--out", "game.html"]] {
        let args = command.iter().copied().chain([&*file]);
        Runner::new(args).in_folder(folder.path()).run().exited(0);
    }

    for (path, words) in [
        ("/", &["kuma", "/bots/1", "built-in:tsumogiri-1"][..]),
        ("/bots/1", &["<h1>kuma</h1>", id]),
        (&format!("/games/{id}"), &["kuma", "<script"]),
    ] {
        let page = get(&address, path);
        assert_eq!(page.status, 200, "{path}");
        for word in words {
            assert!(page.body.contains(word), "{path} has no {word}");
        }
        assert!(
            page.head.contains("content-security-policy"),
            "{}",
            page.head
        );
        assert!(!page.body.contains("token-of-"), "{path}");
    }
    for path in ["/bots/99", "/games/none", "/tables/1", "/else"] {
        assert_eq!(get(&address, path).status, 404, "{path}");
    }
    let rebound = ask(&address, "GET /", &["Host: example.org"]);
    assert_eq!(rebound.status, 421);
    let finished = arena.stop();
    assert!(!finished.all().contains("token-of-"), "{}", finished.all());
}

#[test]
fn an_arena_for_other_machines_needs_tokens_that_cannot_be_guessed() {
    let folder = Folder::new();
    folder.file("short", "token-of-kuma kuma\n");
    folder.file("long", "a-token-of-24-characters kuma\n");
    let open = |args: &[&str]| {
        let args = ["arena", "--listen", "0.0.0.0:0"].iter().chain(args);
        Runner::new(args).in_folder(folder.path())
    };
    let refused = open(&[]).run();
    refused.exited(1);
    assert!(
        refused.err.contains("so it needs --tokens FILE"),
        "{}",
        refused.err
    );
    let refused = open(&["--tokens", "short"]).run();
    refused.exited(1);
    assert!(
        refused
            .err
            .contains("the token of kuma has fewer than 16 characters")
            && !refused.err.contains("token-of-kuma"),
        "{}",
        refused.err
    );
    let mut arena = open(&["--tokens", "long"]).start();
    arena.line_with("put a reverse proxy with TLS before the arena");
    arena.stop().exited(0);
}

#[test]
fn a_folder_or_an_event_that_cannot_be_used_is_refused_with_the_reason() {
    let folder = Folder::new();
    let four = "a = \"A\"\nb = \"B\"\nc = \"C\"\nd = \"D\"\n";
    let event = |name: &str, head: &str| {
        folder.file(name, format!("format = \"swiss\"\n{head}\n[bots]\n{four}"));
    };
    event("cup.toml", "games = 2");
    event("other.toml", "games = 3");
    event("bad.toml", "games = 0");
    folder.file("twins", "token-1 kuma\ntoken-2 kuma\n");
    let run = |args: &[&str]| {
        let mut runner = Runner::new(["arena"].iter().chain(args)).in_folder(folder.path());
        for name in ["A", "B", "C", "D"] {
            runner = runner.env(name, &format!("token-of-{name}"));
        }
        runner
    };
    let keep = ["--keep", "ladder"];
    let mut arena = run(&[&keep[..], &["--event", "cup.toml"]].concat()).start();
    arena.line_with("event: 4 bots, 0 of 2 games played");
    for (args, words) in [
        (&["--event", "cup.toml"][..], "is in use by another arena"),
        (
            &["--event", "bad.toml"],
            "games: found 0; 1 to 10000 are allowed",
        ),
        (&["--tokens", "twins"], "is in use by another arena"),
    ] {
        let refused = run(&[&keep[..], args].concat()).run();
        refused.exited(1);
        assert!(refused.err.contains(words), "{words}: {}", refused.err);
        assert!(!refused.err.contains("token-"), "{}", refused.err);
    }
    arena.stop().exited(0);
    for (args, words) in [
        (&["--event", "other.toml"][..], "its `games` is 2 and not 3"),
        (
            &["--players", "3"],
            "say --players 4, or take another folder",
        ),
        (&["--tokens", "twins"], "two bots have the name kuma"),
    ] {
        let refused = run(&[&keep[..], args].concat()).run();
        refused.exited(1);
        assert!(refused.err.contains(words), "{words}: {}", refused.err);
    }
    run(&["--event", "cup.toml"]).run().exited(2);
}

/// Number of bots of the event below, each in its own process.
const BOTS: usize = 16;

/// The entries of the journal of a ladder that are games.
fn kept_games(folder: &Path) -> Vec<Value> {
    let journal = fs::read_to_string(folder.join("games.jsonl")).expect("a journal");
    let entries = journal
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    entries
        .filter_map(|entry| entry.get("game").cloned())
        .collect()
}

/// By default a short event; `EVENT_GAMES=240 EVENT_KILLS=5` for the long run.
#[test]
fn sixteen_bots_in_sixteen_processes_play_an_event_and_kills_lose_and_repeat_nothing() {
    let number = |name: &str, default: usize| {
        env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let (games, kills) = (number("EVENT_GAMES", 12), number("EVENT_KILLS", 1));
    let folder = Folder::new();
    let names: Vec<String> = (1..=BOTS).map(|bot| format!("bot{bot:02}")).collect();
    let lines: Vec<String> = names
        .iter()
        .map(|name| format!("{name} = \"TOKEN_{name}\"\n"))
        .collect();
    folder.file(
        "event.toml",
        format!(
            "name = \"Winter cup\"\nformat = \"round-robin\"\ngames = {games}\nlength = \"east\"\n\n[bots]\n{}",
            lines.concat()
        ),
    );
    let token = |name: &str| format!("token-of-{name}");
    let start = |listen: &str| {
        let args = [
            "arena",
            "--listen",
            listen,
            "--keep",
            "cup",
            "--event",
            "event.toml",
        ];
        let runner = Runner::new(args).in_folder(folder.path());
        let runner = names.iter().fold(runner, |runner, name| {
            runner.env(&format!("TOKEN_{name}"), &token(name))
        });
        runner.start()
    };
    let mut arena = start("127.0.0.1:0");
    let address = address(&mut arena);
    let bots: Vec<Running> = names
        .iter()
        .map(|name| {
            let config = folder.bot_at(name, &format!("ws://{address}"), "BOT_TOKEN");
            let args = ["run".into(), config];
            Runner::new(args).env("BOT_TOKEN", &token(name)).start()
        })
        .collect();
    let mut told = 0;
    for kill in 1..=kills {
        while told < games * kill / (kills + 1) {
            arena.line_with("game ");
            told += 1;
        }
        arena.signal(Signal::KILL);
        drop(arena);
        // What was told is kept, and at most what was being told besides.
        let kept = kept_games(&folder.path().join("cup")).len();
        assert!(kept >= told, "{told} games were told, and {kept} are kept");
        told = kept;
        arena = start(&address);
        arena.line_with(&format!(
            "Winter cup: 16 bots, {kept} of {games} games played"
        ));
    }
    while told < games {
        arena.line_with("game ");
        told += 1;
    }
    let finished = arena.finish();
    let out = finished.exited(0);
    assert!(
        out.contains(&format!("Winter cup: {games} of {games} games")),
        "{out}"
    );
    let standing = table(out);
    assert_eq!(standing.len(), BOTS);
    let played: Vec<usize> = standing
        .iter()
        .map(|row| cell(row, "games").parse().expect("a number"))
        .collect();
    assert_eq!(played.iter().sum::<usize>(), 4 * games);
    let (least, greatest) = (played.iter().min(), played.iter().max());
    assert!(
        greatest
            .zip(least)
            .is_some_and(|(high, low)| high - low <= 1),
        "{played:?}"
    );
    let kept = kept_games(&folder.path().join("cup"));
    let slots: BTreeSet<u64> = kept
        .iter()
        .filter_map(|game| game["event"]["slot"].as_u64())
        .collect();
    let ids: BTreeSet<&str> = kept.iter().filter_map(|game| game["id"].as_str()).collect();
    assert_eq!((kept.len(), slots.len(), ids.len()), (games, games, games));
    if games >= 240 {
        let spreads = standing.iter().map(|row| cell(row, "95 %"));
        assert!(
            spreads.clone().all(|spread| spread.contains(" to ")),
            "{out}"
        );
    }
    for bot in bots {
        bot.stop();
    }
}
