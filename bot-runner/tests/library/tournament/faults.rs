//! A policy that fails costs one action and is counted; the others play on.

use super::seated::{entrant, greedy, plan, result};
use crate::common::policies::{OutOfRange, Panics};

#[test]
fn an_answer_out_of_range_is_the_safe_answer_and_counted() {
    let entrants = [entrant::<OutOfRange>(), greedy("never")];
    let result = result(&entrants, &plan(&entrants, 1, 2));
    let [odd, sound] = &result.entrants[..] else {
        panic!("two compete")
    };
    assert!(
        odd.decisions > 100 && (odd.illegal, odd.failed) == (odd.decisions, 0),
        "{odd:?}"
    );
    assert!(
        odd.first_fault
            .as_deref()
            .is_some_and(|fault| fault.contains("it chose the legal action")),
        "{odd:?}"
    );
    assert_eq!(
        (sound.illegal, sound.failed, &sound.first_fault),
        (0, 0, &None)
    );
}

#[test]
fn after_a_panic_a_fresh_instance_decides() {
    let entrants = [entrant::<Panics>(), greedy("never")];
    let result = result(&entrants, &plan(&entrants, 1, 1));
    let [odd, sound] = &result.entrants[..] else {
        panic!("two compete")
    };
    assert_eq!(
        (odd.failed, odd.illegal),
        (odd.seats, 0),
        "the first decision of each game, and no other"
    );
    assert_eq!(odd.first_fault.as_deref(), Some("it panicked: on purpose"));
    assert_eq!((sound.failed, sound.illegal), (0, 0));
}
