//! Seats, and values kept for each seat.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Index, IndexMut};

use crate::measure::Measure;

/// Maximum number of players at a table.
pub const MAX_PLAYERS: usize = 4;

/// A place at the table, numbered for the whole game as mjai does: 0 is the first dealer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Seat(u8);

impl Seat {
    /// Seat 0, the first dealer.
    pub const FIRST: Self = Self(0);

    /// The seat with this number; `None` beyond 3.
    pub const fn new(number: u8) -> Option<Self> {
        if number < MAX_PLAYERS as u8 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The seat with this index; `None` beyond 3.
    pub const fn at(index: usize) -> Option<Self> {
        if index < MAX_PLAYERS {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The first `players` seats in order.
    pub fn all(players: u8) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..players.min(MAX_PLAYERS as u8)).map(Self)
    }

    /// Number from 0 to 3.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat whose turn comes next at a table of `players`.
    #[must_use]
    pub const fn next(self, players: u8) -> Self {
        if self.0 + 1 >= players {
            Self(0)
        } else {
            Self(self.0 + 1)
        }
    }

    /// Number of turns from `other` to this seat, at a table of `players` (0..players).
    pub const fn turns_after(self, other: Self, players: u8) -> u8 {
        if self.0 >= other.0 {
            self.0 - other.0
        } else {
            self.0 + players - other.0
        }
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A value for each seat of a table of three or four. Two are equal if the values of the table's
/// seats are.
#[derive(Clone, Copy)]
pub struct PerSeat<T> {
    players: u8,
    values: [T; MAX_PLAYERS],
}

impl<T> PerSeat<T> {
    /// A value for each of `players` seats (at most four), made by `value`.
    pub fn from_fn(players: u8, mut value: impl FnMut(Seat) -> T) -> Self {
        Self {
            players: players.min(MAX_PLAYERS as u8),
            values: std::array::from_fn(|index| value(Seat(index as u8))),
        }
    }

    /// Number of seats.
    pub const fn players(&self) -> u8 {
        self.players
    }

    /// The value of a seat, if the table has that seat.
    pub fn get(&self, seat: Seat) -> Option<&T> {
        self.as_slice().get(seat.index())
    }

    /// The values in seat order.
    pub fn as_slice(&self) -> &[T] {
        &self.values[..usize::from(self.players)]
    }

    /// The values with their seats, in seat order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + ExactSizeIterator {
        self.as_slice()
            .iter()
            .enumerate()
            .map(|(index, value)| (Seat(index as u8), value))
    }

    /// The values, to change, with their seats, in seat order.
    pub fn iter_mut(
        &mut self,
    ) -> impl DoubleEndedIterator<Item = (Seat, &mut T)> + ExactSizeIterator {
        self.values[..usize::from(self.players)]
            .iter_mut()
            .enumerate()
            .map(|(index, value)| (Seat(index as u8), value))
    }
}

impl<T: Copy + Default> PerSeat<T> {
    /// The values of a slice of at most four, in seat order; `None` when it is longer.
    pub fn from_slice(values: &[T]) -> Option<Self> {
        if values.len() > MAX_PLAYERS {
            return None;
        }
        let mut all = [T::default(); MAX_PLAYERS];
        all[..values.len()].copy_from_slice(values);
        Some(Self {
            players: values.len() as u8,
            values: all,
        })
    }
}

impl PerSeat<i32> {
    /// The place of a seat by points, from 1; of equal seats the earlier one is ahead.
    #[inline]
    pub fn place(&self, seat: Seat) -> u8 {
        Measure::Places.place(self.as_slice(), seat.index())
    }
}

impl<T: PartialEq> PartialEq for PerSeat<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Eq> Eq for PerSeat<T> {}

impl<T: Hash> Hash for PerSeat<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

/// Any seat indexes, also one that a three-player table lacks: its value is then the default it was
/// made with.
impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        &self.values[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.values[seat.index()]
    }
}

impl<T: fmt::Debug> fmt::Debug for PerSeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_go_round() {
        let [a, _, _, d] = [0, 1, 2, 3].map(|n| Seat::new(n).unwrap());
        assert_eq!(d.next(4), a);
        assert_eq!(Seat::new(2).unwrap().next(3), a);
        assert_eq!(
            (Seat::new(4), Seat::at(3), Seat::at(4)),
            (None, Some(d), None)
        );
    }
}
