use super::*;

use doudizhu::DouDizhuEvent;

use crate::bid::chance_as_landlord;

fn table_with(hand: &str, bids: &[u8]) -> DouDizhuSeatState {
    let mut table = DouDizhuSeatState::new(DouDizhuRules::BIDDING);
    let hand = cards(hand)
        .cards_of(CardSet::ALL)
        .expect("cards of the deck");
    table
        .apply(&DouDizhuEvent::Deal {
            seat: seat(bids.len() as u8),
            hand,
        })
        .expect("17 cards");
    for (number, &bid) in bids.iter().enumerate() {
        table
            .apply(&DouDizhuEvent::Bid {
                seat: seat(number as u8),
                bid,
            })
            .expect("a bid");
    }
    table
}

fn bid(hand: &str, bids: &[u8]) -> DouDizhuAction {
    let table = table_with(hand, bids);
    let legal = table.legal_actions();
    legal[decision(&table, &legal).index]
}

const STRONG: &str = "3456789TAAAA222xX";
const WEAK: &str = "34566789TTJJQQK45";

#[test]
fn it_bids_the_most_with_a_hand_that_wins_more_often_than_not() {
    assert_eq!(bid(STRONG, &[]), DouDizhuAction::Bid(3));
    assert_eq!(bid(STRONG, &[0, 2]), DouDizhuAction::Bid(3));
}

#[test]
fn it_does_not_bid_with_a_hand_that_loses_more_often_than_not() {
    for bids in [&[][..], &[0], &[1, 2]] {
        assert_eq!(
            bid("3344578899TJJQQK4", bids),
            DouDizhuAction::Bid(0),
            "{bids:?}"
        );
    }
}

#[test]
fn the_stronger_hand_has_the_better_chance() {
    let chance = |hand| {
        chance_as_landlord(&table_with(hand, &[]), &SplitEffort::DEFAULT).expect("cards were dealt")
    };
    assert!(chance("3344578899TJJQQK4") < chance(WEAK));
    assert!(chance(WEAK) < chance(STRONG));
}
