//! Folding: the safest tile, by classes, and one turn further.

use super::*;

use riichi::MeldKind;

/// A hand without hope and two tiles to choose from, after these discards of the seat across, and
/// of the next seat, which then declares riichi.
fn facing(across: &str, next: &str, one: &str, other: &str) -> Situation {
    Situation::called(&format!("147m 258p 13s 123z 6m {one} {other}"))
        .legal(&[from_hand(one), from_hand(other)])
        .river(2, across)
        .river(1, next)
        .riichi(1, "4z")
}

/// Throws the one rather than the other, whichever is listed first, and not for want of a
/// difference.
#[track_caller]
fn first(situation: impl Fn(&str, &str) -> Situation, safe: &str, than: &str) {
    let answered = decides(&[], &situation(safe, than).build());
    assert_eq!(
        answered.action,
        from_hand(safe),
        "{safe} rather than {than}"
    );
    assert!(
        answered.values[0] > answered.values[1],
        "{safe} {than}: {:?}",
        answered.values
    );
    assert_eq!(
        throws(&situation(than, safe).build()),
        tile(safe),
        "{safe} rather than {than}, listed last"
    );
}

#[track_caller]
fn safer(river: &str, safe: &str, than: &str) {
    first(|one, other| facing("", river, one, other), safe, than);
}

#[test]
fn certainly_safe_tiles_go_first() {
    safer("5s", "5s", "9p");
    safer("5s", "5s", "7z");
}

#[test]
fn what_passed_since_its_riichi_or_its_last_discard_is_certainly_safe() {
    for since_riichi in [true, false] {
        let mut scene = facing("", "9p", "5s", "7z").build();
        let passed = &mut scene.raw_mut().cannot_ron[1];
        let place = if since_riichi {
            &mut passed.since_riichi
        } else {
            &mut passed.since_discard
        };
        *place = 1 << tile("5s").kind().index();
        assert_eq!(throws(&scene), tile("5s"));
    }
}

#[test]
fn honours_are_ordered_by_how_many_are_seen() {
    // All seen before the riichi. With no 9p left no player waits with thirteen orphans.
    for (copies_of_7z, copies_of_6z) in [("7z", ""), ("7z7z", "6z"), ("7z7z7z", "6z6z")] {
        let across = format!("9p9p9p9p{copies_of_7z}{copies_of_6z}");
        first(|one, other| facing(&across, "9m", one, other), "7z", "6z");
    }
}

#[test]
fn suji_of_one_and_nine_before_suji_of_two_and_eight_before_suji_of_three_and_seven() {
    safer("4s5s6s", "9s", "8s");
    safer("4s5s", "8s", "7s");
    safer("6m5s", "9m", "8s");
    safer("5m4s", "8m", "7s");
}

#[test]
fn suji_before_none() {
    safer("6s", "9s", "9m");
    safer("5s", "8s", "8m");
    safer("4s", "7s", "7p");
}

#[test]
fn of_the_middle_tiles_suji_on_both_sides_before_one_before_none() {
    safer("1s7s1m", "4s", "4m");
    safer("1s", "4s", "4p");
    safer("2s8s2m", "5s", "5m");
    safer("2s", "5s", "5m");
    safer("3s9s3m", "6s", "6p");
    safer("9s", "6s", "6p");
}

#[test]
fn no_chance_before_one_chance_before_neither() {
    let walls =
        |across: &'static str| move |one: &str, other: &str| facing(across, "5z", one, other);
    first(walls("8s8s8s8s8m8m8m"), "9s", "9m");
    first(walls("8m8m8m8m8s8s8s"), "9m", "9s");
    first(walls("8s8s8s"), "9s", "9m");
    first(walls("8m8m8m"), "9m", "9s");
}

/// The value of discarding a tile after this river of the riichi.
fn value(river: &str, thrown: &str) -> f32 {
    decides(&[], &facing("", river, thrown, "7z").build()).values[0]
}

#[test]
fn outside_of_a_discard_the_safer_the_earlier_it_was() {
    let [very_early, early, late] =
        ["7s 111z 222z", "111z 7s 222z", "111z 222z 7s"].map(|river| value(river, "8s"));
    assert!(
        very_early > early && early > late,
        "{very_early} {early} {late}"
    );
}

#[test]
fn of_the_suit_of_an_early_five_safer_than_of_a_late_one() {
    let [early, late] = ["111z 5s 222z", "111z 222z 5s"].map(|river| value(river, "9s"));
    assert!(early > late, "{early} {late}");
}

#[test]
fn tiles_near_the_dora_are_worse() {
    let near =
        |marker| move |one: &str, other: &str| facing("", "9p", one, other).dora_markers(marker);
    first(near("4s"), "6m", "6s");
    first(near("4m"), "6s", "6m");
}

/// Riichi of two seats, one after the other.
fn facing_two(next: &str, across: &str, one: &str, other: &str) -> Situation {
    Situation::called(&format!("147m 19s 123z 6m 77z 2p {one} {other}"))
        .legal(&[from_hand(one), from_hand(other)])
        .river(1, next)
        .river(2, across)
        .riichi(1, "4z")
        .riichi(2, "4z")
}

#[test]
fn of_several_riichi_safe_against_both_before_safe_against_one() {
    first(
        |one, other| facing_two("5s8p", "8p", one, other),
        "8p",
        "5s",
    );
    first(
        |one, other| facing_two("8p", "5s8p", one, other),
        "8p",
        "5s",
    );
}

#[test]
fn of_several_riichi_the_dangers_are_combined() {
    // 5s is safe against the one of them, 8p is suji of both.
    first(
        |one, other| facing_two("5s5p", "5p", one, other),
        "8p",
        "5s",
    );
    // 5s is as dangerous to the other alone.
    let against_one = |one: &str, other: &str| facing_two("5s5p", "5s5p", one, other);
    first(against_one, "5s", "8p");
}

#[test]
fn it_looks_one_turn_further_two_safe_tiles_in_sight_are_better_than_one() {
    // The value of discarding the safe 5s, late and without hope, with these other tiles.
    let value = |others: &str| {
        let situation = Situation::called(&format!("147m 258p 1s 22z 68m 5s {others}"));
        let mut scene = situation
            .legal(&[from_hand("5s")])
            .river(1, "5s9p")
            .riichi(1, "4z")
            .build();
        scene.raw_mut().tiles_left = 8;
        decides(&[], &scene).values[0]
    };
    assert!(value("3p 9p") > value("3p 7p"), "9p is safe too");
    assert!(value("3p 5s") > value("3p 7p"), "a second 5s");
}

#[test]
fn of_two_tiles_as_dangerous_the_one_of_a_pair_goes_first_since_the_second_is_safe_then() {
    // Two copies of each dragon are unseen; the pair is listed last, and has the higher index.
    let situation = Situation::called("147m 258p 19s 23z 6m 677z")
        .river(2, "6z")
        .river(1, "9m")
        .riichi(1, "4z");
    assert_eq!(
        throws(&situation.legal(&[from_hand("6z"), from_hand("7z")]).build()),
        tile("7z")
    );
}

#[test]
fn open_melds_threaten_too() {
    // 6m goes with 7m, 7z with nothing; 6m is certainly safe.
    let quiet = || {
        Situation::called("23467m 258p 258s 337z")
            .legal(&[from_hand("6m"), from_hand("7z")])
            .river(1, "6m1m9m1p9p2z1z8m1s4z2m")
    };
    let open = quiet()
        .meld(1, MeldKind::Pon, "555m", 2)
        .meld(1, MeldKind::Pon, "666z", 2)
        .meld(1, MeldKind::Chi, "345p", 0);
    assert_eq!(
        (throws(&quiet().build()), throws(&open.build())),
        (tile("7z"), tile("6m"))
    );
}
