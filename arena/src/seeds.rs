//! Seeds of games, derived from the arena's.

use riichi::rng::Rng;

/// What a number is drawn for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SeedPurpose {
    Walls = 1,
    Seats = 2,
}

/// A number that depends on the arena's seed, the game's number and the purpose, and on nothing else.
pub(crate) fn derive(seed: u64, game: u64, purpose: SeedPurpose) -> u64 {
    Rng::keyed(&[seed, game, purpose as u64]).next_u64()
}

/// Brings a list into an order that depends on the seed alone.
pub(crate) fn shuffle<T>(list: &mut [T], seed: u64) {
    Rng::keyed(&[seed]).shuffle(list);
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_game_of_every_seed_has_a_seed_of_its_own() {
        let all: HashSet<u64> =
            (0..50).flat_map(|seed| (1..50).map(move |game| derive(seed, game, SeedPurpose::Walls))).collect();
        assert_eq!(all.len(), 50 * 49);
    }

    #[test]
    fn walls_and_seats_are_drawn_apart() {
        assert_ne!(derive(7, 1, SeedPurpose::Walls), derive(7, 1, SeedPurpose::Seats));
    }
}
