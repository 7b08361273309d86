use super::*;

use mahjong::MeldKind;

/// Tenpai on 1s and 4s without one of four 1m.
fn four_of_a_kind() -> (Situation, Action) {
    let ankan = Action::Ankan { consumed: [tile("1m"); 4] };
    (Situation::drew("111m 456p 789s 23s 55p", "1m").also(ankan), ankan)
}

#[test]
fn it_makes_no_kan_by_default() {
    let (situation, _) = four_of_a_kind();
    assert!(matches!(chooses(&[], situation), Action::Reach { .. }));
}

#[test]
fn with_kan_safe_it_shows_a_closed_kan_that_leaves_shanten_and_waits_unchanged() {
    let (situation, ankan) = four_of_a_kind();
    assert_eq!(chooses(&[KANS], situation), ankan);
}

#[test]
fn with_kan_safe_it_shows_none_that_raises_shanten() {
    // 111m and 123m.
    let ankan = Action::Ankan { consumed: [tile("1m"); 4] };
    let situation = Situation::drew("11123m 456p 23s 55p 1z", "1m").also(ankan);
    assert_ne!(chooses(&[KANS], situation), ankan);
}

#[test]
fn with_kan_safe_it_shows_none_that_changes_the_waits() {
    // Without 4z, 3333456p waits on 6p; after the kan 456p is a set and 4z the wait, which keeps tenpai all the same.
    let ankan = Action::Ankan { consumed: [tile("3p"); 4] };
    let situation = Situation::drew("123789m 333456p 4z", "3p").also(ankan);
    assert_ne!(chooses(&[KANS], situation), ankan);
}

#[test]
fn with_kan_safe_it_adds_to_a_pon() {
    let kakan = Action::Kakan { tile: tile("5z"), consumed: [tile("5z"); 3] };
    let situation = Situation::drew("123m 456p 23s 99s", "5z").meld(0, MeldKind::Pon, "555z", 2).also(kakan);
    assert_eq!(chooses(&[KANS], situation.clone()), kakan);
    assert_eq!(chooses(&[], situation), Action::Dahai { tile: tile("5z"), tsumogiri: true });
}

#[test]
fn it_never_calls_an_open_kan() {
    let daiminkan = Action::Daiminkan { target: seat(1), tile: tile("5z"), consumed: [tile("5z"); 3] };
    let situation = Situation::offered("123m 456p 23s 99s 555z", "5z", 1).also(daiminkan);
    assert_eq!(chooses(&[KANS, CALLS], situation), Action::None);
}
