//! Reproducible random numbers.

/// A stream of random numbers, the same for the same key (splitmix64).
#[derive(Debug, Clone)]
pub struct Rng(u64);

const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

impl Rng {
    /// The stream of a key.
    pub fn keyed(key: &[u64]) -> Self {
        Self(key.iter().fold(0, |state, &part| {
            mix(state ^ mix(part.wrapping_add(GOLDEN_RATIO)))
        }))
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_RATIO);
        mix(self.0)
    }

    /// The next number in `0.0..1.0`.
    pub const fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A uniformly distributed number below `end` (with a bias of `end / 2^64`); 0 when `end` is 0.
    pub const fn below(&mut self, end: usize) -> usize {
        ((self.next_u64() as u128 * end as u128) >> 64) as usize
    }

    /// A uniformly chosen item (with a bias of `len / 2^64`); `None` without items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_key_gives_the_same_stream_and_each_part_of_it_counts() {
        let first = |key: &[u64]| Rng::keyed(key).next_u64();
        assert_eq!(first(&[1, 2, 3, 4]), first(&[1, 2, 3, 4]));
        for other in [
            [2, 2, 3, 4],
            [1, 3, 3, 4],
            [1, 2, 4, 4],
            [1, 2, 3, 5],
            [2, 1, 3, 4],
            [0, 0, 0, 0],
        ] {
            assert_ne!(first(&[1, 2, 3, 4]), first(&other), "{other:?}");
        }
    }

    #[test]
    fn every_item_is_picked_equally_often() {
        let mut rng = Rng::keyed(&[7]);
        let mut counts = [0_u32; 5];
        for _ in 0..50_000 {
            counts[*rng.pick(&[0_usize, 1, 2, 3, 4]).unwrap()] += 1;
        }
        assert!(
            counts.iter().all(|count| (9_500..=10_500).contains(count)),
            "{counts:?}"
        );
        assert_eq!(rng.pick::<u8>(&[]), None);
    }

    #[test]
    fn every_order_of_four_is_equally_frequent() {
        let mut rng = Rng::keyed(&[8]);
        let mut counts = std::collections::HashMap::<[u8; 4], u32>::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            rng.shuffle(&mut items);
            *counts.entry(items).or_default() += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(
            counts.values().all(|count| (850..=1_150).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn a_unit_number_is_at_least_zero_and_below_one() {
        let mut rng = Rng::keyed(&[]);
        assert!(
            (0..10_000)
                .map(|_| rng.unit())
                .all(|number| (0.0..1.0).contains(&number))
        );
    }
}
