//! The arena's test of a bot.

use client::bot::LifeEnd;
use serde_json::{Value, json};

use super::bot::Seated;
use crate::common::frames::end_game;
use crate::common::policies::{Last, bot_policy};
use crate::common::server::{Client, Server, soon};

async fn validate(script: impl AsyncFnOnce(Client)) -> LifeEnd {
    let server = Server::open().await;
    let seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<Last>().await;
    let validating = soon(
        "the verdict",
        seated.bot.validate(&mut bot_policy, &seated.shutdown),
    );
    let ((_, end), ()) = tokio::join!(validating, async { script(server.accept().await).await });
    end
}

fn verdict(passed: bool, reason: Option<&str>) -> Value {
    json!({"passed": passed, "reason": reason, "type": "validation_result"})
}

#[tokio::test]
async fn a_reason_can_forge_no_line_of_ours() {
    let end = validate(async |mut client| {
        client.deal().await;
        client.finish().await;
        client
            .say(verdict(false, Some("chombo\nkuma: passed")))
            .await;
    })
    .await;
    assert_eq!(
        end,
        LifeEnd::Validated {
            passed: false,
            reason: Some("chombo\\nkuma: passed".to_owned())
        }
    );
}

#[tokio::test]
async fn a_drop_in_the_game_is_a_failure() {
    let end = validate(async |mut client| {
        client.deal().await;
        client.reset();
    })
    .await;
    assert!(
        matches!(
            end,
            LifeEnd::Validated {
                passed: false,
                reason: Some(_)
            }
        ),
        "{end:?}"
    );
}

#[tokio::test]
async fn without_a_verdict_nothing_is_known() {
    let hangs = validate(async |mut client| {
        client.deal().await;
        client.finish().await;
        client.gone().await;
    })
    .await;
    assert!(matches!(hangs, LifeEnd::GaveUp(_)), "{hangs:?}");
    let drops = validate(async |mut client| {
        client.deal().await;
        client.finish().await;
        client.close().await;
    })
    .await;
    assert!(matches!(drops, LifeEnd::GaveUp(_)), "{drops:?}");
    let before = validate(async |client| client.close().await).await;
    assert!(matches!(before, LifeEnd::GaveUp(_)), "{before:?}");
}

#[tokio::test]
async fn a_refusal_is_reported_in_the_arenas_words() {
    let end = validate(async |mut client| {
        client
            .say(json!({"error": "This bot is already connected to a game"}))
            .await;
        client.close().await;
    })
    .await;
    assert_eq!(
        end,
        LifeEnd::Refused("This bot is already connected to a game".to_owned())
    );
}

#[tokio::test]
async fn end_game_alone_is_no_end() {
    let end = validate(async |mut client| {
        client.deal().await;
        client.say(end_game()).await;
        tokio::time::sleep(super::bot::SHORT.verdict / 4).await;
        client.say(verdict(true, None)).await;
    })
    .await;
    assert_eq!(
        end,
        LifeEnd::Validated {
            passed: true,
            reason: None
        }
    );
}
