//! `status`, and the line that `run` prints on its own.

use super::{bot, bot_that, bot_with, playing, runner};
use crate::common::server::Server;
use crate::configs::Folder;
use crate::program::{Runner, cell, table};

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_plays_is_shown_with_its_game_decisions_and_policy() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (running, mut kuma) = playing(&folder, &server, &[]).await;
    let told = bot_with(&folder, "kuma", "decisions", 1);
    assert_eq!(
        (&told["state"], &told["game"], &told["finished"]),
        (&"playing".into(), &1.into(), &0.into())
    );
    assert_eq!((&told["faults"], &told["desyncs"]), (&0.into(), &0.into()));
    assert!(told["p99_ms"].as_f64().is_some_and(|ms| ms > 0.0), "{told}");
    assert_eq!(
        (&told["policy"]["id"], &told["average_place"]),
        (&"greedy-tenpai".into(), &serde_json::Value::Null)
    );
    let finished = runner(&folder, &["status"], &[]).run();
    let rows = table(finished.exited(0));
    let row = &rows[0];
    let shown = [
        "bot",
        "game",
        "avg place",
        "decisions",
        "faults",
        "desyncs",
        "state",
    ]
    .map(|heading| cell(row, heading));
    assert_eq!(shown, ["kuma", "1", "-", "1", "0", "0", "playing"]);
    kuma.finish().await;
    let _next = server.accept().await;
    let told = bot(&folder, "kuma");
    assert_eq!(told["finished"], 1);
    assert!(
        told["average_place"]
            .as_f64()
            .is_some_and(|place| (1.0..=4.0).contains(&place)),
        "{told}"
    );
    drop(running);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_waits_is_shown_with_why_and_until_when() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, kuma) = playing(&folder, &server, &[]).await;
    kuma.reset();
    running.line_with("next attempt in ");
    let told = bot(&folder, "kuma");
    assert_eq!(told["state"], "waiting");
    assert!(
        told["why"]
            .as_str()
            .is_some_and(|why| why.contains("continues without us")),
        "{told}"
    );
    assert!(told["until"].as_u64().is_some(), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_is_refused_is_shown_until_one_succeeds() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, _kuma) = playing(&folder, &server, &[]).await;
    assert!(bot(&folder, "kuma")["refused_change"].is_null());
    let url = server.address();
    let good = std::fs::read_to_string(folder.path().join("bots/kuma.toml")).expect("it is there");
    let wrong_policy = good.replace("greedy-tenpai", "gredy-tenpai");
    let write = |text: &str| {
        let written = folder.file("written", text);
        std::fs::rename(written, folder.path().join("bots/kuma.toml")).expect("it can be renamed");
    };
    for (text, words) in [
        (wrong_policy, "`greedy-tenpai`?"),
        ("name =".to_owned(), "line 1"),
    ] {
        write(&text);
        running.error_with("the policy stays as it is");
        let told = bot_that(&folder, "kuma", |bot| {
            bot["refused_change"]
                .as_str()
                .is_some_and(|why| why.contains(words))
        });
        assert_eq!(told["state"], "playing");
        let out = runner(&folder, &["status"], &[]).run().exited(0).to_owned();
        assert!(
            out.contains("playing; a change was refused: bots/kuma.toml: "),
            "{out}"
        );
        write(&good);
        bot_that(&folder, "kuma", |bot| bot["refused_change"].is_null());
    }
    // The rest of the config counts as well.
    super::config(&folder, "kuma.toml", "kuma", &url, "colour = \"red\"\n");
    running.error_with("the bot stays as it is");
    bot_that(&folder, "kuma", |bot| {
        bot["refused_change"]
            .as_str()
            .is_some_and(|why| why.contains("arena.colour"))
    });
    write(&good);
    bot_that(&folder, "kuma", |bot| bot["refused_change"].is_null());
}

#[test]
fn the_bots_of_play_are_shown_too() {
    let folder = Folder::new();
    let config = folder.bot("kuma");
    let args = ["play", "--games=1000000", config.to_str().expect("UTF-8")];
    let mut running = runner(&folder, &args, &[]).start();
    running.line_with("East 1-0");
    assert_eq!(bot(&folder, "kuma")["state"], "playing");
}

#[test]
fn without_a_runner_at_work_it_says_so() {
    for args in [&["status"][..], &["status", "--json"]] {
        let finished = runner(&Folder::new(), args, &[]).run();
        finished.exited(1);
        assert!(
            finished.err.contains("no runner of this user is running"),
            "{}",
            finished.err
        );
    }
}

#[test]
fn run_says_in_a_line_how_it_goes() {
    let folder = Folder::new();
    let mut arena = Runner::new(["arena"]).start();
    let url = arena
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    super::config(&folder, "kuma.toml", "kuma", &url, "");
    let mut running = runner(&folder, &["run", "bots", "--status-every", "1"], &["kuma"]).start();
    running.line_with(
        "status: 1 bots (1 queued); games finished 0, decisions 0, faults 0, desyncs 0, p99 ",
    );
}
