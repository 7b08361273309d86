//! The contents of a situation's line.

use policy_sdk::testing::{Situation, from_hand, pon};
use serde_json::{Value, json};

use crate::riichi::RiichiView;

fn line(situation: Situation) -> Value {
    let line = situation
        .build()
        .view(|view| RiichiView::of(view).expect("a sound log").line())
        .expect("a sound view");
    serde_json::from_str(&line).expect("JSON")
}

fn action<'l>(line: &'l Value, fields: &Value) -> &'l Value {
    let fields = fields.as_object().expect("an object");
    let is_it = |action: &&Value| fields.iter().all(|(key, value)| action[key] == *value);
    line["legal"]
        .as_array()
        .expect("a list")
        .iter()
        .find(is_it)
        .unwrap_or_else(|| panic!("{fields:?} in {line}"))
}

#[test]
fn a_discard_has_the_outlook_of_the_hand_without_it() {
    let line = line(Situation::drew("123456m 789s 45p 88p", "1z"));
    assert_eq!(
        (&line["request"], &line["drawn"]),
        (
            &json!({"type": "own_turn", "pai": null, "from": null}),
            &json!("E")
        )
    );
    assert_eq!(line["hand"].as_array().expect("a list").len(), 14);
    assert_eq!(line["shanten"], 0);
    assert_eq!(line["acceptance"], json!({"3p": 4, "6p": 4}));
    let after = &action(
        &line,
        &json!({"type": "dahai", "pai": "E", "tsumogiri": true}),
    )["after"];
    assert_eq!(
        after,
        &json!({"shanten": 0, "acceptance": {"3p": 4, "6p": 4}, "tiles": 8})
    );
    let riichi = action(&line, &json!({"type": "reach", "pai": "E"}));
    assert_eq!((&riichi["actor"], &riichi["after"]), (&json!(0), after));
    let worse = action(&line, &json!({"type": "dahai", "pai": "4p"}));
    assert_eq!(worse["after"]["shanten"], 1);
}

#[test]
fn a_call_has_the_outlook_after_its_best_discard_and_passing_that_of_the_present_hand() {
    let offered = Situation::offered("123m 456p 23s 99s 55z 1z", "5z", 1);
    let line = line(offered.also(pon("5z", 1)));
    assert_eq!(
        line["request"],
        json!({"type": "dahai", "pai": "P", "from": 1})
    );
    let call = action(
        &line,
        &json!({"type": "pon", "pai": "P", "target": 1, "consumed": ["P", "P"]}),
    );
    assert_eq!(
        (&call["after"]["shanten"], &call["after"]["acceptance"]),
        (&json!(0), &json!({"1s": 4, "4s": 4}))
    );
    let pass = action(&line, &json!({"type": "none"}));
    assert_eq!(
        (&pass["after"]["shanten"], &pass["after"]["acceptance"]),
        (&line["shanten"], &line["acceptance"])
    );
    assert_eq!(line["shanten"], 1);
}

#[test]
fn a_river_says_which_tiles_came_from_the_hand_and_who_declared_riichi() {
    let situation = Situation::drew("123m 456p 789s 1112z", "2z")
        .river(2, "9s")
        .riichi(2, "0p")
        .legal(&[from_hand("2z")]);
    let line = line(situation);
    let shown = &line["seats"][2];
    let discard = |pai: &str, drawn: bool, order: u8| json!({"pai": pai, "tsumogiri": drawn, "riichi": drawn, "called_by": null, "order": order});
    assert_eq!(
        shown["river"],
        json!([discard("9s", false, 0), discard("5pr", true, 1)])
    );
    assert_eq!(shown["riichi"]["accepted"], true);
    assert_eq!(
        (&line["dora_markers"], &line["dora"]),
        (&json!(["9m"]), &json!(["1m"]))
    );
    assert_eq!(
        (&line["unseen"]["9s"], &line["unseen_reds"]["5pr"]),
        (&json!(2), &json!(0))
    );
}

#[test]
fn a_hand_that_is_complete_says_so() {
    let line = line(Situation::drew("123m 456p 789s 1112z", "2z"));
    assert_eq!(line["shanten"], -1);
}
