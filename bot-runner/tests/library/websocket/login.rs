//! Whom an arena lets in, and what is made of its refusals.

use std::time::Duration;

use bot_runner::bot::{BotEvent, LifeEnd, Patience};
use tokio_tungstenite::tungstenite::http::StatusCode;

use super::bot::{SHORT, Seated, TOKEN, one_game};
use super::hostile::wire::{CLOSE, frame, short_game};
use crate::common::policies::{Last, brain};
use crate::common::server::Server;

const ALREADY: &str = "This bot is already connected to a game";

#[tokio::test]
async fn a_ranked_game_is_asked_for_by_path_and_bearer_token() {
    let server = Server::open().await;
    let (_, end, _) = one_game(&server, async {
        let mut client = server.accept().await;
        assert_eq!(client.path, "/ws/ranked");
        assert_eq!(client.authorization, format!("Bearer {TOKEN}"));
        client.deal().await;
        client.finish().await;
    })
    .await;
    assert_eq!(end, LifeEnd::Done);
}

#[tokio::test]
async fn a_login_refused_at_the_handshake_is_the_end() {
    for status in [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN] {
        let server = Server::open().await;
        let (_, end, _) = one_game(&server, server.turn_away(status, None)).await;
        let LifeEnd::Refused(why) = end else { panic!("{end:?}") };
        for words in [status.as_str(), ": turned away;", "arena.token_env or arena.token_file", "`bot-runner validate`"]
        {
            assert!(why.contains(words), "{why}");
        }
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_token() {
    let (server, elsewhere) = (Server::open().await, Server::open().await);
    let location = format!("{}/ws/ranked", elsewhere.address());
    let (_, end, _) = one_game(&server, server.turn_away(StatusCode::FOUND, Some(&location))).await;
    let LifeEnd::Refused(why) = end else { panic!("{end:?}") };
    assert!(why.contains("302") && why.contains("arena.url"), "{why}");
    assert!(elsewhere.is_left_alone(Duration::from_millis(50)).await);
}

#[tokio::test]
async fn a_server_in_trouble_is_tried_again() {
    let server = Server::open().await;
    let (_, end, told) = one_game(&server, async {
        server.turn_away(StatusCode::BAD_GATEWAY, None).await;
        server.refuse("Server is restarting").await;
        let mut client = server.accept().await;
        client.deal().await;
        client.finish().await;
    })
    .await;
    assert_eq!(end, LifeEnd::Done);
    assert_eq!(told, ["waiting", "queued", "waiting", "queued", "started on 1", "finished"]);
}

#[tokio::test]
async fn a_bot_that_is_not_accepted_ends_with_the_arenas_own_words() {
    for words in ["Token verification failed: Bot is inactive", "Token verification failed: Invalid token"] {
        let server = Server::open().await;
        let (report, end, _) = one_game(&server, server.refuse(words)).await;
        assert_eq!(end, LifeEnd::Refused(words.to_owned()));
        assert_eq!(report.acks.requests, 0);
    }
}

#[tokio::test]
async fn a_token_that_the_arena_repeats_is_taken_out_of_its_words() {
    let server = Server::open().await;
    let (_, end, _) = one_game(&server, server.refuse(&format!("Token {TOKEN} is unknown"))).await;
    assert_eq!(end, LifeEnd::Refused("Token [token] is unknown".to_owned()));
}

#[tokio::test]
async fn words_of_a_refusal_stay_on_one_line_and_are_cut() {
    let server = Server::open().await;
    let words = format!("Token refused\n\u{1b}[31mkuma: passed\u{1b}[0m {}{TOKEN}", "x".repeat(3 << 20));
    let (_, end, _) = one_game(&server, server.refuse(&words)).await;
    let LifeEnd::Refused(why) = end else { panic!("{end:?}") };
    assert!(why.starts_with("Token refused\\n\\u{1b}[31mkuma: passed\\u{1b}[0m xxx") && why.ends_with("x…"), "{why}");
    assert!(why.chars().count() < 250 && !why.contains(char::is_control), "{why}");
}

#[tokio::test]
async fn that_words_repeat_the_token_does_not_make_them_a_refusal_of_it() {
    let server = Server::open().await;
    let (_, end, _) = one_game(&server, async {
        server.refuse(&format!("{TOKEN}: Server is restarting")).await;
        let mut client = server.accept().await;
        client.deal().await;
        client.finish().await;
    })
    .await;
    assert_eq!(end, LifeEnd::Done);
}

#[tokio::test]
async fn already_connected_is_waited_out_and_is_no_fault_of_the_login() {
    let server = Server::open().await;
    let (report, end, told) = one_game(&server, async {
        for _ in 0..3 {
            server.refuse(ALREADY).await;
        }
        // As long as the other game goes on, no refusal says anything about the token.
        server.refuse("Token verification failed: Bot is busy").await;
        server.turn_away(StatusCode::UNAUTHORIZED, None).await;
        let mut client = server.accept().await;
        client.deal().await;
        client.finish().await;
    })
    .await;
    assert_eq!((end, report.games.len(), report.abandoned), (LifeEnd::Done, 1, 0));
    assert_eq!(told.iter().filter(|&line| line == "waiting").count(), 5);
}

#[tokio::test]
async fn already_connected_is_not_waited_out_for_ever() {
    let server = Server::open().await;
    let mut seated = Seated::at(server.url());
    seated.bot.patience = Patience { lost_game: Duration::from_millis(30), ..SHORT };
    let mut brain = brain::<Last>().await;
    let refusing = async {
        loop {
            server.refuse(ALREADY).await;
        }
    };
    let (_, end) = tokio::select! {
        ended = seated.play(1, &mut brain) => ended,
        () = refusing => unreachable!(),
    };
    let LifeEnd::GaveUp(why) = end else { panic!("{end:?}") };
    assert!(why.contains(ALREADY), "{why}");
}

/// The payload of a close frame.
fn closing(code: u16, reason: &str) -> Vec<u8> {
    frame(CLOSE, &[&code.to_be_bytes()[..], reason.as_bytes()].concat())
}

/// Lets the next bot in and closes with this code and reason.
async fn turn_out(server: &Server, code: u16, reason: &str) {
    let mut client = server.accept().await;
    client.raw(&closing(code, reason)).await;
    client.gone().await;
}

#[tokio::test]
async fn a_close_frame_in_the_queue_that_refuses_the_token_is_the_end_in_the_arenas_words() {
    for (code, reason, words) in [
        (1008, "Invalid token", "Invalid token (code 1008)"),
        (4001, "unauthorized\n\x1b[31m", "unauthorized\\n\\u{1b}[31m (code 4001)"),
        (4003, &format!("Token {TOKEN} is unknown"), "Token […] is unknown (code 4003)"),
    ] {
        let server = Server::open().await;
        let (_, end, _) = one_game(&server, turn_out(&server, code, reason)).await;
        assert_eq!(end, LifeEnd::Refused(words.to_owned()));
    }
}

#[tokio::test]
async fn a_close_frame_in_the_queue_that_refuses_nothing_is_waited_out_and_shown() {
    for (code, reason, shown) in [
        (4000, ALREADY, "This bot is already connected to a game (code 4000)"),
        (1008, &format!("{TOKEN}: Server is restarting"), "[…]: Server is restarting (code 1008)"),
        (1008, "", "closed by the arena (code 1008)"),
        // A code that is no refusal, whatever is said.
        (1001, "Invalid token", "closed by the arena (code 1001: Invalid token)"),
    ] {
        let server = Server::open().await;
        let mut seated = Seated::at(server.url());
        let mut brain = brain::<Last>().await;
        let script = async {
            turn_out(&server, code, reason).await;
            short_game(&server).await;
        };
        let ((_, end), ()) = tokio::join!(seated.play(1, &mut brain), script);
        assert_eq!(end, LifeEnd::Done);
        let mut waits = seated.news().into_iter().filter_map(|event| match event {
            BotEvent::Waiting { reason, .. } => Some(reason),
            _ => None,
        });
        let why = waits.next().expect("it waited");
        assert!(why.contains(shown) && !why.contains(TOKEN), "{why}");
    }
}
