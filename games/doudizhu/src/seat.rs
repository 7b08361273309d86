//! The three seats.

/// A place at the table, 0 to 2. Turns go from 0 to 1 to 2 and on to 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct DouDizhuSeat(u8);

impl DouDizhuSeat {
    /// Number of seats.
    pub const COUNT: usize = 3;
    /// Seat 0, which bids first, and is the landlord if no player bids.
    pub const FIRST: Self = Self(0);

    /// The seat with this number, 0 to 2.
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::COUNT as u8 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The seats in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Number from 0 to 2.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat whose turn comes next.
    #[must_use]
    pub const fn next(self) -> Self {
        self.after(1)
    }

    /// The seat this many turns later.
    #[must_use]
    pub const fn after(self, turns: usize) -> Self {
        Self(((self.0 as usize + turns) % Self::COUNT) as u8)
    }
}
