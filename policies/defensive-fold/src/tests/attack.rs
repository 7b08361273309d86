//! While no player threatens: attacks like greedy-tenpai with calls.

use super::*;

use riichi::MeldKind;

#[test]
fn the_lowest_shanten_number_comes_first() {
    // Without the pair of 4s there would be more tiles, and a step more to go.
    let situation =
        Situation::drew("234567m 23p 68p 44s 1z", "9s").legal(&[from_hand("4s"), from_hand("1z")]);
    assert_eq!(throws(&situation.build()), tile("1z"));
}

#[test]
fn among_those_it_takes_the_discard_with_the_most_acceptance() {
    // 45s and 23p are open on both sides, 68p is not.
    assert_eq!(
        throws(&Situation::called("234567m 45s 23p 68p 88s").build()),
        tile("8p")
    );
    assert_eq!(
        throws(&Situation::called("234567m 45s 13p 67p 88s").build()),
        tile("1p")
    );
}

#[test]
fn of_two_ways_as_wide_it_takes_the_one_worth_more() {
    // 3p completes 12p, 7p completes 68p, and 7p is dora.
    let situation =
        Situation::called("45s 234567m 88s 12p 68p").legal(&[from_hand("6p"), from_hand("1p")]);
    assert_eq!(throws(&situation.dora_markers("6p").build()), tile("1p"));
}

#[test]
fn a_tie_follows_the_order_of_greedy_tenpai() {
    let alone = |first, second| {
        let hand = format!("234567m 99m 23p 68p {first} {second}");
        throws(
            &Situation::called(&hand)
                .legal(&[from_hand(second), from_hand(first)])
                .build(),
        )
    };
    assert_eq!(
        alone("4z", "1z"),
        tile("4z"),
        "the guest wind before the value honour"
    );
    assert_eq!(
        alone("1z", "1s"),
        tile("1z"),
        "the value honour before the one"
    );
}

#[test]
fn closed_and_tenpai_on_a_good_wait_it_declares_riichi() {
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
fn an_open_hand_keeps_its_yaku() {
    // All simples except 1s, which would be as wide.
    let situation = Situation::drew("456m 88m 56p 1s 34s", "2s").meld(0, MeldKind::Chi, "234m", 3);
    assert_eq!(throws(&situation.build()), tile("1s"));
}
