use super::*;

use riichi::MeldKind;

/// Two sets, a pair, and three shapes, two of which are needed.
const SHAPES: &str = "234567m 88s 12p 68p";

#[test]
fn the_lowest_shanten_number_comes_before_acceptance() {
    let situation =
        Situation::drew("234567m 23p 68p 44s 1z", "9s").legal(&[from_hand("4s"), from_hand("1z")]);
    let answered = answers(&[], situation);
    assert_eq!(answered.action, from_hand("1z"));
    let [without_pair, best] = answered.values[..] else {
        panic!("two values")
    };
    assert!(
        without_pair + 2_000.0 > best + 1_000.0,
        "the other discard leaves more tiles: {:?}",
        answered.values
    );
}

#[test]
fn among_those_it_takes_the_discard_with_the_most_acceptance() {
    // 45s and 23p are open on both sides, 68p is not.
    assert_eq!(
        throws(Situation::called("234567m 45s 23p 68p 88s")),
        tile("8p")
    );
    assert_eq!(
        throws(Situation::called("234567m 45s 13p 67p 88s")),
        tile("1p")
    );
}

#[test]
fn acceptance_counts_the_copies_not_yet_seen() {
    // 3p completes 12p, 7p completes 68p; four copies of each, so the tie discards 1p.
    let hand =
        || Situation::called(&format!("45s {SHAPES}")).legal(&[from_hand("1p"), from_hand("6p")]);
    assert_eq!(throws(hand()), tile("1p"));
    assert_eq!(throws(hand().river(1, "7p")), tile("6p"), "seen in a river");
    assert_eq!(
        throws(hand().riichi(2, "7p")),
        tile("6p"),
        "seen as a riichi tile"
    );
    assert_eq!(
        throws(hand().dora_markers("7p")),
        tile("6p"),
        "seen as a dora indicator"
    );
    assert_eq!(
        throws(hand().meld(3, MeldKind::Chi, "789p", 2)),
        tile("6p"),
        "seen in a meld"
    );
}

#[test]
fn acceptance_does_not_count_copies_in_the_own_hand() {
    let situation = Situation::called("123456m 7p 9s")
        .meld(0, MeldKind::Pon, "555z", 1)
        .meld(0, MeldKind::Pon, "666z", 1);
    let answered = answers(&[], situation.legal(&[from_hand("9s")]));
    assert_eq!(answered.values, [3.0], "7p alone waits for its other three");
}

#[test]
fn tenpai_and_closed_it_declares_riichi_at_once() {
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
fn riichi_is_declared_with_the_discard_of_the_most_acceptance() {
    // Without 7p it waits on 3p and 6p, without 4p on 6p alone.
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
fn without_a_listed_riichi_it_discards_the_same_tile() {
    let drawn = Action::Dahai {
        tile: tile("4p"),
        tsumogiri: true,
    };
    let situation = Situation::drew("123456m 789s 57p 88p", "4p").legal(&[drawn, from_hand("7p")]);
    assert_eq!(throws(situation), tile("7p"));
}

#[test]
fn an_open_hand_does_not_run_into_tenpai_without_a_yaku() {
    // Throwing 8m leaves a wait on 5s and 8s that cannot win, throwing 1m a hand of simples a step
    // away.
    let situation = Situation::drew("23m 44s 67s 8m", "1m");
    let situation = situation
        .meld(0, MeldKind::Chi, "345p", 3)
        .meld(0, MeldKind::Chi, "678p", 3);
    assert_eq!(throws(situation), tile("1m"));
}

#[test]
fn yaku_do_not_matter_for_a_closed_hand() {
    // Throwing 1p would leave simples, a step away; throwing 4s leaves it tenpai, silent without
    // any yaku.
    let situation =
        Situation::called("234567m 88s 123p 468s").legal(&[from_hand("1p"), from_hand("4s")]);
    assert_eq!(throws(situation), tile("4s"));
}

#[test]
fn others_riichi_changes_nothing() {
    let hand = || Situation::called(&format!("45s {SHAPES}"));
    let calm = answers(&[], hand().river(1, "9m"));
    let threatened = answers(&[], hand().riichi(1, "9m"));
    assert_eq!(
        (calm.action, calm.values),
        (threatened.action, threatened.values)
    );
}

#[test]
fn the_value_of_a_discard_is_its_tiles_less_a_thousand_for_each_step_to_tenpai() {
    let situation =
        Situation::called("234567m 45s 23p 68p 88s").legal(&[from_hand("8p"), from_hand("8s")]);
    let answered = answers(&[], situation);
    // 36s and 14p; without the pair, two steps from tenpai.
    assert_eq!(answered.values[0], 16.0 - 1_000.0);
    assert!(answered.values[1] < -1_900.0);
    assert_eq!(answered.reason, "1-shanten, 16 tiles of 4 kinds");
}

#[test]
fn a_riichi_has_the_value_of_its_discard_and_other_actions_have_none() {
    let ankan = Action::Ankan {
        consumed: [tile("1m"); 4],
    };
    let situation = Situation::drew("111m 456p 789s 23s 55p", "1m").legal(&[
        ankan,
        Action::Reach {
            tile: tile("1m"),
            tsumogiri: true,
        },
        Action::Dahai {
            tile: tile("1m"),
            tsumogiri: true,
        },
    ]);
    let answered = answers(&[], situation);
    assert!(answered.values[0].is_nan());
    // 1s and 4s.
    assert_eq!(answered.values[1..], [8.0, 8.0]);
    assert_eq!(answered.reason, "tenpai, 8 tiles of 2 kinds");
}
