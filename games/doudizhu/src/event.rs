//! The events that a seat sees, and its actions.

use crate::card::CardSet;
use crate::plays::DouDizhuPlay;
use crate::seat::DouDizhuSeat;

/// The highest bid; it ends the bidding.
pub const HIGHEST_BID: u8 = 3;

/// An event at the table. All but [`Deal`](Self::Deal) is the same for every seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DouDizhuEvent {
    /// The own cards. The landlord's include the public cards if the landlord is known from the
    /// start.
    Deal {
        /// The own seat.
        seat: DouDizhuSeat,
        /// Its cards.
        hand: CardSet,
    },
    /// A bid; 0 for none.
    Bid {
        /// The seat.
        seat: DouDizhuSeat,
        /// 0 to [`HIGHEST_BID`].
        bid: u8,
    },
    /// The landlord is determined: that seat takes the public cards and leads.
    Landlord {
        /// The landlord.
        seat: DouDizhuSeat,
        /// The three public cards.
        public: CardSet,
    },
    /// Cards are played, or none: a pass.
    Play {
        /// The seat.
        seat: DouDizhuSeat,
        /// The cards.
        cards: CardSet,
    },
}

/// An action of the seat in turn. Suits have no meaning, so a play consists of ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DouDizhuAction {
    /// A bid; 0 for none.
    Bid(u8),
    /// No cards.
    Pass,
    /// Cards.
    Play(DouDizhuPlay),
}

/// The action that is never a fault: no bid, else a pass, else, if the seat leads, the lowest
/// single card. `None` for an empty list.
pub fn safe_action(legal: &[DouDizhuAction]) -> Option<DouDizhuAction> {
    // It is the first of the list.
    legal.first().copied()
}
