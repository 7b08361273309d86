//! Ctrl-C during `run`.

use std::path::Path;
use std::time::{Duration, Instant};

use super::configs::Folder;
use super::program::{Finished, Runner, Running};
use crate::common::server::{Client, Server, pon_or_pass};

/// Much less than any of the waits for an arena, and more than a busy machine needs.
const AT_ONCE: Duration = Duration::from_secs(3);

/// A bot that runs at this server, connected.
async fn running(server: &Server, folder: &Folder) -> (Running, Client) {
    let config = folder.bot_at("kuma", &server.address(), "KUMA_TOKEN");
    let mut running = Runner::new([Path::new("run"), &config]).env("KUMA_TOKEN", "token-of-kuma").start();
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

/// Presses Ctrl-C, and waits for the end.
fn interrupted(running: Running) -> Finished {
    let start = Instant::now();
    running.interrupt();
    let finished = running.finish();
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
    finished
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_queue_it_stops_at_once() {
    let (server, folder) = (Server::open().await, Folder::new());
    let (running, client) = running(&server, &folder).await;
    interrupted(running).exited(0);
    client.gone().await;
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
    assert!(finished.exited(0).contains("kuma: game over"), "{}", finished.out);
    assert!(server.is_left_alone(Duration::from_millis(50)).await, "no game after that");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_one_stops_a_game_too() {
    let (server, folder) = (Server::open().await, Folder::new());
    let (mut running, client) = playing(&server, &folder).await;
    running.interrupt();
    running.line_with("played to their end");
    let finished = interrupted(running);
    assert!(finished.exited(0).contains("Stopping now."), "{}", finished.out);
    client.gone().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_it_waits_for_the_next_attempt_it_stops_at_once() {
    let (server, folder) = (Server::open().await, Folder::new());
    let (mut running, client) = running(&server, &folder).await;
    client.reset();
    running.line_with("next attempt in ");
    interrupted(running).exited(0);
}
