//! A token appears in nothing that can be read, whatever the arena does with it.

use std::fs;
use std::path::Path;

use client::records::list;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use super::configs::{Folder, POLICY, arena};
use super::program::Runner;
use crate::common::frames::{SEAT, ack, bare, call, request, tsumo};
use crate::common::records::files;
use crate::common::server::Server;

/// Longer than the part of a field that an error shows, so that a part of it might slip through.
const CANARY: &str = "canary-0123456789-0123456789-0123456789-0123456789";

#[tokio::test(flavor = "multi_thread")]
async fn a_canary_is_in_no_output_and_no_log_against_an_arena_that_repeats_it() {
    let server = Server::open().await;
    let url = server.address();
    let script = tokio::spawn(async move {
        let mut client = server.accept().await;
        assert!(client.authorization.contains(CANARY), "the arena has it");
        client.say(json!({"hello": CANARY, "type": CANARY})).await;
        client.deal().await;
        client
            .say(json!({"error": format!("I know you, {CANARY}")}))
            .await;
        let escaped: String = CANARY
            .chars()
            .map(|c| format!("\\u{:04x}", u32::from(c)))
            .collect();
        client
            .send(Message::text(format!(
                r#"{{"error":"escaped, {escaped}"}}"#
            )))
            .await;
        client.offer(3).await;
        client.reply().await;
        for status in ["rejected", "unparseable", "defaulted", CANARY] {
            let mut told = ack(3, status);
            told["reason"] = json!(CANARY);
            told["attempted"] = json!({"token": CANARY});
            told["legal_types"] = json!([CANARY]);
            told["bank_ms"] = json!(CANARY);
            client.say(told).await;
        }
        client
            .say_all([
                tsumo(SEAT, "9m"),
                json!({"actor": 1, "pai": CANARY, "type": "dahai"}),
            ])
            .await;
        let mut odd = request(
            4,
            [call("pon", CANARY, "4p 4p"), bare(CANARY), bare("none")],
        );
        odd["observation"] = json!(CANARY);
        odd["time"] = json!({"grace_ms": CANARY});
        client.say(odd).await;
        client.reply().await;
        client
            .say(json!({"request_id": CANARY, "type": "request_action"}))
            .await;
        client
            .say(json!({"actor": 1, "pai": &CANARY[..20], "type": "dahai"}))
            .await;
        client
            .say(json!({"request_id": format!("{}…", &CANARY[..12]), "type": "request_action"}))
            .await;
        client
            .say(json!({"id": CANARY, "type": "start_game"}))
            .await;
        client.say(json!(CANARY)).await;
        client.finish().await;
        client.gone().await;
        server
            .answer(
                format!("HTTP/1.1 401 Unauthorized\r\n\r\nToken {CANARY} is inactive").as_bytes(),
            )
            .await;
    });
    let folder = Folder::new();
    let text = format!(
        "name = \"kuma\"\n{}{POLICY}\n[records]\n",
        arena(&url, "KUMA_TOKEN")
    );
    let config = folder.file("kuma.toml", text);
    let runner = Runner::new([Path::new("run"), &config]);
    let finished = runner
        .env("KUMA_TOKEN", CANARY)
        .env("BOT_RUNNER_LOG", "trace")
        .run();
    script.await.expect("the script ran to its end");
    finished.exited(1);
    assert!(
        finished.out.contains("Token [token] is inactive"),
        "{}",
        finished.out
    );
    for shown in [
        " TRACE ",
        " ERROR ",
        "desync: ",
        "(not shown, since it repeats the token)",
    ] {
        assert!(
            finished.err.contains(shown),
            "{shown:?} is not in the log, so that this shows nothing"
        );
    }
    let [record] = &list(&folder.path().join("records"), |_| true)
        .expect("there are records")
        .0[..]
    else {
        panic!("one game began")
    };
    assert!(record.manifest.kept.frames > 10, "{:?}", record.manifest);
    for file in files(&record.path) {
        let text = fs::read_to_string(&file).expect("it is text");
        // However it is spelled: an escaped letter begins with a backslash, which a record escapes
        // once more.
        assert!(
            !text.contains("canary") && !text.contains("u0063"),
            "{}",
            file.display()
        );
    }
    for (number, line) in finished.all().lines().enumerate() {
        assert!(!line.contains("canary"), "line {number}: {line}");
    }
}
