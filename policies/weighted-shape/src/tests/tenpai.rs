//! The discard from a hand that can be tenpai.

use super::*;

use riichi::MeldKind;

/// Without 6p it waits for a third 4p or 8p, without a 4p for 5p.
const TWO_PAIRS_OR_A_GAP: &str = "123456m 789s 88p 446p";

#[test]
fn tenpai_it_takes_the_discard_with_the_most_kinds_of_waits() {
    // Two kinds with three tiles, and one with four.
    let situation = Situation::called(TWO_PAIRS_OR_A_GAP).river(1, "8p");
    let answered = answers(&[PLAIN], situation);
    assert_eq!(
        answered.action,
        Action::Reach {
            tile: tile("6p"),
            tsumogiri: false
        }
    );
    assert_eq!(answered.reason, "tenpai, 2 kinds of waits; Q 0.50");
}

#[test]
fn closed_and_tenpai_it_declares_riichi() {
    let situation = Situation::drew("123456m 789s 45p 88p", "1z");
    assert_eq!(
        chooses(&[], situation),
        Action::Reach {
            tile: tile("1z"),
            tsumogiri: true
        }
    );
}

#[test]
fn open_and_tenpai_it_keeps_the_most_kinds_of_waits_too() {
    let situation = Situation::called("456m 88p 446p 789s")
        .meld(0, MeldKind::Pon, "555z", 1)
        .river(1, "8p");
    assert_eq!(throws(&[], situation), tile("6p"));
}

/// Without 1p it waits for 4p, without 5p for 2p.
fn two_gaps() -> Situation {
    Situation::called("123456m 789s 88p 135p")
}

#[test]
fn of_equally_many_kinds_it_keeps_the_one_with_more_tiles_not_yet_seen() {
    assert_eq!(
        chooses(&[], two_gaps().river(1, "2p")),
        Action::Reach {
            tile: tile("1p"),
            tsumogiri: false
        }
    );
    assert_eq!(
        chooses(&[], two_gaps().river(1, "4p")),
        Action::Reach {
            tile: tile("5p"),
            tsumogiri: false
        }
    );
}

#[test]
fn of_equally_many_tiles_the_highest_index_goes() {
    assert_eq!(
        chooses(&[], two_gaps()),
        Action::Reach {
            tile: tile("5p"),
            tsumogiri: false
        }
    );
}

#[test]
fn a_wait_equal_to_the_discarded_tile_does_not_count() {
    // Complete, but without a yaku. Without 9s it waits for 6s and 9s, without 5p for 5p.
    let open = Situation::called("456m 789s 55p")
        .meld(0, MeldKind::Chi, "234s", 3)
        .meld(0, MeldKind::Pon, "999p", 1);
    let answered = answers(&[NO_CALLS], open.legal(&[from_hand("5p"), from_hand("9s")]));
    assert_eq!(
        (answered.action, answered.values),
        (from_hand("9s"), vec![0.0, 101.0])
    );
}

#[test]
fn a_tenpai_discard_is_worth_a_hundred_and_the_kinds_of_waits_with_riichi_or_without() {
    let each = [
        Action::Reach {
            tile: tile("6p"),
            tsumogiri: false,
        },
        from_hand("6p"),
        from_hand("4p"),
    ];
    let situation = Situation::called(TWO_PAIRS_OR_A_GAP).legal(&each);
    assert_eq!(answers(&[], situation).values, [102.0, 102.0, 101.0]);
}
