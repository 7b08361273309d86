//! Cards, their ranks, and sets of cards.
//!
//! The numbers are Botzone's: card `c` of 0..=51 has the rank `c / 4`, from the three up to the
//! two; 52 is the small joker and 53 the big one. The suit is `c % 4` and has no meaning.

use std::fmt;

/// A rank, 0 to 14: `3456789TJQKA2`, the small joker `x`, the big joker `X`. A higher one beats a
/// lower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Rank(u8);

impl Rank {
    /// So many ranks.
    pub const COUNT: usize = 15;
    /// The lowest.
    pub const THREE: Self = Self(0);
    /// The highest that a run may hold.
    pub const ACE: Self = Self(11);
    /// Above the ace, in no run.
    pub const TWO: Self = Self(12);
    /// The lower joker.
    pub const SMALL_JOKER: Self = Self(13);
    /// The higher joker.
    pub const BIG_JOKER: Self = Self(14);

    /// The rank with this number, 0 to 14.
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::COUNT as u8 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The ranks, lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Number from 0 to 14.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The rank this many steps above, if there is one.
    pub const fn above(self, ranks: u8) -> Option<Self> {
        Self::new(self.0.saturating_add(ranks))
    }

    /// Whether it is one of the jokers, which have one card each.
    pub const fn is_joker(self) -> bool {
        self.0 >= Self::SMALL_JOKER.0
    }

    /// Number of cards of this rank.
    pub const fn copies(self) -> u8 {
        if self.is_joker() { 1 } else { 4 }
    }

    /// The cards of this rank.
    pub const fn cards(self) -> CardSet {
        match self.0 {
            13 => CardSet(1 << 52),
            14 => CardSet(1 << 53),
            number => CardSet(0b1111 << (4 * number)),
        }
    }
}

/// One of the 54 cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Card(u8);

impl Card {
    /// So many cards.
    pub const COUNT: usize = 54;

    /// The card with this number, 0 to 53.
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::COUNT as u8 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The cards in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Number from 0 to 53.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its rank.
    pub const fn rank(self) -> Rank {
        if self.0 == 53 {
            Rank::BIG_JOKER
        } else {
            Rank(self.0 / 4)
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.rank(), self.0)
    }
}

/// A set of cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct CardSet(u64);

impl CardSet {
    /// No cards.
    pub const EMPTY: Self = Self(0);
    /// All 54 cards.
    pub const ALL: Self = Self((1 << Card::COUNT) - 1);

    /// The set whose cards are the bits of a number, bit 0 for card 0; `None` if a bit beyond the
    /// last card is set.
    pub const fn from_bits(bits: u64) -> Option<Self> {
        if bits & !Self::ALL.0 == 0 {
            Some(Self(bits))
        } else {
            None
        }
    }

    /// A bit for each card in it, bit 0 for card 0.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The cards in it, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let number = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            Card::new(number as u8)
        })
    }

    /// Number of cards in the set.
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether it holds none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a card is in it.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Whether all of the other set's cards are in it.
    pub const fn contains_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Adds a card; `false` when it was there already.
    pub const fn insert(&mut self, card: Card) -> bool {
        let before = self.0;
        self.0 |= 1 << card.0;
        self.0 != before
    }

    /// The cards of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The cards of both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The cards that are not in the other set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// This many cards with the lowest numbers; all cards if there are fewer.
    #[must_use]
    pub fn lowest(self, cards: u8) -> Self {
        self.iter().take(usize::from(cards)).collect()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        Self(cards.into_iter().fold(0, |set, card| set | 1 << card.0))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(number: u8) -> Card {
        Card::new(number).expect("a card")
    }

    #[test]
    fn four_cards_in_a_row_share_a_rank_and_each_joker_has_its_own() {
        assert_eq!(
            [0, 3, 4, 47, 48, 51].map(|number| card(number).rank().index()),
            [0, 0, 1, 11, 12, 12]
        );
        assert_eq!(
            [52, 53].map(|number| card(number).rank()),
            [Rank::SMALL_JOKER, Rank::BIG_JOKER]
        );
        assert_eq!((Card::new(54), Rank::new(15)), (None, None));
        for rank in Rank::all() {
            assert_eq!(
                rank.cards(),
                Card::all().filter(|card| card.rank() == rank).collect()
            );
            assert_eq!(rank.cards().len(), rank.copies());
        }
    }

    #[test]
    fn a_set_gives_its_cards_in_the_order_of_their_numbers() {
        let set: CardSet = [53, 0, 17, 52].map(card).into_iter().collect();
        assert_eq!(
            set.iter().map(Card::number).collect::<Vec<_>>(),
            [0, 17, 52, 53]
        );
        assert_eq!(
            set.lowest(2).iter().map(Card::number).collect::<Vec<_>>(),
            [0, 17]
        );
        assert_eq!(CardSet::ALL.iter().count(), 54);
    }

    #[test]
    fn a_card_is_inserted_once() {
        let mut set = CardSet::EMPTY;
        assert!(set.insert(card(9)) && !set.insert(card(9)));
        assert_eq!(set.len(), 1);
    }
}
