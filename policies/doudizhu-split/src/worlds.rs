//! Random hands of the other seats.

use doudizhu::{Card, CardSet, DouDizhuSeat, DouDizhuSeatState, RankCounts, RankMasks};

use crate::playout::SEATS;
use crate::playout::plan::HandPlan;

/// The cards that a seat does not see, dealt again and again.
pub(crate) struct HiddenCards {
    /// The known cards of each seat, and its number of further cards.
    known: [(CardSet, usize); SEATS],
    unseen: Vec<Card>,
    rng: fastrand::Rng,
}

/// Possible hands of the seats, including the true own hand, with plans for playing them.
#[derive(Debug, Clone)]
pub(crate) struct PossibleHands {
    pub(crate) hands: [RankMasks; SEATS],
    pub(crate) plans: [HandPlan; SEATS],
    /// Cards that are in no hand: the public ones, before the bidding is over.
    pub(crate) rest: CardSet,
}

impl HiddenCards {
    /// The hands that the table's seat does not see. The random numbers follow from the table: the
    /// same table gives the same ones.
    pub(crate) fn new(table: &DouDizhuSeatState, own: DouDizhuSeat) -> Self {
        let mut known = [(CardSet::EMPTY, 0); SEATS];
        let mut unseen = table.unseen();
        for seat in DouDizhuSeat::all() {
            let cards = table.known_cards(seat);
            unseen = unseen.without(cards);
            known[seat.index()] = (
                cards,
                usize::from(table.round().left(seat).saturating_sub(cards.len())),
            );
        }
        let rng = fastrand::Rng::with_seed(seed_of(table, own));
        Self {
            known,
            unseen: unseen.iter().collect(),
            rng,
        }
    }

    pub(crate) fn deal(&mut self) -> PossibleHands {
        self.rng.shuffle(&mut self.unseen);
        let mut left = &self.unseen[..];
        let mut dealt = PossibleHands {
            hands: [RankMasks::default(); SEATS],
            plans: Default::default(),
            rest: CardSet::EMPTY,
        };
        for (seat, (known, wanted)) in self.known.iter().enumerate() {
            let (cards, rest) = left.split_at((*wanted).min(left.len()));
            left = rest;
            let hand = known.union(cards.iter().copied().collect());
            dealt.hands[seat] = RankMasks::new(RankCounts::from(hand));
            dealt.plans[seat] = HandPlan::of(dealt.hands[seat]);
        }
        dealt.rest = left.iter().copied().collect();
        dealt
    }
}

/// A number that follows from the seat's knowledge.
fn seed_of(table: &DouDizhuSeatState, own: DouDizhuSeat) -> u64 {
    let round = table.round();
    let mix = |seed: u64, word: u64| {
        (seed ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    };
    [
        table.hand().bits(),
        round.played().bits(),
        round.trail().len() as u64,
        own.index() as u64,
    ]
    .into_iter()
    .fold(0, mix)
}
