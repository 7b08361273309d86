//! Functions about hands, next to the peers: `cargo bench -p bot-runner-riichi --bench hand`.
//!
//! Every function is given the same random hands. An iteration takes 1,000 of them, so that its
//! time in µs is the time for one hand in ns.

mod random;

use divan::{Bencher, black_box};
use random::SplitMix64;
use riichi::acceptance::{acceptance, discard_options};
use riichi::score::{Dora, Win, WinSituation};
use riichi::shanten::shanten;
use riichi::shape::readings;
use riichi::waits::waits;
use riichi::yaku::{Declared, WinBy, WinContext, has_yaku};
use riichi::{ConcealedHand, Counts, Hand, Kind, KindSet, Rules, Seat, Wind};
use riichienv_core::hand_evaluator::HandEvaluator;
use riichienv_core::shanten::calc_shanten_from_counts;
use riichienv_core::types::Conditions;
use xiangting::{PlayerCount, calculate_necessary_tiles, calculate_replacement_number};

fn main() {
    divan::main();
}

/// Hands in an iteration.
const CHUNK: usize = 1000;
/// So many different hands: more than the branch predictor remembers.
const HANDS: usize = 16 * CHUNK;
const ALL: (usize, usize) = (0, 34);
const ONE_SUIT: (usize, usize) = (0, 9);

fn closed(counts: Counts, players: u8) -> ConcealedHand {
    ConcealedHand::new(counts, 0, players).expect("13 or 14 tiles")
}

fn hands(tiles: usize, range: (usize, usize)) -> Vec<ConcealedHand> {
    let mut random = SplitMix64::new(99);
    (0..HANDS)
        .map(|_| closed(random.deal(tiles, range), 4))
        .collect()
}

fn hands_of_three(tiles: usize) -> Vec<ConcealedHand> {
    let mut random = SplitMix64::new(99);
    (0..HANDS)
        .map(|_| closed(random.deal_three(tiles), 3))
        .collect()
}

/// Complete hands less one tile, some of them with one more tile exchanged: mostly tenpai, as in
/// the hot path of a game.
fn near_tenpai() -> Vec<ConcealedHand> {
    let mut random = SplitMix64::new(98);
    (0..HANDS)
        .map(|_| {
            let mut hand = random.complete(4, ALL);
            let exchanged = random.below(2);
            random.exchange(&mut hand, exchanged, ALL);
            random.take(&mut hand);
            closed(hand, 4)
        })
        .collect()
}

fn bench_each<I, T>(bencher: Bencher, inputs: &[I], of: impl Fn(&I) -> T) {
    let mut chunks = inputs.chunks(CHUNK).cycle();
    bencher.bench_local(|| {
        for input in chunks.next().into_iter().flatten() {
            black_box(of(black_box(input)));
        }
    });
}

fn peer_shanten(counts: &Counts) -> i8 {
    calc_shanten_from_counts(&counts.0, 4)
}

/// The cost of checking a hand before it is used.
mod check_of_14_tiles {
    use super::*;

    #[divan::bench]
    fn ours(bencher: Bencher) {
        let mut random = SplitMix64::new(99);
        let counts: Vec<Counts> = (0..HANDS).map(|_| random.deal(14, ALL)).collect();
        bench_each(bencher, &counts, |counts| ConcealedHand::new(*counts, 0, 4));
    }
}

mod shanten_of_14_tiles {
    use super::*;

    #[divan::bench]
    fn three_players(bencher: Bencher) {
        bench_each(bencher, &hands_of_three(14), shanten);
    }

    #[divan::bench]
    fn ours(bencher: Bencher) {
        bench_each(bencher, &hands(14, ALL), shanten);
    }

    #[divan::bench]
    fn riichienv(bencher: Bencher) {
        bench_each(bencher, &hands(14, ALL), |hand| peer_shanten(hand.counts()));
    }

    #[divan::bench]
    fn xiangting(bencher: Bencher) {
        bench_each(bencher, &hands(14, ALL), |hand| {
            calculate_replacement_number(&hand.counts().0, PlayerCount::Four)
        });
    }
}

mod shanten_of_14_tiles_of_one_suit {
    use super::*;

    #[divan::bench]
    fn ours(bencher: Bencher) {
        bench_each(bencher, &hands(14, ONE_SUIT), shanten);
    }

    #[divan::bench]
    fn riichienv(bencher: Bencher) {
        bench_each(bencher, &hands(14, ONE_SUIT), |hand| {
            peer_shanten(hand.counts())
        });
    }

    #[divan::bench]
    fn xiangting(bencher: Bencher) {
        bench_each(bencher, &hands(14, ONE_SUIT), |hand| {
            calculate_replacement_number(&hand.counts().0, PlayerCount::Four)
        });
    }
}

mod acceptance_of_13_tiles {
    use super::*;

    #[divan::bench]
    fn three_players(bencher: Bencher) {
        bench_each(bencher, &hands_of_three(13), acceptance);
    }

    #[divan::bench]
    fn ours(bencher: Bencher) {
        bench_each(bencher, &hands(13, ALL), acceptance);
    }

    #[divan::bench]
    fn riichienv(bencher: Bencher) {
        bench_each(bencher, &hands(13, ALL), peer_acceptance);
    }

    #[divan::bench]
    fn xiangting(bencher: Bencher) {
        bench_each(bencher, &hands(13, ALL), |hand| {
            calculate_necessary_tiles(&hand.counts().0, PlayerCount::Four)
        });
    }
}

/// The engine offers no acceptance without its Python feature, so each kind is tried.
fn peer_acceptance(hand: &ConcealedHand) -> KindSet {
    let before = peer_shanten(hand.counts());
    let mut counts = *hand.counts();
    let lowers = |kind: &Kind| {
        if counts[*kind] == 4 {
            return false;
        }
        counts[*kind] += 1;
        let after = peer_shanten(&counts);
        counts[*kind] -= 1;
        after < before
    };
    Kind::all().filter(lowers).collect()
}

mod discards_of_14_tiles {
    use super::*;

    #[divan::bench]
    fn ours(bencher: Bencher) {
        bench_each(bencher, &hands(14, ALL), discard_options);
    }

    #[divan::bench]
    fn xiangting(bencher: Bencher) {
        bench_each(bencher, &hands(14, ALL), |hand| {
            let mut rest = *hand.counts();
            for kind in hand.counts().kinds().iter() {
                rest[kind] -= 1;
                let _ = black_box(calculate_necessary_tiles(&rest.0, PlayerCount::Four));
                rest[kind] += 1;
            }
        });
    }
}

mod waits_near_tenpai {
    use super::*;

    #[divan::bench]
    fn ours(bencher: Bencher) {
        bench_each(bencher, &near_tenpai(), waits);
    }

    #[divan::bench]
    fn riichienv(bencher: Bencher) {
        let evaluators: Vec<_> = near_tenpai()
            .iter()
            .map(|hand| HandEvaluator::new(physical(hand.counts()), Vec::new()))
            .collect();
        bench_each(bencher, &evaluators, HandEvaluator::get_waits_u8);
    }
}

/// Physical tiles, four to a kind.
fn physical(hand: &Counts) -> Vec<u8> {
    hand.kinds()
        .iter()
        .flat_map(|kind| (0..hand[kind]).map(move |copy| 4 * kind.index() as u8 + copy))
        .collect()
}

/// Complete hands with the winning tile, which is taken out at random.
fn wins() -> Vec<(Counts, Kind)> {
    let mut random = SplitMix64::new(97);
    (0..HANDS)
        .map(|_| {
            let hand = random.complete(4, ALL);
            (hand, random.take(&mut hand.clone()))
        })
        .collect()
}

mod yaku_of_a_closed_ron {
    use super::*;

    #[divan::bench]
    fn ours(bencher: Bencher) {
        let context = WinContext {
            by: WinBy::Discard,
            riichi: None,
            seat_wind: Wind::East,
            round_wind: Wind::East,
            open_tanyao: true,
        };
        let wins: Vec<_> = wins()
            .into_iter()
            .map(|(counts, winning)| (closed(counts, 4), winning))
            .collect();
        bench_each(bencher, &wins, |(hand, winning)| {
            has_yaku(hand, &[], *winning, &context)
        });
    }

    #[divan::bench]
    fn readings_alone(bencher: Bencher) {
        let wins: Vec<ConcealedHand> = wins()
            .into_iter()
            .map(|(counts, _)| closed(counts, 4))
            .collect();
        bench_each(bencher, &wins, readings);
    }
}

/// A ron in riichi, with an indicator and one under it.
mod points_of_a_closed_ron {
    use super::*;

    #[divan::bench]
    fn ours(bencher: Bencher) {
        let rules = Rules::TENHOU_HALF;
        let marker = |index| Kind::new(index).into_iter().map(Kind::tile);
        let (dora, ura) = (
            Dora::named_by(&rules, marker(3)),
            Dora::named_by(&rules, marker(12)),
        );
        let seat = Seat::FIRST;
        let situation = WinSituation {
            rules,
            seat,
            oya: seat,
            bakaze: Wind::East,
            honba: 0,
            dora,
            kita: 0,
        };
        let wins: Vec<_> = wins()
            .into_iter()
            .map(|(counts, winning)| {
                (
                    Hand::from_counts(counts, [0; 3]).expect("at most four of a kind"),
                    winning,
                )
            })
            .collect();
        bench_each(bencher, &wins, |(hand, winning)| {
            let riichi = Some(Declared::default());
            situation.score(&Win {
                riichi,
                ura: ura.clone(),
                ..Win::of(hand, &[], *winning, WinBy::Discard)
            })
        });
    }

    #[divan::bench]
    fn riichienv(bencher: Bencher) {
        let wins: Vec<_> = wins()
            .into_iter()
            .map(|(hand, winning)| {
                let mut before = hand;
                before[winning] -= 1;
                let tile = 4 * winning.index() as u8 + before[winning];
                (HandEvaluator::new(physical(&before), Vec::new()), tile)
            })
            .collect();
        let conditions = || {
            Some(Conditions {
                riichi: true,
                ..Conditions::default()
            })
        };
        let (dora, ura) = (vec![4 * 3], vec![4 * 12]);
        bench_each(bencher, &wins, |(evaluator, tile)| {
            evaluator.calc(*tile, dora.clone(), ura.clone(), conditions())
        });
    }
}
