//! Fan of wins: `cargo bench -p chinese-standard --bench fan`.
//!
//! An iteration counts 1,000 wins, so that its time in µs is the time of one in ns.

#[path = "../tests/pypi/random.rs"]
mod random;

use chinese_standard::{Counting, Fan, count_fan};
use divan::{Bencher, black_box};
use mahjong::rng::Rng;
use random::RandomWin;

fn main() {
    divan::main();
}

const CHUNK: usize = 1000;
/// So many different wins: more than the branch predictor remembers.
const WINS: usize = 16 * CHUNK;

fn bench(bencher: Bencher, aim: impl Fn(usize) -> Option<Fan>) {
    let mut random = Rng::keyed(&[82]);
    let wins: Vec<RandomWin> = (0..WINS).map(|number| RandomWin::new(&mut random, aim(number))).collect();
    let mut chunks = wins.chunks(CHUNK).cycle();
    bencher.bench_local(|| {
        for win in chunks.next().into_iter().flatten() {
            black_box(count_fan(&black_box(win).to_count(), Counting::Judge));
        }
    });
}

/// Wins as they come, many of one suit or few ranks.
#[divan::bench]
fn wins_as_they_come(bencher: Bencher) {
    bench(bencher, |_| None);
}

/// Each fan equally often.
#[divan::bench]
fn every_fan(bencher: Bencher) {
    bench(bencher, |number| Fan::new(number % Fan::ALL.len()));
}

/// Concealed hands of one suit: the most divisions.
#[divan::bench]
fn one_suit(bencher: Bencher) {
    bench(bencher, |_| Some(Fan::FullFlush));
}
