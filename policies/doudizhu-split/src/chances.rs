//! How likely other seats are to beat a play.
//!
//! A card that is not seen is in each of the hands that may hold it with the share of that hand's unknown cards; ranks are taken as
//! independent of each other. A seat with fewer cards than a play has cannot beat it but by a bomb.

use doudizhu::combination::{Combination, CombinationKind};
use doudizhu::{CardPlay, CardSeat, CardTable, Rank, RankCounts};

/// How likely a seat is to use a bomb that it has, when a play is to be beaten.
const BOMBS_USED: f64 = 0.5;
/// Most cards of a rank, and none.
const COUNTS: usize = 5;

/// What another seat may hold.
#[derive(Debug, Clone)]
pub struct OtherHand {
    /// Whose.
    pub seat: CardSeat,
    /// How many cards it has.
    pub left: u8,
    /// The chance of so many cards or more of each rank.
    at_least: [[f64; COUNTS]; Rank::COUNT],
}

impl OtherHand {
    /// What the table's own seat may know of another one.
    #[must_use]
    pub fn new(table: &CardTable, seat: CardSeat) -> Self {
        let (left, known) = (table.round().left(seat), RankCounts::from(table.known_cards(seat)));
        let held_by_others =
            |other: CardSeat| table.round().left(other) - RankCounts::from(table.known_cards(other)).len();
        let unknown_here = left - known.len();
        let unknown: u8 = CardSeat::all().filter(|&other| Some(other) != table.seat()).map(held_by_others).sum();
        // Before the bidding is over, the public cards are in no hand.
        let unseen = all_unknown(table);
        let share = f64::from(unknown_here) / f64::from(unknown.max(unseen.len()).max(1));
        let mut at_least = [[0.0; COUNTS]; Rank::COUNT];
        for rank in Rank::all() {
            at_least[rank.index()] = chances_of(known.get(rank), unseen.get(rank), share);
        }
        Self { seat, left, at_least }
    }

    /// The chance that it can play a combination of this kind and size above this one, or has a bomb and uses it.
    #[must_use]
    pub fn beats(&self, play: &CardPlay) -> f64 {
        let same_kind = if self.left < play.cards.len() { 0.0 } else { self.has_higher(&play.combination) };
        1.0 - (1.0 - same_kind) * (1.0 - BOMBS_USED * self.has_bomb_above(&play.combination))
    }

    /// The chance that it beats the play with all cards that it has.
    #[must_use]
    pub fn goes_out_on(&self, play: &CardPlay) -> f64 {
        if self.left == play.cards.len() { self.has_higher(&play.combination) } else { 0.0 }
    }

    fn has_higher(&self, combination: &Combination) -> f64 {
        if combination.is_bomb() {
            // A higher bomb is counted as a bomb.
            return 0.0;
        }
        let (length, width) = (usize::from(combination.length), usize::from(combination.kind.width()));
        let is_run = combination.kind.shortest_run().is_some();
        let last = if is_run { Rank::ACE.index() + 1 } else { Rank::COUNT };
        let first = combination.low.index() + 1;
        let none = (first..=last.saturating_sub(length)).fold(1.0, |none, low| {
            let body: f64 = self.at_least[low..low + length].iter().map(|chances| chances[width]).product();
            none * (1.0 - body)
        });
        1.0 - none
    }

    fn has_bomb_above(&self, combination: &Combination) -> f64 {
        if combination.kind == CombinationKind::Rocket {
            return 0.0;
        }
        let first = if combination.is_bomb() { combination.low.index() + 1 } else { 0 };
        let bombs = if self.left < 4 { &[][..] } else { &self.at_least[first.min(Rank::COUNT)..] };
        let no_bomb: f64 = bombs.iter().map(|chances| 1.0 - chances[4]).product();
        let [.., small, big] = &self.at_least;
        let rocket = if self.left < 2 { 0.0 } else { small[1] * big[1] };
        1.0 - no_bomb * (1.0 - rocket)
    }
}

/// The cards that the own seat neither has, nor has seen, nor knows to be in a certain hand.
fn all_unknown(table: &CardTable) -> RankCounts {
    let known =
        CardSeat::all().map(|seat| table.known_cards(seat)).fold(table.hand(), |known, cards| known.union(cards));
    RankCounts::from(table.unseen().without(known))
}

/// The chance of so many cards or more, of which `known` are there, and each of the `unseen` is with this chance.
fn chances_of(known: u8, unseen: u8, share: f64) -> [f64; COUNTS] {
    let mut exactly = [0.0; COUNTS];
    exactly[usize::from(known)] = 1.0;
    for _ in 0..unseen {
        for cards in (0..COUNTS).rev() {
            let one_less = if cards == 0 { 0.0 } else { exactly[cards - 1] };
            exactly[cards] = exactly[cards] * (1.0 - share) + one_less * share;
        }
    }
    let mut at_least = exactly;
    for cards in (0..COUNTS - 1).rev() {
        at_least[cards] += at_least[cards + 1];
    }
    at_least
}

/// The chance that none of these hands beats the play.
#[must_use]
pub fn holds(play: &CardPlay, others: &[OtherHand]) -> f64 {
    others.iter().map(|other| 1.0 - other.beats(play)).product()
}
