//! Games that end properly, whatever happens to the connection.

use client::bot::{BotEvent, LifeEnd};

use super::bot::{Seated, one_game};
use crate::common::frames::{PLAIN, SEAT, end_game, end_kyoku, ryukyoku, start_kyoku, tsumo};
use crate::common::policies::{Last, bot_policy};
use crate::common::server::{Server, pon_or_pass};

#[tokio::test]
async fn a_connection_reset_after_end_game_is_a_normal_end() {
    let server = Server::open().await;
    let (report, end, told) = one_game(&server, async {
        let mut client = server.accept().await;
        client.deal().await;
        client.finish().await;
        client.reset();
    })
    .await;
    assert_eq!(
        (end, report.games(), report.abandoned),
        (LifeEnd::Done, 1, 0)
    );
    assert_eq!(told, ["queued", "started on 1", "finished"]);
}

#[tokio::test]
async fn the_next_game_is_a_new_connection_at_once() {
    assert_eq!(
        events_of_games(3, 10).await,
        ["queued", "started on 1", "finished"].repeat(3)
    );
}

#[tokio::test]
async fn after_a_game_with_hardly_a_request_the_bot_pauses_though_not_after_its_last() {
    assert_eq!(
        events_of_games(2, 9).await[..4],
        ["queued", "started on 1", "finished", "waiting"]
    );
    assert_eq!(
        events_of_games(1, 0).await,
        ["queued", "started on 1", "finished"]
    );
}

/// The events of a bot that plays this many games with this many requests each.
async fn events_of_games(games: u32, requests: u64) -> Vec<String> {
    let server = Server::open().await;
    let mut seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<Last>().await;
    let script = async {
        for _ in 0..games {
            let mut client = server.accept().await;
            client.deal().await;
            for id in 0..requests {
                client.say(pon_or_pass(id)).await;
                client.reply().await;
            }
            client.finish().await;
            client.gone().await;
        }
    };
    let ((report, end), ()) = tokio::join!(seated.play(games, &mut bot_policy), script);
    assert_eq!((end, report.games()), (LifeEnd::Done, games));
    seated.told()
}

#[tokio::test]
async fn a_game_whose_start_does_not_say_the_seat_is_reported_with_the_seat_that_is_dealt_to() {
    let server = Server::open().await;
    let (_, _, told) = one_game(&server, async {
        let mut client = server.accept().await;
        client
            .say_all([
                serde_json::json!({"type": "start_game"}),
                start_kyoku(2, PLAIN),
            ])
            .await;
        client.finish().await;
    })
    .await;
    assert_eq!(told, ["queued", "started on 2", "finished"]);
}

#[tokio::test]
async fn games_joined_without_their_start_have_their_own_numbers() {
    let server = Server::open().await;
    let mut seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<Last>().await;
    bot_policy.keep_notes();
    let script = async {
        for _ in 0..2 {
            let mut client = server.accept().await;
            client
                .say_all([start_kyoku(SEAT, PLAIN), tsumo(0, "?")])
                .await;
            client.offer(3).await;
            client.reply().await;
            client.finish().await;
        }
    };
    let ((report, _), ()) = tokio::join!(seated.play(2, &mut bot_policy), script);
    assert_eq!(report.games(), 2);
    let notes = seated.news().into_iter().filter_map(|event| match event {
        BotEvent::Decided(notes) => Some(notes),
        _ => None,
    });
    let numbers: Vec<(u64, u32)> = notes
        .flatten()
        .map(|note| (note.game, note.decision))
        .collect();
    assert_eq!(
        numbers,
        [(0, 0), (1, 0)],
        "the number of the game, and of the decision in it"
    );
}

#[tokio::test]
async fn a_game_is_reported_with_place_and_scores() {
    let server = Server::open().await;
    let (report, ..) = one_game(&server, async {
        let mut client = server.accept().await;
        client.deal().await;
        let deltas = [3000, -1000, -1000, -1000];
        client
            .say_all([ryukyoku(deltas), end_kyoku(), end_game()])
            .await;
    })
    .await;
    let game = report.last_game.as_ref().expect("a game");
    assert_eq!(
        (game.place, game.rounds),
        (2, 1),
        "of equals the earlier seat is ahead"
    );
    assert_eq!(game.scores.as_slice(), [28000, 24000, 24000, 24000]);
}
