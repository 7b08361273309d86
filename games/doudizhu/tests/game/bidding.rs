//! The course of the bidding.

use doudizhu::game::DouDizhuFault;
use doudizhu::{DouDizhuAction, DouDizhuEvent, DouDizhuGame, DouDizhuRules, DouDizhuSeat};

use crate::scene::{bid_all, seat, sorted_deal};

fn game(bids: &[u8]) -> DouDizhuGame {
    let mut game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::BIDDING);
    bid_all(&mut game, bids);
    game
}

#[test]
fn without_bidding_seat_0_is_the_landlord_and_leads_with_the_public_cards() {
    let game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::FIXED);
    assert_eq!(
        (game.round().landlord(), game.asked()),
        (Some(DouDizhuSeat::FIRST), Some(DouDizhuSeat::FIRST))
    );
    assert_eq!(
        DouDizhuSeat::all()
            .map(|seat| game.hand(seat).len())
            .collect::<Vec<_>>(),
        [20, 17, 17]
    );
    assert_eq!(
        game.events(),
        [DouDizhuEvent::Landlord {
            seat: DouDizhuSeat::FIRST,
            public: sorted_deal().public()
        }]
    );
}

#[test]
fn seats_bid_once_each_from_seat_0_and_the_highest_bidder_is_the_landlord() {
    for (bids, landlord) in [
        ([0, 1, 2], 2),
        ([1, 2, 0], 1),
        ([2, 0, 0], 0),
        ([0, 0, 1], 2),
    ] {
        let game = game(&bids);
        assert_eq!(game.round().landlord(), Some(seat(landlord)), "{bids:?}");
        assert_eq!(game.asked(), Some(seat(landlord)), "{bids:?}");
        assert_eq!(game.hand(seat(landlord)).len(), 20, "{bids:?}");
    }
}

#[test]
fn the_highest_bid_there_is_ends_the_bidding() {
    assert_eq!(game(&[3]).round().landlord(), Some(seat(0)));
    assert_eq!(game(&[0, 3]).round().landlord(), Some(seat(1)));
}

#[test]
fn seat_0_is_the_landlord_if_no_seat_bids() {
    assert_eq!(game(&[0, 0, 0]).round().landlord(), Some(seat(0)));
}

#[test]
fn a_bid_is_0_or_higher_than_all_before_it() {
    let bids = |bids: &[u8]| {
        bids.iter()
            .copied()
            .map(DouDizhuAction::Bid)
            .collect::<Vec<_>>()
    };
    assert_eq!(game(&[]).legal_actions(), bids(&[0, 1, 2, 3]));
    assert_eq!(game(&[1]).legal_actions(), bids(&[0, 2, 3]));
    assert_eq!(game(&[0, 2]).legal_actions(), bids(&[0, 3]));
    for wrong in [1, 2, 4] {
        assert_eq!(
            game(&[2]).act(DouDizhuAction::Bid(wrong)),
            Err(DouDizhuFault::InvalidBid),
            "{wrong}"
        );
    }
}
