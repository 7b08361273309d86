//! Requests to stop in the queue, and in a game for the second time. `tests/program/stopping.rs`
//! has the others.

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
