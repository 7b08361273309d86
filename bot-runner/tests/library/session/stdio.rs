//! Hosted through pipes: an answer when the seat can act, and no other output.

use client::session::stdio::StdioSession;
use client::session::{Dialect, SessionStep};
use riichi::Rules;
use serde_json::{Value, json};

use crate::common::frames::*;
use crate::session::player::{pon, reach, seat, throw};

/// With 3s drawn, throwing E waits for 1s and 4s, throwing 1s for E.
const ALMOST: &str = "1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 2s E";

fn hosted() -> StdioSession {
    StdioSession::new(seat(SEAT), Rules::TENHOU_HALF)
}

/// Sends lines; returns the immediate answers, and whether the last line asks a question.
fn hear(session: &mut StdioSession, lines: impl IntoIterator<Item = Value>) -> (Vec<Value>, bool) {
    let (mut answers, mut asked) = (Vec::new(), false);
    for line in lines {
        asked = false;
        for step in session.hear(&line.to_string()) {
            match step {
                SessionStep::Reply(text) => answers.push(serde_json::from_str(&text).expect("an answer is JSON")),
                SessionStep::Ask => asked = true,
                SessionStep::Ended(end) => panic!("{end:?}: a host ends it by ending the input"),
                SessionStep::Happened(_) => {}
            }
        }
    }
    (answers, asked)
}

const SILENT: (Vec<Value>, bool) = (Vec::new(), false);
const ASKED: (Vec<Value>, bool) = (Vec::new(), true);

fn choose(session: &mut StdioSession, wanted: riichi::Action) -> Value {
    let question = session.game.question().expect("something is asked");
    let index = question.legal.iter().position(|&action| action == wanted);
    assert!(index.is_some(), "{wanted:?} is not a choice of {:?}", question.legal);
    let answer = session.answer(index).expect("it is open");
    serde_json::from_str(&answer).expect("an answer is JSON")
}

fn deal(hand: &str) -> [Value; 3] {
    [start_game(3), start_kyoku(SEAT, hand), tsumo(0, "?")]
}

fn silenced(mut line: Value) -> Value {
    line["can_act"] = json!(false);
    line
}

#[test]
fn only_a_line_after_which_the_seat_can_act_is_answered() {
    let mut session = hosted();
    assert_eq!(hear(&mut session, deal(PLAIN)), SILENT);
    assert_eq!(hear(&mut session, [dahai(0, "4p", false)]), ASKED);
    assert_eq!(choose(&mut session, riichi::Action::None), json!({"type": "none"}));
    assert_eq!(hear(&mut session, [tsumo(SEAT, "9m")]), ASKED);
    let discard = json!({"type": "dahai", "actor": 1, "pai": "9m", "tsumogiri": true});
    assert_eq!(choose(&mut session, throw("9m", true)), discard);
    assert_eq!(hear(&mut session, [dahai(SEAT, "9m", true), tsumo(2, "?"), dahai(2, "9s", true)]), SILENT);
}

#[test]
fn a_line_that_needs_no_answer_gets_none() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN));
    assert_eq!(hear(&mut session, [silenced(dahai(0, "4p", false)), silenced(tsumo(SEAT, "9m"))]), SILENT);
    assert_eq!(session.game.table().expect("a game is on").drawn(), Some("9m".parse().expect("a tile")));
}

#[test]
fn a_call_names_whose_tile_it_takes() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN));
    hear(&mut session, [dahai(0, "4p", false)]);
    let expected = json!({"type": "pon", "actor": 1, "target": 0, "pai": "4p", "consumed": ["4p", "4p"]});
    assert_eq!(choose(&mut session, pon("4p", ["4p", "4p"])), expected);
    assert_eq!(hear(&mut session, [expected]), ASKED, "a discard is owed");
}

#[test]
fn riichi_takes_two_answers_and_the_second_is_the_planned_discard() {
    let mut session = hosted();
    hear(&mut session, deal(ALMOST));
    hear(&mut session, [dahai(0, "N", false), tsumo(SEAT, "3s")]);
    let declaration = json!({"type": "reach", "actor": 1});
    assert_eq!(choose(&mut session, reach("E", false)), declaration);
    let discard = json!({"type": "dahai", "actor": 1, "pai": "E", "tsumogiri": false});
    assert_eq!(hear(&mut session, [declaration]), (vec![discard], false));
    let mut later = vec![dahai(SEAT, "E", false), json!({"type": "reach_accepted", "actor": 1})];
    later.extend([tsumo(2, "?"), dahai(2, "9m", true), tsumo(3, "?"), dahai(3, "9m", true), tsumo(0, "?")]);
    later.extend([dahai(0, "9s", true), tsumo(SEAT, "C")]);
    let forced = json!({"type": "dahai", "actor": 1, "pai": "C", "tsumogiri": true});
    assert_eq!(hear(&mut session, later), (vec![forced], false));
}

#[test]
fn a_round_without_an_end_and_a_game_that_begins_again_are_played_on() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN));
    hear(&mut session, [dahai(0, "N", false)]);
    assert_eq!(hear(&mut session, [end_kyoku(), end_game()]), SILENT);
    assert!(!session.game.in_game());
    assert_eq!(hear(&mut session, deal(PLAIN)), SILENT);
    assert_eq!(hear(&mut session, [dahai(0, "4p", false)]), ASKED);
    assert_eq!(session.game.desyncs.total(), 0);
}

#[test]
fn a_host_may_begin_with_any_round() {
    let mut session = hosted();
    assert_eq!(hear(&mut session, [start_kyoku(SEAT, PLAIN), tsumo(0, "?"), dahai(0, "4p", false)]), ASKED);
}

#[test]
fn unknown_lines_are_passed_over_and_a_lost_event_costs_no_discard() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN));
    let lost = json!({"type": "dahai", "actor": 0, "tsumogiri": false});
    assert_eq!(hear(&mut session, [json!({"type": "hello"}), json!({"type": "new"}), lost]), SILENT);
    assert_eq!((session.game.unreadable, session.game.desyncs.total()), (1, 1));
    let discard = json!({"type": "dahai", "actor": 1, "pai": "9m", "tsumogiri": true});
    assert_eq!(hear(&mut session, [tsumo(SEAT, "9m")]), (vec![discard], false));
}

#[test]
fn a_line_that_comes_twice_is_asked_about_again_and_loses_nothing() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN));
    assert_eq!(hear(&mut session, [dahai(0, "N", false), dahai(0, "N", false)]), SILENT);
    hear(&mut session, [tsumo(SEAT, "9m")]);
    let told = session.hear(&tsumo(SEAT, "9m").to_string());
    assert_eq!(told.as_slice(), [SessionStep::Ask], "it has happened once");
    assert_eq!(
        choose(&mut session, throw("C", false)),
        json!({"actor": 1, "pai": "C", "tsumogiri": false, "type": "dahai"})
    );
}

#[test]
fn a_line_that_cannot_be_read_loses_the_thread_in_a_second_game_too() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN).into_iter().chain([ryukyoku([0; 4]), end_kyoku(), end_game()]));
    hear(&mut session, deal(PLAIN));
    assert!(session.game.in_game() && !session.game.is_finished());
    hear(&mut session, [json!({"type": "dahai", "actor": 9, "pai": "N", "tsumogiri": false})]);
    assert_eq!(session.game.desyncs.total(), 1);
}
