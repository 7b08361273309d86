//! Seeds of games, derived from the arena's.
//!
//! The engine shuffles hand after hand from consecutive seeds, so two neighbouring seeds of its share all their walls,
//! shifted by one hand. Hence a game's seed is never the arena's own or one counted up from it.

/// What a number is drawn for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    Walls = 1,
    Seats = 2,
}

/// A number that depends on the arena's seed, the game's number and the purpose, and on nothing else.
pub(crate) fn derive(seed: u64, game: u64, purpose: Purpose) -> u64 {
    mix(mix(mix(seed) ^ game) ^ purpose as u64)
}

/// SplitMix64's step: one-to-one, and every bit of the result depends on every bit given.
fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Brings a list into an order that depends on the seed alone.
pub(crate) fn shuffle<T>(list: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..list.len()).rev() {
        state = mix(state);
        list.swap(last, (state % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn seeds_of_different_games_are_far_apart() {
        let mut all: Vec<u64> =
            (0..50).flat_map(|seed| (1..50).map(move |game| derive(seed, game, Purpose::Walls))).collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[1] - pair[0] > 1000), "a hanchan has far fewer hands");
    }

    #[test]
    fn walls_and_seats_are_drawn_apart() {
        assert_ne!(derive(7, 1, Purpose::Walls), derive(7, 1, Purpose::Seats));
    }

    #[test]
    fn every_order_of_four_is_drawn_about_as_often() {
        let mut counts = std::collections::HashMap::<[u8; 4], u32>::new();
        for game in 0..2400 {
            let mut list = [0, 1, 2, 3];
            shuffle(&mut list, derive(0, game, Purpose::Seats));
            assert_eq!(list.iter().collect::<HashSet<_>>().len(), 4);
            *counts.entry(list).or_default() += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|&count| (60..150).contains(&count)), "{counts:?}");
    }
}
