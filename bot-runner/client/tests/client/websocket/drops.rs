//! Connections that break.

use client::bot::LifeEnd;
use tokio_tungstenite::tungstenite::http::StatusCode;

use super::bot::{Seated, one_game};
use crate::common::games::one_client;
use crate::common::policies::{Last, bot_policy};
use crate::common::server::Server;

#[tokio::test]
async fn a_drop_in_the_middle_of_a_game_waits_comes_back_and_plays() {
    let server = Server::open().await;
    let (report, end, told) = one_game(&server, async {
        let mut client = server.accept().await;
        client.deal().await;
        client.offer(3).await;
        client.reply().await;
        client.reset();
        // The lost game continues without us, and meanwhile no message of the arena concerns the
        // login.
        server
            .refuse("This bot is already connected to a game")
            .await;
        server.refuse("Token verification failed").await;
        server.turn_away(StatusCode::UNAUTHORIZED, None).await;
        let mut client = server.accept().await;
        client.deal().await;
        client.offer(3).await;
        assert_eq!(client.reply().await["type"], "none");
        client.finish().await;
    })
    .await;
    assert_eq!(
        (end, report.games(), report.abandoned),
        (LifeEnd::Done, 1, 1)
    );
    let expected = [
        "queued",
        "started on 1",
        "dropped",
        "waiting",
        "queued",
        "waiting",
        "queued",
        "waiting",
        "waiting",
        "queued",
        "started on 1",
        "finished",
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn a_drop_in_the_queue_loses_no_game() {
    let server = Server::open().await;
    let (report, end, told) = one_game(&server, async {
        server.accept().await.reset();
        server.accept().await.close().await;
        let mut client = server.accept().await;
        client.deal().await;
        client.finish().await;
    })
    .await;
    assert_eq!(
        (end, report.games(), report.abandoned),
        (LifeEnd::Done, 1, 0)
    );
    assert_eq!(
        told,
        [
            "queued",
            "waiting",
            "queued",
            "waiting",
            "queued",
            "started on 1",
            "finished"
        ]
    );
}

#[tokio::test]
async fn after_a_lost_game_the_next_one_is_played_to_its_end() {
    let server = Server::open().await;
    let seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<Last>().await;
    let script = async {
        let mut client = server.accept().await;
        client.deal().await;
        client.reset();
        let game = server.accept().await.play(one_client(5)).await;
        game.results().swap_remove(0)
    };
    let ((report, end), result) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!((end, report.abandoned), (LifeEnd::Done, 1));
    assert_eq!((result.acks.accepted, result.chombo), (result.requests, 0));
    assert_eq!(
        report.last_game.as_ref().expect("a game").scores[riichi::Seat::FIRST],
        result.score
    );
}
