//! Deals by their ranks, and games that are played by text.

use doudizhu::game::{DouDizhuFault, DouDizhuGame};
use doudizhu::{
    Card, CardSet, DouDizhuAction, DouDizhuDeal, DouDizhuPlay, DouDizhuSeat, DouDizhuSeatState,
    RankCounts,
};

pub(crate) fn seat(number: u8) -> DouDizhuSeat {
    DouDizhuSeat::new(number).expect("a seat")
}

pub(crate) fn cards(text: &str) -> RankCounts {
    text.parse().expect("cards")
}

/// Seat 0 has the first hand and so on; the suits are the lowest that are left.
pub(crate) fn deal(hands: [&str; 3], public: &str) -> DouDizhuDeal {
    let mut left = CardSet::ALL;
    let mut take = |text: &str| {
        let taken = cards(text)
            .cards_of(left)
            .expect("no more cards than the deck has");
        left = left.without(taken);
        taken
    };
    DouDizhuDeal::new(hands.map(&mut take), take(public)).expect("a deal")
}

/// The ranks in order: seat 0 has the low ones and a 7, seat 1 the middle ones, seat 2 the high
/// ones; a two and the jokers are public.
pub(crate) fn sorted_deal() -> DouDizhuDeal {
    deal(
        [
            "33334444555566667",
            "77788889999TTTTJJ",
            "JJQQQQKKKKAAAA222",
        ],
        "2xX",
    )
}

pub(crate) fn random_deal(rng: &mut fastrand::Rng) -> DouDizhuDeal {
    let mut order: [Card; Card::COUNT] =
        std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    rng.shuffle(&mut order);
    DouDizhuDeal::of_order(&order)
}

/// Plays cards by their ranks; an empty text passes.
pub(crate) fn play(game: &mut DouDizhuGame, text: &str) -> Result<(), DouDizhuFault> {
    if text.is_empty() {
        return game.act(DouDizhuAction::Pass);
    }
    game.act(DouDizhuAction::Play(
        DouDizhuPlay::of(cards(text), game.round().rules()).expect("a combination"),
    ))
}

/// Plays one text after the other, none of them a fault.
pub(crate) fn play_all(game: &mut DouDizhuGame, texts: &[&str]) {
    for text in texts {
        assert_eq!(play(game, text), Ok(()), "{text:?} of {texts:?}");
    }
}

/// Bids in a row, none of them a fault.
pub(crate) fn bid_all(game: &mut DouDizhuGame, bids: &[u8]) {
    for &bid in bids {
        assert_eq!(
            game.act(DouDizhuAction::Bid(bid)),
            Ok(()),
            "{bid} of {bids:?}"
        );
    }
}

/// The table of a seat after the events so far.
pub(crate) fn table_of(game: &DouDizhuGame, seat: DouDizhuSeat) -> DouDizhuSeatState {
    let mut table = DouDizhuSeatState::new(game.round().rules());
    for event in std::iter::once(&game.deal_event(seat)).chain(game.events()) {
        table.apply(event).expect("it has happened");
    }
    table
}
