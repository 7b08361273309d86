//! Random numbers from the arena's seed, except the walls, which use
//! [`riichi::game::seed_of_walls`].

use riichi::Seat;
use riichi::rng::Rng;

/// Separates the order of seats from the walls.
const SEATS: u64 = 2;

/// A number for the seats of a game, which depends only on the arena's seed and the game's number.
pub(crate) fn seed_of_seats(seed: u64, game: u64) -> u64 {
    Rng::keyed(&[seed, game, SEATS]).next_u64()
}

/// The seats that players get in a game, in the order of the players. Games are numbered from 1.
#[must_use]
pub fn seats_of(seed: u64, game: u64, players: u8) -> Vec<Seat> {
    let mut seats: Vec<Seat> = Seat::all(players).collect();
    shuffle(&mut seats, seed_of_seats(seed, game));
    seats
}

/// Shuffles a list in an order that depends only on the seed.
pub(crate) fn shuffle<T>(list: &mut [T], seed: u64) {
    Rng::keyed(&[seed]).shuffle(list);
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use riichi::game::seed_of_walls;

    use super::*;

    #[test]
    fn walls_and_seats_of_every_game_have_their_own_seed() {
        let games = || (0..50).flat_map(|seed| (1..50).map(move |game| (seed, game)));
        let all: HashSet<u64> = games()
            .flat_map(|(seed, game)| [seed_of_walls(seed, game), seed_of_seats(seed, game)])
            .collect();
        assert_eq!(all.len(), 2 * 50 * 49);
    }
}
