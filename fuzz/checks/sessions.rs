//! Properties that hold for any frames in a session.

use client::session::riichilab::ConnectionGoal;
use client::session::{Dialect, SessionStep, mjsonp, riichilab, stdio};
use riichi::{Rules, Seat, safe_answer};

/// Frames of RiichiLab's protocol, separated by line breaks; the first byte chooses the purpose of
/// the connection and the number of players.
pub(crate) fn riichilab_frames(bytes: &[u8]) {
    let Some((first, frames)) = bytes.split_first() else {
        return;
    };
    let goal = if first.is_multiple_of(2) {
        ConnectionGoal::Ranked
    } else {
        ConnectionGoal::Validation
    };
    let players = if first & 4 == 0 { 4 } else { 3 };
    play(
        riichilab::RiichilabSession::new(goal, Rules::TENHOU_HALF.with_players(players)),
        frames,
    );
}

/// Lines of the original mjai protocol.
pub(crate) fn mjsonp_lines(bytes: &[u8]) {
    play(
        mjsonp::MjsonpSession::new("kuma", "default", Rules::TENHOU_HALF),
        bytes,
    );
}

/// Lines of a program that hosts the bot; the first byte is its seat.
pub(crate) fn stdio_lines(bytes: &[u8]) {
    let Some((first, lines)) = bytes.split_first() else {
        return;
    };
    let Some(seat) = Seat::new(first % 4) else {
        return;
    };
    play(stdio::StdioSession::new(seat, Rules::TENHOU_HALF), lines);
}

/// No frame causes a panic, every question can be answered, and every sent text is a JSON object
/// with a type.
fn play(mut session: impl Dialect, frames: &[u8]) {
    for (number, frame) in frames.split(|&byte| byte == b'\n').enumerate() {
        let Ok(frame) = std::str::from_utf8(frame) else {
            continue;
        };
        for step in session.hear(frame) {
            match step {
                SessionStep::Reply(reply) => assert_is_action(&reply),
                SessionStep::Ask => {
                    let question = session.game().question().expect("the question is open");
                    assert!(!question.legal.is_empty());
                    // One more than there are: which is not a choice.
                    let choice = number % (question.legal.len() + 1);
                    // In a list without a discard, a pass and a win there is no safe answer, and
                    // none is sent.
                    let speaks =
                        choice < question.legal.len() || safe_answer(&question.legal).is_some();
                    let reply = session.answer(Some(choice));
                    assert_eq!(reply.is_some(), speaks, "{reply:?}");
                    reply.iter().for_each(|reply| assert_is_action(reply));
                    assert!(session.game().question().is_none(), "it is answered once");
                }
                SessionStep::Happened(_) | SessionStep::Rebuilt(_) | SessionStep::Ended(_) => {}
            }
        }
        session.review();
    }
}

fn assert_is_action(reply: &str) {
    let value: serde_json::Value = serde_json::from_str(reply).expect("a reply is JSON");
    assert!(value["type"].is_string(), "{reply}");
    assert!(!reply.contains('\n'), "a reply is one line: {reply}");
}
