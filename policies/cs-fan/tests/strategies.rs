//! The strategies against each other and against random play. The long runs: `cargo run --release
//! -p cs-fan --example duplicate`.

#[path = "duplicate/duplicate.rs"]
mod duplicate;

use duplicate::{Strategy, duplicate};

fn named(name: &str) -> Strategy {
    Strategy::named(name).expect("a strategy")
}

/// The mean is above nothing by twice its standard error, and no player claims a win that is none.
fn beats(walls: u64, names: [&str; 2]) {
    let result = duplicate(walls, names.map(named));
    let (mean, error) = result.score();
    assert!(mean > 2.0 * error, "{names:?}: {result}");
    assert_eq!(result.faults, [0, 0], "{names:?}: {result}");
}

#[test]
fn fan_beats_eight_step() {
    beats(12, ["fan", "eight-step-3"]);
}

#[test]
fn fan_beats_random_play() {
    beats(6, ["fan", "random"]);
}

#[test]
fn eight_step_beats_random_play_on_every_level() {
    for level in ["eight-step-1", "eight-step-2", "eight-step-3"] {
        beats(30, [level, "random"]);
    }
}
