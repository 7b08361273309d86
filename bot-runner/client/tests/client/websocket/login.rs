//! Logins that an arena accepts, and the meaning of its refusals.

use std::time::Duration;

use client::bot::{BotEvent, LifeEnd};
use tokio_tungstenite::tungstenite::http::StatusCode;

use super::bot::{Seated, TOKEN, one_game};
use super::hostile::wire::short_game;
use crate::common::policies::{Last, bot_policy};
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
async fn a_redirect_is_not_followed_with_the_token_and_may_pass() {
    let (server, elsewhere) = (Server::open().await, Server::open().await);
    let location = format!("{}/ws/ranked", elsewhere.address());
    let mut seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<Last>().await;
    let script = async {
        server.turn_away(StatusCode::FOUND, Some(&location)).await;
        short_game(&server).await;
    };
    let ((_, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!(end, LifeEnd::Done);
    let why = first_wait(&mut seated);
    assert!(why.contains("302") && why.contains("arena.url"), "{why}");
    assert!(elsewhere.is_left_alone(Duration::from_millis(50)).await);
}

#[tokio::test]
async fn words_of_a_refusal_stay_on_one_line_are_cut_and_show_no_token() {
    let long = format!(
        "Token of {TOKEN} refused\n\u{1b}[31mkuma: passed\u{1b}[0m {}{TOKEN}",
        "x".repeat(3 << 20)
    );
    for (words, shown) in [
        (
            long.as_str(),
            "Token of [token] refused\\n\\u{1b}[31mkuma: passed\\u{1b}[0m xxx",
        ),
        (&format!("you sent {}", &TOKEN[..14]), "you sent [token]\""),
        (
            &format!("{TOKEN}: Invalid request"),
            "[token]: Invalid request\"",
        ),
    ] {
        let server = Server::open().await;
        let mut seated = Seated::at(server.url());
        let mut bot_policy = bot_policy::<Last>().await;
        let script = async {
            server.refuse(words).await;
            short_game(&server).await;
        };
        let ((_, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
        assert_eq!(end, LifeEnd::Done);
        let why = first_wait(&mut seated);
        assert!(why.contains(shown) && !why.contains("canary"), "{why}");
        assert!(
            why.chars().count() < 250 && !why.contains(char::is_control),
            "{why}"
        );
    }
}

#[tokio::test]
async fn already_connected_is_waited_out_and_is_no_fault_of_the_login() {
    let server = Server::open().await;
    let (report, end, told) = one_game(&server, async {
        for _ in 0..3 {
            server.refuse(ALREADY).await;
        }
        // While the other game continues, a refusal says nothing about the token.
        server
            .refuse("Token verification failed: Bot is busy")
            .await;
        server.turn_away(StatusCode::UNAUTHORIZED, None).await;
        let mut client = server.accept().await;
        client.deal().await;
        client.finish().await;
    })
    .await;
    assert_eq!(
        (end, report.games(), report.abandoned),
        (LifeEnd::Done, 1, 0)
    );
    assert_eq!(told.iter().filter(|&line| line == "waiting").count(), 5);
}

/// Why the bot waited first.
fn first_wait(seated: &mut Seated) -> String {
    let mut waits = seated.news().into_iter().filter_map(|event| match event {
        BotEvent::Waiting { reason, .. } => Some(reason),
        _ => None,
    });
    waits.next().expect("it waited")
}
