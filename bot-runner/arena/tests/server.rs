//! The arena on real sockets.

mod clients;

use std::time::Duration;

use arena::{ArenaSettings, FinishedGame, GamePurpose, RegistrationState, TimeControl, start};
use futures_util::{SinkExt, StreamExt};
use protocol::riichilab::{AckStatus, ServerFrame, parse_frame};
use riichi::Event;
use riichi::rules::Length;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error, Message};

use self::clients::{
    Client, End, PATIENCE, RANKED, VALIDATE, connect, connect_with, finished, listed, open,
    short_games,
};

fn statuses(frames: &[String]) -> Vec<AckStatus> {
    let status = |text: &String| match parse_frame(text).unwrap() {
        ServerFrame::Ack(ack) => Some(ack.status),
        _ => None,
    };
    frames.iter().filter_map(status).collect()
}

fn kind_is_end_game(text: &str) -> bool {
    matches!(
        parse_frame(text),
        Ok(ServerFrame::Event(Event::EndGame { .. }))
    )
}

fn names(game: &FinishedGame) -> Vec<&str> {
    game.seats.iter().map(|seat| seat.name.as_str()).collect()
}

#[tokio::test]
async fn a_pending_bot_that_passes_the_validation_may_play_ranked() {
    let mut arena = open(ArenaSettings {
        tokens: listed(&[("new", RegistrationState::Pending)]),
        ..short_games()
    })
    .await;
    let mut early = connect(&arena, RANKED, "new").await;
    assert_eq!(
        early.next().await.unwrap(),
        r#"{"error":"Token verification failed: Bot is inactive"}"#
    );

    let mut client = connect(&arena, VALIDATE, "new").await;
    let (frames, end) = client.play().await;
    assert_eq!(
        frames[0], r#"{"id":0,"type":"start_game"}"#,
        "the client has seat 0"
    );
    assert!(
        kind_is_end_game(&frames[frames.len() - 2]),
        "the result comes after the end"
    );
    assert_eq!(
        frames[frames.len() - 1],
        r#"{"passed":true,"type":"validation_result"}"#
    );
    assert_eq!(end, End::Closed);
    assert!(
        statuses(&frames)
            .iter()
            .all(|status| *status == AckStatus::Accepted)
    );
    let game = finished(&mut arena).await;
    assert_eq!(
        (game.kind, game.passed, game.number),
        (GamePurpose::Validation, Some(true), 1)
    );
    assert_eq!(names(&game), ["new", "tsumogiri", "tsumogiri", "tsumogiri"]);
    let rounds = game
        .record
        .iter()
        .filter(|line| line.contains("start_kyoku"))
        .count();
    assert!(
        rounds >= 4,
        "a validation is East-only regardless of the ranked games"
    );

    let mut ranked = connect(&arena, RANKED, "new").await;
    assert!(
        timeout(Duration::from_millis(50), ranked.0.next())
            .await
            .is_err(),
        "silence: it is queued"
    );
    arena.stop().await;
}

#[tokio::test]
async fn a_validation_with_a_chombo_is_not_passed() {
    let arena = open(ArenaSettings {
        tokens: listed(&[("new", RegistrationState::Pending)]),
        ..short_games()
    })
    .await;
    let mut client = connect(&arena, VALIDATE, "new").await;
    client.asked().await;
    client.say("no action").await;
    let (frames, end) = client.play().await;
    assert_eq!(statuses(&frames)[0], AckStatus::Unparseable);
    assert_eq!(
        frames[frames.len() - 1],
        r#"{"passed":false,"reason":"chombo","type":"validation_result"}"#
    );
    assert_eq!(end, End::Closed);
    let mut ranked = connect(&arena, RANKED, "new").await;
    assert_eq!(
        ranked.next().await.unwrap(),
        r#"{"error":"Token verification failed: Bot is inactive"}"#
    );
}

#[tokio::test]
async fn four_connections_make_a_ranked_game_that_ends_without_a_close_frame() {
    let mut arena = open(short_games()).await;
    let mut clients = Vec::new();
    for bot in ["a", "b", "c", "d"] {
        clients.push(connect(&arena, RANKED, bot).await);
    }
    let games = futures_util::future::join_all(clients.iter_mut().map(Client::play)).await;
    for (frames, end) in &games {
        assert_eq!(*end, End::Dropped);
        assert!(
            kind_is_end_game(frames.last().unwrap()),
            "nothing comes after the end"
        );
        let requests = frames
            .iter()
            .filter(|text| text.contains("request_action"))
            .count();
        assert_eq!(statuses(frames), vec![AckStatus::Accepted; requests]);
        assert!(requests > 0);
    }
    let game = finished(&mut arena).await;
    assert_eq!(
        (game.number, game.kind, game.passed),
        (1, GamePurpose::Ranked, None)
    );
    assert_eq!(
        game.seats.iter().map(|seat| seat.score).sum::<i32>(),
        100_000
    );
    let requests: u32 = game.seats.iter().map(|seat| seat.requests).sum();
    assert_eq!(
        requests as usize,
        games
            .iter()
            .map(|(frames, _)| statuses(frames).len())
            .sum::<usize>()
    );
    assert!(game.record.last().unwrap().contains("end_game"));

    let mut again = connect(&arena, RANKED, "a").await;
    assert!(
        timeout(Duration::from_millis(50), again.0.next())
            .await
            .is_err(),
        "reconnecting is queueing again"
    );
}

#[tokio::test]
async fn each_status_of_an_ack_reaches_the_client() {
    let time = TimeControl {
        grace_ms: 500,
        bank_ms: 0,
    };
    let fill_after = Some(Duration::ZERO);
    let arena = open(ArenaSettings {
        time,
        fill_after,
        length: Length::Half,
        ..ArenaSettings::default()
    })
    .await;
    let mut client = connect(&arena, RANKED, "a").await;

    let (_, reply) = client.asked().await;
    client.say(&reply).await;
    let (frames, late) = client.asked().await;
    assert_eq!(statuses(&frames), [AckStatus::Accepted]);

    let defaulted = client
        .until(|frame| matches!(frame, ServerFrame::Ack(_)))
        .await;
    assert_eq!(
        statuses(&defaulted),
        [AckStatus::Defaulted],
        "the time was up"
    );
    client.say(&late).await;
    let stale = client
        .until(|frame| matches!(frame, ServerFrame::Ack(ack) if ack.status == AckStatus::Stale))
        .await;
    assert!(!stale.is_empty());

    // Whichever request is open by now, an action that is never offered is illegal.
    let reject = |text: &str| {
        let Ok(ServerFrame::Request(request)) = parse_frame(text) else {
            unreachable!()
        };
        format!(r#"{{"request_id":{},"type":"kita"}}"#, request.request_id)
    };
    let (frames, _) = client.asked().await;
    client.say(&reject(frames.last().unwrap())).await;
    let rejected = client
        .until(|frame| matches!(frame, ServerFrame::Ack(_)))
        .await;
    assert_eq!(statuses(&rejected), [AckStatus::Rejected]);
    assert!(rejected.last().unwrap().contains(r#""legal_types":["#));

    client.asked().await;
    client.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    let unparseable = client
        .until(|frame| matches!(frame, ServerFrame::Ack(_)))
        .await;
    assert_eq!(statuses(&unparseable), [AckStatus::Unparseable]);
}

#[tokio::test]
async fn a_refused_connection_gets_the_reason_in_a_frame_without_a_type_and_is_closed() {
    let tokens = listed(&[
        ("old", RegistrationState::Inactive),
        ("good", RegistrationState::Active),
    ]);
    let arena = open(ArenaSettings {
        tokens,
        ..short_games()
    })
    .await;
    let inactive = "Token verification failed: Bot is inactive";
    for (authorization, path, reason) in [
        (None, RANKED, "Missing bearer token"),
        (Some("Bearer "), RANKED, "Missing bearer token"),
        (Some("Basic good-token"), RANKED, "Missing bearer token"),
        (
            Some("Bearer who"),
            RANKED,
            "Token verification failed: Invalid token",
        ),
        (
            Some("Bearer who"),
            VALIDATE,
            "Token verification failed: Invalid token",
        ),
        (Some("Bearer old-token"), RANKED, inactive),
        (Some("Bearer old-token"), VALIDATE, inactive),
    ] {
        let mut client = connect_with(&arena.url(), path, authorization)
            .await
            .unwrap();
        assert_eq!(
            client.next().await.unwrap(),
            format!(r#"{{"error":"{reason}"}}"#)
        );
        assert_eq!(client.next().await, Err(End::Closed));
    }
}

#[tokio::test]
async fn other_paths_are_not_found() {
    let arena = open(short_games()).await;
    let Err(Error::Http(response)) = connect_with(&arena.url(), "/ws/else", Some("Bearer a")).await
    else {
        panic!()
    };
    assert_eq!(response.status(), 404);
}

#[tokio::test]
async fn a_second_connection_is_refused_and_the_first_continues() {
    let arena = open(ArenaSettings {
        table_of: vec!["a-token".into(), "b-token".into()],
        ..short_games()
    })
    .await;
    let already = r#"{"error":"This bot is already connected to a game"}"#;
    let mut a = connect(&arena, RANKED, "a").await;
    let mut queued_twice = connect(&arena, RANKED, "a").await;
    assert_eq!(queued_twice.next().await.unwrap(), already);
    assert_eq!(queued_twice.next().await, Err(End::Closed));
    let mut b = connect(&arena, RANKED, "b").await;
    for path in [RANKED, VALIDATE] {
        let mut seated_twice = connect(&arena, path, "a").await;
        assert_eq!(seated_twice.next().await.unwrap(), already);
    }
    let ((frames, _), _) = tokio::join!(a.play(), b.play());
    assert!(kind_is_end_game(frames.last().unwrap()));
}

#[tokio::test]
async fn a_bot_that_drops_is_played_by_defaults_and_refused_until_the_game_is_over() {
    let tokens = listed(&[
        ("a", RegistrationState::Active),
        ("b", RegistrationState::Active),
    ]);
    let table_of = vec!["a-token".into(), "b-token".into()];
    let mut arena = open(ArenaSettings {
        tokens,
        table_of,
        ..short_games()
    })
    .await;
    let mut a = connect(&arena, RANKED, "a").await;
    let mut b = connect(&arena, RANKED, "b").await;
    a.until(|frame| matches!(frame, ServerFrame::Event(Event::StartGame { .. })))
        .await;
    drop(a);
    let (_, reply) = b.asked().await;
    let mut early = connect(&arena, RANKED, "a").await;
    assert_eq!(
        early.next().await.unwrap(),
        r#"{"error":"This bot is already connected to a game"}"#
    );
    b.say(&reply).await;
    let (frames, _) = b.play().await;
    assert!(kind_is_end_game(frames.last().unwrap()));
    let game = finished(&mut arena).await;
    assert_eq!(
        game.seats
            .iter()
            .filter(|seat| seat.dropped)
            .map(|seat| seat.name.as_str())
            .collect::<Vec<_>>(),
        ["a"]
    );
    let mut later = connect(&arena, RANKED, "a").await;
    assert!(
        timeout(Duration::from_millis(50), later.0.next())
            .await
            .is_err(),
        "it is queued again"
    );
}

#[tokio::test]
async fn a_bot_that_leaves_the_queue_may_come_back() {
    let mut arena = open(short_games()).await;
    let first = connect(&arena, RANKED, "a").await;
    drop(first);
    let mut again = loop {
        let mut again = connect(&arena, RANKED, "a").await;
        match timeout(Duration::from_millis(50), again.0.next()).await {
            Err(_) => break again,
            Ok(refused) => drop(refused),
        }
    };
    let mut others = Vec::new();
    for bot in ["b", "c", "d"] {
        others.push(connect(&arena, RANKED, bot).await);
    }
    let (mine, _) = tokio::join!(
        again.play(),
        futures_util::future::join_all(others.iter_mut().map(Client::play))
    );
    assert!(kind_is_end_game(mine.0.last().unwrap()));
    assert!(
        finished(&mut arena)
            .await
            .seats
            .iter()
            .all(|seat| !seat.dropped),
        "no bot that left was seated"
    );
}

#[tokio::test]
async fn built_in_bots_take_the_seats_left_after_a_while() {
    let fill_after = Some(Duration::from_millis(30));
    let mut arena = open(ArenaSettings {
        fill_after,
        tokens: listed(&[("a", RegistrationState::Active)]),
        ..short_games()
    })
    .await;
    let (frames, _) = connect(&arena, RANKED, "a").await.play().await;
    assert!(kind_is_end_game(frames.last().unwrap()));
    let game = finished(&mut arena).await;
    let mut names = names(&game);
    names.sort_unstable();
    assert_eq!(names, ["a", "tsumogiri", "tsumogiri", "tsumogiri"]);
}

#[tokio::test]
async fn the_seats_of_a_named_table_and_its_game_do_not_depend_on_who_connects_first() {
    let bots = ["a", "b", "c", "d"];
    let mut games = Vec::new();
    for order in [["a", "b", "c", "d"], ["d", "b", "a", "c"]] {
        let tokens = listed(&bots.map(|bot| (bot, RegistrationState::Active)));
        let table_of = bots
            .iter()
            .map(|bot| format!("{bot}-token").into())
            .collect();
        let mut arena = open(ArenaSettings {
            seed: 3,
            tokens,
            table_of,
            ..short_games()
        })
        .await;
        let mut pair = Vec::new();
        for _ in 0..2 {
            let mut clients = Vec::new();
            for bot in order {
                clients.push(connect(&arena, RANKED, bot).await);
            }
            futures_util::future::join_all(clients.iter_mut().map(Client::play)).await;
            pair.push(finished(&mut arena).await);
        }
        games.push(pair);
    }
    assert_eq!(games[0], games[1]);
    let [first, second] = games[0].as_slice() else {
        panic!()
    };
    assert_eq!((first.number, second.number), (1, 2));
    assert_ne!(
        first.record[1], second.record[1],
        "each game has its own walls"
    );
    assert_ne!(names(first), names(second), "each game has its own seats");
}

#[tokio::test]
async fn stopping_ends_every_connection_and_frees_the_port() {
    let arena = open(short_games()).await;
    let address = arena.local_addr();
    let mut client = connect(&arena, RANKED, "a").await;
    timeout(PATIENCE, arena.stop()).await.expect("it stops");
    assert!(client.next().await.is_err());
    let again = open(ArenaSettings {
        listen: address,
        ..short_games()
    })
    .await;
    assert_eq!(again.local_addr(), address);
}

#[tokio::test]
async fn a_table_of_too_many_or_of_strangers_is_refused_at_the_start() {
    let tokens = listed(&[("a", RegistrationState::Active)]);
    let strangers = ArenaSettings {
        tokens,
        table_of: vec!["b-token".into()],
        ..short_games()
    };
    assert!(
        start(strangers)
            .await
            .unwrap_err()
            .to_string()
            .contains("not listed")
    );
    for players in [4, 3] {
        let one_more = (0..=players).map(|n| n.to_string().into()).collect();
        let error = start(ArenaSettings {
            players,
            table_of: one_more,
            ..short_games()
        })
        .await
        .unwrap_err();
        assert!(
            error
                .to_string()
                .contains(&format!("a table has {players} seats")),
            "{error}"
        );
    }
    let error = start(ArenaSettings {
        players: 2,
        ..short_games()
    })
    .await
    .unwrap_err();
    assert!(
        error.to_string().contains("three or four players"),
        "{error}"
    );
}

#[test]
fn tokens_are_not_in_the_debug_text_of_a_config() {
    let tokens = listed(&[("canary", RegistrationState::Active)]);
    let config = ArenaSettings {
        tokens,
        table_of: vec!["canary-token".into()],
        ..short_games()
    };
    assert!(!format!("{config:?}").contains("canary-token"));
}
