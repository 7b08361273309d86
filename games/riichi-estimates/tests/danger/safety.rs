//! Certain safety.

use riichi::MeldKind;
use riichi_estimates::danger::Class;

use crate::scene::river;

#[test]
fn its_own_discards_are_certainly_safe() {
    let scene = river("5m").riichi("E");
    assert_eq!(
        (scene.class("5m"), scene.class("E")),
        (Class::Never, Class::Never)
    );
    assert_eq!((scene.deal_in("5m"), scene.deal_in("E")), (0.0, 0.0));
    assert!(scene.deal_in("5p") > 0.0);
}

#[test]
fn what_passed_since_its_last_discard_or_its_riichi_is_certainly_safe() {
    let scene = river("1m").riichi("E").passed("5p");
    assert_eq!(scene.deal_in("5p"), 0.0);
}

#[test]
fn an_honour_of_which_all_are_in_sight_is_certainly_safe_unless_thirteen_orphans_are_possible() {
    let all_seen = river("1m").riichi("2m").see("P P P P");
    assert_eq!(
        all_seen.class("P"),
        Class::Honour {
            unseen: 0,
            value: true
        }
    );
    assert_eq!(
        all_seen.clone().see("9s 9s 9s 9s").class("P"),
        Class::Never,
        "another orphan is used up"
    );
    let with_meld = river("1m").meld(MeldKind::Pon, "E E E").see("P P P P");
    assert_eq!(
        with_meld.class("P"),
        Class::Never,
        "an open hand is none of orphans"
    );
}

#[test]
fn a_suited_kind_that_no_unseen_tiles_can_wait_for_is_certainly_safe() {
    // No 4p, no 6p, and the own 5p is the last.
    let scene = river("1m")
        .riichi("2m")
        .see("4p 4p 4p 4p 6p 6p 6p 6p 5p 5p 5p 5p");
    assert_eq!(scene.class("5p"), Class::Never);
    assert_eq!(scene.deal_in("5p"), 0.0);
}
