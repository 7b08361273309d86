//! Words and close frames of an arena that end a bot or do not, with the expected outcome.

use client::bot::{BotEvent, LifeEnd};
use serde_json::{Value, json};

use super::bot::{Seated, TOKEN, login};
use super::hostile::HASTY;
use super::hostile::wire::{CLOSE, frame, short_game};
use crate::common::policies::{Last, bot_policy};
use crate::common::server::Server;

/// The ways in which an arena refuses a bot.
#[derive(Debug, Clone, Copy)]
enum TurnedAway<'a> {
    /// With a frame in the queue that is `{"error": …}`.
    Error(&'a str),
    /// With another frame in the queue.
    Frame(&'a str),
    /// With a close frame in the queue, of a code and a reason.
    Close(u16, &'a str),
    /// With this answer to its handshake.
    Http(&'a str),
}

use TurnedAway::{Close, Error, Frame, Http};

async fn turn_away(server: &Server, how: TurnedAway<'_>) {
    let say = async |frame: Value| {
        let mut client = server.accept().await;
        client.say(frame).await;
        client.close().await;
    };
    match how {
        Error(words) => say(json!({"error": words})).await,
        Frame(text) => say(serde_json::from_str(text).expect("it is JSON")).await,
        Close(code, reason) => {
            let mut client = server.accept().await;
            client
                .raw(&frame(
                    CLOSE,
                    &[&code.to_be_bytes()[..], reason.as_bytes()].concat(),
                ))
                .await;
            client.gone().await;
        }
        Http(answer) => server.answer(format!("HTTP/1.1 {answer}").as_bytes()).await,
    }
}

/// Messages of an arena that is being deployed, overloaded or broken, and the part of them that is
/// shown.
const MAY_PASS: [(TurnedAway<'_>, &str); 18] = [
    (
        Error("Invalid request"),
        r#"the arena says "Invalid request""#,
    ),
    (
        Error("This bot is already connected to a game"),
        "already connected",
    ),
    (Error(""), r#"the arena says """#),
    (Frame(r#"{"error":{"code":"ERR_NO_SLOT"}}"#), "ERR_NO_SLOT"),
    (
        Frame(r#"{"code":"ERR_MATCHMAKER_DOWN","type":"error"}"#),
        "ERR_MATCHMAKER_DOWN",
    ),
    (
        Frame(r#"{"message":"Invalid token bucket state","type":"error"}"#),
        "Invalid token bucket state",
    ),
    (Frame(r#"{"code":"ERR_STALE_NODE"}"#), "closed by the arena"),
    (Close(4000, "Invalid frame"), "Invalid frame (code 4000)"),
    (
        Close(4003, "token cache cold"),
        "token cache cold (code 4003)",
    ),
    (Close(4001, "unauthorized"), "unauthorized (code 4001)"),
    (Close(4001, ""), "closed by the arena (code 4001)"),
    (
        Close(4008, "invalid state: draining"),
        "invalid state: draining (code 4008)",
    ),
    (
        Close(4500, "This bot is already connected to a game"),
        "already connected to a game (code 4500)",
    ),
    (
        Close(1008, "policy violation"),
        "policy violation (code 1008)",
    ),
    (Close(1008, ""), "closed by the arena (code 1008)"),
    (
        Close(1001, "Invalid token"),
        "closed by the arena (code 1001: Invalid token)",
    ),
    (
        Close(1011, "Bot is inactive"),
        "closed by the arena (code 1011: Bot is inactive)",
    ),
    (
        Close(1013, "try again later"),
        "closed by the arena (code 1013: try again later)",
    ),
];

/// Messages that are certain: the documented words as the whole text, and HTTP's own refusals.
const CERTAIN: [(TurnedAway<'_>, &str); 10] = [
    (
        Error("Token verification failed: Bot is inactive"),
        "Token verification failed: Bot is inactive; if the bot is new, let the arena validate it with `bot-runner validate`",
    ),
    (
        Error("Token verification failed: Invalid token"),
        "Invalid token; see that arena.token_env or arena.token_file names this bot's token",
    ),
    (
        Frame(r#"{"message":"Token verification failed: Bot is inactive","type":"error"}"#),
        "Bot is inactive",
    ),
    (
        Close(1008, "Token verification failed: Bot is inactive"),
        "Bot is inactive (code 1008)",
    ),
    (
        Close(1008, "Invalid token"),
        "Invalid token (code 1008); see that arena.token_env or arena.token_file names",
    ),
    (
        Close(4001, "Token verification failed: Invalid token"),
        "Invalid token (code 4001)",
    ),
    (
        Http("401 Unauthorized\r\n\r\n"),
        "HTTP 401 Unauthorized; see that arena.token_env or arena.token_file names this bot's token for this arena, \
         then try it with `bot-runner validate`",
    ),
    (
        Http("401 Unauthorized\r\n\r\n{\"error\":\"Invalid token\"}"),
        "HTTP 401 Unauthorized: {\"error\":\"Invalid token\"};",
    ),
    (
        Http("403 Forbidden\r\n\r\nBot is inactive"),
        "HTTP 403 Forbidden: Bot is inactive;",
    ),
    (
        Http("403 Forbidden\r\n\r\n<html>try again later, or change your token</html>"),
        "HTTP 403 Forbidden; see that",
    ),
];

#[tokio::test]
async fn a_temporary_refusal_ends_no_bot_and_is_reported_in_the_arenas_words() {
    for (how, shown) in MAY_PASS {
        let server = Server::open().await;
        let mut seated = Seated::at(server.url());
        seated.bot.patience = HASTY;
        let mut bot_policy = bot_policy::<Last>().await;
        let script = async {
            // Not once and not often.
            for _ in 0..3 {
                turn_away(&server, how).await;
            }
            short_game(&server).await;
        };
        let ((_, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
        assert_eq!(end, LifeEnd::Done, "{how:?}");
        let waits = seated.news().into_iter().filter_map(|event| match event {
            BotEvent::Waiting { reason, .. } => Some(reason),
            _ => None,
        });
        let waits: Vec<String> = waits.take(3).collect();
        assert!(
            waits.len() == 3 && waits.iter().all(|why| why.contains(shown)),
            "{how:?}: {waits:?}"
        );
    }
}

#[tokio::test]
async fn a_refusal_that_is_certain_ends_the_bot_at_once_in_the_arenas_words() {
    for (how, shown) in CERTAIN {
        let server = Server::open().await;
        let seated = Seated::at(server.url());
        let mut bot_policy = bot_policy::<Last>().await;
        let ((report, end), ()) =
            tokio::join!(seated.play(1, &mut bot_policy), turn_away(&server, how));
        let LifeEnd::Refused(why) = end else {
            panic!("{how:?}: {end:?}")
        };
        assert!(why.contains(shown), "{how:?}: {why}");
        assert_eq!(report.acks.requests, 0);
    }
}

#[tokio::test]
async fn a_refusal_that_repeats_the_token_is_reported_without_it() {
    for how in [
        Http(&format!("401 Unauthorized\r\n\r\nno bot has {TOKEN}")),
        Http(&format!("403 Forbidden\r\n\r\nno bot has {}", &TOKEN[..12])),
    ] {
        let server = Server::open().await;
        let seated = Seated::at(server.url());
        let mut bot_policy = bot_policy::<Last>().await;
        let ((_, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), turn_away(&server, how));
        let LifeEnd::Refused(why) = end else {
            panic!("{how:?}: {end:?}")
        };
        assert!(
            why.contains("no bot has [token]") && !why.contains("canary"),
            "{why}"
        );
    }
}

#[tokio::test]
async fn a_refusal_is_understood_though_the_token_is_a_part_of_its_words() {
    for (token, how, shown) in [
        (
            "active",
            Error("Token verification failed: Bot is inactive"),
            "Token verification failed: Bot is in[token]",
        ),
        (
            "invalid",
            Error("token verification failed: invalid token"),
            "[token] token",
        ),
        (
            "inactive",
            Close(1008, "Bot is inactive"),
            "Bot is [token] (code 1008)",
        ),
    ] {
        let server = Server::open().await;
        let mut seated = Seated::at(server.url());
        seated.bot.arena = login(server.url(), token);
        let mut bot_policy = bot_policy::<Last>().await;
        let ((_, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), turn_away(&server, how));
        let LifeEnd::Refused(why) = end else {
            panic!("{how:?}: {end:?}")
        };
        assert!(why.contains(shown), "{how:?}: {why}");
    }
}
