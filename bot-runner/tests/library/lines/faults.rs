//! A wrong reply, which ends the game of all four.

use client::bot::LifeEnd;
use riichi::rules::Length;
use serde_json::{Value, json};

use super::bots;
use super::server::{Outcome, Server, play};

/// Four bots at a server that changes a reply in the first game, and none in the second.
async fn two_games(
    changed: impl FnMut(usize, &Value, Value) -> Value + Send + 'static,
) -> (
    Vec<Outcome>,
    Vec<(client::bot::BotReport, LifeEnd, Vec<String>)>,
) {
    let server = Server::open();
    let room = server.room("default");
    let games = tokio::task::spawn_blocking(move || {
        let first = play(&mut server.gather(1), 1, Length::East, changed);
        vec![
            first,
            play(&mut server.gather(2), 2, Length::East, |_, _, reply| reply),
        ]
    });
    let (a, b, c, d) = tokio::join!(
        bots::play(room.clone(), "a", 1),
        bots::play(room.clone(), "b", 1),
        bots::play(room.clone(), "c", 1),
        bots::play(room, "d", 1)
    );
    (games.await.expect("the server ends well"), vec![a, b, c, d])
}

/// Changes the first reply of this type.
fn first(
    kind: &'static str,
    mut change: impl FnMut(&mut Value),
) -> impl FnMut(usize, &Value, Value) -> Value {
    let mut done = false;
    move |_, _, mut reply| {
        if !done && reply["type"] == kind {
            done = true;
            change(&mut reply);
        }
        reply
    }
}

#[tokio::test]
async fn a_wrong_tsumogiri_aborts_the_game_and_the_bots_say_so_and_come_back() {
    let wrong = first("dahai", |reply| {
        reply["tsumogiri"] = json!(!reply["tsumogiri"].as_bool().expect("it is there"))
    });
    let (games, bots) = two_games(wrong).await;
    let Outcome::Aborted(message) = &games[0] else {
        panic!("{games:?}")
    };
    assert!(matches!(games[1], Outcome::Played(_)), "{games:?}");
    for (report, end, told) in &bots {
        assert_eq!(
            (end, report.games(), report.aborted, report.abandoned),
            (&LifeEnd::Done, 1, 1, 0)
        );
        assert_eq!(told[0], *message);
        assert!(told[1].contains("aborted"), "{told:?}");
    }
    assert_eq!(
        bots.iter()
            .map(|(report, ..)| report.acks.rejected)
            .sum::<u32>(),
        1,
        "one of them is to blame"
    );
}

#[tokio::test]
async fn a_game_that_is_aborted_while_others_have_not_heard_of_it_is_waited_out_by_all() {
    // The first to hear of the game acts without a request.
    let (games, bots) = two_games(first("none", |reply| {
        *reply = json!({"type": "hora", "actor": 0})
    }))
    .await;
    assert!(
        matches!(&games[0], Outcome::Aborted(why) if why.contains("not possible")),
        "{games:?}"
    );
    assert!(
        bots.iter()
            .all(|(report, end, _)| *end == LifeEnd::Done && report.games() == 1),
        "{bots:?}"
    );
    assert_eq!(
        bots.iter().map(|(report, ..)| report.aborted).sum::<u32>(),
        1
    );
}

const NO_ROOM: &str = "No such room. Available room: kumas";

/// A bot in seat 1 at a server that aborts this many games because of this seat's reply, and then
/// may have no room.
async fn aborted(games: u32, seat: u8, no_room: bool) -> (client::bot::BotReport, LifeEnd) {
    let server = Server::open();
    let room = server.room("default");
    let script = tokio::task::spawn_blocking(move || {
        for _ in 0..games {
            let mut client = server.accept();
            let none = Ok(json!({"type": "none"}));
            assert_eq!(
                client
                    .ask(&json!({"type": "start_game", "id": 1, "names": ["a", "kuma", "c", "d"]})),
                none
            );
            let message = format!("Error in player {seat}'s response: not possible");
            assert_eq!(
                client.ask(&json!({"type": "error", "message": message})),
                none
            );
        }
        if no_room {
            server
                .accept()
                .say(&json!({"type": "error", "message": NO_ROOM}))
                .expect("the bot reads");
        }
    });
    let (report, end, _) = bots::play(room, "kuma", 1).await;
    script.await.expect("the server ends well");
    (report, end)
}

#[tokio::test]
async fn games_that_others_abort_end_no_bot_and_its_own_end_it_the_twentieth_time() {
    let (report, end) = aborted(25, 3, true).await;
    assert_eq!(
        (report.aborted, end),
        (25, LifeEnd::Refused(NO_ROOM.to_owned()))
    );
    let (report, end) = aborted(20, 1, false).await;
    let LifeEnd::GaveUp(why) = end else {
        panic!("{end:?}")
    };
    assert_eq!(report.aborted, 20);
    assert!(
        why.contains("a game ended for all players because of this bot 20 times"),
        "{why}"
    );
}
