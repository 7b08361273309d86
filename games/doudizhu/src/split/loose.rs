//! The cards of a hand while parts are taken out of it.

use crate::card::Rank;
use crate::counts::RankCounts;

/// Ranks by how many cards they have at least: bit r of `at_least[n - 1]` for n cards of rank r.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LooseCards {
    at_least: [u16; 4],
}

/// The ranks of the runs.
pub(super) const RUN_RANKS: u16 = (1 << (Rank::ACE.index() + 1)) - 1;
const JOKERS: u16 = 1 << Rank::SMALL_JOKER.index() | 1 << Rank::BIG_JOKER.index();

impl LooseCards {
    pub(super) const fn new(hand: RankCounts) -> Self {
        Self { at_least: [hand.at_least(1), hand.at_least(2), hand.at_least(3), hand.at_least(4)] }
    }

    /// The ranks with at least this many cards.
    pub(super) const fn with(&self, cards: u8) -> u16 {
        self.at_least[cards as usize - 1]
    }

    /// Removes this many cards of each of these ranks, which must have them.
    pub(super) const fn without(&self, ranks: u16, cards: u8) -> Self {
        let mut at_least = self.at_least;
        let mut step = 0;
        while step < cards {
            let [one, two, three, four] = at_least;
            at_least = [
                one & !ranks | two & ranks,
                two & !ranks | three & ranks,
                three & !ranks | four & ranks,
                four & !ranks,
            ];
            step += 1;
        }
        Self { at_least }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.at_least[0] == 0
    }

    pub(super) const fn has_rocket(&self) -> bool {
        self.at_least[0] & JOKERS == JOKERS
    }

    pub(super) const fn without_rocket(&self) -> Self {
        self.without(JOKERS, 1)
    }

    /// Number of cards of this rank.
    pub(super) const fn count(&self, rank: Rank) -> u8 {
        let rank = rank.index();
        let [one, two, three, four] = self.at_least;
        ((one >> rank & 1) + (two >> rank & 1) + (three >> rank & 1) + (four >> rank & 1)) as u8
    }

    /// The ranks with an odd number of cards.
    pub(super) const fn odd(&self) -> u16 {
        let [one, two, three, four] = self.at_least;
        one & !two | three & !four
    }

    /// The minimum number of singles and pairs that the cards make.
    pub(super) const fn fewest_units(&self) -> u32 {
        self.at_least[0].count_ones() + self.at_least[2].count_ones()
    }
}

/// Number of groups of neighbouring ranks that can be in a run, where each other rank is a separate group.
pub(super) const fn groups(ranks: u16) -> u32 {
    let in_runs = ranks & RUN_RANKS;
    (in_runs & !(in_runs << 1)).count_ones() + (ranks & !RUN_RANKS).count_ones()
}
