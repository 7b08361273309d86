//! Nothing hidden: what other seats hold changes no reply, even where an arena shows it.

use policy_host::{Asked, Launch, RoundLog, SeatedPolicy, ViewBuffer};
use policy_host::{LibraryChoice, PolicyConfig};

use crate::common::seats::{admitted, decision};
use client::session::Dialect;
use client::session::SessionStep;
use client::session::riichilab::{ConnectionGoal, RiichilabSession};
use protocol::riichilab::{ServerFrame, parse_frame};
use riichi::{Event, Rules, Seat};

use crate::common::games::{decide, four_clients};

/// The frames of each seat in a game of four, as the arena masks them, and with the same events
/// unmasked.
struct Frames {
    masked: [Vec<String>; 4],
    open: [Vec<String>; 4],
}

fn play(number: u64) -> Frames {
    let mut game = four_clients(number);
    let mut sessions: Vec<RiichilabSession> = Seat::all(4)
        .map(|_| RiichilabSession::new(ConnectionGoal::Ranked, Rules::TENHOU_HALF))
        .collect();
    let mut frames = Frames {
        masked: Default::default(),
        open: Default::default(),
    };
    let mut events = [0; 4];
    loop {
        while let Some(frame) = game.outgoing() {
            let seat = frame.seat.index();
            let session = &mut sessions[seat];
            let reply = match session.hear(&frame.text).pop() {
                Some(SessionStep::Reply(reply)) => Some(reply),
                Some(SessionStep::Ask) => {
                    let choice = decide(session);
                    session.answer(choice)
                }
                _ => None,
            };
            let open = match parse_frame(&frame.text).expect("the arena writes frames") {
                ServerFrame::Event(event) => {
                    events[seat] += 1;
                    // The record's first line names players instead of our seat.
                    let own = matches!(event, Event::StartGame { .. });
                    if own {
                        frame.text.clone()
                    } else {
                        game.record()[events[seat] - 1].clone()
                    }
                }
                _ => frame.text.clone(),
            };
            frames.masked[seat].push(frame.text);
            frames.open[seat].push(open);
            if let Some(reply) = reply {
                game.receive(frame.seat, &reply, 1);
            }
        }
        if game.is_over() {
            return frames;
        }
        game.step().expect("the engine goes on");
    }
}

async fn policy() -> SeatedPolicy {
    let section = PolicyConfig {
        params: toml::toml! { calls = "yaku" kan = "safe" },
        ..PolicyConfig::of(LibraryChoice::Builtin, Some("greedy-tenpai".to_owned()))
    };
    admitted(&section, Launch::own(Vec::new())).await
}

/// All replies to these frames, decided by the policy.
async fn replies(frames: &[String], policy: &mut SeatedPolicy) -> Vec<String> {
    let mut session = RiichilabSession::new(ConnectionGoal::Ranked, Rules::TENHOU_HALF);
    let mut log = RoundLog::default();
    let mut replies = Vec::new();
    for frame in frames {
        for step in session.hear(frame) {
            match step {
                SessionStep::Reply(reply) => replies.push(reply),
                SessionStep::Happened(event) => {
                    log.push(&event, session.game.table().expect("the seat is known"))
                }
                SessionStep::Ask => {
                    let question = session.game.question().expect("it is asked");
                    let table = session.game.table().expect("the seat is known");
                    let fill = |view: &mut ViewBuffer| {
                        view.fill(table, &log, &question.legal, &Asked::default())
                    };
                    let decided = decision(policy, fill).await;
                    replies.extend(session.answer(Some(decided.index)));
                }
                SessionStep::Rebuilt(_) | SessionStep::Ended(_) => {}
            }
        }
    }
    replies
}

#[tokio::test]
async fn the_same_games_fed_masked_and_unmasked_give_the_same_replies() {
    let mut policy = policy().await;
    let mut compared = 0;
    for number in 1..=3 {
        let frames = play(number);
        for seat in 0..4 {
            let (masked, open) = (&frames.masked[seat], &frames.open[seat]);
            assert!(
                masked.iter().any(|frame| frame.contains('?'))
                    && !open.iter().any(|frame| frame.contains('?'))
            );
            let hidden = replies(masked, &mut policy).await;
            assert_eq!(
                replies(open, &mut policy).await,
                hidden,
                "game {number}, seat {seat}"
            );
            compared += hidden.len();
        }
    }
    assert!(compared > 1000, "only {compared} replies were compared");
}

#[tokio::test]
async fn a_table_rebuilt_from_the_observation_is_decided_on_by_the_policy_again() {
    let mut policy = policy().await;
    let frames = play(4);
    for lost in ["dahai", "tsumo", "start_kyoku"] {
        for masked in &frames.masked {
            let is_lost = |frame: &str| frame.contains(&format!("\"type\":\"{lost}\""));
            let mut seen = 0;
            let heard: Vec<String> = masked
                .iter()
                .filter(|frame| {
                    seen += u32::from(is_lost(frame));
                    // Every so often one is lost, but not the first.
                    !(is_lost(frame) && seen % if lost == "start_kyoku" { 2 } else { 40 } == 0)
                })
                .cloned()
                .collect();
            assert!(heard.len() < masked.len(), "some {lost} were lost");
            // That the policy decides whenever it is asked is demanded in there.
            let replied = replies(&heard, &mut policy).await.len();
            let requests = masked
                .iter()
                .filter(|frame| frame.contains("\"request_action\""))
                .count();
            assert!(
                replied * 10 > requests * 9,
                "{lost}: {replied} replies to {requests} requests"
            );
        }
    }
}
