//! The number of cards of each rank: a hand without its suits.

use std::fmt;

use crate::card::{Card, CardSet, Rank};

/// The number of cards of each rank, 0 to 4. Two hands that differ only in suits have the same
/// counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct RankCounts(u64);

/// Bits for each rank.
const BITS: usize = 4;
const ONE_EACH: u64 = 0x0111_1111_1111_1111;

impl RankCounts {
    /// No cards.
    pub const EMPTY: Self = Self(0);
    /// The whole deck: four of each, and the jokers.
    pub const DECK: Self = Self(0x0114_4444_4444_4444);

    /// The number of cards of a rank.
    pub const fn get(self, rank: Rank) -> u8 {
        (self.0 >> (BITS * rank.index()) & 0xf) as u8
    }

    /// This many cards of one rank; `None` if there are fewer.
    pub const fn of(rank: Rank, cards: u8) -> Option<Self> {
        if cards <= rank.copies() {
            Some(Self((cards as u64) << (BITS * rank.index())))
        } else {
            None
        }
    }

    /// This many cards of each of `length` ranks in a row; `None` if there are fewer ranks or
    /// cards.
    pub fn run(low: Rank, length: u8, cards: u8) -> Option<Self> {
        (0..length).try_fold(Self::EMPTY, |run, step| {
            Some(run.plus(Self::of(low.above(step)?, cards)?))
        })
    }

    /// The sum of both; the caller makes sure that no rank exceeds its number of copies.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// The rest without the other's cards; `None` if they are not all present.
    pub const fn minus(self, other: Self) -> Option<Self> {
        // A rank with too few cards borrows from the guard bit above its count, as no count reaches
        // 8.
        let guard = ONE_EACH << (BITS - 1);
        let left = (self.0 | guard).wrapping_sub(other.0);
        if left & guard == guard {
            Some(Self(left & !guard))
        } else {
            None
        }
    }

    /// Whether it contains all of the other's cards.
    pub const fn contains(self, other: Self) -> bool {
        self.minus(other).is_some()
    }

    /// Number of cards.
    pub const fn len(self) -> u8 {
        let pairs = (self.0 & 0x0f0f_0f0f_0f0f_0f0f) + (self.0 >> BITS & 0x0f0f_0f0f_0f0f_0f0f);
        (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lowest rank that is present.
    pub const fn lowest(self) -> Option<Rank> {
        Rank::new((self.0.trailing_zeros() as usize / BITS) as u8)
    }

    /// The highest rank that is present.
    pub fn highest(self) -> Option<Rank> {
        self.iter().next_back().map(|(rank, _)| rank)
    }

    /// The present ranks with their numbers of cards, lowest first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (Rank, u8)> + Clone {
        Rank::all()
            .map(move |rank| (rank, self.get(rank)))
            .filter(|&(_, cards)| cards > 0)
    }

    /// The ranks with at least this many cards, as bits: bit 0 for the three.
    pub const fn at_least(self, cards: u8) -> u16 {
        // Adding brings each count that is high enough up to 8.
        let high = (self.0 + ONE_EACH * (8 - cards as u64)) >> (BITS - 1) & ONE_EACH;
        let (mut bits, mut rank) = (0, 0);
        while rank < Rank::COUNT {
            bits |= ((high >> (BITS * rank)) as u16 & 1) << rank;
            rank += 1;
        }
        bits
    }

    /// Cards of these ranks out of a set, those with the lowest numbers; `None` if the set has
    /// fewer.
    pub fn cards_of(self, set: CardSet) -> Option<CardSet> {
        self.iter()
            .try_fold(CardSet::EMPTY, |chosen, (rank, cards)| {
                let of_rank = set.intersection(rank.cards());
                (of_rank.len() >= cards).then(|| chosen.union(of_rank.lowest(cards)))
            })
    }
}

impl From<CardSet> for RankCounts {
    fn from(cards: CardSet) -> Self {
        Self(
            cards
                .iter()
                .map(Card::rank)
                .fold(0, |counts, rank| counts + (1 << (BITS * rank.index()))),
        )
    }
}

/// In the usual notation: `334X`.
impl fmt::Debug for RankCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> RankCounts {
        text.parse().expect("cards")
    }

    #[test]
    fn the_deck_has_four_of_each_rank_and_one_of_each_joker() {
        assert_eq!(RankCounts::from(CardSet::ALL), RankCounts::DECK);
        assert_eq!(RankCounts::DECK.len(), 54);
    }

    #[test]
    fn only_present_cards_can_be_taken_away() {
        assert_eq!(counts("33445X").minus(counts("34X")), Some(counts("345")));
        assert_eq!(counts("33445X").minus(counts("55")), None);
        assert_eq!(counts("4444").minus(counts("3")), None);
        assert_eq!(counts("x").minus(counts("X")), None);
        assert_eq!(
            RankCounts::DECK.minus(RankCounts::DECK),
            Some(RankCounts::EMPTY)
        );
    }

    #[test]
    fn ranks_are_found_by_how_many_cards_they_have() {
        let hand = counts("3334455556X");
        let bits = |ranks: &[usize]| ranks.iter().fold(0, |bits, rank| bits | 1 << rank);
        assert_eq!(hand.at_least(1), bits(&[0, 1, 2, 3, 14]));
        assert_eq!(hand.at_least(2), bits(&[0, 1, 2]));
        assert_eq!(hand.at_least(3), bits(&[0, 2]));
        assert_eq!(hand.at_least(4), bits(&[2]));
        assert_eq!(
            (hand.lowest(), hand.highest()),
            (Some(Rank::THREE), Some(Rank::BIG_JOKER))
        );
        assert_eq!(
            (RankCounts::EMPTY.lowest(), RankCounts::EMPTY.highest()),
            (None, None)
        );
    }

    #[test]
    fn cards_are_taken_out_of_a_set_lowest_numbers_first() {
        let set: CardSet = [1, 2, 3, 8, 52].into_iter().filter_map(Card::new).collect();
        let taken = counts("33x").cards_of(set).expect("they are there");
        assert_eq!(
            taken.iter().map(Card::number).collect::<Vec<_>>(),
            [1, 2, 52]
        );
        assert_eq!(counts("44").cards_of(set), None);
    }

    #[test]
    fn a_run_stays_among_the_ranks_and_copies_there_are() {
        assert_eq!(RankCounts::run(Rank::THREE, 3, 2), Some(counts("334455")));
        assert_eq!(RankCounts::run(Rank::TWO, 3, 1), Some(counts("2xX")));
        assert_eq!(RankCounts::run(Rank::TWO, 2, 2), None);
        assert_eq!(RankCounts::run(Rank::BIG_JOKER, 2, 1), None);
    }
}
