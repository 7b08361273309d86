//! The rule for discards, counted out the long way on random hands.

use super::*;

use std::cmp::Reverse;

use policy_sdk::testing::{all_tiles, written};
use proptest::prelude::*;
use riichi::shanten::shanten;
use riichi::{ConcealedHand, Counts, Kind};

/// Shanten after a discard, and the unseen copies of every kind that lowers it, by trying each.
fn counted_out(hand: &ConcealedHand, thrown: Kind, unseen: &Counts) -> (i8, Reverse<u32>) {
    let rest = hand.without(thrown).unwrap();
    let now = shanten(&rest);
    let lowers = |&kind: &Kind| rest.with(kind).is_some_and(|more| shanten(&more) < now);
    (
        now,
        Reverse(
            Kind::all()
                .filter(lowers)
                .map(|kind| u32::from(unseen[kind]))
                .sum(),
        ),
    )
}

proptest! {
    #[test]
    fn no_discard_leaves_a_lower_shanten_number_or_as_low_a_one_with_more_acceptance(
        tiles in Just(all_tiles()).prop_shuffle(),
        seen in 0_usize..60,
    ) {
        let (hand, rest) = tiles.split_at(14);
        let (marker, discards) = rest.split_at(1);
        let river = |seat: usize| written(&discards[15 * seat..seen.clamp(15 * seat, 15 * seat + 15)]);
        let situation = (0..4).fold(
            Situation::drew(&written(&hand[..13]), &written(&hand[13..])).dora_markers(&written(marker)),
            |situation, seat| situation.river(seat as u8, &river(seat)),
        );

        let scene = situation.build();
        let chosen = TestInstance::create(&ENTRY, "greedy-tenpai", &[]).unwrap().decide(&scene).unwrap().action;
        let (listed, hand, unseen) =
            scene.view(|view| (view.legal().to_vec(), *view.concealed(), view.unseen())).unwrap();
        let worth = |action: &Action| match *action {
            Action::Dahai { tile, .. } => (true, counted_out(&hand, tile.kind(), &unseen)),
            Action::Reach { tile, .. } => (false, counted_out(&hand, tile.kind(), &unseen)),
            other => panic!("neither listed nor chosen: {other:?}"),
        };
        prop_assert_eq!(Some(worth(&chosen)), listed.iter().map(worth).min());
    }
}
