//! Whole games against the arena's rules, with every possible fault on the way.

use arena::{FrameGame, SeatAckCounts, SeatResult};
use client::session::Dialect;
use client::session::SessionStep;
use client::session::riichilab::{ConnectionGoal, RiichilabSession};
use riichi::{Rules, Seat};
use serde_json::{Value, json};

use crate::common::games::{decide, one_client};

/// Plays a client's game to its end, each frame changed on its way to the session.
fn play(
    mut game: FrameGame,
    mut changed: impl FnMut(&str) -> String,
) -> (RiichilabSession, SeatResult) {
    let mut session = RiichilabSession::new(ConnectionGoal::Ranked, Rules::TENHOU_HALF);
    loop {
        while let Some(frame) = game.outgoing() {
            let reply = match session.hear(&changed(&frame.text)).pop() {
                Some(SessionStep::Reply(reply)) => Some(reply),
                Some(SessionStep::Ask) => {
                    let choice = decide(&session);
                    session.answer(choice)
                }
                _ => None,
            };
            if let Some(reply) = reply {
                game.receive(frame.seat, &reply, 1);
            }
            session.review();
        }
        if game.is_over() {
            let result = game.results().swap_remove(0);
            return (session, result);
        }
        assert!(!game.waits(), "a request was left without an answer");
        game.step().expect("the engine goes on");
    }
}

fn is_event(frame: &Value) -> bool {
    ![
        "start_game",
        "start_kyoku",
        "request_action",
        "action_ack",
        "end_game",
    ]
    .iter()
    .any(|kind| frame["type"] == *kind)
}

fn without_observation(frame: &mut Value) {
    if let Some(fields) = frame.as_object_mut() {
        fields.remove("observation");
    }
}

/// Makes one event in `every` one that cannot be read.
fn breaking(every: usize) -> impl FnMut(&mut Value) {
    let mut events = 0;
    move |frame| {
        if is_event(frame) {
            events += 1;
            if events % every == 0 {
                frame["actor"] = "nobody".into();
                frame["deltas"] = "none".into();
                frame["dora_marker"] = "none".into();
            }
        }
    }
}

fn changing(mut change: impl FnMut(&mut Value)) -> impl FnMut(&str) -> String {
    move |text| {
        let mut frame: Value = serde_json::from_str(text).expect("the arena writes JSON");
        change(&mut frame);
        frame.to_string()
    }
}

#[track_caller]
fn every_reply_was_accepted(session: &RiichilabSession, result: &SeatResult) {
    let accepted = SeatAckCounts {
        accepted: result.requests,
        ..SeatAckCounts::default()
    };
    assert_eq!((result.acks, result.chombo), (accepted, 0));
    assert!(session.game.is_finished());
}

#[test]
fn a_game_without_observations_is_played_just_the_same() {
    let (with, result) = play(one_client(1), str::to_owned);
    every_reply_was_accepted(&with, &result);
    assert_eq!(with.game.final_scores().unwrap()[Seat::FIRST], result.score);
    let (without, blind) = play(one_client(1), changing(without_observation));
    assert_eq!(blind, result);
    assert_eq!(
        (with.game.desyncs.total(), without.game.desyncs.total()),
        (0, 0)
    );
}

#[test]
fn events_that_cannot_be_read_cost_no_request_of_the_game() {
    for every in [5, 23, 61] {
        let (session, result) = play(one_client(2), changing(breaking(every)));
        every_reply_was_accepted(&session, &result);
        assert!(session.game.desyncs.total() > 0);
        assert!(session.game.final_scores().is_some());
    }
}

#[test]
fn events_that_cannot_be_read_cost_no_request_even_without_observations() {
    for every in [5, 23, 61] {
        let mut broken = breaking(every);
        let (session, result) = play(
            one_client(2),
            changing(|frame| {
                broken(frame);
                without_observation(frame);
            }),
        );
        every_reply_was_accepted(&session, &result);
        assert!(session.game.desyncs.total() > 0);
    }
}

#[test]
fn lost_events_cost_no_request_of_the_game() {
    let mut events = 0;
    let (session, result) = play(
        one_client(3),
        changing(|frame| {
            if is_event(frame) {
                events += 1;
                if events % 37 == 0 {
                    *frame = json!({"type": "something_new"});
                }
            }
        }),
    );
    every_reply_was_accepted(&session, &result);
    assert!(session.game.desyncs.total() > 0);
}

#[test]
fn a_lost_payment_or_indicator_is_mended_by_the_first_observation_that_shows_it() {
    let mut lost = 0;
    for number in 1..=8 {
        let mut of_game = 0;
        let (session, result) = play(
            one_client(number),
            changing(|frame| {
                if ["reach_accepted", "dora"]
                    .iter()
                    .any(|kind| frame["type"] == *kind)
                {
                    of_game += 1;
                    *frame = json!({"type": "something_new"});
                }
            }),
        );
        every_reply_was_accepted(&session, &result);
        let found = session.game.desyncs.total();
        assert!(
            found <= of_game,
            "game {number}: {found} differences after {of_game} lost events"
        );
        lost += of_game;
    }
    assert!(lost > 20, "{lost}");
}

#[test]
fn the_table_is_rebuilt_from_the_observation_and_the_policy_asked_again_in_the_same_round() {
    // One discard of another's is lost at the beginning of the game, and nothing after it.
    let mut lost = false;
    let mut asked_after = 0;
    let mut game = one_client(4);
    let mut session = RiichilabSession::new(ConnectionGoal::Ranked, Rules::TENHOU_HALF);
    'game: loop {
        while let Some(frame) = game.outgoing() {
            let mut text = frame.text.clone();
            if !lost && text.contains(r#""type":"dahai""#) && text.contains(r#""actor":2"#) {
                text = text.replace(r#""actor":2"#, r#""actor":"two""#);
                lost = true;
            }
            let reply = match session.hear(&text).pop() {
                Some(SessionStep::Reply(reply)) => Some(reply),
                Some(SessionStep::Ask) => {
                    asked_after += u32::from(lost);
                    let choice = decide(&session);
                    session.answer(choice)
                }
                Some(SessionStep::Happened(riichi::Event::EndKyoku)) => break 'game,
                _ => None,
            };
            if let Some(reply) = reply {
                game.receive(frame.seat, &reply, 1);
            }
        }
        game.step().expect("the engine goes on");
    }
    assert!(lost && asked_after > 1, "asked {asked_after} times");
}
