//! Riichi, which engines ask for in two steps and a policy in one.

use policy_sdk::testing::Situation;
use riichi::{Action, Event};
use serde_json::json;

use super::*;

/// Tenpai on the C after discarding the drawn P.
const TENPAI: &str = "123m 456p 789s 111z 7z";

fn about_to_declare() -> Situation {
    Situation::drew(TENPAI, "5z").events(&[deal(), draw(0, Some("P"))])
}

fn reach() -> Json {
    json!({"type": "reach", "actor": 0})
}

fn declared() -> Action {
    Action::Reach {
        tile: tile("P"),
        tsumogiri: true,
    }
}

/// The round continues after the own discard of the P, with riichi or without.
fn later(riichi: bool) -> Scene {
    let mut events = vec![deal(), draw(0, Some("P"))];
    if riichi {
        events.extend([Event::Reach { actor: seat(0) }, dahai(0, "P", true)]);
        events.push(Event::ReachAccepted {
            actor: seat(0),
            scores: None,
        });
    } else {
        events.push(dahai(0, "P", true));
    }
    events.extend_from_slice(&around("P", "F")[1..]);
    with_time(Situation::drew(TENPAI, "6z").events(&events), AMPLE)
}

#[test]
fn an_engine_that_wants_riichi_hears_so_says_the_discard_and_hears_of_it_once() {
    let stage = Stage::new(&[json!({"answer": reach()}), throw("P"), throw("F")]);
    let mut bot = stage.bot();
    assert_eq!(
        bot.decide(&with_time(about_to_declare(), AMPLE))
            .unwrap()
            .action,
        declared()
    );
    assert_eq!(
        stage.heard(),
        "end_kyoku start_game start_kyoku tsumo! reach!"
    );
    assert_eq!(bot.decide(&later(true)).unwrap().action, drawn("F"));
    assert_eq!(
        stage.heard(),
        "dahai reach_accepted tsumo dahai tsumo dahai tsumo dahai tsumo!"
    );
}

#[test]
fn a_riichi_that_came_to_nothing_is_forgotten_with_the_round() {
    let stage = Stage::new(&[json!({"answer": reach()}), throw("P"), throw("F")]);
    let mut bot = stage.bot();
    bot.decide(&with_time(about_to_declare(), AMPLE)).unwrap();
    stage.heard();
    assert_eq!(bot.decide(&later(false)).unwrap().action, drawn("F"));
    let again = "end_kyoku start_game start_kyoku tsumo dahai";
    assert_eq!(
        stage.heard(),
        format!("{again} tsumo dahai tsumo dahai tsumo dahai tsumo!")
    );
}

#[test]
fn the_discard_may_come_with_the_riichi() {
    let both =
        json!({"answer": [reach(), {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": true}]});
    let named = json!({"answer": {"type": "reach", "actor": 0, "pai": "P", "tsumogiri": true}});
    for answer in [both, named] {
        let stage = Stage::new(&[answer, throw("F")]);
        let mut bot = stage.bot();
        assert_eq!(
            bot.decide(&with_time(about_to_declare(), AMPLE))
                .unwrap()
                .action,
            declared()
        );
        assert_eq!(stage.heard(), "end_kyoku start_game start_kyoku tsumo!");
        assert_eq!(bot.decide(&later(true)).unwrap().action, drawn("F"));
        assert!(stage.heard().starts_with("reach dahai reach_accepted "));
    }
}

#[test]
fn a_riichi_that_is_not_legal_is_an_error() {
    let stage = Stage::new(&[
        json!({"answer": reach()}),
        json!({"answer": reach()}),
        throw("1m"),
    ]);
    let mut bot = stage.bot();
    let refused = bot.decide(&turn(&begun())).unwrap_err().text;
    assert!(
        refused.starts_with("the engine: it wants to declare riichi; legal is [dahai 1m"),
        "{refused}"
    );
    let refused = bot
        .decide(&with_time(about_to_declare(), AMPLE))
        .unwrap_err()
        .text;
    assert!(
        refused.contains("\"1m\"") && refused.contains("reach P tsumogiri"),
        "{refused}"
    );
}
