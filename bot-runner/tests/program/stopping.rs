//! Ctrl-C during `run`.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::configs::Folder;
use super::program::{Finished, Runner, Running};
use crate::common::libraries::MISBEHAVE;
use crate::common::server::{Client, Server, pon_or_pass};

/// Time limit for an end that waits for nothing, on a busy machine. A policy's trial lasts longer.
const BOUND: Duration = Duration::from_secs(10);

fn one_bot(server: &Server, folder: &Folder) -> Runner {
    let config = folder.bot_at("kuma", &server.address(), "KUMA_TOKEN");
    Runner::new([Path::new("run"), &config]).env("KUMA_TOKEN", "token-of-kuma")
}

/// A bot that runs at this server, connected.
async fn running(server: &Server, folder: &Folder) -> (Running, Client) {
    let mut running = one_bot(server, folder).start();
    let client = server.accept().await;
    running.line_with("kuma: queued");
    (running, client)
}

/// The same in a game.
async fn playing(server: &Server, folder: &Folder) -> (Running, Client) {
    let (mut running, mut client) = running(server, folder).await;
    client.deal().await;
    client.offer(3).await;
    client.reply().await;
    running.line_with("kuma: game started");
    (running, client)
}

/// Presses Ctrl-C, and waits for the end. Work that would keep the program busy lasts longer here
/// than the test waits.
fn interrupted(running: Running) -> Finished {
    running.interrupt();
    running.finish()
}

#[tokio::test(flavor = "multi_thread")]
async fn signals_that_mean_nothing_to_it_do_not_end_it() {
    let (server, folder) = (Server::open().await, Folder::new());
    let (running, mut client) = playing(&server, &folder).await;
    for signal in [
        Signal::USR1,
        Signal::USR2,
        Signal::ALARM,
        Signal::VTALARM,
        Signal::PROF,
        Signal::IO,
        Signal::XFSZ,
    ] {
        running.signal(signal);
    }
    client.say(pon_or_pass(4)).await;
    assert_eq!(client.reply().await["request_id"], 4);
    client.finish().await;
    interrupted(running).exited(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_game_it_says_so_and_plays_it_to_its_end() {
    let (server, folder) = (Server::open().await, Folder::new());
    let (mut running, mut client) = playing(&server, &folder).await;
    running.interrupt();
    running.line_with("played to their end");
    client.say(pon_or_pass(4)).await;
    assert_eq!(client.reply().await["request_id"], 4, "it plays on");
    client.finish().await;
    let finished = running.finish();
    assert!(
        finished.exited(0).contains("kuma: game over"),
        "{}",
        finished.out
    );
    assert!(
        server.is_left_alone(Duration::from_millis(50)).await,
        "no game after that"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_one_stops_a_game_too() {
    let (server, folder) = (Server::open().await, Folder::new());
    let (mut running, client) = playing(&server, &folder).await;
    running.interrupt();
    running.line_with("played to their end");
    let finished = interrupted(running);
    assert!(
        finished.exited(0).contains("Stopping now."),
        "{}",
        finished.out
    );
    client.gone().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_it_waits_for_the_next_attempt_it_stops_at_once() {
    let (server, folder) = (Server::open().await, Folder::new());
    let mut running = one_bot(&server, &folder).start();
    server
        .answer(
            b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3000\r\nContent-Length: 0\r\n\r\n",
        )
        .await;
    running.line_with("next attempt in 3");
    interrupted(running).exited(0);
}

#[test]
fn while_a_policy_starts_it_stops_at_once() {
    let folder = Folder::new();
    let engine = "name = \"kuma\"\n[arena]\nkind = \"riichilab\"\nurl = \"ws://127.0.0.1:1\"\ntoken_env = \"KUMA_TOKEN\"\n\
                  [policy]\nid = \"mjai-engine\"\nlibrary = \"builtin\"\n";
    folder.file(
        "kuma.toml",
        format!("{engine}[policy.params]\ncommand = \"sh -c 'echo > begun; sleep 1000'\"\n"),
    );
    let running = Runner::new(["run", "kuma.toml"])
        .env("KUMA_TOKEN", "token-of-kuma")
        .in_folder(folder.path())
        .start();
    // Long enough for any machine.
    for _ in 0..6000 {
        if folder.path().join("begun").exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(
        folder.path().join("begun").exists(),
        "the engine has been started"
    );
    running.signal(Signal::TERM);
    running.finish().exited(0);
}

#[test]
fn while_a_policy_is_tried_out_play_and_tournament_stop_at_once() {
    let commands: [&[&str]; 2] = [
        &["play", "kuma.toml"],
        &["tournament", "kuma.toml", "kuma.toml", "--games", "6"],
    ];
    for args in commands {
        let folder = Folder::new();
        let library = MISBEHAVE.display();
        folder.file(
            "kuma.toml",
            format!("name = \"kuma\"\n[policy]\nlibrary = \"{library}\"\nparams = {{ fault = \"hang-create\" }}\n"),
        );
        let running = Runner::new(args).in_folder(folder.path()).start();
        // Long enough for any machine.
        let begun = (0..6000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            !running.children().is_empty()
        });
        assert!(begun, "{args:?}: the trial has begun");
        let asked = Instant::now();
        running.signal(Signal::TERM);
        let finished = running.finish();
        assert!(
            !finished.status.success() && finished.out.is_empty(),
            "{args:?}: {finished:?}"
        );
        assert!(asked.elapsed() < BOUND, "{args:?}: {:?}", asked.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_one_waits_for_its_turn_and_another_for_a_permit_all_stop_at_once() {
    let (server, folder) = (Server::open().await, Folder::new());
    for args in [&["--games-at-once", "1"][..], &[]] {
        let configs = ["kuma", "neko"].map(|bot| {
            let config = folder.bot_at(
                bot,
                &server.address(),
                &format!("{}_TOKEN", bot.to_uppercase()),
            );
            let text = std::fs::read_to_string(&config).expect("it is there");
            let alone = text.replace("[arena]", "[arena]\nqueue_together = false");
            std::fs::write(&config, if args.is_empty() { alone } else { text })
                .expect("it can be written");
            config.display().to_string()
        });
        let args = ["run", &configs[0], &configs[1]]
            .into_iter()
            .chain(args.iter().copied());
        let runner = Runner::new(args)
            .env("KUMA_TOKEN", "token-of-kuma")
            .env("NEKO_TOKEN", "token-of-neko");
        let mut running = runner.start();
        let client = server.accept().await;
        running.line_with(": queued");
        assert!(
            server.is_left_alone(Duration::from_millis(300)).await,
            "the other waits"
        );
        running.signal(Signal::TERM);
        running.finish().exited(0);
        client.gone().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_stops_for_good_leaves_the_others_alone() {
    let (server, other, folder) = (Server::open().await, Server::open().await, Folder::new());
    let kuma = folder.bot_at("kuma", &server.address(), "KUMA_TOKEN");
    let neko = folder.bot_at("neko", &other.address(), "NEKO_TOKEN");
    let runner = Runner::new([Path::new("run"), &kuma, &neko, Path::new("--games=1")]);
    let mut running = runner
        .env("KUMA_TOKEN", "token-of-kuma")
        .env("NEKO_TOKEN", "token-of-neko")
        .start();
    let mut client = other.accept().await;
    client.deal().await;
    server
        .refuse("Token verification failed: Invalid token")
        .await;
    running.line_with("kuma: stops: ");
    client.offer(3).await;
    assert_eq!(client.reply().await["request_id"], 3);
    client.finish().await;
    let finished = running.finish();
    assert!(
        finished.exited(1).contains("neko: game over"),
        "{}",
        finished.out
    );
}
