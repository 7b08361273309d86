//! Levels that see more.

use super::*;

use policy_sdk::testing::{Scene, tiles};
use riichi::{KindSet, MeldKind};

/// 1s and 5m are single.
fn alone() -> Situation {
    Situation::called("5m 1s 23p 67p 99p 1144z 77z")
}

/// All that goes with 5m but 5m itself.
const AROUND: &str = "3333444466667777m";

/// The same with all that goes with 5m in the rivers.
fn alone_without_company() -> Situation {
    alone().river(1, AROUND)
}

#[test]
fn level_1_sees_its_hand_only() {
    for situation in [
        alone(),
        alone_without_company(),
        alone().meld(2, MeldKind::Pon, "222s", 1),
    ] {
        assert_eq!(throws(&[], situation), tile("1s"));
    }
    // Tenpai on 2p or 4p.
    let hand =
        || Situation::called("123456m 789s 88p 135p").legal(&[from_hand("5p"), from_hand("1p")]);
    assert_eq!(throws(&[], hand()), throws(&[], hand().river(1, "444p")));
}

#[test]
fn level_2_uses_the_tiles_on_the_table_for_single_tiles() {
    assert_eq!(throws(&[LEVEL_2], alone()), tile("1s"));
    assert_eq!(throws(&[LEVEL_2], alone_without_company()), tile("5m"));
}

#[test]
fn level_2_counts_what_lies_on_the_table_for_waits() {
    let hand =
        || Situation::called("123456m 789s 88p 135p").legal(&[from_hand("5p"), from_hand("1p")]);
    assert_eq!(throws(&[LEVEL_2], hand().river(1, "2p")), tile("1p"));
    assert_eq!(throws(&[LEVEL_2], hand().river(1, "4p")), tile("5p"));
    // On rung E, 23m waits for 1m and 4m, 33m for 3m.
    let block = || Situation::called("233m 56p 99p 123s 78s 55z");
    assert_eq!(throws(&[LEVEL_2], block()), tile("3m"));
    assert_eq!(
        throws(
            &[LEVEL_2],
            block()
                .river(1, "1111m")
                .river(2, "444m")
                .meld(3, MeldKind::Chi, "456m", 2)
        ),
        tile("2m")
    );
}

#[test]
fn level_2_keeps_within_a_rung_what_brings_the_hand_nearer() {
    // Rung F: 12p wants 3p alone, 78p more, until the table shows most of that.
    let hand = |seen| Situation::called("234m 12p 78p 56s 99s 555z").river(1, seen);
    assert_eq!(throws(&[LEVEL_2], hand("")), tile("1p"));
    assert_eq!(throws(&[LEVEL_2], hand("666699p")), tile("8p"));
}

#[test]
fn level_2_counts_what_lies_on_the_table_for_seven_pairs() {
    let hand =
        || Situation::called("11m 55m 99m 33s 77s 46p 8s 1z").legal(&["4p", "6p"].map(from_hand));
    assert_eq!(throws(&[], hand().river(1, "44p")), tile("4p"));
    assert_eq!(throws(&[LEVEL_2], hand().river(1, "66p")), tile("6p"));
}

/// A riichi of a seat that cannot win on these tiles.
fn riichi(situation: Situation, seats: &[(usize, &str)]) -> Scene {
    let declared = seats.iter().fold(situation, |situation, &(seat, _)| {
        situation.riichi(seat as u8, "2z")
    });
    let mut scene = declared.build();
    for &(seat, safe) in seats {
        let kinds: KindSet = tiles(safe).into_iter().map(Tile::kind).collect();
        scene.raw_mut().cannot_ron[seat].since_riichi = kinds.bits();
    }
    scene
}

fn decides(settings: &[Setting<'_>], scene: &Scene) -> Action {
    TestInstance::create(&ENTRY, "eight-step", settings)
        .unwrap()
        .decide(scene)
        .unwrap()
        .action
}

#[test]
fn level_3_keeps_to_tiles_safe_against_a_riichi() {
    let scene = riichi(alone(), &[(1, "67p")]);
    assert_eq!(decides(&[LEVEL_2], &scene), from_hand("1s"));
    assert_eq!(decides(&[LEVEL_3], &scene), from_hand("7p"));
}

#[test]
fn level_3_goes_down_the_ladder_when_nothing_is_safe() {
    assert_eq!(
        decides(&[LEVEL_3], &riichi(alone(), &[(1, "8p")])),
        from_hand("1s")
    );
}

#[test]
fn level_3_prefers_tiles_that_are_safe_against_more_of_several_riichi() {
    let scene = riichi(alone(), &[(1, "1s6p"), (3, "6p")]);
    assert_eq!(decides(&[LEVEL_3], &scene), from_hand("6p"));
    let scene = riichi(alone(), &[(1, "9p"), (3, "8p")]);
    assert_eq!(decides(&[LEVEL_3], &scene), from_hand("9p"));
}

#[test]
fn level_3_attacks_when_tenpai() {
    let hand = Situation::drew("123456m 789s 45p 88p", "1z");
    let scene = riichi(hand, &[(1, "8p")]);
    assert_eq!(
        decides(&[LEVEL_3], &scene),
        Action::Reach {
            tile: tile("1z"),
            tsumogiri: true
        }
    );
}

/// A hand at a table where seat 2 has called 456s and this, and discarded these.
fn beside_two_melds(second: &str, thrown: &str) -> Situation {
    // 1s goes with fewer unseen tiles than 1m.
    Situation::called("1m 1s 23p 67p 99p 1144z 77z")
        .meld(2, MeldKind::Chi, "456s", 1)
        .meld(2, MeldKind::Pon, second, 0)
        .river(2, thrown)
        .river(3, "3333s")
}

#[test]
fn level_3_avoids_a_suit_that_a_player_collects() {
    assert_eq!(
        throws(&[LEVEL_3], beside_two_melds("999s", "9m9p")),
        tile("1m")
    );
    assert_eq!(
        throws(&[LEVEL_2], beside_two_melds("999s", "9m9p")),
        tile("1s"),
        "level 2"
    );
    assert_eq!(
        throws(&[LEVEL_3], beside_two_melds("666z", "9m9p")),
        tile("1m"),
        "honours go with any suit"
    );
    let listed = beside_two_melds("999s", "9m9p").legal(&[from_hand("1s"), from_hand("9p")]);
    assert_eq!(throws(&[LEVEL_3], listed), tile("1s"), "within a rung");
}

#[test]
fn level_3_does_not_assume_a_flush_of_a_discarded_suit_from_melds_of_two_suits_or_from_one_meld() {
    assert_eq!(
        throws(&[LEVEL_3], beside_two_melds("999s", "9m9p 7788s")),
        tile("1s"),
        "it discards that suit"
    );
    assert_eq!(
        throws(&[LEVEL_3], beside_two_melds("999m", "9p")),
        tile("1s"),
        "two suits"
    );
    let hand = Situation::called("1m 1s 23p 67p 99p 1144z 77z").meld(2, MeldKind::Chi, "456s", 1);
    assert_eq!(
        throws(&[LEVEL_3], hand.river(2, "9m9p").river(3, "3333s")),
        tile("1s"),
        "one meld"
    );
}
