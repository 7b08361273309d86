//! Folding: the safest tile, by classes, and one turn further.

use super::*;

/// A hand without hope, a riichi by the next seat, and two tiles to choose from.
fn facing(river: &str, one: &str, other: &str) -> Situation {
    Situation::called(&format!("147m 258p 19s 12z 3z 6m {one} {other}"))
        .legal(&[from_hand(one), from_hand(other)])
        .river(1, river)
        .riichi(1, "4z")
}

#[track_caller]
fn safer(river: &str, safe: &str, than: &str) {
    assert_eq!(throws(&facing(river, safe, than).build()), tile(safe), "{safe} rather than {than}");
    assert_eq!(throws(&facing(river, than, safe).build()), tile(safe), "{safe} rather than {than}, listed last");
}

#[test]
fn certainly_safe_tiles_go_first() {
    safer("5s", "5s", "9p");
    safer("5s", "5s", "7z");
}

#[test]
fn what_passed_since_its_riichi_or_its_last_discard_is_certainly_safe() {
    for since_riichi in [true, false] {
        let mut scene = facing("9p", "5s", "7z").build();
        let passed = &mut scene.raw_mut().cannot_ron[1];
        let place = if since_riichi { &mut passed.since_riichi } else { &mut passed.since_discard };
        *place = 1 << tile("5s").kind().index();
        assert_eq!(throws(&scene), tile("5s"));
    }
}

#[test]
fn honours_go_by_how_many_are_seen() {
    let seen_more = facing("9p", "6z", "7z").river(2, "6z6z");
    assert_eq!(throws(&seen_more.build()), tile("6z"));
}

#[test]
fn suji_of_one_and_nine_before_suji_of_two_and_eight_before_suji_of_three_and_seven() {
    safer("4s5s6s", "9s", "8s");
    safer("4s5s", "8s", "7s");
    safer("4s", "7s", "3p");
}

#[test]
fn suji_before_none() {
    safer("4s", "1s", "1p");
    safer("5s", "2s", "2p");
    safer("6s", "3s", "3p");
}

#[test]
fn of_the_middle_tiles_suji_on_both_sides_before_one_before_none() {
    safer("1s7s1m", "4s", "4m");
    safer("1m", "4m", "4p");
    safer("2s8s2m", "5s", "5m");
    safer("2m", "5m", "5p");
}

#[test]
fn no_chance_before_one_chance_before_neither() {
    let walls = |seen: &str| facing("9p", "9s", "9m").river(2, seen).build();
    assert_eq!(throws(&walls("8s8s8s8s")), tile("9s"));
    // The own hand holds none of them.
    assert_eq!(throws(&facing("9p", "9s", "9m").river(2, "8s8s8s8s").river(3, "8m8m8m").build()), tile("9s"));
    assert_eq!(throws(&walls("8m8m8m")), tile("9m"));
}

#[test]
fn outside_of_an_early_discard_before_others() {
    safer("7s", "8s", "8p");
}

#[test]
fn tiles_near_the_dora_are_worse() {
    let near = |marker| throws(&facing("9p", "4s", "4m").dora_markers(marker).build());
    assert_eq!((near("4s"), near("4m")), (tile("4m"), tile("4s")));
}

#[test]
fn several_riichi_are_combined() {
    // 5s is safe against the one, 2p against the other; 8p is suji of both.
    let situation = |extra: &str| {
        Situation::called(&format!("147m 19s 12z 3z 6m 77z 5s 2p {extra}"))
            .river(1, "5s5p")
            .riichi(1, "4z")
            .river(2, "5p")
            .riichi(2, "4z")
    };
    let both = situation("8p").legal(&[from_hand("5s"), from_hand("8p")]);
    assert_eq!(throws(&both.build()), tile("8p"), "suji of both before safe against one of two");
}

#[test]
fn it_looks_one_turn_further_two_safe_tiles_in_sight_are_better_than_one() {
    // What throwing the safe 5s is worth, late and without hope, with these other tiles.
    let value = |others: &str| {
        let situation = Situation::called(&format!("147m 258p 1s 22z 68m 5s {others}"));
        let mut scene = situation.legal(&[from_hand("5s")]).river(1, "5s9p").riichi(1, "4z").build();
        scene.raw_mut().tiles_left = 8;
        decides(&[], &scene).values[0]
    };
    assert!(value("3p 9p") > value("3p 7p"), "9p is safe too");
    assert!(value("3p 5s") > value("3p 7p"), "a second 5s");
}

#[test]
fn open_melds_threaten_too() {
    use mahjong::MeldKind;
    let quiet = Situation::called("147m 258p 19s 12z 3z 6m 5s 7z").legal(&[from_hand("5s"), from_hand("7z")]);
    let open = quiet
        .river(1, "5s1m9m1p9p2z3z8m1s9s4z2m")
        .meld(1, MeldKind::Pon, "555m", 2)
        .meld(1, MeldKind::Pon, "666z", 2)
        .meld(1, MeldKind::Chi, "345p", 0);
    assert_eq!(throws(&open.build()), tile("5s"));
}
