//! Engines that take too long.

use serde_json::json;

use super::*;

/// Too little for an answer that waits for a file.
const SHORT: u32 = 50;

fn in_a_hurry(events: &[Event]) -> Scene {
    with_time(turn_of(events), SHORT)
}

/// Once and twice around the table after the beginning.
fn later() -> [Vec<Event>; 2] {
    [gone_on(), [gone_on(), around("C", "P")].concat()]
}

#[test]
fn a_late_answer_is_not_taken_for_the_next() {
    for kind in ["when-asked", "every-line", "every-batch"] {
        // The late answer would be legal the next time too.
        let late = json!({"wait_for": "gate", "answer": {"type": "dahai", "pai": "1m", "tsumogiri": false}});
        let stage = Stage::new(&[late, throw("C")]);
        let command = format!(
            "env {} {}",
            if kind == "every-line" {
                "EVERY_LINE=1"
            } else {
                "ON_TIME=0"
            },
            stage.command()
        );
        let mut bot = create(&command, &[replies(kind)]).unwrap();
        let refused = bot.decide(&in_a_hurry(&begun())).unwrap_err().text;
        assert_eq!(
            refused, "the engine: it did not answer in time; `think_ms` sets how long it has",
            "{kind}"
        );
        fs::write(stage.path("gate"), "").unwrap();
        assert_eq!(
            bot.decide(&turn(&gone_on())).unwrap().action,
            drawn("C"),
            "{kind}"
        );
        assert_eq!(stage.pids().len(), 1, "{kind}");
    }
}

#[test]
fn an_engine_that_is_silent_throughout_two_decisions_is_started_again() {
    let stage = Stage::new(&[json!({"wait_for": "never"})]);
    let mut bot = stage.bot();
    let [second, third] = later();
    bot.decide(&in_a_hurry(&begun())).unwrap_err();
    assert_eq!(stage.pids().len(), 1);
    // It is started within this decision, which may be too short for that.
    let _ = bot.decide(&in_a_hurry(&second));
    assert_eq!(bot.decide(&turn(&third)).unwrap().action, drawn("P"));
    assert_eq!(stage.pids().len(), 2);
}

#[test]
fn an_engine_that_lets_a_question_pass_is_never_a_question_behind() {
    // Text that is not an answer is ignored.
    let stage = Stage::new(&[json!({"answer": "I see nothing to do."})]);
    let mut bot = stage.bot();
    let [second, third] = later();
    bot.decide(&in_a_hurry(&begun())).unwrap_err();
    // The answer may be still to come, so nothing else is asked; in the end the engine is started
    // again.
    let _ = bot.decide(&in_a_hurry(&second));
    assert_eq!(bot.decide(&turn(&third)).unwrap().action, drawn("P"));
    assert_eq!(stage.pids().len(), 2);
}

#[test]
fn an_engine_that_is_only_slow_is_left_alone() {
    let slow = |gate: &str| json!({"wait_for": gate, "answer": {"type": "dahai", "pai": "1m", "tsumogiri": false}});
    let stage = Stage::new(&[slow("one"), slow("two"), throw("P")]);
    let mut bot = stage.bot();
    let [second, third] = later();
    bot.decide(&in_a_hurry(&begun())).unwrap_err();
    fs::write(stage.path("one"), "").unwrap();
    // It hears the first answer, and the second does not come.
    bot.decide(&with_time(turn_of(&second), 1_000)).unwrap_err();
    fs::write(stage.path("two"), "").unwrap();
    assert_eq!(bot.decide(&turn(&third)).unwrap().action, drawn("P"));
    assert_eq!(stage.pids().len(), 1);
}
