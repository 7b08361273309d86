//! Getting into a room, and not.

use client::bot::LifeEnd;
use riichi::rules::Length;
use serde_json::json;

use super::bots;
use super::server::{Outcome, Server, play};

#[tokio::test]
async fn a_bot_joins_under_its_name_and_plays_with_shuffled_seats() {
    let server = Server::open();
    let room = server.room("kumas");
    let game = tokio::task::spawn_blocking(move || {
        let mut clients = server.gather(1);
        let joins: Vec<_> = clients.iter().map(|client| client.join.clone()).collect();
        (
            joins,
            play(&mut clients, 1, Length::East, |_, _, reply| reply),
        )
    });
    let play = |name| bots::play(room.clone(), name, 1);
    let (a, b, c, d) = tokio::join!(play("a"), play("b"), play("c"), play("d"));
    let (joins, outcome) = game.await.expect("the server ends well");
    for name in ["a", "b", "c", "d"] {
        assert!(
            joins.contains(&json!({"type": "join", "name": name, "room": "kumas"})),
            "{joins:?}"
        );
    }
    let Outcome::Played(scores) = outcome else {
        panic!("{outcome:?}")
    };
    for (report, end, told) in [a, b, c, d] {
        assert_eq!((end, told), (LifeEnd::Done, Vec::<String>::new()));
        assert_eq!(
            (report.desyncs, report.acks.accepted),
            (0, report.acks.requests),
            "{:?}",
            report.first_desyncs
        );
        let game = report.last_game.as_ref().expect("a game");
        assert_eq!(scores[game.seat.index()], game.scores[game.seat]);
    }
}

#[tokio::test]
async fn a_busy_room_is_tried_again_and_a_room_that_is_not_there_is_the_end() {
    let server = Server::open();
    let room = server.room("default");
    let refusals = tokio::task::spawn_blocking(move || {
        for message in [
            "The room is busy. Retry after a while.",
            "No such room. Available room: kumas",
        ] {
            let mut client = server.accept();
            client
                .say(&json!({"type": "error", "message": message}))
                .expect("the bot reads");
        }
    });
    let (_, end, told) = bots::play(room, "kuma", 1).await;
    refusals.await.expect("the server ends well");
    assert!(told.len() == 1 && told[0].contains("busy"), "{told:?}");
    assert_eq!(
        end,
        LifeEnd::Refused("No such room. Available room: kumas".to_owned())
    );
}

#[tokio::test]
async fn a_connection_that_is_lost_in_a_game_is_reported_and_the_bot_comes_back() {
    let server = Server::open();
    let room = server.room("default");
    let script = tokio::task::spawn_blocking(move || {
        let mut client = server.accept();
        let reply =
            client.ask(&json!({"type": "start_game", "id": 1, "names": ["a", "kuma", "c", "d"]}));
        assert_eq!(reply, Ok(json!({"type": "none"})));
        drop(client);
        let mut client = server.accept();
        client
            .say(&json!({"type": "error", "message": "No such room."}))
            .expect("the bot reads");
    });
    let (report, end, told) = bots::play(room, "kuma", 1).await;
    script.await.expect("the server ends well");
    assert_eq!((report.abandoned, told.len()), (1, 2), "{told:?}");
    assert!(told[1].contains("cannot continue without us"), "{told:?}");
    assert_eq!(end, LifeEnd::Refused("No such room.".to_owned()));
}

#[tokio::test]
async fn a_connection_without_a_greeting_is_not_an_arena_and_the_bot_quotes_it() {
    let server = Server::open();
    let room = server.room("default");
    let script = tokio::task::spawn_blocking(move || {
        server.say_instead("SSH-2.0-OpenSSH_9.6\r\n");
        server.say_instead(&format!("{}\n", json!({"type": "start_game", "id": 1})));
        server.say_instead(&format!(
            "{}\n",
            json!({"type": "error", "message": "No such room."})
        ));
    });
    let (_, end, told) = bots::play(room, "kuma", 1).await;
    script.await.expect("the server ends well");
    assert_eq!(told.len(), 2, "{told:?}");
    for (why, heard) in told.iter().zip(["SSH-2.0", "start_game"]) {
        assert!(
            why.contains("not an arena") && why.contains(heard) && why.contains("arena.url"),
            "{why}"
        );
    }
    assert_eq!(end, LifeEnd::Refused("No such room.".to_owned()));
}
