//! Which combination beats which.

use doudizhu::combination::NotBeaten;
use doudizhu::{Combination, DouDizhuRules};

use crate::cards;

fn on(own: &str, other: &str) -> Result<(), NotBeaten> {
    let made = |text| Combination::of(cards(text), DouDizhuRules::FIXED).expect("a combination");
    made(own).check_beats(&made(other))
}

#[test]
fn the_same_kind_and_size_is_beaten_by_a_higher_lowest_rank() {
    assert_eq!(on("4", "3"), Ok(()));
    assert_eq!(on("X", "x"), Ok(()));
    assert_eq!(on("x", "2"), Ok(()));
    assert_eq!(on("45678", "34567"), Ok(()));
    for (own, other) in [
        ("3", "3"),
        ("33", "44"),
        ("34567", "34567"),
        ("3333", "4444"),
    ] {
        assert_eq!(
            on(own, other),
            Err(NotBeaten::NotHigher),
            "{own} on {other}"
        );
    }
}

#[test]
fn wings_are_not_compared() {
    assert_eq!(on("4443", "333X"), Ok(()));
    assert_eq!(on("44455533 66", "333444 AA22"), Ok(()));
}

#[test]
fn another_kind_or_other_wings_do_not_beat() {
    for (own, other) in [
        ("44", "3"),
        ("444", "3334"),
        ("44433", "3334"),
        ("44445566", "333345"),
        ("456789", "334455"),
    ] {
        assert_eq!(
            on(own, other),
            Err(NotBeaten::MismatchKind),
            "{own} on {other}"
        );
    }
}

#[test]
fn a_longer_run_does_not_beat_a_shorter_one() {
    assert_eq!(on("456789", "34567"), Err(NotBeaten::MismatchLength));
    assert_eq!(on("444555666", "333444"), Err(NotBeaten::MismatchLength));
}

#[test]
fn a_bomb_beats_everything_but_a_higher_bomb_and_the_rocket() {
    for other in ["X", "33", "34567", "333444", "333345", "33334444"] {
        assert_eq!(on("3333", other), Ok(()), "{other}");
        assert_eq!(on(other, "3333"), Err(NotBeaten::NotHigher), "{other}");
    }
    assert_eq!(on("4444", "3333"), Ok(()));
    assert_eq!(on("xX", "2222"), Ok(()));
    assert_eq!(on("2222", "xX"), Err(NotBeaten::NotHigher));
}

#[test]
fn a_shuttle_is_no_bomb() {
    assert_eq!(on("33334444", "22"), Err(NotBeaten::MismatchKind));
    assert_eq!(on("44445555", "33334444"), Ok(()));
}
