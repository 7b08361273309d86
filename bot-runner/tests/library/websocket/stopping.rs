//! Requests to stop: the first lets a game end, the second does not.

use client::bot::LifeEnd;

use super::bot::Seated;
use crate::common::policies::{Last, bot_policy};
use crate::common::server::Server;

#[tokio::test]
async fn in_the_queue_a_bot_stops_at_once() {
    let server = Server::open().await;
    let seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<Last>().await;
    let script = async {
        let client = server.accept().await;
        seated.shutdown.request();
        client.gone().await;
    };
    let ((report, end), ()) = tokio::join!(seated.play(9, &mut bot_policy), script);
    assert_eq!((end, report.games()), (LifeEnd::Stopped, 0));
}

#[tokio::test]
async fn a_game_that_is_on_is_played_to_its_end() {
    let server = Server::open().await;
    let seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<Last>().await;
    let script = async {
        let mut client = server.accept().await;
        client.deal().await;
        client.offer(3).await;
        client.reply().await;
        seated.shutdown.request();
        client.say(crate::common::server::pon_or_pass(4)).await;
        assert_eq!(client.reply().await["request_id"], 4);
        client.finish().await;
    };
    let ((report, end), ()) = tokio::join!(seated.play(9, &mut bot_policy), script);
    assert_eq!((end, report.games(), report.abandoned), (LifeEnd::Stopped, 1, 0));
}

#[tokio::test]
async fn asked_a_second_time_a_bot_leaves_its_game() {
    let server = Server::open().await;
    let seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<Last>().await;
    let script = async {
        let mut client = server.accept().await;
        client.deal().await;
        client.offer(3).await;
        client.reply().await;
        seated.shutdown.request();
        seated.shutdown.request();
        client.gone().await;
    };
    let ((report, end), ()) = tokio::join!(seated.play(9, &mut bot_policy), script);
    assert_eq!((end, report.games()), (LifeEnd::Stopped, 0));
}

#[tokio::test]
async fn between_two_attempts_a_bot_stops_at_once() {
    let server = Server::open().await;
    let mut seated = Seated::at(server.url());
    seated.bot.patience = client::bot::Patience::default();
    let mut bot_policy = bot_policy::<Last>().await;
    let script = async {
        server.refuse("Server is restarting").await;
        // Had it not understood yet that it is refused, it would count as queued, and stop just as well.
        seated.shutdown.request();
    };
    let ((_, end), ()) = tokio::join!(seated.play(9, &mut bot_policy), script);
    assert_eq!(end, LifeEnd::Stopped);
}
