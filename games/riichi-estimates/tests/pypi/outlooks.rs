//! Writes random closed hands with our computed futures, as JSON lines: `cargo run --release -p
//! riichi-estimates --example outlooks | python outlooks.py`.
//!
//! `outlooks.py` next to this file asks the Python package `jansou` about the same hands.

#[path = "../../../riichi/benches/hand/random.rs"]
#[allow(dead_code, reason = "the benchmarks use the rest")]
mod random;

use std::io::{self, BufWriter, Write};
use std::time::Instant;

use riichi::score::{Dora, WinSituation};
use riichi::shanten::shanten;
use riichi::{ConcealedHand, Counts, Hand, KindSet, Rules, Seat, Wind};
use riichi_estimates::expectation::{Aim, Detours, Expectation, StartState};

use random::SplitMix64;

/// Hands by their shanten number: each step further takes the package fifty times as long.
const HANDS: [usize; 4] = [100, 100, 20, 2];
const DRAWS: u8 = 12;
const ALL: (usize, usize) = (0, 34);

fn main() -> io::Result<()> {
    let mut random = SplitMix64::new(2026);
    let mut out = BufWriter::new(io::stdout().lock());
    for (steps, hands) in HANDS.into_iter().enumerate() {
        for _ in 0..hands {
            write_line(&mut out, &hand(&mut random, steps), steps)?;
        }
    }
    out.flush()
}

/// A complete hand with tiles exchanged until it is this far from tenpai.
fn hand(random: &mut SplitMix64, steps: usize) -> Counts {
    loop {
        let mut counts = random.complete(4, ALL);
        random.exchange(&mut counts, steps + 1, ALL);
        let hand = ConcealedHand::new(counts, 0, 4).expect("14 tiles");
        if usize::try_from(shanten(&hand)) == Ok(steps) {
            return counts;
        }
    }
}

fn write_line(out: &mut impl Write, counts: &Counts, steps: usize) -> io::Result<()> {
    let mut unseen = Counts([4; 34]);
    for kind in counts.kinds().iter() {
        unseen[kind] -= counts[kind];
    }
    let [hand, unseen] =
        [*counts, unseen].map(|counts| Hand::from_counts(counts, [0; 3]).expect("tiles"));
    let started = Instant::now();
    let (one, all) = (
        expectation(&hand, &unseen, 1),
        expectation(&hand, &unseen, DRAWS),
    );
    let took = started.elapsed().as_micros();
    let discards: Vec<String> = all
        .discards()
        .iter()
        .map(|discard| {
            let by = |future: &Expectation| {
                let mut chances = future.discards().iter();
                let same = chances.find(|other| other.tile == discard.tile);
                same.map(|other| other.chances)
            };
            let (one, all) = (by(&one).unwrap_or_default(), by(&all).unwrap_or_default());
            format!(
                "[{},{},{},{}]",
                discard.tile.kind().index(),
                one.tenpai,
                one.win,
                all.win
            )
        })
        .collect();
    writeln!(
        out,
        "{{\"steps\":{steps},\"draws\":{DRAWS},\"counts\":{:?},\"us\":{took},\"discards\":[{}]}}",
        counts.0,
        discards.join(",")
    )
}

/// Wins by self-draw alone, as the package has it, with each kept tile a step nearer.
fn expectation(hand: &Hand, unseen: &Hand, draws: u8) -> Expectation {
    let situation = WinSituation {
        rules: Rules::TENHOU_HALF,
        seat: Seat::FIRST,
        oya: Seat::FIRST,
        bakaze: Wind::East,
        honba: 0,
        dora: Dora::NONE,
        kita: 0,
    };
    let outset = StartState {
        hand,
        melds: &[],
        unseen,
        situation: &situation,
        thrown: KindSet::EMPTY,
        draws,
        throws: 0,
        may_riichi: true,
        may_call: false,
        ura_indicators: 0,
        detours: Detours::None,
        aim: Aim::Win,
    };
    Expectation::of(&outset).expect("a hand that can be followed")
}
