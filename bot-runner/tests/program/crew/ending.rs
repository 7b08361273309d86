//! The ends of a run other than Ctrl-C; `stopping.rs` has that.

use std::fs;
use std::time::Duration;

use rustix::process::Signal;

use super::{playing, plays_on, runner};
use crate::common::server::Server;
use crate::configs::Folder;

#[tokio::test(flavor = "multi_thread")]
async fn the_stop_file_has_games_finished_first() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, mut kuma) = playing(&folder, &server, &["--stop-file", "stop"]).await;
    fs::write(folder.path().join("stop"), "").expect("it can be written");
    running.line_with("The stop file stop exists: games in progress are played to their end");
    plays_on(&mut kuma, 4).await;
    kuma.finish().await;
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

#[test]
fn a_stop_file_that_is_there_already_is_refused() {
    let folder = Folder::new();
    super::config(&folder, "kuma.toml", "kuma", "ws://127.0.0.1:1", "");
    folder.file("stop", "");
    let finished = runner(&folder, &["run", "bots", "--stop-file", "stop"], &["kuma"]).run();
    finished.exited(1);
    assert!(
        finished
            .err
            .contains("the stop file stop already exists; remove it"),
        "{}",
        finished.err
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn when_its_time_is_over_games_are_finished_first() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, mut kuma) = playing(&folder, &server, &["--duration", "3s"]).await;
    running.line_with("The 3s are over: games in progress are played to their end");
    plays_on(&mut kuma, 4).await;
    kuma.finish().await;
    let finished = running.finish();
    assert!(
        finished.exited(0).contains("kuma: game over"),
        "{}",
        finished.out
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_has_games_finished_first_and_a_stop_file_after_it_does_not_hurry_them() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, mut kuma) = playing(&folder, &server, &["--stop-file", "stop"]).await;
    running.signal(Signal::TERM);
    running.line_with("played to their end");
    fs::write(folder.path().join("stop"), "").expect("it can be written");
    tokio::time::sleep(Duration::from_secs(1)).await;
    plays_on(&mut kuma, 4).await;
    kuma.finish().await;
    running.finish().exited(0);
}

#[test]
fn a_time_that_is_none_is_wrong_usage() {
    let folder = Folder::new();
    let finished = runner(&folder, &["run", "bots", "--duration", "soon"], &[]).run();
    finished.exited(2);
    assert!(finished.err.contains("--duration"), "{}", finished.err);
}
