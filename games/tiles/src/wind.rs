//! Winds.

use game_core::Seat;

use crate::tile::Kind;

/// A wind, of a round or of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Wind {
    /// East.
    East,
    /// South.
    South,
    /// West.
    West,
    /// North.
    North,
}

impl Wind {
    /// The winds in order of play.
    pub const ALL: [Self; 4] = [Self::East, Self::South, Self::West, Self::North];

    /// Its name in English.
    pub const fn name(self) -> &'static str {
        ["East", "South", "West", "North"][self as usize]
    }

    /// The wind of a seat when `dealer` deals, at a table of `players`.
    pub const fn of_seat(seat: Seat, dealer: Seat, players: u8) -> Self {
        Self::ALL[seat.turns_after(dealer, players) as usize & 3]
    }

    /// The tile kind of the wind.
    pub const fn kind(self) -> Kind {
        match Kind::new(Kind::EAST.index() as u8 + self as u8) {
            Some(kind) => kind,
            None => Kind::EAST,
        }
    }

    /// The wind shown on a tile kind, if it is one.
    pub fn of_kind(kind: Kind) -> Option<Self> {
        Self::ALL.into_iter().find(|wind| wind.kind() == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wind_of_a_seat_follows_from_the_dealer_and_the_players() {
        let [first, second] = [0, 1].map(|number| Seat::new(number).unwrap());
        assert_eq!(Wind::of_seat(first, second, 4), Wind::North);
        assert_eq!(Wind::of_seat(first, second, 3), Wind::West);
    }
}
