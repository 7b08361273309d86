use super::*;

use doudizhu::{Rank, RankMasks};

use crate::playout::ranks::HIGH_RANKS;
use crate::worlds::HiddenCards;

const HANDS: [&str; 3] = [
    "3344556677889TJQK",
    "34567899TTJJQQKKA",
    "3456789TJQKAAA222",
];

#[test]
fn a_peasant_deals_the_public_cards_to_the_landlord_and_each_seat_its_number_of_cards() {
    let game = scene(HANDS, "2xX", &["334455667788", "", ""]);
    let table = table_of(&game, seat(1));
    let mut hidden = HiddenCards::new(&table, seat(1));
    let mut hands_of_the_landlord = Vec::new();
    for _ in 0..50 {
        let world = hidden.deal();
        assert_eq!(world.hands.map(RankMasks::len), [8, 17, 17]);
        assert_eq!(world.hands[1], RankMasks::new(table.hand_counts()));
        assert_eq!(
            world.hands[0].with(1) & HIGH_RANKS,
            HIGH_RANKS & ((1 << Rank::COUNT) - 1),
            "{:?}",
            world.hands[0]
        );
        assert!(world.rest.is_empty());
        hands_of_the_landlord.push(world.hands[0]);
    }
    hands_of_the_landlord.dedup();
    assert!(hands_of_the_landlord.len() > 40, "other hands each time");
}

#[test]
fn before_the_landlord_is_known_three_cards_are_in_no_hand() {
    let game = DouDizhuGame::new(random_deal(1), DouDizhuRules::BIDDING);
    let table = table_of(&game, seat(0));
    let world = HiddenCards::new(&table, seat(0)).deal();
    assert_eq!(
        (world.hands.map(RankMasks::len), world.rest.len()),
        ([17; 3], 3)
    );
}
