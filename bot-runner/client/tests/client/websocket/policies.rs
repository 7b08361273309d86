//! Policies that are late, fall over or answer nonsense: it costs the quality of one action, and
//! nothing else.

use std::time::{Duration, Instant};

use client::bot::{BotPolicy, BotReport, LifeEnd};

use super::bot::Seated;
use crate::common::frames::{SEAT, dahai, tsumo};
use crate::common::logged::Log;
use crate::common::policies::{OutOfRange, Panics, SLOW, Slow, bot_policy, bot_policy_within};
use crate::common::server::{Client, Server, pon_or_pass};

const THINK: Duration = Duration::from_millis(40);

async fn play(bot_policy: &mut BotPolicy, script: impl AsyncFnOnce(&mut Client)) -> BotReport {
    let server = Server::open().await;
    let seated = Seated::at(server.url());
    let ((report, end), ()) = tokio::join!(seated.play(1, bot_policy), async {
        let mut client = server.accept().await;
        client.deal().await;
        script(&mut client).await;
        client.finish().await;
    });
    assert_eq!(end, LifeEnd::Done);
    report
}

/// Asks again: the dealer's next discard is a 4p too.
pub(crate) async fn ask_again(client: &mut Client, request_id: u64) {
    client
        .say_all([
            tsumo(SEAT, "9m"),
            dahai(SEAT, "9m", true),
            tsumo(2, "?"),
            dahai(2, "E", true),
        ])
        .await;
    client
        .say_all([
            tsumo(3, "?"),
            dahai(3, "E", true),
            tsumo(0, "?"),
            dahai(0, "4p", true),
        ])
        .await;
    client.say(pon_or_pass(request_id)).await;
}

#[tokio::test]
async fn a_decision_that_is_late_is_replaced_by_the_safe_answer_within_the_budget() {
    let mut bot_policy = bot_policy_within::<Slow>(Some(THINK)).await;
    let report = play(&mut bot_policy, async |client| {
        let asked = Instant::now();
        client.offer(3).await;
        let reply = client.reply().await;
        assert!(
            (THINK..SLOW).contains(&asked.elapsed()),
            "{:?}",
            asked.elapsed()
        );
        assert_eq!(
            (&reply["type"], &reply["request_id"]),
            (&"none".into(), &3.into())
        );
    })
    .await;
    assert_eq!((report.safe_answers, report.decisions), (1, 0));
}

#[tokio::test]
async fn the_late_decision_itself_is_never_sent() {
    let server = Server::open().await;
    let seated = Seated::at(server.url());
    let mut bot_policy = bot_policy_within::<Slow>(Some(THINK)).await;
    let script = async {
        let mut client = server.accept().await;
        client.deal().await;
        client.offer(3).await;
        client.reply().await;
        tokio::time::sleep(SLOW + THINK).await;
        client.finish().await;
        client.gone().await
    };
    let (_, sent) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!(sent, [""; 0], "nothing after the safe answer");
}

#[tokio::test]
async fn a_decision_that_an_event_has_settled_is_not_sent() {
    let server = Server::open().await;
    let seated = Seated::at(server.url());
    let mut bot_policy = bot_policy_within::<Slow>(Some(Duration::from_secs(5))).await;
    let script = async {
        let mut client = server.accept().await;
        client.deal().await;
        client.offer(3).await;
        client.say(tsumo(SEAT, "9m")).await;
        tokio::time::sleep(SLOW + THINK).await;
        client.finish().await;
        client.gone().await
    };
    let ((report, _), sent) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!((sent, report.safe_answers), (vec![], 0));
}

#[tokio::test]
async fn a_deadline_within_the_margin_gets_the_safe_answer_at_once() {
    let mut bot_policy = bot_policy::<Slow>().await;
    let report = play(&mut bot_policy, async |client| {
        let mut hurried = pon_or_pass(3);
        hurried["time"] = serde_json::json!({"bank_ms": 0, "deadline_ms": 90, "grace_ms": 90});
        let asked = Instant::now();
        client.say_all([dahai(0, "4p", false), hurried]).await;
        assert_eq!(client.reply().await["type"], "none");
        assert!(asked.elapsed() < SLOW);
    })
    .await;
    assert_eq!(report.safe_answers, 1);
}

#[tokio::test]
async fn after_a_panic_comes_the_safe_answer_and_then_the_policy_decides_again() {
    let mut bot_policy = bot_policy::<Panics>().await;
    let report = play(&mut bot_policy, async |client| {
        client.offer(3).await;
        assert_eq!(client.reply().await["type"], "none", "the safe answer");
        ask_again(client, 9).await;
        assert_eq!(client.reply().await["type"], "pon", "the policy's own");
    })
    .await;
    assert_eq!((report.safe_answers, report.decisions), (1, 1));
}

#[tokio::test]
async fn an_invalid_choice_is_replaced_by_the_safe_answer_and_reported_once() {
    let log = Log::of_this_thread();
    let mut bot_policy = bot_policy::<OutOfRange>().await;
    let report = play(&mut bot_policy, async |client| {
        client.offer(3).await;
        assert_eq!(client.reply().await["type"], "none");
        ask_again(client, 9).await;
        assert_eq!(client.reply().await["type"], "none");
    })
    .await;
    assert_eq!((report.safe_answers, report.decisions), (2, 0));
    let text = log.text();
    let told: Vec<&str> = text.lines().filter(|line| line.contains("ERROR")).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].contains("out-of-range") && told[0].contains("2 of 2"),
        "{told:?}"
    );
}
