//! No input makes hand knowledge panic.

use std::hint::black_box;

use mahjong::acceptance::{acceptance, discard_options};
use mahjong::seat::Wind;
use mahjong::shanten::shanten;
use mahjong::shape::{is_complete, readings};
use mahjong::splits::best_split;
use mahjong::waits::waits;
use mahjong::yaku::{WinBy, WinContext, has_yaku, yaku_is_certain};
use mahjong::{Counts, MeldKind};

use crate::random::Random;
use crate::text::meld;

/// Counts that no hand has: far too many, far too few, five and more of a kind.
fn garbage(random: &mut Random) -> Counts {
    let mut counts = Counts::EMPTY;
    let limit = [2, 5, 6, 15, 256][random.below(5)];
    for count in &mut counts.0 {
        if random.below(3) > 0 {
            *count = random.below(limit) as u8;
        }
    }
    counts
}

#[test]
fn impossible_counts_are_taken_without_panicking() {
    let mut random = Random::new(2);
    let all_melds = [meld(MeldKind::Chi, "123m"), meld(MeldKind::Ankan, "1111z")].repeat(4);
    let context = WinContext {
        by: WinBy::Discard,
        riichi: None,
        seat_wind: Wind::East,
        round_wind: Wind::South,
        open_tanyao: true,
    };
    for _ in 0..20_000 {
        let counts = garbage(&mut random);
        let melds = random.below(256) as u8;
        black_box(shanten(&counts, melds));
        black_box(acceptance(&counts, melds));
        black_box(discard_options(&counts, melds));
        black_box(waits(&counts, melds));
        black_box(readings(&counts));
        let melded = &all_melds[..random.below(all_melds.len() + 1)];
        black_box(has_yaku(&counts, melded, random.kind(0, 34), &context));
        black_box(yaku_is_certain(&counts, melded, Wind::East, Wind::South, true));
        let possible = counts.0.iter().all(|&count| count <= 4) && counts.total() + 3 * u32::from(melds) == 14;
        assert!(possible || !is_complete(&counts, melds), "{counts:?} with {melds} melds");
    }
}

#[test]
fn impossible_counts_are_split_without_panicking() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        black_box(best_split(&garbage(&mut random), random.below(256) as u8, |_| u32::MAX));
    }
}
