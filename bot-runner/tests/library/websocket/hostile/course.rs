//! Games that take an odd course.

use client::bot::{BotReport, LifeEnd};
use serde_json::{Value, json};

use super::super::bot::{SHORT, Seated};
use super::super::policies::ask_again;
use super::meet;
use crate::common::frames::*;
use crate::common::policies::{First, bot_policy};
use crate::common::server::{Client, Server, pon_or_pass};

/// Plays one game whose connection goes as `script` says, and which the bot leaves by the door.
async fn game(script: impl AsyncFnOnce(&mut Client)) -> BotReport {
    let survivor = meet(SHORT, 1, async |server| {
        let mut client = server.accept().await;
        script(&mut client).await;
        assert_eq!(client.gone().await, [""; 0], "nothing is said unasked");
    })
    .await;
    assert_eq!((&survivor.end, survivor.report.games()), (&LifeEnd::Done, 1));
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
async fn a_request_that_comes_again_is_not_answered_again() {
    game(async |client| {
        client.deal().await;
        client.offer(3).await;
        answers(client, 3).await;
        client.say_all([pon_or_pass(3), pon_or_pass(3)]).await;
        ask_again(client, 4).await;
        answers(client, 4).await;
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
        client.say_all([dahai(0, "4p", false), request(3, [])]).await;
        client.say(request(4, [bare("teleport"), json!(null), json!({})])).await;
        client.say(request(5, [call("pon", "9s", "9s 9s")])).await;
        ask_again(client, 6).await;
        let reply = client.reply().await;
        assert!(reply["request_id"] == 6 || reply["request_id"] == 5 && reply["pai"] == "9s", "{reply}");
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
        client.say_all([tsumo(SEAT, "9m"), dahai(SEAT, "9m", true), tsumo(2, "?")]).await;
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
        client.say_all([start_kyoku(SEAT, PLAIN), tsumo(0, "?")]).await;
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
async fn a_seat_that_there_is_not_is_found_out_by_the_deal() {
    for seat in [json!(9), json!(-1), json!("1"), json!(null), json!([1])] {
        game(async |client| {
            client.say(json!({"id": seat, "type": "start_game"})).await;
            client.say_all([start_kyoku(SEAT, PLAIN), tsumo(0, "?")]).await;
            client.offer(3).await;
            answers(client, 3).await;
            client.finish().await;
        })
        .await;
    }
}

#[tokio::test]
async fn a_seat_whose_tiles_are_hidden_is_played_from_the_arenas_lists() {
    game(async |client| {
        client.say_all([start_game(SEAT), start_kyoku(2, PLAIN), tsumo(0, "?")]).await;
        client.offer(3).await;
        answers(client, 3).await;
        client.say_all([tsumo(SEAT, "9m"), request(4, discards("9m 1m"))]).await;
        let reply = client.reply().await;
        assert!(reply["pai"] == "9m" || reply["pai"] == "1m", "{reply}");
        client.finish().await;
    })
    .await;
}

/// The arena has been seen to play another chi than the one it accepted.
#[tokio::test]
async fn the_announced_call_counts_and_not_the_one_that_was_sent() {
    let server = Server::open().await;
    let seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<First>().await;
    let script = async {
        let mut client = server.accept().await;
        client.deal().await;
        let ways = ["3s 5s", "5s 6s"];
        let entries = ways.map(|consumed| call("chi", "4s", consumed)).into_iter().chain([bare("none")]);
        client.say_all([dahai(0, "4s", false), request(3, entries)]).await;
        let sent = client.reply().await;
        assert_eq!(sent["type"], "chi");
        let other = ways.into_iter().find(|way| sent["consumed"] != json!(names(way))).expect("there are two");
        let mut told = call("chi", "4s", other);
        (told["actor"], told["target"]) = (json!(SEAT), json!(0));
        // After 4s 5s 6s the other end, 7s, must not be discarded.
        let allowed = match other {
            "3s 5s" => "1m 6m 4p 8p 1s 6s 7s F C",
            _ => "1m 6m 4p 8p 1s 3s 6s F C",
        };
        client.say_all([ack(3, "accepted"), told, request(4, discards(allowed))]).await;
        let reply: Value = client.reply().await;
        assert_eq!((&reply["type"], &reply["request_id"]), (&json!("dahai"), &json!(4)));
        assert!(names(allowed).iter().any(|tile| reply["pai"] == *tile), "{reply}");
        client.say(dahai(SEAT, reply["pai"].as_str().expect("a tile"), false)).await;
        client.finish().await;
    };
    let ((report, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!((end, report.games()), (LifeEnd::Done, 1));
    assert_eq!(report.desyncs, 0, "{:?}", report.first_desyncs);
}
