//! `validate`: its exit code is the verdict.

use std::path::Path;

use serde_json::json;

use super::configs::Folder;
use super::program::Runner;
use crate::common::server::Server;

const TOKEN: &str = "canary-0123456789abcdef";

fn validate(url: &str) -> super::program::Finished {
    let folder = Folder::new();
    let config = folder.bot_at("kuma", url, "KUMA_TOKEN");
    let finished = Runner::new([Path::new("validate"), &config])
        .env("KUMA_TOKEN", TOKEN)
        .run();
    assert!(!finished.all().contains(TOKEN), "{}", finished.all());
    finished
}

#[tokio::test(flavor = "multi_thread")]
async fn passed_is_0() {
    let arena = arena::start(arena::ArenaSettings::default())
        .await
        .expect("loopback has a free port");
    let finished = validate(&arena.url());
    assert!(
        finished.exited(0).contains("kuma: passed"),
        "{}",
        finished.out
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn not_passed_is_3_with_the_arenas_reason() {
    let server = Server::open().await;
    let url = server.address();
    let script = tokio::spawn(async move {
        let mut client = server.accept().await;
        client.deal().await;
        client.finish().await;
        client.say(json!({"passed": false, "reason": format!("chombo of {TOKEN}"), "type": "validation_result"})).await;
        client.gone().await;
    });
    let finished = validate(&url);
    assert!(
        finished.exited(3).contains("not passed: chombo of [token]"),
        "{}",
        finished.out
    );
    script.await.expect("the script ran to its end");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_verdict_is_1() {
    let server = Server::open().await;
    let url = server.address();
    tokio::spawn(async move { server.accept().await.close().await });
    let finished = validate(&url);
    finished.exited(1);
    assert!(finished.err.contains("no verdict"), "{}", finished.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_1_and_names_the_key_of_the_token() {
    let server = Server::open().await;
    let url = server.address();
    tokio::spawn(async move {
        server
            .refuse("Token verification failed: Invalid token")
            .await
    });
    let finished = validate(&url);
    finished.exited(1);
    let shown = "Invalid token; see that arena.token_env names this bot's token for this arena";
    assert!(finished.err.contains(shown), "{}", finished.err);
}

#[test]
fn a_server_without_validation_is_not_asked_for_it() {
    let folder = Folder::new();
    let text = format!(
        "name = \"kuma\"\n[arena]\nkind = \"mjsonp\"\n{}",
        super::configs::POLICY
    );
    let finished = Runner::new([Path::new("validate"), &folder.file("kuma.toml", text)]).run();
    finished.exited(1);
    for words in [
        "arena.kind",
        "mjsonp://127.0.0.1:11600/default has no validation",
        "bot-runner run",
    ] {
        assert!(finished.err.contains(words), "{}", finished.err);
    }
}
