//! Who sits where.

use mahjong::seat::MAX_PLAYERS;

/// For each seat the place of its config among those that compete.
pub type Seating = [usize; MAX_PLAYERS];

/// How configs are seated on each wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Two configs, two seats each, in all six ways.
    TwoAgainstTwo,
    /// Four configs, one seat each, in all four rotations.
    Rotations,
}

const TWO_AGAINST_TWO: [Seating; 6] =
    [[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 1, 0], [1, 1, 0, 0]];
const ROTATIONS: [Seating; 4] = [[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]];

impl Format {
    /// The format for so many configs, if there is one.
    #[must_use]
    pub const fn of(configs: usize) -> Option<Self> {
        match configs {
            2 => Some(Self::TwoAgainstTwo),
            4 => Some(Self::Rotations),
            _ => None,
        }
    }

    /// How many configs compete.
    #[must_use]
    pub const fn entrants(self) -> usize {
        match self {
            Self::TwoAgainstTwo => 2,
            Self::Rotations => 4,
        }
    }

    /// The seatings that each wall is played in.
    #[must_use]
    pub const fn seatings(self) -> &'static [Seating] {
        match self {
            Self::TwoAgainstTwo => &TWO_AGAINST_TWO,
            Self::Rotations => &ROTATIONS,
        }
    }

    /// How many walls hold at least so many games.
    #[must_use]
    pub const fn walls(self, games: u64) -> u64 {
        games.div_ceil(self.seatings().len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn on_each_wall_each_config_sits_on_each_seat_equally_often() {
        for format in [Format::TwoAgainstTwo, Format::Rotations] {
            let seatings = format.seatings();
            for seat in 0..MAX_PLAYERS {
                for config in 0..format.entrants() {
                    let times = seatings.iter().filter(|seating| seating[seat] == config).count();
                    assert_eq!(times * format.entrants(), seatings.len(), "{format:?}: config {config}, seat {seat}");
                }
            }
        }
    }

    #[test]
    fn no_seating_is_played_twice_on_a_wall() {
        for format in [Format::TwoAgainstTwo, Format::Rotations] {
            let different: BTreeSet<&Seating> = format.seatings().iter().collect();
            assert_eq!(different.len(), format.seatings().len());
        }
    }

    #[test]
    fn two_against_two_is_played_in_all_ways_there_are() {
        let ways = (0..1_u32 << MAX_PLAYERS).filter(|ways| ways.count_ones() == 2).count();
        assert_eq!(Format::TwoAgainstTwo.seatings().len(), ways);
    }

    #[test]
    fn games_are_rounded_up_to_whole_walls() {
        assert_eq!([1, 6, 7, 2000].map(|games| Format::TwoAgainstTwo.walls(games)), [1, 1, 2, 334]);
        assert_eq!([1, 4, 5].map(|games| Format::Rotations.walls(games)), [1, 1, 2]);
    }
}
