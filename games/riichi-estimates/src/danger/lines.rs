//! The two-sided waits that are still possible.

use tiles::Kind;

use super::{Opponent, Side, Sight};

/// Number of two-sided waits: 1-4, 2-5, 3-6, 4-7, 5-8 and 6-9 in each suit.
pub const MAX_LINES: usize = 18;

/// The rest of each two-sided wait against one opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TwoSidedWaits {
    sides: [Side; MAX_LINES],
    live: u8,
}

impl TwoSidedWaits {
    /// A wait is shut when one of its ends is certainly safe or no copy of one of the two tiles it
    /// is made of is unseen (no-chance), and thin when only one copy of one of them is
    /// (one-chance).
    pub fn new(sight: &Sight, opponent: &Opponent) -> Self {
        let mut this = Self {
            sides: [Side::Shut; MAX_LINES],
            live: 0,
        };
        for (place, side) in this.sides.iter_mut().enumerate() {
            let low = (place / 6 * 9 + place % 6) as u8;
            let safe = |kind| Kind::new(kind).is_none_or(|kind| opponent.safe().contains(kind));
            if safe(low) || safe(low + 3) {
                continue;
            }
            *side = match sight.unseen.0[usize::from(low) + 1]
                .min(sight.unseen.0[usize::from(low) + 2])
            {
                0 => Side::Shut,
                1 => Side::Thin,
                _ => Side::Open,
            };
            this.live += u8::from(*side != Side::Shut);
        }
        this
    }

    /// Number of waits that are not shut, from 0 to 18.
    pub const fn live(&self) -> usize {
        self.live as usize
    }

    /// The wait with this suited kind as the higher end; shut if there is none.
    pub(super) fn below(&self, kind: Kind) -> Side {
        kind.offset(-3).map_or(Side::Shut, |low| self.from(low))
    }

    /// The wait with this suited kind as the lower end; shut if there is none.
    pub(super) fn above(&self, kind: Kind) -> Side {
        if kind.offset(3).is_some() {
            self.from(kind)
        } else {
            Side::Shut
        }
    }

    fn from(&self, low: Kind) -> Side {
        self.sides[low.index() / 9 * 6 + low.index() % 9]
    }
}
