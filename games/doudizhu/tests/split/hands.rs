//! Random hands.

use doudizhu::{Card, CardSet, RankCounts};

/// A hand of this many cards from the deck.
pub(crate) fn random_hand(rng: &mut fastrand::Rng, cards: usize) -> RankCounts {
    let mut deck: Vec<Card> = Card::all().collect();
    rng.shuffle(&mut deck);
    RankCounts::from(deck.into_iter().take(cards).collect::<CardSet>())
}

/// A hand of this many cards of a few ranks, which has many trios, fours and runs.
pub(crate) fn dense_hand(rng: &mut fastrand::Rng, cards: usize) -> RankCounts {
    let fewest = cards.div_ceil(4);
    let ranks = rng.usize(fewest..=15.min(fewest + 4));
    let low = rng.usize(0..=15 - ranks);
    let mut deck: Vec<Card> = Card::all()
        .filter(|card| (low..low + ranks).contains(&card.rank().index()))
        .collect();
    rng.shuffle(&mut deck);
    RankCounts::from(deck.into_iter().take(cards).collect::<CardSet>())
}
