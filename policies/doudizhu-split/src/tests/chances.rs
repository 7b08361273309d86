use super::*;

use crate::chances::{OtherHand, holds};

const HANDS: [&str; 3] = ["3344556677889TJQK", "34567899TTJJQQKKA", "3456789TJQKAAA222"];

fn other(game: &CardGame, own: u8, of: u8) -> OtherHand {
    OtherHand::new(&table_of(game, seat(own)), seat(of))
}

#[test]
fn a_public_card_is_the_landlord_s_for_certain() {
    let game = scene(HANDS, "2xX", &[]);
    let landlord = other(&game, 1, 0);
    assert!(landlord.beats(&play_of("A")) > 0.999_999);
    let peasant = other(&game, 1, 2);
    assert!(peasant.beats(&play_of("2")) < 0.1, "only a bomb would");
}

#[test]
fn nobody_beats_the_highest_cards_but_with_a_bomb() {
    let game = scene(HANDS, "2xX", &[]);
    let peasants = [other(&game, 0, 1), other(&game, 0, 2)];
    // The landlord sees one four at most in the others' hands of each rank of which it has none itself.
    let holding = holds(&play_of("X"), &peasants);
    assert!((0.9..1.0).contains(&holding), "{holding}");
}

#[test]
fn higher_cards_and_lower_sizes_hold_better() {
    let game = scene(HANDS, "2xX", &[]);
    let peasants = [other(&game, 0, 1), other(&game, 0, 2)];
    for (weaker, stronger) in [("3", "K"), ("33", "KK"), ("34567", "9TJQK"), ("334455", "667788")] {
        assert!(holds(&play_of(weaker), &peasants) < holds(&play_of(stronger), &peasants), "{weaker} {stronger}");
    }
}

#[test]
fn a_seat_with_fewer_cards_than_the_play_does_not_beat_it() {
    // The landlord has the 2 and the jokers left.
    let plays = ["334455667788", "", "", "9TJQK", "", ""];
    let game = scene(["3344556677889TJQK", "34567899TTJJQQKKA", "3456789TJQKAAA222"], "2xX", &plays);
    let landlord = other(&game, 1, 0);
    assert_eq!(landlord.left, 3);
    let rocket = 0.5;
    assert!((landlord.beats(&play_of("34567")) - rocket).abs() < 1e-9, "with the rocket only");
}
