//! Games that take an odd course.

use client::bot::{BotReport, LifeEnd};
use serde_json::json;

use super::super::bot::SHORT;
use super::super::policies::ask_again;
use super::meet;
use crate::common::frames::*;
use crate::common::server::{Client, pon_or_pass};

/// Plays one game whose connection goes as `script` says, and which the bot leaves by the door.
async fn game(script: impl AsyncFnOnce(&mut Client)) -> BotReport {
    let survivor = meet(SHORT, 1, async |server| {
        let mut client = server.accept().await;
        script(&mut client).await;
        assert_eq!(client.gone().await, [""; 0], "nothing is said unasked");
    })
    .await;
    assert_eq!(
        (&survivor.end, survivor.report.games()),
        (&LifeEnd::Done, 1)
    );
    survivor.report
}

/// Expects one of the actions of [`pon_or_pass`], for this request.
async fn answers(client: &mut Client, request_id: u64) {
    let reply = client.reply().await;
    assert_eq!(reply["request_id"], request_id, "{reply}");
    assert!(reply["type"] == "none" || reply["type"] == "pon", "{reply}");
}

#[tokio::test]
async fn request_ids_may_leap_and_fall_and_are_echoed_exactly() {
    game(async |client| {
        client.deal().await;
        client.offer(3).await;
        answers(client, 3).await;
        for request_id in [4_000_000_000, (1 << 53) + 1, u64::MAX, 5, 0] {
            ask_again(client, request_id).await;
            answers(client, request_id).await;
        }
        client.finish().await;
    })
    .await;
}

#[tokio::test]
async fn a_request_before_any_game_is_answered_from_its_list() {
    game(async |client| {
        client.say(pon_or_pass(3)).await;
        answers(client, 3).await;
        client.deal().await;
        client.offer(4).await;
        answers(client, 4).await;
        client.finish().await;
    })
    .await;
}

#[tokio::test]
async fn a_request_with_nothing_to_choose_from_is_left_to_the_arena() {
    let report = game(async |client| {
        client.deal().await;
        client
            .say_all([dahai(0, "4p", false), request(3, [])])
            .await;
        client
            .say(request(4, [bare("teleport"), json!(null), json!({})]))
            .await;
        client.say(request(5, [call("pon", "9s", "9s 9s")])).await;
        ask_again(client, 6).await;
        let reply = client.reply().await;
        assert!(
            reply["request_id"] == 6 || reply["request_id"] == 5 && reply["pai"] == "9s",
            "{reply}"
        );
        if reply["request_id"] == 5 {
            answers(client, 6).await;
        }
        client.finish().await;
    })
    .await;
    assert_eq!(report.acks.requests, 4);
}

#[tokio::test]
async fn a_game_that_starts_twice_is_one_game() {
    let report = game(async |client| {
        client.deal().await;
        client.offer(3).await;
        answers(client, 3).await;
        client.say(start_game(SEAT)).await;
        client
            .say_all([tsumo(SEAT, "9m"), dahai(SEAT, "9m", true), tsumo(2, "?")])
            .await;
        client.say_all([dahai(2, "4p", true), pon_or_pass(4)]).await;
        answers(client, 4).await;
        client.deal().await;
        client.offer(5).await;
        answers(client, 5).await;
        client.finish().await;
    })
    .await;
    assert_eq!(report.abandoned, 0);
}

#[tokio::test]
async fn a_round_that_begins_within_a_round_is_the_one_that_counts() {
    game(async |client| {
        client.deal().await;
        client.offer(3).await;
        answers(client, 3).await;
        client
            .say_all([start_kyoku(SEAT, PLAIN), tsumo(0, "?")])
            .await;
        client.offer(4).await;
        answers(client, 4).await;
        client.finish().await;
    })
    .await;
}

#[tokio::test]
async fn a_game_may_end_within_a_round() {
    game(async |client| {
        client.deal().await;
        client.offer(3).await;
        answers(client, 3).await;
        client.say(end_game()).await;
    })
    .await;
}

#[tokio::test]
async fn a_seat_whose_tiles_are_hidden_is_played_from_the_arenas_lists() {
    game(async |client| {
        client
            .say_all([start_game(SEAT), start_kyoku(2, PLAIN), tsumo(0, "?")])
            .await;
        client.offer(3).await;
        answers(client, 3).await;
        client
            .say_all([tsumo(SEAT, "9m"), request(4, discards("9m 1m"))])
            .await;
        let reply = client.reply().await;
        assert!(reply["pai"] == "9m" || reply["pai"] == "1m", "{reply}");
        client.finish().await;
    })
    .await;
}
