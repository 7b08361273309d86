//! The messages and questions to an engine.

use policy_sdk::abi::log::{DRAW_EXHAUSTIVE, EVENT_DELTAS, EVENT_HORA, EVENT_RYUKYOKU, LogEvent};
use policy_sdk::abi::status::STATUS_UNAVAILABLE;
use policy_sdk::testing::Situation;
use riichi::{Action, Event};
use serde_json::json;

use super::*;

const TRIAL: &str = "start_game start_kyoku tsumo dahai tsumo! ";
const ALL_AROUND: &str = "dahai tsumo dahai tsumo dahai tsumo dahai tsumo!";

#[test]
fn the_round_is_sent_once_and_then_only_new_events() {
    let stage = Stage::new(&[]);
    let mut bot = stage.bot();
    assert_eq!(bot.decide(&turn(&begun())).unwrap().action, drawn("F"));
    assert_eq!(stage.heard(), "end_kyoku start_game start_kyoku tsumo!");
    assert_eq!(bot.decide(&turn(&gone_on())).unwrap().action, drawn("C"));
    assert_eq!(stage.heard(), ALL_AROUND);
}

#[test]
fn a_new_round_comes_after_the_end_of_the_last_and_a_new_game_after_a_new_start() {
    let stage = Stage::new(&[]);
    let mut bot = stage.bot();
    bot.decide(&turn(&begun())).unwrap();
    stage.heard();
    let mut next_round = turn(&begun());
    next_round.raw_mut().honba = 1;
    bot.decide(&next_round).unwrap();
    assert_eq!(stage.heard(), "end_kyoku start_kyoku tsumo!");
    next_round.raw_mut().game_number = 1;
    bot.decide(&next_round).unwrap();
    assert_eq!(stage.heard(), "end_kyoku start_game start_kyoku tsumo!");
}

/// The first turn of a round that began with these points, after one that ended like this.
fn turn_after(ends: &[LogEvent], points: [i32; 4]) -> Scene {
    let mut scene = turn(&begun());
    scene.events_mut().splice(..0, ends.iter().copied());
    let raw = scene.raw_mut();
    (raw.honba, raw.start_scores, raw.scores) = (1, points, points);
    scene
}

const WON: LogEvent = LogEvent {
    kind: EVENT_HORA,
    actor: 0,
    target: 2,
    tile: 8,
    flags: EVENT_DELTAS,
    deltas: [8_000, 0, -8_000, 0],
    ..LogEvent::EMPTY
};

/// The messages between a round and the engine's first turn of the next, when this scene ends the
/// round.
fn heard_between(bot: &mut TestInstance, stage: &Stage, next: &Scene) -> Vec<Json> {
    bot.decide(&turn_after(&[], [25_000; 4])).unwrap();
    stage.heard();
    bot.decide(next).unwrap();
    let heard = fs::read_to_string(stage.path("heard")).unwrap();
    heard
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .take_while(|event: &Json| event["type"] != "start_kyoku")
        .collect()
}

#[test]
fn how_a_round_ended_is_reported_before_the_next() {
    let stage = Stage::new(&[]);
    let mut bot = stage.bot();
    let mut next = turn_after(&[WON], [33_000, 24_000, 17_000, 25_000]);
    next.raw_mut().honba = 2;
    let heard = heard_between(&mut bot, &stage, &next);
    let hora = json!({"type": "hora", "actor": 0, "target": 2, "pai": "9m", "deltas": [8_000, 0, -8_000, 0],
        "ura_markers": [], "can_act": false});
    assert_eq!(
        heard,
        [hora, json!({"type": "end_kyoku", "can_act": false})]
    );
}

#[test]
fn a_draw_is_reported_with_its_reason() {
    let stage = Stage::new(&[]);
    let drawn = LogEvent {
        kind: EVENT_RYUKYOKU,
        reason: DRAW_EXHAUSTIVE,
        actor: policy_sdk::abi::NONE,
        ..WON
    };
    let drawn = LogEvent {
        target: policy_sdk::abi::NONE,
        tile: policy_sdk::abi::NONE,
        deltas: [1_500, 1_500, -1_500, -1_500],
        ..drawn
    };
    let mut next = turn_after(&[drawn], [26_500, 26_500, 23_500, 23_500]);
    next.raw_mut().honba = 2;
    let heard = heard_between(&mut stage.bot(), &stage, &next);
    assert_eq!(
        (&heard[0]["type"], &heard[0]["reason"]),
        (&json!("ryukyoku"), &json!("exhaustive_draw"))
    );
    assert_eq!(heard[0]["deltas"], json!([1_500, 1_500, -1_500, -1_500]));
}

#[test]
fn an_unsent_end_of_a_round_is_omitted() {
    let stage = Stage::new(&[]);
    // Between the two lies a round in which nothing was asked.
    let mut next = turn_after(&[WON], [40_000, 20_000, 15_000, 25_000]);
    next.raw_mut().honba = 2;
    let heard = heard_between(&mut stage.bot(), &stage, &next);
    assert_eq!(heard, [json!({"type": "end_kyoku", "can_act": false})]);
}

#[test]
fn bots_for_mjai_app_hear_of_the_end_alone() {
    let stage = Stage::new(&[]);
    let mut bot = create(&stage.command(), &[replies("every-batch")]).unwrap();
    bot.decide(&turn_after(&[], [25_000; 4])).unwrap();
    stage.heard();
    let mut next = turn_after(&[WON], [33_000, 25_000, 17_000, 25_000]);
    next.raw_mut().honba = 2;
    bot.decide(&next).unwrap();
    assert_eq!(stage.heard(), "[end_kyoku] [start_kyoku tsumo]");
}

#[test]
fn a_log_that_does_not_continue_the_last_is_replayed_from_its_start() {
    let stage = Stage::new(&[]);
    let mut bot = stage.bot();
    bot.decide(&turn(&gone_on())).unwrap();
    stage.heard();
    let otherwise = [begun(), around("F", "P")].concat();
    assert_eq!(bot.decide(&turn(&otherwise)).unwrap().action, drawn("P"));
    assert_eq!(
        stage.heard(),
        format!("end_kyoku start_game start_kyoku tsumo {ALL_AROUND}")
    );
}

#[test]
fn the_same_position_can_be_asked_again() {
    let stage = Stage::new(&[]);
    let mut bot = stage.bot();
    for _ in 0..2 {
        assert_eq!(bot.decide(&turn(&begun())).unwrap().action, drawn("F"));
    }
}

#[test]
fn only_own_tiles_are_shown() {
    let stage = Stage::new(&[]);
    stage.bot().decide(&turn(&gone_on())).unwrap();
    let heard = fs::read_to_string(stage.path("heard")).unwrap();
    let deals: Vec<Json> = heard
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let deal = deals
        .iter()
        .rfind(|event| event["type"] == "start_kyoku")
        .unwrap();
    let shown: Vec<bool> = deal["tehais"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hand| hand[0] != "?")
        .collect();
    assert_eq!(shown, [true, false, false, false]);
    let hidden = deals
        .iter()
        .filter(|event| event["type"] == "tsumo" && event["actor"] != 0);
    assert!(hidden.map(|event| &event["pai"]).all(|pai| pai == "?"));
}

#[test]
fn events_after_the_one_to_react_to_are_sent_the_next_time() {
    let stage = Stage::new(&[json!({"answer": {"type": "none"}})]);
    let mut bot = stage.bot();
    let riichi = [Event::Reach { actor: seat(1) }, dahai(1, "F", true)];
    let accepted = Event::ReachAccepted {
        actor: seat(1),
        scores: None,
    };
    let offered = [
        &begun()[..],
        &[dahai(0, "F", true), draw(1, None)],
        &riichi,
        &[accepted],
    ]
    .concat();
    let pass = Situation::offered(HAND, "6z", 1).events(&offered);
    assert_eq!(
        bot.decide(&with_time(pass, AMPLE)).unwrap().action,
        Action::None
    );
    assert_eq!(
        stage.heard(),
        "end_kyoku start_game start_kyoku tsumo dahai tsumo reach dahai!"
    );
    let rest = [
        draw(2, None),
        dahai(2, "9s", true),
        draw(3, None),
        dahai(3, "9s", true),
        draw(0, Some("C")),
    ];
    bot.decide(&turn(&[&offered[..], &rest].concat())).unwrap();
    assert_eq!(
        stage.heard(),
        "reach_accepted tsumo dahai tsumo dahai tsumo!"
    );
}

#[test]
fn a_call_and_its_discard_may_come_in_one_answer() {
    let pon = json!({"type": "pon", "actor": 0, "target": 3, "pai": "E", "consumed": ["E", "E"]});
    let discard = json!({"type": "dahai", "actor": 0, "pai": "9s", "tsumogiri": false});
    let stage = Stage::new(&[json!({"answer": [pon, discard]}), throw("C")]);
    let mut bot = stage.bot();
    let hand = "147m 258p 369s 1123z";
    let offered = [&[deal()], &around("F", "C")[..6], &[dahai(3, "E", true)]].concat();
    let call = Action::Pon {
        target: seat(3),
        tile: tile("E"),
        consumed: [tile("E"); 2],
    };
    let situation = Situation::offered(hand, "1z", 3)
        .events(&offered)
        .also(call);
    assert_eq!(
        bot.decide(&with_time(situation, AMPLE)).unwrap().action,
        call
    );
    stage.heard();
    let pon = Event::Pon {
        actor: seat(0),
        target: seat(3),
        tile: tile("E"),
        consumed: [tile("E"); 2],
    };
    let called = [&offered[..], &[pon]].concat();
    let after = Situation::called("147m 258p 369s 23z")
        .meld(0, riichi::MeldKind::Pon, "111z", 3)
        .events(&called);
    let chosen = bot.decide(&with_time(after, AMPLE)).unwrap().action;
    assert_eq!(
        chosen,
        Action::Dahai {
            tile: tile("9s"),
            tsumogiri: false
        }
    );
    // It is not asked again for an announced action; the next answer belongs to the next question.
    let next = [
        &called[..],
        &[dahai(0, "9s", false)],
        &around("F", "C")[1..],
    ]
    .concat();
    let later = Situation::drew("147m 258p 36s 23z", "7z")
        .meld(0, riichi::MeldKind::Pon, "111z", 3)
        .events(&next);
    assert_eq!(
        bot.decide(&with_time(later, AMPLE)).unwrap().action,
        drawn("C")
    );
    assert!(stage.heard().starts_with("pon dahai "));
}

#[test]
fn an_engine_that_answers_every_batch_gets_lists() {
    let stage = Stage::new(&[]);
    let mut bot = create(&stage.command(), &[replies("every-batch")]).unwrap();
    assert_eq!(bot.decide(&turn(&begun())).unwrap().action, drawn("F"));
    let trial = "[start_game] [start_kyoku tsumo dahai tsumo]";
    assert_eq!(
        stage.heard(),
        format!("{trial} [end_kyoku] [start_game] [start_kyoku tsumo]")
    );
    assert_eq!(bot.decide(&turn(&gone_on())).unwrap().action, drawn("C"));
    assert_eq!(
        stage.heard(),
        "[dahai tsumo dahai tsumo dahai tsumo dahai tsumo]"
    );
}

#[test]
fn an_engine_that_answers_every_line_is_taken_at_the_last_of_its_answers() {
    let stage = Stage::new(&[]);
    let command = format!("env EVERY_LINE=1 {}", stage.command());
    let mut bot = create(&command, &[replies("every-line")]).unwrap();
    assert_eq!(bot.decide(&turn(&begun())).unwrap().action, drawn("F"));
    assert_eq!(bot.decide(&turn(&gone_on())).unwrap().action, drawn("C"));
}

#[test]
fn an_illegal_answer_is_an_error_and_the_next_answer_is_accepted_again() {
    let stage = Stage::new(&[throw("9p")]);
    let mut bot = stage.bot();
    let refused = bot.decide(&turn(&begun())).unwrap_err().text;
    assert!(
        refused.starts_with("the engine: it answered {") && refused.contains("\"9p\""),
        "{refused}"
    );
    assert!(
        refused.contains("legal is [") && refused.contains("dahai F tsumogiri"),
        "{refused}"
    );
    assert_eq!(bot.decide(&turn(&gone_on())).unwrap().action, drawn("C"));
}

#[test]
fn what_cannot_be_read_is_an_error_and_a_greeting_is_no_answer() {
    let broken = json!({"answer": "{\"type\":"});
    let stage = Stage::new(&[
        broken,
        json!({"answer": "hello\n{\"type\":\"dahai\",\"pai\":\"C\"}"}),
    ]);
    let mut bot = stage.bot();
    let refused = bot.decide(&turn(&begun())).unwrap_err().text;
    assert!(
        refused.starts_with("the engine: its answer {\"type\": cannot be read"),
        "{refused}"
    );
    assert_eq!(bot.decide(&turn(&gone_on())).unwrap().action, drawn("C"));
}

#[test]
fn in_a_round_not_seen_from_its_start_it_is_not_asked_without_a_fault() {
    let stage = Stage::new(&[]);
    let refused = stage
        .bot()
        .decide(&with_time(turn_of(&begun()).events(&[]), AMPLE))
        .unwrap_err();
    assert_eq!(refused.status, STATUS_UNAVAILABLE);
    assert_eq!(
        refused.text,
        "the engine: the round was not seen from its start"
    );
    assert_eq!(
        fs::read_to_string(stage.path("heard"))
            .unwrap()
            .lines()
            .count(),
        TRIAL.split_whitespace().count()
    );
}
