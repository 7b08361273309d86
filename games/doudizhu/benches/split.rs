//! The splitter and the plays of a hand: `cargo bench -p doudizhu --bench split`.
//!
//! `best_split` takes another random hand in each iteration; `slowest` takes the hands that took
//! longest among many random ones and the ones that are made to be hard.

use std::time::{Duration, Instant};

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use doudizhu::plays::for_each_play;
use doudizhu::split::best_split;
use doudizhu::{Card, CardSet, DouDizhuRules, RankCounts};

fn main() {
    divan::main();
}

/// Hands in an iteration: its time in ms equals the time of one hand in µs.
const HANDS: usize = 1000;
/// Random hands among which the slowest are looked for.
const SEARCHED: usize = 100_000;

fn random_hand(rng: &mut fastrand::Rng, cards: usize, ranks: usize) -> RankCounts {
    let mut deck: Vec<Card> = Card::all()
        .filter(|card| card.rank().index() < ranks)
        .collect();
    rng.shuffle(&mut deck);
    RankCounts::from(deck.into_iter().take(cards).collect::<CardSet>())
}

fn hands(cards: usize, number: usize) -> Vec<RankCounts> {
    let mut rng = fastrand::Rng::with_seed(5);
    (0..number)
        .map(|_| random_hand(&mut rng, cards, 15))
        .collect()
}

#[divan::bench(args = [17, 20])]
fn split_of_a_thousand_random_hands(bencher: Bencher<'_, '_>, cards: usize) {
    let hands = hands(cards, HANDS);
    bencher.counter(ItemsCount::new(HANDS)).bench_local(|| {
        for &hand in &hands {
            black_box(best_split(black_box(hand), DouDizhuRules::FIXED));
        }
    });
}

#[divan::bench(args = [17, 20])]
fn plays_of_a_thousand_random_hands(bencher: Bencher<'_, '_>, cards: usize) {
    let hands = hands(cards, HANDS);
    bencher.counter(ItemsCount::new(HANDS)).bench_local(|| {
        for &hand in &hands {
            for_each_play(black_box(hand), DouDizhuRules::FIXED, |play| {
                black_box(play);
            });
        }
    });
}

/// The slowest of `SEARCHED` hands of 20 cards out of the lowest ranks; the best of three times
/// counts, as others use the machine.
fn slowest_of(ranks: usize) -> RankCounts {
    let mut rng = fastrand::Rng::with_seed(6);
    let time = |hand| {
        let start = Instant::now();
        black_box(best_split(hand, DouDizhuRules::FIXED));
        start.elapsed()
    };
    let mut slowest = (Duration::ZERO, RankCounts::EMPTY);
    for _ in 0..SEARCHED {
        let hand = random_hand(&mut rng, 20, ranks);
        let best = (0..3)
            .map(|_| time(hand))
            .take_while(|&time| time > slowest.0)
            .min();
        if let Some(time) = best.filter(|&best| best > slowest.0) {
            slowest = (time, hand);
        }
    }
    slowest.1
}

#[divan::bench(args = [5, 6, 7, 8, 9, 10, 11, 12, 13, 15])]
fn slowest_hand_of_the_lowest_ranks(bencher: Bencher<'_, '_>, ranks: usize) {
    let hand = slowest_of(ranks);
    bencher.bench_local(|| best_split(black_box(hand), DouDizhuRules::FIXED));
}

const HARD: [&str; 6] = [
    "33334444555566667777",
    "33344455566677788899",
    "33445566778899TTJJQQ",
    "3344556677889TJQKA2x",
    "333444555666777xX222",
    "3334455667788999TTJJ",
];

#[divan::bench(args = HARD)]
fn hand_made_to_be_hard(bencher: Bencher<'_, '_>, hand: &str) {
    let hand: RankCounts = hand.parse().expect("cards");
    bencher.bench_local(|| best_split(black_box(hand), DouDizhuRules::FIXED));
}
