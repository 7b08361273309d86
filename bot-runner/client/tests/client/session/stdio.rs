//! Hosted through pipes: an answer when the seat can act, and no other output.

use client::session::stdio::StdioSession;
use client::session::{Dialect, SessionEnd, SessionStep, WrongTable};
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
                SessionStep::Reply(text) => {
                    answers.push(serde_json::from_str(&text).expect("an answer is JSON"))
                }
                SessionStep::Ask => asked = true,
                SessionStep::Ended(end) => panic!("{end:?}: a host ends it by ending the input"),
                SessionStep::Happened(_) | SessionStep::Rebuilt(_) => {}
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
    assert!(
        index.is_some(),
        "{wanted:?} is not a choice of {:?}",
        question.legal
    );
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
    assert_eq!(
        choose(&mut session, riichi::Action::None),
        json!({"type": "none"})
    );
    assert_eq!(hear(&mut session, [tsumo(SEAT, "9m")]), ASKED);
    let discard = json!({"type": "dahai", "actor": 1, "pai": "9m", "tsumogiri": true});
    assert_eq!(choose(&mut session, throw("9m", true)), discard);
    assert_eq!(
        hear(
            &mut session,
            [dahai(SEAT, "9m", true), tsumo(2, "?"), dahai(2, "9s", true)]
        ),
        SILENT
    );
}

#[test]
fn a_line_that_needs_no_answer_gets_none() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN));
    assert_eq!(
        hear(
            &mut session,
            [silenced(dahai(0, "4p", false)), silenced(tsumo(SEAT, "9m"))]
        ),
        SILENT
    );
    assert_eq!(
        session.game.table().expect("a game is on").drawn(),
        Some("9m".parse().expect("a tile"))
    );
}

#[test]
fn a_call_names_whose_tile_it_takes() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN));
    hear(&mut session, [dahai(0, "4p", false)]);
    let expected =
        json!({"type": "pon", "actor": 1, "target": 0, "pai": "4p", "consumed": ["4p", "4p"]});
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
    let mut later = vec![
        dahai(SEAT, "E", false),
        json!({"type": "reach_accepted", "actor": 1}),
    ];
    later.extend([
        tsumo(2, "?"),
        dahai(2, "9m", true),
        tsumo(3, "?"),
        dahai(3, "9m", true),
        tsumo(0, "?"),
    ]);
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
    assert_eq!(
        hear(
            &mut session,
            [
                start_kyoku(SEAT, PLAIN),
                tsumo(0, "?"),
                dahai(0, "4p", false)
            ]
        ),
        ASKED
    );
}

#[test]
fn unknown_lines_are_passed_over_and_a_lost_event_costs_no_discard() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN));
    let lost = json!({"type": "dahai", "actor": 0, "tsumogiri": false});
    assert_eq!(
        hear(
            &mut session,
            [json!({"type": "hello"}), json!({"type": "new"}), lost]
        ),
        SILENT
    );
    assert_eq!(
        (session.game.unreadable, session.game.desyncs.total()),
        (1, 1)
    );
    let discard = json!({"type": "dahai", "actor": 1, "pai": "9m", "tsumogiri": true});
    assert_eq!(
        hear(&mut session, [tsumo(SEAT, "9m")]),
        (vec![discard], false)
    );
}

#[test]
fn a_line_that_comes_twice_is_asked_about_again_and_loses_nothing() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN));
    assert_eq!(
        hear(&mut session, [dahai(0, "N", false), dahai(0, "N", false)]),
        SILENT
    );
    hear(&mut session, [tsumo(SEAT, "9m")]);
    let told = session.hear(&tsumo(SEAT, "9m").to_string());
    assert_eq!(told.as_slice(), [SessionStep::Ask], "it has happened once");
    assert_eq!(
        choose(&mut session, throw("C", false)),
        json!({"actor": 1, "pai": "C", "tsumogiri": false, "type": "dahai"})
    );
}

const NONE: &str = r#"{"type":"none"}"#;

/// Sends a list; returns the immediate answer, none if a question is open.
fn hear_list(session: &mut StdioSession, events: impl IntoIterator<Item = Value>) -> Option<Value> {
    let list = Value::Array(events.into_iter().collect()).to_string();
    let steps = session.hear(&list);
    let answers: Vec<&SessionStep> = steps
        .iter()
        .filter(|step| matches!(step, SessionStep::Reply(_) | SessionStep::Ask))
        .collect();
    match answers[..] {
        [SessionStep::Reply(text)] => Some(serde_json::from_str(text).expect("an answer is JSON")),
        [SessionStep::Ask] => None,
        _ => panic!("{list}: {steps:?}"),
    }
}

#[test]
fn a_list_of_events_gets_one_answer_to_the_last_that_asks_something() {
    let none = Some(json!({"type": "none"}));
    let mut session = hosted();
    assert_eq!(hear_list(&mut session, []), none);
    assert_eq!(hear_list(&mut session, [start_game(3)]), none);
    assert_eq!(
        hear_list(
            &mut session,
            [
                start_kyoku(SEAT, PLAIN),
                tsumo(0, "?"),
                dahai(0, "4p", false)
            ]
        ),
        None
    );
    assert_eq!(
        choose(&mut session, riichi::Action::None),
        json!({"type": "none"})
    );
    assert_eq!(hear_list(&mut session, [tsumo(SEAT, "9m")]), None);
    let discard = choose(&mut session, throw("9m", true));
    let others = [
        tsumo(2, "?"),
        dahai(2, "4p", true),
        tsumo(3, "?"),
        dahai(3, "9s", true),
    ];
    assert_eq!(
        hear_list(&mut session, [discard].into_iter().chain(others)),
        none,
        "the pon is over"
    );
    assert_eq!(
        hear_list(&mut session, [tsumo(0, "?"), dahai(0, "6s", true)]),
        None
    );
    choose(&mut session, riichi::Action::None);
    assert_eq!(
        hear_list(&mut session, [tsumo(SEAT, "9m")].map(silenced)),
        none
    );
    assert_eq!(
        hear_list(&mut session, [ryukyoku([0; 4]), end_kyoku()]),
        none
    );
    assert_eq!(hear_list(&mut session, [end_game()]), none);
    assert_eq!(
        (session.game.unreadable, session.game.desyncs.total()),
        (0, 0),
        "{:?}",
        session.game.desyncs
    );
}

#[test]
fn a_dora_indicator_at_the_end_of_a_list_does_not_take_the_question_away() {
    let mut session = hosted();
    hear_list(&mut session, deal("1m 6m 4p 4p 4p 1s 3s 5s 6s 6s 7s F C"));
    assert_eq!(hear_list(&mut session, [dahai(0, "4p", false)]), None);
    let used = ["4p"; 3];
    let kan = json!({"type": "daiminkan", "actor": 1, "target": 0, "pai": "4p", "consumed": used});
    let dora = json!({"type": "dora", "dora_marker": "9s"});
    assert_eq!(
        hear_list(&mut session, [kan, tsumo(SEAT, "9m"), dora]),
        None
    );
    choose(&mut session, throw("9m", true));
    assert_eq!(
        session.game.desyncs.total(),
        0,
        "{:?}",
        session.game.desyncs
    );
}

#[test]
fn in_lists_the_discard_of_a_riichi_answers_the_declaration() {
    let mut session = hosted();
    hear_list(&mut session, deal(ALMOST));
    assert_eq!(
        hear_list(&mut session, [dahai(0, "N", false), tsumo(SEAT, "3s")]),
        None
    );
    let declaration = choose(&mut session, reach("E", false));
    let discard = json!({"type": "dahai", "actor": 1, "pai": "E", "tsumogiri": false});
    assert_eq!(hear_list(&mut session, [declaration]), Some(discard));
}

#[test]
fn a_list_that_cannot_be_read_gets_its_answer_too() {
    let mut session = hosted();
    hear_list(&mut session, deal(PLAIN));
    for bad in [
        "[",
        "[{]",
        "[1,2]",
        "[[]]",
        "[{\"type\":\"hello\"}]",
        " [ ] ",
    ] {
        assert_eq!(
            session.hear(bad),
            [SessionStep::Reply(NONE.to_owned())],
            "{bad}"
        );
    }
    assert_eq!(
        (session.game.unreadable, session.game.desyncs.total()),
        (5, 0)
    );
    let lost = json!({"type": "dahai", "actor": 0, "tsumogiri": false});
    let discard = json!({"type": "dahai", "actor": 1, "pai": "9m", "tsumogiri": true});
    assert_eq!(
        hear_list(&mut session, [lost, tsumo(SEAT, "9m")]),
        Some(discard)
    );
    assert_eq!(session.game.blind_answers, 1);
}

#[test]
fn blank_lines_are_ignored() {
    let mut session = hosted();
    hear(&mut session, deal(PLAIN));
    for blank in ["", " ", "\r", "\t \r\n"] {
        assert_eq!(session.hear(blank), []);
    }
    assert_eq!(session.game.unreadable, 0);
}

/// A table of three in four slots; our hand has a North.
fn dealt_to_three() -> [Value; 5] {
    let mut start = start_kyoku(SEAT, "1m 9m 1p 1p 9p 1s 2s 3s 9s E S P N");
    start["scores"] = json!([35000, 35000, 35000, 0]);
    start["dora_marker"] = json!("1s");
    [
        start_game(SEAT),
        start,
        tsumo(0, "?"),
        dahai(0, "8s", false),
        tsumo(SEAT, "7s"),
    ]
}

#[test]
fn a_table_of_three_in_four_slots_is_played_by_the_session_for_three_from_the_same_line() {
    let rules = Rules::TENHOU_HALF;
    for lists in [false, true] {
        let lines: Vec<String> = match lists {
            true => vec![
                json!([start_game(SEAT)]).to_string(),
                json!(dealt_to_three()[1..]).to_string(),
            ],
            false => dealt_to_three().iter().map(Value::to_string).collect(),
        };
        let mut session = hosted();
        session.hear(&lines[0]);
        let steps = session.hear(&lines[1]);
        let wrong = WrongTable {
            dealt: 3,
            players: 4,
        };
        assert_eq!(steps, [SessionStep::Ended(SessionEnd::WrongTable(wrong))]);
        let (mut session, again) = session.with_rules(rules.with_players(3));
        assert_eq!(again.as_ref(), Some(&lines[1]));
        let steps: Vec<SessionStep> = lines[1..]
            .iter()
            .flat_map(|line| session.hear(line))
            .collect();
        assert_eq!(steps.last(), Some(&SessionStep::Ask), "{steps:?}");
        assert_eq!(choose(&mut session, riichi::Action::Kita)["pai"], "N");
        let drawn = ryukyoku([-4000, 0, 4000, 0]);
        session.hear(&if lists { json!([drawn]) } else { drawn }.to_string());
        assert_eq!(
            session.game.desyncs.total(),
            0,
            "{:?}",
            session.game.desyncs
        );
        assert_eq!(
            session
                .game
                .table()
                .expect("a game is on")
                .scores()
                .as_slice(),
            [31_000, 35_000, 39_000]
        );
    }
}

#[test]
fn the_number_of_players_may_be_told_before_the_deal() {
    let told = json!({"type": "start_game", "id": 1, "num_players": 3});
    let wrong = WrongTable {
        dealt: 3,
        players: 4,
    };
    assert_eq!(
        hosted().hear(&told.to_string()),
        [SessionStep::Ended(SessionEnd::WrongTable(wrong))]
    );
}

#[test]
fn a_north_is_set_aside_under_the_hosts_name() {
    let three = || StdioSession::new(seat(SEAT), Rules::TENHOU_HALF.with_players(3));
    let own_north = |session: &mut StdioSession, lines: Vec<Value>| {
        lines
            .iter()
            .for_each(|line| drop(session.hear(&line.to_string())));
        choose(session, riichi::Action::Kita)["type"].clone()
    };
    let dealt = |slots: usize, tells: bool| {
        let mut lines = dealt_to_three().to_vec();
        for key in ["scores", "tehais"] {
            lines[1][key]
                .as_array_mut()
                .expect("a list")
                .truncate(slots);
        }
        if tells {
            lines[0]["num_players"] = json!(3);
        }
        lines
    };
    assert_eq!(own_north(&mut three(), dealt(3, false)), "kita");
    assert_eq!(
        own_north(&mut three(), dealt(4, false)),
        "nukidora",
        "libriichi3p's family"
    );
    assert_eq!(own_north(&mut three(), dealt(4, true)), "kita", "Akagi");
    for name in ["kita", "nukidora", "nuki"] {
        for slots in [3, 4] {
            let mut lines = dealt(slots, false);
            let north = [json!({"type": name, "actor": 0, "pai": "N"}), tsumo(0, "?")];
            lines.splice(3..3, north);
            assert_eq!(own_north(&mut three(), lines), name);
        }
    }
}

#[test]
fn a_line_that_cannot_be_read_loses_the_thread_in_a_second_game_too() {
    let mut session = hosted();
    hear(
        &mut session,
        deal(PLAIN)
            .into_iter()
            .chain([ryukyoku([0; 4]), end_kyoku(), end_game()]),
    );
    hear(&mut session, deal(PLAIN));
    assert!(session.game.in_game() && !session.game.is_finished());
    hear(
        &mut session,
        [json!({"type": "dahai", "actor": 9, "pai": "N", "tsumogiri": false})],
    );
    assert_eq!(session.game.desyncs.total(), 1);
}
