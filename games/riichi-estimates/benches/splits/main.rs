//! The best split of a hand: `cargo bench -p riichi-estimates --bench splits`. No peer splits a
//! hand.
//!
//! An iteration takes 1,000 random hands, so that its time in µs is the time for one hand in ns.

#[path = "../../../riichi/benches/hand/random.rs"]
#[allow(
    dead_code,
    reason = "shared with other benches and tests, which use the rest"
)]
mod random;

use divan::{Bencher, black_box};
use random::SplitMix64;
use riichi::ConcealedHand;
use riichi_estimates::splits::best_split;

fn main() {
    divan::main();
}

#[divan::bench]
fn best_split_of_14_tiles(bencher: Bencher) {
    let mut random = SplitMix64::new(99);
    let hands: Vec<_> = (0..1000)
        .map(|_| ConcealedHand::new(random.deal(14, (0, 34)), 0, 4).expect("14 tiles"))
        .collect();
    bencher.bench(|| {
        for hand in &hands {
            black_box(best_split(black_box(hand), |part| part.shape() as u32));
        }
    });
}
