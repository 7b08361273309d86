//! Records of ranked games, kept while they are played.

use std::fs;
use std::path::Path;

use client::Token;
use client::bot::LifeEnd;
use client::records::{DECISIONS, FRAMES, GAME, Keeper, RecordCounts, RecordState};
use futures_util::FutureExt;
use riichi::Seat;
use serde_json::json;
use tempfile::TempDir;

use super::bot::{Seated, TOKEN};
use crate::common::frames::{PLAIN, SEAT, start_kyoku};
use crate::common::games::one_client;
use crate::common::policies::{Last, OutOfRange, bot_policy};
use crate::common::records::{keeper_of, lines, names, sound_records, sound_records_of_script};
use crate::common::server::{Server, soon};

fn keeper(folder: &Path) -> Keeper {
    keeper_of("kuma", folder, Some(Token::new(TOKEN).expect("a token")))
}

/// A bot whose games are recorded.
fn recorded(server: &Server, keeper: &Keeper) -> Seated {
    let mut seated = Seated::at(server.url());
    seated.bot.records = Some(keeper.clone());
    seated
}

/// Plays a game of the arena's engine to its end; returns the counts of the records in the folder.
/// Checks that every request was answered.
async fn whole_game(folder: &Path) -> RecordCounts {
    let server = Server::open().await;
    let keeper = keeper(folder);
    let seated = recorded(&server, &keeper);
    let mut bot_policy = bot_policy::<Last>().await;
    bot_policy.keep_notes();
    let script = async {
        server
            .accept()
            .await
            .play(one_client(5))
            .await
            .results()
            .swap_remove(0)
    };
    let ((report, end), result) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!(
        (
            end,
            report.last_game.as_ref().expect("a game").scores[Seat::FIRST]
        ),
        (LifeEnd::Done, result.score)
    );
    assert_eq!((result.acks.accepted, result.chombo), (result.requests, 0));
    keeper.finish().await
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

#[tokio::test]
async fn a_game_is_published_whole_with_its_frames_events_and_decisions() {
    let folder = folder();
    let counts = whole_game(folder.path()).await;
    assert_eq!(
        counts,
        RecordCounts {
            complete: 1,
            ..RecordCounts::default()
        }
    );
    let [record] = &sound_records(folder.path())[..] else {
        panic!("{:?}", names(folder.path()))
    };
    assert_eq!(names(folder.path()), [record.name()]);
    let played = record.manifest.played.as_ref().expect("it was played");
    let frames = lines(record, FRAMES);
    let sent = frames.iter().filter(|frame| frame["dir"] == "out").count();
    assert_eq!(
        (sent as u32, played.requests.accepted),
        (played.requests.requests, played.requests.requests)
    );
    let start = &lines(record, GAME)[0];
    assert_eq!(
        start["names"],
        json!(["kuma", "seat 1", "seat 2", "seat 3"])
    );
    assert_eq!(
        start.get("kyoku_first"),
        None,
        "the arena does not say how long a game lasts"
    );
    assert!(
        lines(record, DECISIONS)
            .iter()
            .all(|line| line["policy"] == "last" && line["took_us"].is_u64())
    );
    assert!(
        played.decision_us.is_some() && played.reply_us.is_some(),
        "{played:?}"
    );
}

#[tokio::test]
async fn each_reply_follows_the_request_that_it_answers() {
    let folder = folder();
    whole_game(folder.path()).await;
    let [record] = &sound_records(folder.path())[..] else {
        panic!("{:?}", names(folder.path()))
    };
    let mut asked = None;
    let mut replies = 0;
    for line in lines(record, FRAMES) {
        let frame: serde_json::Value =
            serde_json::from_str(line["frame"].as_str().expect("a text")).expect("JSON");
        if line["dir"] == "out" {
            assert_eq!(asked.take(), frame["request_id"].as_u64());
            replies += 1;
        } else if frame["type"] == "request_action" {
            asked = frame["request_id"].as_u64();
        }
    }
    assert!(replies > 20, "{replies}");
}

#[tokio::test]
async fn waiting_in_the_queue_and_being_refused_leave_no_record() {
    let server = Server::open().await;
    let folder = folder();
    let keeper = keeper(folder.path());
    let seated = recorded(&server, &keeper);
    let mut bot_policy = bot_policy::<Last>().await;
    let script = async {
        let mut client = server.accept().await;
        client.say(json!({"type": "queued"})).await;
        client.reset();
        server.refuse("Server is restarting").await;
        server
            .refuse("Token verification failed: Invalid token")
            .await;
    };
    let ((_, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert!(matches!(end, LifeEnd::Refused(_)), "{end:?}");
    assert_eq!(keeper.finish().await, RecordCounts::default());
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[tokio::test]
async fn a_game_that_is_cut_off_is_kept_and_marked_with_the_reason() {
    let server = Server::open().await;
    let folder = folder();
    let keeper = keeper(folder.path());
    let seated = recorded(&server, &keeper);
    let mut bot_policy = bot_policy::<OutOfRange>().await;
    bot_policy.keep_notes();
    let script = async {
        let mut client = server.accept().await;
        client.say(json!({"type": "queued"})).await;
        client.deal().await;
        client.offer(3).await;
        client.reply().await;
        client.reset();
        // An arena may leave the seat to be seen from the deal.
        let mut client = server.accept().await;
        client
            .say_all([json!({"type": "start_game"}), start_kyoku(SEAT, PLAIN)])
            .await;
        client.finish().await;
    };
    let ((_, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!(end, LifeEnd::Done);
    assert_eq!(
        keeper.finish().await,
        RecordCounts {
            complete: 1,
            cut: 1,
            ..RecordCounts::default()
        }
    );
    let [cut, whole] = &sound_records_of_script(folder.path())[..] else {
        panic!("{:?}", names(folder.path()))
    };
    assert!(
        cut.manifest
            .cut
            .as_ref()
            .expect("a reason")
            .contains("connection"),
        "{:?}",
        cut.manifest.cut
    );
    let played = cut.manifest.played.as_ref().expect("the runner lived on");
    let illegal = played.faults.get("chose an action that is not legal");
    assert_eq!((played.safe_answers, illegal), (1, Some(&1)));
    assert_eq!(lines(cut, FRAMES)[0]["frame"], r#"{"type":"queued"}"#);
    assert_eq!(
        (whole.manifest.state, whole.manifest.seat),
        (RecordState::Complete, usize::from(SEAT))
    );
}

#[tokio::test]
async fn only_a_limited_amount_before_a_game_is_kept() {
    let server = Server::open().await;
    let folder = folder();
    let keeper = keeper(folder.path());
    let seated = recorded(&server, &keeper);
    let mut bot_policy = bot_policy::<Last>().await;
    let script = async {
        let mut client = server.accept().await;
        client
            .say(json!({"type": "news", "text": "x".repeat(100_000)}))
            .await;
        client.say(json!({"type": "queued"})).await;
        client.deal().await;
        client.finish().await;
    };
    let ((_, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!(end, LifeEnd::Done);
    assert_eq!(keeper.finish().await.complete, 1);
    let [record] = &sound_records_of_script(folder.path())[..] else {
        panic!("{:?}", names(folder.path()))
    };
    assert_eq!(lines(record, FRAMES)[0]["frame"], r#"{"type":"queued"}"#);
}

#[tokio::test]
async fn a_folder_that_takes_nothing_costs_the_record_and_no_action() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").expect("it can be written");
    let counts = whole_game(&file.join("records")).await;
    assert_eq!((counts.complete, counts.cut, counts.none), (0, 0, 1));
    assert!(counts.missing > 100, "{counts:?}");
    assert_eq!(names(folder.path()), ["file"]);
}

#[tokio::test]
async fn a_disk_that_is_stuck_for_a_whole_game_delays_no_action_and_gets_it_all_later() {
    let server = Server::open().await;
    let folder = folder();
    let keeper = keeper(folder.path());
    let let_go = keeper.hang();
    let seated = recorded(&server, &keeper);
    let mut bot_policy = bot_policy::<Last>().await;
    bot_policy.keep_notes();
    let script = async {
        server
            .accept()
            .await
            .play(one_client(5))
            .await
            .results()
            .swap_remove(0)
    };
    let ((_, end), result) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!(
        (end, result.acks.accepted),
        (LifeEnd::Done, result.requests)
    );
    assert_eq!(
        keeper.finish().now_or_never(),
        None,
        "nothing is written yet"
    );
    drop(let_go);
    assert_eq!(
        keeper.finish().await,
        RecordCounts {
            complete: 1,
            ..RecordCounts::default()
        }
    );
    sound_records(folder.path());
}

#[tokio::test]
async fn a_stuck_disk_uses_limited_memory_and_dropped_data_is_counted() {
    let server = Server::open().await;
    let folder = folder();
    let keeper = keeper(folder.path());
    let let_go = keeper.hang();
    let seated = recorded(&server, &keeper);
    let mut bot_policy = bot_policy::<Last>().await;
    bot_policy.keep_notes();
    let large = json!({"type": "news", "text": "x".repeat(900_000)});
    let script = async {
        let mut client = server.accept().await;
        client.deal().await;
        for _ in 0..20 {
            client.say(large.clone()).await;
        }
        client.offer(3).await;
        assert_eq!(client.reply().await["type"], "none");
        client.finish().await;
    };
    let ((report, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!((end, report.decisions), (LifeEnd::Done, 1));
    drop(let_go);
    let counts = soon("the end of writing", keeper.finish()).await;
    assert_eq!((counts.complete, counts.cut), (0, 1));
    let [record] = &sound_records(folder.path())[..] else {
        panic!("{:?}", names(folder.path()))
    };
    let manifest = &record.manifest;
    assert!(
        manifest
            .cut
            .as_ref()
            .expect("a reason")
            .contains("too slow"),
        "{:?}",
        manifest.cut
    );
    assert!(
        manifest.kept.frames >= 8 && manifest.missing.frames >= 2,
        "{manifest:?}"
    );
    assert_eq!(
        (manifest.missing.decisions, manifest.kept.decisions),
        (1, 0)
    );
    assert_eq!(manifest.missing.total(), counts.missing);
}
