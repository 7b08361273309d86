//! The future of a hand: `cargo bench -p riichi-estimates --bench expectation`.
//!
//! Each sample is one random closed hand of 14 tiles, at a given distance from tenpai, with twelve
//! draws left, all other tiles except one indicator unseen, and ron on the discards of three
//! others, except in `by_draw_alone`. The median is over the hands; the slowest is the worst of
//! them.

#[path = "../../../riichi/benches/hand/random.rs"]
#[allow(
    dead_code,
    reason = "shared with other benches and tests, which use the rest"
)]
mod random;

use divan::{Bencher, black_box};
use random::SplitMix64;
use riichi::score::{Dora, WinSituation};
use riichi::shanten::shanten;
use riichi::{ConcealedHand, Counts, Hand, KindSet, Rules, Seat, Tile, Wind};
use riichi_estimates::expectation::{Aim, Detours, Expectation, StartState};

fn main() {
    divan::main();
}

const HANDS: usize = 200;
const ALL: (usize, usize) = (0, 34);

/// Complete hands with tiles exchanged until they are this far from tenpai, like hands in a game.
fn hands(steps: i8) -> Vec<(Hand, Hand)> {
    let marker = Tile::from_name("9s").expect("a tile").kind();
    let mut random = SplitMix64::new(17);
    let mut hands = Vec::new();
    while hands.len() < HANDS {
        let mut counts = random.complete(4, ALL);
        random.exchange(
            &mut counts,
            usize::try_from(steps + 1).expect("not complete"),
            ALL,
        );
        let concealed = ConcealedHand::new(counts, 0, 4).expect("14 tiles");
        if shanten(&concealed) != steps || counts[marker] == 4 {
            continue;
        }
        let mut unseen = Counts([4; 34]);
        for kind in counts.kinds().iter() {
            unseen[kind] -= counts[kind];
        }
        unseen[marker] -= 1;
        let reds = [4, 13, 22].map(|five| u8::from(counts.0[five] > 0));
        let hand = Hand::from_counts(counts, reds).expect("a hand");
        let unseen = Hand::from_counts(unseen, reds.map(|held| 1 - held)).expect("tiles");
        hands.push((hand, unseen));
    }
    hands
}

fn bench(bencher: Bencher, steps: i8, throws: u8, detours: Detours, may_call: bool) {
    let rules = Rules::TENHOU_HALF;
    let situation = WinSituation {
        rules,
        seat: Seat::FIRST,
        oya: Seat::FIRST,
        bakaze: Wind::East,
        honba: 0,
        dora: Dora::named_by(&rules, Tile::from_name("9s")),
        kita: 0,
    };
    let hands = hands(steps);
    let mut next = hands.iter().cycle();
    bencher
        .with_inputs(|| next.next().expect("there are hands"))
        .bench_local_values(|(hand, unseen)| {
            let outset = StartState {
                hand,
                melds: &[],
                unseen,
                situation: &situation,
                thrown: KindSet::EMPTY,
                draws: 12,
                throws,
                may_riichi: true,
                may_call,
                ura_indicators: 1,
                detours,
                aim: Aim::Points,
            };
            Expectation::of(black_box(&outset)).expect("a hand that can be followed")
        });
}

#[divan::bench(args = [0, 1, 2, 3], sample_count = 200, sample_size = 1)]
fn by_draw_alone(bencher: Bencher, steps: i8) {
    bench(bencher, steps, 0, Detours::None, false);
}

#[divan::bench(args = [0, 1, 2, 3], sample_count = 200, sample_size = 1)]
fn without_detours(bencher: Bencher, steps: i8) {
    bench(bencher, steps, 3, Detours::None, false);
}

#[divan::bench(args = [0, 1, 2, 3], sample_count = 200, sample_size = 1)]
fn with_calls(bencher: Bencher, steps: i8) {
    bench(bencher, steps, 3, Detours::None, true);
}

#[divan::bench(args = [0, 1, 2, 3], sample_count = 50, sample_size = 1)]
fn with_one_detour(bencher: Bencher, steps: i8) {
    bench(bencher, steps, 3, Detours::One, false);
}

#[divan::bench(args = [0, 1, 2], sample_count = 50, sample_size = 1)]
fn with_calls_and_one_detour(bencher: Bencher, steps: i8) {
    bench(bencher, steps, 3, Detours::One, true);
}
