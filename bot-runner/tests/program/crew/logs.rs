//! The log for programs.

use serde_json::Value;
use tokio_tungstenite::tungstenite::Message;

use super::{playing, runner};
use crate::common::server::{Client, Server, pon_or_pass};
use crate::configs::Folder;
use crate::program::Finished;

/// A game of a bot that logs at this level, in which the arena does this after the first answer.
async fn one_game(level: &str, script: impl AsyncFnOnce(&mut Client)) -> Finished {
    let (folder, server) = (Folder::new(), Server::open().await);
    super::config(&folder, "kuma.toml", "kuma", &server.address(), "");
    let args = ["run", "bots", "--log-format", "json", "--games", "1"];
    let running = runner(&folder, &args, &["kuma"])
        .env("BOT_RUNNER_LOG", level)
        .start();
    let mut client = server.accept().await;
    super::begin(&mut client).await;
    script(&mut client).await;
    client.finish().await;
    let finished = running.finish();
    finished.exited(0);
    finished
}

#[tokio::test(flavor = "multi_thread")]
async fn every_line_is_json_and_says_which_bot_and_game_it_is_about() {
    let finished = one_game("bot_runner=trace", async |client| {
        client.say(pon_or_pass(4)).await;
        client.reply().await;
    })
    .await;
    assert!(
        !finished.all().contains("token-of-kuma"),
        "{}",
        finished.all()
    );
    let lines: Vec<Value> = finished
        .err
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .collect();
    let reply = lines.iter().find(|line| {
        line["message"]
            .as_str()
            .is_some_and(|text| text.starts_with("reply "))
    });
    let reply = reply.expect("replies are logged at this level");
    assert_eq!(
        (&reply["bot"], &reply["game"], &reply["level"]),
        (&"kuma".into(), &1.into(), &"TRACE".into())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_warning_says_which_bot_and_game_it_is_about_though_nothing_milder_is_logged() {
    let finished = one_game("warn", async |client| {
        client.send(Message::text("{")).await;
    })
    .await;
    let line: Value =
        serde_json::from_str(finished.err.lines().next().expect("a warning")).expect("JSON");
    assert_eq!(
        (&line["bot"], &line["game"], &line["level"]),
        (&"kuma".into(), &1.into(), &"WARN".into())
    );
}

#[test]
fn the_log_explains_why_no_bot_plays() {
    let folder = Folder::new();
    super::config(&folder, "kuma.toml", "kuma", "ftp://nowhere", "");
    let finished = runner(&folder, &["run", "bots", "--log-format", "json"], &["kuma"]).run();
    finished.exited(1);
    let lines: Vec<Value> = finished
        .err
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let [only] = &lines[..] else {
        panic!("{lines:?}")
    };
    assert!(
        only["message"]
            .as_str()
            .is_some_and(|text| text.contains("kuma.toml: arena.url")),
        "{only}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_explains_why_a_bot_gives_up() {
    let (folder, server) = (Folder::new(), Server::open().await);
    super::config(&folder, "kuma.toml", "kuma", &server.address(), "");
    let running = runner(
        &folder,
        &["run", "bots", "--log-format", "json", "--games", "1"],
        &["kuma"],
    )
    .start();
    server
        .refuse("Token verification failed: Invalid token")
        .await;
    let finished = running.finish();
    finished.exited(1);
    let mut lines = finished
        .err
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let told = lines
        .find(|line| line["level"] == "ERROR")
        .expect("it is told");
    let message = told["message"].as_str().expect("a text");
    assert!(
        told["bot"] == "kuma" && message.contains("stops: Token verification failed"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_with_a_config_is_in_it_too() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, _kuma) = playing(&folder, &server, &["--log-format", "json"]).await;
    std::fs::write(folder.path().join("bots/neko.toml"), "name = 3\n").expect("it can be written");
    let line: Value = serde_json::from_str(&running.error_with("neko.toml")).expect("JSON");
    assert_eq!(line["level"], "ERROR");
}
