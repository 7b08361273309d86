//! Requests on real sockets, to a server that the test scripts.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use ladder::LadderError;
use time::{Date, Month};
use tokio::time::Instant;

mod server;

use server::{PROFILE, answer, ok, pauses, server};

const ID: &str = "0b6c8ad1-22a1-4b54-9f40-6f6a2f8f7b11";

#[tokio::test]
async fn a_request_names_the_program_and_carries_no_secret() {
    let (client, heads) = server(vec![ok(PROFILE)]).await;
    assert_eq!(client.bot(7).await.expect("a bot").rating, Some(1512.5));
    let head = heads.lock().expect("no panic")[0].0.to_lowercase();
    assert!(
        head.starts_with("get /api/v1/bots/7 http/1.1\r\n")
            && head.contains("user-agent: bot-runner/1.2.3"),
        "{head}"
    );
    assert!(
        !head.contains("authorization") && !head.contains("cookie"),
        "{head}"
    );
}

#[tokio::test]
async fn requests_of_several_clients_come_one_after_the_other_with_a_pause() {
    let (one, heads) = server(vec![ok(PROFILE)]).await;
    let (one, other) = (Arc::new(one), Instant::now());
    let asked: Vec<_> = (0..3)
        .map(|_| {
            tokio::spawn({
                let client = Arc::clone(&one);
                async move { client.bot(7).await }
            })
        })
        .collect();
    for asked in asked {
        asked.await.expect("no panic").expect("a bot");
    }
    assert!(
        pauses(&heads)
            .iter()
            .all(|pause| *pause >= Duration::from_millis(500)),
        "{:?}",
        pauses(&heads)
    );
    assert!(other.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_busy_server_is_asked_again_after_the_time_that_it_names() {
    let busy = answer("429 Too Many Requests", "Retry-After: 3\r\n", b"");
    let (client, heads) = server(vec![busy, ok(PROFILE)]).await;
    client.bot(7).await.expect("a bot");
    assert!(
        pauses(&heads)[0] >= Duration::from_secs(3),
        "{:?}",
        pauses(&heads)
    );
}

#[tokio::test]
async fn what_was_refused_is_not_asked_again() {
    for status in ["401 Unauthorized", "403 Forbidden", "404 Not Found"] {
        let (client, heads) = server(vec![answer(status, "", b""), ok(PROFILE)]).await;
        for _ in 0..3 {
            assert!(
                matches!(client.bot(7).await, Err(LadderError::Refused { .. })),
                "{status}"
            );
        }
        assert_eq!(heads.lock().expect("no panic").len(), 1, "{status}");
        client.bot(8).await.expect("another address");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (client, heads) = server(vec![answer(
        "302 Found",
        "Location: http://127.0.0.1:1/\r\n",
        b"",
    )])
    .await;
    assert!(matches!(
        client.bot(7).await,
        Err(LadderError::Redirect { .. })
    ));
    assert_eq!(heads.lock().expect("no panic").len(), 1);
}

#[tokio::test]
async fn an_answer_of_more_than_16_mib_is_refused() {
    let mut long = PROFILE.as_bytes().to_vec();
    long.resize(17 << 20, b' ');
    let (client, _) = server(vec![answer("200 OK", "", &long)]).await;
    assert!(matches!(
        client.bot(7).await,
        Err(LadderError::TooLong { .. })
    ));
}

#[tokio::test]
async fn a_cursor_is_percent_encoded_and_a_page_has_at_most_50_games() {
    let page = r#"{"ok":true,"data":{"total":0,"has_more":false,"next_cursor":null,"games":[]}}"#;
    let (client, heads) = server(vec![ok(page)]).await;
    client
        .games(7, 1000, Some("+/a=&limit=9\r\n"))
        .await
        .expect("a page");
    let head = heads.lock().expect("no panic")[0].0.clone();
    let asked =
        "GET /api/v1/bots/7/games?limit=50&cursor=%2B%2Fa%3D%26limit%3D9%0D%0A HTTP/1.1\r\n";
    assert!(head.starts_with(asked), "{head}");
}

#[tokio::test]
async fn a_cut_log_is_asked_for_again() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed
        .write_all("{\"type\":\"start_game\"}\n".repeat(100).as_bytes())
        .expect("memory takes it");
    let packed = packed.finish().expect("memory takes it");
    let cut = answer("200 OK", "", &packed[..packed.len() / 2]);
    let (client, heads) = server(vec![
        cut,
        answer("200 OK", "Content-Encoding: gzip\r\n", &packed),
    ])
    .await;
    let date = Date::from_calendar_date(2026, Month::March, 4).expect("a date");
    assert_eq!(
        client.log(ID, date).await.expect("a log").lines().count(),
        100
    );
    let head = heads.lock().expect("no panic")[0].0.clone();
    assert!(
        head.starts_with(&format!(
            "GET /mjai-logs/2026/03/04/{ID}.jsonl.gz HTTP/1.1\r\n"
        )),
        "{head}"
    );
}
