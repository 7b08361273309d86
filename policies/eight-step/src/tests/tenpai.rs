//! A: tenpai.

use super::*;

#[test]
fn a_first_it_keeps_the_widest_wait() {
    // Without 7p it waits for 3p and 6p, without 4p for 6p alone.
    let situation = Situation::drew("123456m 789s 57p 88p", "4p");
    assert_eq!(
        chooses(&[], situation),
        Action::Reach {
            tile: tile("7p"),
            tsumogiri: false
        }
    );
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
