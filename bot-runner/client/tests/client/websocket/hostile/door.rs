//! An arena's treatment of bots that log in, and when a bot gives up.

use std::time::Duration;

use client::bot::{BotEvent, LifeEnd};

use super::super::bot::TOKEN;
use super::wire::{frame, short_game};
use super::{HASTY, meet};
use crate::common::frames::{end_game, start_game};

#[tokio::test]
async fn a_bot_comes_back_after_whatever_answers_its_handshake() {
    let huge = format!(
        "HTTP/1.1 101 Switching Protocols\r\nx: {}\r\n\r\n",
        "x".repeat(1 << 20)
    );
    let many = format!(
        "HTTP/1.1 101 Switching Protocols\r\n{}\r\n",
        "x: y\r\n".repeat(1000)
    );
    let endless = "HTTP/1.1 101 ".to_owned() + &"x".repeat(1 << 20);
    for answer in [
        "",
        "\r\n\r\n",
        "HTTP/1.1 1",
        "SSH-2.0-OpenSSH_9.6\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\ncontent-length: 99999999\r\n\r\n<html>",
        "HTTP/1.1 426 Upgrade Required\r\n\r\n",
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: Wed, 21 Oct 2026 07:28:00 GMT\r\n\r\n",
        "HTTP/1.1 503 Service Unavailable\r\nretry-after: -7\r\n\r\n",
        "HTTP/1.1 599 \r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: no\r\n\r\n",
        &huge,
        &many,
        &endless,
    ] {
        let survivor = meet(HASTY, 1, async |server| {
            server.answer(answer.as_bytes()).await;
            short_game(server).await;
        })
        .await;
        let shown: String = answer.chars().take(60).collect();
        assert_eq!(
            (survivor.end, survivor.report.games()),
            (LifeEnd::Done, 1),
            "{shown}"
        );
        assert!(
            matches!(survivor.news[0], BotEvent::Waiting { .. }),
            "{shown}"
        );
    }
}

#[tokio::test]
async fn an_answer_at_the_handshake_that_says_it_will_pass_is_waited_out() {
    let already = "This bot is already connected to a game";
    for (answer, told) in [
        (format!("403 Forbidden\r\n\r\n{already}"), already),
        (
            format!("409 Conflict\r\n\r\n{{\"error\":\"{already}\"}}"),
            already,
        ),
        (
            format!("403 Forbidden\r\nretry-after: 0\r\n\r\nRate limit of {TOKEN}\n, retry later"),
            "Rate limit of [token]\\n, retry later",
        ),
    ] {
        let survivor = meet(HASTY, 1, async |server| {
            server.answer(format!("HTTP/1.1 {answer}").as_bytes()).await;
            short_game(server).await;
        })
        .await;
        let BotEvent::Waiting { reason, .. } = &survivor.news[0] else {
            panic!("{answer}: {:?}", survivor.news[0])
        };
        assert!(
            reason.starts_with("the arena") && reason.contains(told),
            "{reason}"
        );
        assert_eq!(survivor.end, LifeEnd::Done, "{answer}");
    }
}

#[tokio::test]
async fn an_arena_that_has_too_much_to_do_is_left_alone_for_as_long_as_it_asks() {
    for status in ["429 Too Many Requests", "503 Service Unavailable"] {
        let survivor = meet(HASTY, 1, async |server| {
            server
                .answer(format!("HTTP/1.1 {status}\r\nretry-after: 1\r\n\r\n").as_bytes())
                .await;
            assert!(server.is_left_alone(Duration::from_millis(500)).await);
            short_game(server).await;
        })
        .await;
        let BotEvent::Waiting { wait, .. } = survivor.news[0] else {
            panic!("{:?}", survivor.news[0])
        };
        assert!(
            (1.0..=1.2).contains(&wait.as_secs_f64()),
            "{status}: {wait:?}"
        );
        assert_eq!(survivor.end, LifeEnd::Done, "{status}");
    }
}

#[tokio::test]
async fn two_hundred_failed_connections_end_no_bot() {
    let survivor = meet(HASTY, 1, async |server| {
        for attempt in 0..200 {
            match attempt % 3 {
                0 => drop(server.accept_tcp().await),
                1 => server.answer(b"HTTP/1.1 502 Bad Gateway\r\n\r\n").await,
                _ => server.accept().await.reset(),
            }
        }
        short_game(server).await;
    })
    .await;
    assert_eq!((survivor.end, survivor.report.games()), (LifeEnd::Done, 1));
}

#[tokio::test]
async fn a_hundred_refusals_pages_garbled_frames_and_empty_games_end_no_bot() {
    let survivor = meet(HASTY, 1, async |server| {
        for attempt in 0..100 {
            match attempt % 4 {
                0 => server.refuse("The moon is full").await,
                1 => server.answer(b"HTTP/1.1 404 Not Found\r\n\r\n").await,
                2 => {
                    let mut client = server.accept().await;
                    client.raw(&frame(0x83, b"garbage")).await;
                    client.gone().await;
                }
                _ => {
                    let mut client = server.accept().await;
                    client.say_all([start_game(1), end_game()]).await;
                    client.gone().await;
                }
            }
        }
        short_game(server).await;
    })
    .await;
    assert_eq!(
        (&survivor.end, survivor.report.games()),
        (&LifeEnd::Done, 1)
    );
    for words in [
        "The moon is full",
        "404",
        "no WebSocket carries",
        "nothing was dealt",
    ] {
        let is_told = |event: &BotEvent| matches!(event, BotEvent::Waiting { reason, .. } if reason.contains(words));
        assert_eq!(
            survivor.news.iter().filter(|event| is_told(event)).count(),
            25,
            "{words}"
        );
    }
}

#[tokio::test]
async fn a_bot_that_loses_five_games_at_their_start_gives_up_unless_one_was_played_in_between() {
    let survivor = meet(HASTY, 1, async |server| {
        for _ in 0..5 {
            let mut client = server.accept().await;
            client.deal().await;
            client.reset();
        }
    })
    .await;
    let why = survivor.gave_up();
    assert!(why.contains("lost in its first round 5 times"), "{why}");
    assert_eq!(survivor.report.abandoned, 5);

    let survivor = meet(HASTY, 3, async |server| {
        for _ in 0..3 {
            for _ in 0..4 {
                let mut client = server.accept().await;
                client.deal().await;
                client.reset();
            }
            short_game(server).await;
        }
    })
    .await;
    assert_eq!(
        (
            survivor.end,
            survivor.report.abandoned,
            survivor.report.games()
        ),
        (LifeEnd::Done, 12, 3)
    );
}
