//! Fan of wins, and targets of hands: `cargo bench -p bot-runner-mcr --bench fan`.
//!
//! An iteration counts 1,000 wins, so that its time in µs is the time of one in ns.

#[path = "../tests/pypi/random.rs"]
mod random;

use divan::{Bencher, black_box};
use game_core::rng::Rng;
use mcr::distance::distance;
use mcr::targets::{TargetSituation, targets};
use mcr::{Counting, Fan, HandTiles, count_fan};
use random::RandomWin;
use tiles::{Counts, Wind};

fn main() {
    divan::main();
}

const CHUNK: usize = 1000;
/// So many different wins: more than the branch predictor remembers.
const WINS: usize = 16 * CHUNK;

fn bench(bencher: Bencher, aim: impl Fn(usize) -> Option<Fan>) {
    let mut random = Rng::keyed(&[82]);
    let wins: Vec<RandomWin> = (0..WINS)
        .map(|number| RandomWin::new(&mut random, aim(number)))
        .collect();
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

fn dealt() -> Vec<HandTiles> {
    let mut random = Rng::keyed(&[83]);
    (0..64)
        .map(|_| {
            let mut wall: Vec<usize> = (0..34).flat_map(|index| [index; 4]).collect();
            random.shuffle(&mut wall);
            let mut counts = Counts::EMPTY;
            wall[..14].iter().for_each(|&index| counts.0[index] += 1);
            HandTiles::new(counts, &[]).expect("14 tiles")
        })
        .collect()
}

/// The distance of one dealt hand.
#[divan::bench]
fn distance_of_a_dealt_hand(bencher: Bencher) {
    let mut hands = dealt().into_iter().cycle();
    bencher
        .with_inputs(|| hands.next().expect("a hand"))
        .bench_local_refs(|hand| distance(hand));
}

/// The nearest targets of one dealt hand: they are the farthest, so the most expensive.
#[divan::bench]
fn targets_of_a_dealt_hand(bencher: Bencher) {
    let mut hands = dealt().into_iter().cycle();
    bencher
        .with_inputs(|| hands.next().expect("a hand"))
        .bench_local_refs(|hand| {
            let unseen = Counts(hand.concealed().0.map(|held| 4 - held));
            let winds = (Wind::East, Wind::East);
            let situation = TargetSituation {
                seat_wind: winds.0,
                prevalent_wind: winds.1,
                counting: Counting::Judge,
                unseen,
            };
            targets(hand, &situation, 1)
        });
}
