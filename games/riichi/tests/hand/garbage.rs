//! No input makes functions about hands panic.

use std::hint::black_box;

use riichi::acceptance::{acceptance, discard_options};
use riichi::shanten::shanten;
use riichi::shape::{is_complete, readings};
use riichi::waits::waits;
use riichi::yaku::{WinBy, WinContext, has_yaku, yaku_is_certain};
use riichi::{ConcealedHand, Counts, KindSet, MeldKind, Wind};

use crate::random::SplitMix64;
use crate::text::meld;

/// Counts that are rarely a valid hand: too many, too few, five and more of a kind.
fn garbage(random: &mut SplitMix64) -> Counts {
    let mut counts = Counts::EMPTY;
    let (limit, share) = ([2, 5, 6, 15, 256][random.below(5)], 1 + random.below(8));
    for count in &mut counts.0 {
        if random.below(share) == 0 {
            *count = random.below(limit) as u8;
        }
    }
    counts
}

#[test]
fn only_tiles_of_a_hand_are_taken_for_one() {
    let mut random = SplitMix64::new(2);
    let mut taken = [0; 2];
    for _ in 0..50_000 {
        let (counts, melds, players) = (
            garbage(&mut random),
            random.below(7),
            2 + random.below(4) as u8,
        );
        let tiles = counts.total() as usize + 3 * melds;
        let in_play =
            players == 4 || players == 3 && counts.0[1..8].iter().all(|&count| count == 0);
        let possible = in_play
            && melds <= 4
            && (13..=14).contains(&tiles)
            && counts.0.iter().all(|&count| count <= 4);
        let hand = ConcealedHand::new(counts, melds, players);
        assert_eq!(
            hand.is_ok(),
            possible,
            "{counts:?} with {melds} melds and {players} players: {hand:?}"
        );
        taken[usize::from(possible)] += 1;
    }
    assert!(taken.iter().all(|&times| times > 500), "{taken:?}");
}

/// Melds that do not go with the hand are the caller's mistake, which is no reason to panic.
#[test]
fn a_hand_is_taken_with_any_melds() {
    let mut random = SplitMix64::new(3);
    let all_melds = [meld(MeldKind::Chi, "123m"), meld(MeldKind::Ankan, "1111z")].repeat(4);
    let context = WinContext {
        by: WinBy::Discard,
        riichi: None,
        seat_wind: Wind::East,
        round_wind: Wind::South,
        open_tanyao: true,
    };
    for _ in 0..20_000 {
        let melds = random.below(5);
        let range = [(0, 9), (9, 34), (0, 34), (27, 34)][random.below(4)];
        let tiles = 13 + random.below(2) - 3 * melds;
        let counts = random.deal(tiles, range);
        let hand = ConcealedHand::new(counts, melds, 4).expect("a hand");
        black_box(readings(&hand));
        let melded = &all_melds[..random.below(all_melds.len() + 1)];
        black_box(has_yaku(&hand, melded, random.kind(0, 34), &context));
        black_box(yaku_is_certain(
            &hand,
            melded,
            Wind::East,
            Wind::South,
            true,
            KindSet::ALL,
        ));
        black_box((
            shanten(&hand),
            acceptance(&hand),
            discard_options(&hand),
            waits(&hand),
            is_complete(&hand),
        ));
    }
}
