//! The page about bots.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{BOTS, address, ask, at_work, get};
use crate::configs::Folder;
use crate::program::Runner;

/// Waits until a bot has a round with a decision in it.
#[track_caller]
pub(in super::super) fn round_of(address: &str, bot: &str) -> Value {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let answer = get(address, &format!("/api/round?bot={bot}"));
        if answer.status == 200
            && answer.json()["decisions"]
                .as_array()
                .is_some_and(|made| !made.is_empty())
        {
            return answer.json();
        }
        assert!(Instant::now() < until, "no decision of {bot}: {answer:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The seats whose hands a round shows.
pub(in super::super) fn open_hands(game: &Value) -> Vec<u64> {
    let steps = game["rounds"][0]["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 1, "only how it is now: {game}");
    let seats = steps[0][2]["seats"].as_array().expect("seats").iter();
    let hands = seats.map(|seat| {
        ["hand", "drawn"]
            .map(|part| seat[part].as_str().expect("pieces"))
            .concat()
    });
    (0..)
        .zip(hands)
        .filter(|(_, hand)| !hand.contains('?'))
        .map(|(seat, _)| seat)
        .collect()
}

#[test]
fn the_page_of_bots_agrees_with_status_and_serves_figures_and_its_parts() {
    let folder = Folder::new();
    let (_arena, mut running) = at_work(&folder, &["--page"]);
    let address = address(&mut running);
    round_of(&address, "kuma");
    let by_page = get(&address, "/api/status").json();
    let runtime = folder.path().join("runtime");
    let status = Runner::new(["status", "--json"])
        .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
        .run();
    let by_status: Value = serde_json::from_str(status.exited(0)).expect("JSON");
    let keys = |told: &Value| -> Vec<String> {
        told[0]["bots"][0]
            .as_object()
            .expect("a bot")
            .keys()
            .cloned()
            .collect()
    };
    assert_eq!(
        (by_page[0]["process"].clone(), keys(&by_page)),
        (by_status[0]["process"].clone(), keys(&by_status))
    );
    let names: Vec<&str> = by_page[0]["bots"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|bot| bot["bot"].as_str())
        .collect();
    assert_eq!(names, BOTS);
    let metrics = get(&address, "/metrics");
    assert!(
        metrics
            .head
            .contains("application/openmetrics-text; version=1.0.0"),
        "{}",
        metrics.head
    );
    for line in [
        "bot_runner_bots{state=\"playing\"} 4.0",
        "bot_runner_reply_seconds_count{bot=\"kuma\"} ",
    ] {
        assert!(metrics.body.contains(line), "{}", metrics.body);
    }
    assert_eq!(
        (
            get(&address, "/healthz").status,
            get(&address, "/healthz").body.as_str()
        ),
        (200, "ok\n")
    );
    let page = get(&address, "/");
    assert!(
        page.head.contains("default-src 'none'; script-src 'self'"),
        "{}",
        page.head
    );
    let parts = page
        .body
        .split('"')
        .filter(|part| part.starts_with("/assets/"));
    let mut found = 0;
    for part in parts {
        assert_eq!(get(&address, part).status, 200, "{part}");
        found += 1;
    }
    assert!(found >= 3, "{}", page.body);
    for path in [
        "/assets/../Cargo.toml",
        "/assets/%2e%2e%2fCargo.toml",
        "/etc/passwd",
        "//etc/passwd",
    ] {
        assert_eq!(get(&address, path).status, 404, "{path}");
    }
    running.stop();
}

#[test]
fn a_page_changes_nothing() {
    let folder = Folder::new();
    let (_arena, mut running) = at_work(&folder, &["--page"]);
    let address = address(&mut running);
    let host = format!("Host: {address}");
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        for path in ["/", "/api/status", "/metrics", "/events", "/healthz"] {
            assert_eq!(
                ask(&address, &format!("{method} {path}"), &[&host]).status,
                405,
                "{method} {path}"
            );
        }
    }
    running.stop();
}

#[test]
fn a_table_is_shown_from_the_bots_own_seat_and_no_other_hand_is_open() {
    let folder = Folder::new();
    let (_arena, mut running) = at_work(&folder, &["--page"]);
    let address = address(&mut running);
    for bot in BOTS {
        let game = round_of(&address, bot);
        let seat = game["seat"].as_u64().expect("a seat");
        assert_eq!(open_hands(&game), [seat], "{game}");
        let own = &game["decisions"][0]["own"];
        assert!(own["chosen"].is_u64() && own["us"].is_u64(), "{own}");
    }
    running.stop();
}

#[test]
fn a_game_that_is_played_here_is_shown_with_all_hands() {
    let folder = Folder::new();
    let args = ["play", "--seed", "3", "--pace-ms", "50", "--page"];
    let mut running = Runner::new(args).in_folder(folder.path()).start();
    let address = address(&mut running);
    let game = round_of(&address, "kuma");
    assert_eq!(open_hands(&game), [0, 1, 2, 3], "{game}");
    let mut names: Vec<&str> = game["names"]
        .as_array()
        .expect("names")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    names.sort_unstable();
    assert_eq!(names, BOTS, "{game}");
    running.stop();
}

#[test]
fn other_games_than_riichi_are_shown_live_with_all_hands_and_count() {
    for (game, bot, seats) in [
        ("chinese-standard", "cs-fan", 4),
        ("doudizhu", "doudizhu-split", 3),
    ] {
        let folder = Folder::new();
        let args = [
            "play",
            "--game",
            game,
            "--games",
            "100000",
            "--seed",
            "3",
            "--pace-ms",
            "20",
            "--page",
        ];
        let mut running = Runner::new(args).in_folder(folder.path()).start();
        let address = address(&mut running);
        let shown = round_of(&address, bot);
        let own = shown["names"]
            .as_array()
            .expect("names")
            .iter()
            .position(|name| name == bot);
        assert_eq!(
            open_hands(&shown),
            (0..seats).collect::<Vec<_>>(),
            "{shown}"
        );
        assert_eq!(
            shown["seat"].as_u64().map(|seat| seat as usize),
            own,
            "{shown}"
        );
        let decision = &shown["decisions"][0];
        assert!(
            decision["own"]["chosen"].is_u64() && decision["own"]["us"].is_u64(),
            "{decision}"
        );
        assert_eq!(
            decision["seat"].as_u64().map(|seat| seat as usize),
            own,
            "{decision}"
        );
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let told = get(&address, "/api/status").json()[0]["bots"].clone();
            let told = told
                .as_array()
                .into_iter()
                .flatten()
                .find(|told| told["bot"] == bot)
                .expect("the bot")
                .clone();
            if told["finished"].as_u64() >= Some(1) {
                assert!(
                    told["decisions"].as_u64() > Some(0) && told["average_place"].is_number(),
                    "{told}"
                );
                break;
            }
            assert!(Instant::now() < until, "{told}");
            thread::sleep(Duration::from_millis(20));
        }
        running.stop();
    }
}

#[test]
fn how_a_game_ended_is_shown_before_the_next_one_begins() {
    let folder = Folder::new();
    // The first game is short.
    let args = [
        "play",
        "--game",
        "doudizhu",
        "--games",
        "2",
        "--seed",
        "12",
        "--pace-ms",
        "300",
        "--page",
    ];
    let mut running = Runner::new(args).in_folder(folder.path()).start();
    let address = address(&mut running);
    let mut shown = round_of(&address, "doudizhu-split");
    while shown["rounds"][0]["steps"][0][2]["end"].is_null() {
        let told = get(&address, "/api/status").json();
        assert_eq!(
            told[0]["bots"][0]["game"], 1,
            "the second game has begun: {shown}"
        );
        thread::sleep(Duration::from_millis(10));
        shown = get(&address, "/api/round?bot=doudizhu-split").json();
    }
}

#[test]
fn a_tournament_of_each_game_shows_its_intervals() {
    let policies = ["id = \"greedy-tenpai\"", "id = \"weighted-shape\""];
    shows_intervals("riichi", &["--length", "east"], policies, "place");
    let policies = [
        "id = \"cs-eight-step\"",
        "id = \"cs-fan\"\nparams = { beyond = 0 }",
    ];
    shows_intervals("chinese-standard", &[], policies, "points");
}

fn shows_intervals(game: &str, more: &[&str], policies: [&str; 2], measured: &str) {
    let folder = Folder::new();
    let paths = ["kuma", "neko"]
        .into_iter()
        .zip(policies)
        .map(|(name, policy)| {
            let text = format!("name = \"{name}\"\n[policy]\n{policy}\nlibrary = \"builtin\"\n");
            folder
                .file(&format!("{name}.toml"), text)
                .display()
                .to_string()
        });
    let args = [
        "tournament",
        "--game",
        game,
        "--games",
        "6000",
        "--jobs",
        "1",
        "--seed",
        "7",
        "--page=127.0.0.1:0",
    ];
    let args = args.iter().chain(more).map(|&arg| arg.to_owned());
    let mut running = Runner::new(args.chain(paths)).start();
    let address = address(&mut running);
    let until = Instant::now() + Duration::from_secs(60);
    let standing = loop {
        let standing = get(&address, "/api/status").json();
        if standing["steps"]
            .as_array()
            .is_some_and(|steps| steps.len() >= 3)
        {
            break standing;
        }
        assert!(Instant::now() < until, "{standing}");
        thread::sleep(Duration::from_millis(20));
    };
    let width = |step: usize| -> f64 {
        let [low, high] = [1, 2].map(|end| {
            standing["steps"][step][1][0][end]
                .as_f64()
                .expect("an interval")
        });
        high - low
    };
    assert!(
        width(0) > 0.0 && standing["configs"][1]["name"] == "neko",
        "{standing}"
    );
    let metrics = get(&address, "/metrics").body;
    let average = format!("bot_runner_tournament_{measured}_average{{bot=\"neko\"}} ");
    assert!(metrics.contains(&average), "{metrics}");
    assert_eq!(
        standing["unit"] == "points",
        measured == "points",
        "{standing}"
    );
    running.interrupt();
    running.finish();
}

#[test]
fn no_path_of_the_machine_is_in_any_answer() {
    let folder = Folder::new();
    let (_arena, mut running) = at_work(&folder, &["--page", "--watch-ms", "20"]);
    let address = address(&mut running);
    round_of(&address, "kuma");
    // The log names the file with its whole path.
    folder.file(
        "bots/kuma.toml",
        "name = \"kuma\"\n[policy]\nlibrary = \"/nowhere at all/lib.so\"\nid = \"x\"\n",
    );
    let until = Instant::now() + Duration::from_secs(30);
    while !get(&address, "/api/log").body.contains("kuma.toml") {
        assert!(Instant::now() < until, "{}", get(&address, "/api/log").body);
        thread::sleep(Duration::from_millis(20));
    }
    let here = folder
        .path()
        .canonicalize()
        .expect("it is there")
        .display()
        .to_string();
    for path in [
        "/",
        "/api/status",
        "/api/log",
        "/api/log?bot=kuma",
        "/api/round?bot=kuma",
        "/metrics",
    ] {
        let answer = get(&address, path).body;
        for told in [here.as_str(), "/nowhere", "token-of-"] {
            assert!(!answer.contains(told), "{path}: {answer}");
        }
    }
    running.stop();
}

#[test]
fn an_address_in_use_is_reported_before_any_bot_plays() {
    let folder = Folder::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("it is known").to_string();
    for (args, what) in [
        (["play", "--page"], "page"),
        (["arena", "--listen"], "arena"),
    ] {
        let finished = Runner::new([args[0], args[1], &address])
            .in_folder(folder.path())
            .run();
        finished.exited(1);
        let words = format!(
            "{} {address}: the {what} cannot listen on this address; name another",
            args[1]
        );
        assert!(
            finished.err.contains(&words) && finished.err.contains("127.0.0.1:0 takes any"),
            "{}",
            finished.err
        );
    }
    let finished = Runner::new(["play", "--page", "localhost"])
        .in_folder(folder.path())
        .run();
    finished.exited(2);
    assert!(
        finished.err.contains("for instance 127.0.0.1:8080"),
        "{}",
        finished.err
    );
}
