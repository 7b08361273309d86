//! Configs that appear, change and go while bots play.

use std::fs;
use std::time::Duration;

use super::{arena, begin, bot, bots, config, playing, plays_on, remove, variable};
use crate::common::libraries::GREEDY_TENPAI;
use crate::common::server::{Client, Server};
use crate::configs::Folder;
use crate::program::Running;

/// A while in which a change would have been noticed.
const A_WHILE: Duration = Duration::from_millis(400);

#[tokio::test(flavor = "multi_thread")]
async fn a_config_that_appears_brings_a_bot_and_the_one_that_plays_plays_on() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, mut kuma) = playing(&folder, &server, &[]).await;
    config(&folder, "neko.toml", "neko", &server.address(), "");
    running.line_with("neko: joins, by bots/neko.toml");
    let mut neko = server.accept().await;
    assert!(neko.authorization.contains("token-of-neko"));
    begin(&mut neko).await;
    plays_on(&mut kuma, 4).await;
    assert_eq!(bots(&folder).len(), 2);
    running.interrupt();
    running.line_with("played to their end");
    kuma.finish().await;
    neko.finish().await;
    let finished = running.finish();
    assert_eq!(
        finished.exited(0).matches(": game over").count(),
        2,
        "{}",
        finished.out
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_config_that_goes_takes_its_bot_along_after_its_game() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, mut kuma) = playing(&folder, &server, &[]).await;
    remove(&folder.path().join("bots/kuma.toml"));
    running.line_with("kuma: its config was removed");
    plays_on(&mut kuma, 4).await;
    kuma.finish().await;
    running.line_with("kuma: game over");
    assert!(
        server.is_left_alone(Duration::from_millis(100)).await,
        "no game after that"
    );
    config(&folder, "neko.toml", "neko", &server.address(), "");
    server.accept().await;
    assert_eq!(
        bots(&folder).len(),
        1,
        "the runner goes on, without the bot that left"
    );
    running.interrupt();
    let finished = running.finish();
    assert!(finished.exited(0).contains("kuma  "), "{}", finished.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_arena_takes_the_bot_there_after_its_game_and_its_games_count_on() {
    let (folder, server, other) = (Folder::new(), Server::open().await, Server::open().await);
    let (mut running, mut kuma) = playing(&folder, &server, &["--games", "2"]).await;
    config(&folder, "kuma.toml", "kuma", &other.address(), "");
    running.line_with("kuma: its config has changed");
    plays_on(&mut kuma, 4).await;
    kuma.finish().await;
    let mut kuma = other.accept().await;
    begin(&mut kuma).await;
    running.line_with("kuma: game started");
    let told = bot(&folder, "kuma");
    assert_eq!(
        (&told["arena"], &told["game"], &told["finished"]),
        (&other.address().into(), &2.into(), &1.into())
    );
    kuma.finish().await;
    let finished = running.finish();
    assert_eq!(
        finished.exited(0).matches("kuma: game over").count(),
        2,
        "{}",
        finished.out
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_change_leaves_the_bot_unchanged_and_is_reported_once() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, mut kuma) = playing(&folder, &server, &[]).await;
    config(&folder, "kuma.toml", "kuma", "ftp://nowhere", "");
    let line = running.error_with("kuma.toml: arena.url");
    assert!(line.contains("the bot stays as it is"), "{line}");
    fs::write(folder.path().join("bots/neko.toml"), "name = \"neko\"\n")
        .expect("it can be written");
    let line = running.error_with("neko.toml: policy");
    assert!(line.contains("the bot does not play"), "{line}");
    tokio::time::sleep(A_WHILE).await;
    plays_on(&mut kuma, 4).await;
    config(&folder, "neko.toml", "neko", &server.address(), "");
    server.accept().await;
    running.interrupt();
    kuma.finish().await;
    let finished = running.finish();
    finished.exited(0);
    for told in ["arena.url", "neko.toml: policy"] {
        assert_eq!(finished.err.matches(told).count(), 1, "{}", finished.err);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_whose_policy_is_not_there_yet_is_reported_and_made_once_it_is() {
    // It may have to be built, which takes longer than the bot waits for a pong.
    let content = fs::read(&*GREEDY_TENPAI).expect("it is there");
    let (folder, server, other) = (Folder::new(), Server::open().await, Server::open().await);
    let (mut running, mut kuma) = playing(&folder, &server, &[]).await;
    let library = folder.path().join("later.so");
    let section = arena(&other.address(), &variable("kuma"));
    let written = folder.file(
        "written",
        format!("name = \"kuma\"\n{section}[policy]\nlibrary = {library:?}\n"),
    );
    fs::rename(written, folder.path().join("bots/kuma.toml")).expect("it can be renamed");
    let line = running.error_with("the bot stays as it is");
    assert!(line.contains("policy.library"), "{line}");
    plays_on(&mut kuma, 4).await;
    let built = folder.file("built", content);
    fs::rename(built, &library).expect("it can be renamed");
    running.line_with("kuma: its config has changed");
    kuma.finish().await;
    other.accept().await;
    running.interrupt();
    running.finish().exited(0);
}

/// A bot at work whose config has just been changed so that it leaves after its game.
async fn leaving(folder: &Folder, server: &Server) -> (Running, Client) {
    let (mut running, kuma) = playing(folder, server, &[]).await;
    config(
        folder,
        "kuma.toml",
        "kuma",
        &server.address(),
        "queue_together = false\n",
    );
    running.line_with("kuma: its config has changed");
    (running, kuma)
}

/// Ends the game of a bot that leaves after it, and shows that it comes back.
async fn comes_back(mut running: Running, mut kuma: Client, server: &Server) {
    kuma.finish().await;
    running.line_with("kuma: joins");
    server.accept().await;
    running.interrupt();
    running.finish().exited(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_is_reverted_during_the_game_brings_the_bot_back_unchanged() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (running, kuma) = leaving(&folder, &server).await;
    config(&folder, "kuma.toml", "kuma", &server.address(), "");
    tokio::time::sleep(A_WHILE).await;
    comes_back(running, kuma, &server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistake_after_a_change_brings_the_bot_back_with_that_change() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, kuma) = leaving(&folder, &server).await;
    config(&folder, "kuma.toml", "kuma", "ftp://nowhere", "");
    running.error_with("kuma.toml: arena.url");
    comes_back(running, kuma, &server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_config_that_is_back_before_the_game_is_over_keeps_its_bot() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, kuma) = playing(&folder, &server, &[]).await;
    let (here, away) = (
        folder.path().join("bots/kuma.toml"),
        folder.path().join("away"),
    );
    fs::rename(&here, &away).expect("it is there");
    running.line_with("kuma: its config was removed");
    fs::rename(&away, &here).expect("it is there");
    tokio::time::sleep(A_WHILE).await;
    comes_back(running, kuma, &server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_plays_by_another_config_is_not_forgotten_with_its_first_one() {
    let (folder, server) = (Folder::new(), Server::open().await);
    config(&folder, "kuma.toml", "kuma", &server.address(), "");
    let mut running = super::runner(
        &folder,
        &["run", "bots", "--watch-ms=20"],
        &["kuma", "neko"],
    )
    .start();
    server
        .refuse("Token verification failed: Invalid token")
        .await;
    running.line_with("kuma: stops");
    let text = fs::read_to_string(folder.path().join("bots/kuma.toml")).expect("it is there");
    let text = text.replace("KUMA_TOKEN", "NEKO_TOKEN");
    fs::write(folder.path().join("bots/neko.toml"), text).expect("it can be written");
    let _kuma = server.accept().await;
    remove(&folder.path().join("bots/kuma.toml"));
    tokio::time::sleep(A_WHILE).await;
    assert_eq!(bots(&folder).len(), 1);
    running.interrupt();
    running.finish();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_token_in_its_file_comes_when_the_config_is_written_again() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let token = folder.file_with_mode("kuma.token", "token-of-kuma", 0o600);
    let kuma = config(&folder, "kuma.toml", "kuma", &server.address(), "");
    let text = fs::read_to_string(&kuma).expect("it is there").replace(
        "token_env = \"KUMA_TOKEN\"",
        "token_file = \"../kuma.token\"",
    );
    fs::write(&kuma, &text).expect("it can be written");
    let mut running = super::runner(&folder, &["run", "bots", "--watch-ms=20"], &[]).start();
    assert!(
        server
            .accept()
            .await
            .authorization
            .contains("token-of-kuma")
    );
    running.line_with("kuma: queued");
    fs::write(&token, "another-token").expect("it can be written");
    fs::write(&kuma, &text).expect("it can be written");
    running.line_with("kuma: joins");
    assert!(
        server
            .accept()
            .await
            .authorization
            .contains("another-token")
    );
    running.interrupt();
    running.finish().exited(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_config_that_gets_another_name_is_the_same_bot_after_its_game() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, mut kuma) = playing(&folder, &server, &[]).await;
    fs::rename(
        folder.path().join("bots/kuma.toml"),
        folder.path().join("bots/bear.toml"),
    )
    .expect("it is there");
    running.error_with("bots/bear.toml waits until the bot of bots/kuma.toml has left");
    plays_on(&mut kuma, 4).await;
    kuma.finish().await;
    running.line_with("kuma: joins, by bots/bear.toml");
    let kuma = server.accept().await;
    assert!(kuma.authorization.contains("token-of-kuma"));
    running.interrupt();
    let finished = running.finish();
    finished.exited(0);
    assert!(!finished.err.contains("ERROR"), "{}", finished.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_folder_is_away_bots_play_on_and_it_is_reported_once() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut running, mut kuma) = playing(&folder, &server, &[]).await;
    fs::rename(folder.path().join("bots"), folder.path().join("away")).expect("it is there");
    running.error_with("configs cannot be listed");
    tokio::time::sleep(A_WHILE).await;
    plays_on(&mut kuma, 4).await;
    fs::rename(folder.path().join("away"), folder.path().join("bots")).expect("it is there");
    tokio::time::sleep(A_WHILE).await;
    plays_on(&mut kuma, 5).await;
    running.interrupt();
    running.line_with("played to their end");
    kuma.finish().await;
    let finished = running.finish();
    assert_eq!(
        finished.err.matches("cannot be listed").count(),
        1,
        "{}",
        finished.err
    );
    assert!(!finished.exited(0).contains("is gone"), "{}", finished.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_was_refused_comes_back_when_its_config_changes() {
    let (folder, server, other) = (Folder::new(), Server::open().await, Server::open().await);
    config(&folder, "kuma.toml", "kuma", &server.address(), "");
    let mut running = super::runner(&folder, &["run", "bots", "--watch-ms=20"], &["kuma"]).start();
    server
        .refuse("Token verification failed: Invalid token")
        .await;
    running.line_with("kuma: stops: Token verification failed");
    assert_eq!(bot(&folder, "kuma")["state"], "stopped");
    config(&folder, "kuma.toml", "kuma", &other.address(), "");
    let _kuma = other.accept().await;
    running.line_with("kuma: queued");
    assert_eq!(bot(&folder, "kuma")["state"], "queued");
    running.interrupt();
    running.finish().exited(0);
}
