//! Properties of any situation.

use super::*;

use policy_sdk::testing::{all_tiles, written};
use proptest::prelude::*;
use riichi::shanten::shanten;
use riichi::{ConcealedHand, KindSet};
use riichi_estimates::danger::{Danger, Opponent, Sight};

proptest! {
    #[test]
    fn far_from_tenpai_and_late_it_discards_no_tile_that_may_deal_in_while_it_has_two_that_cannot(
        tiles in Just(all_tiles()).prop_shuffle(),
    ) {
        let (hand, rest) = tiles.split_at(14);
        let mut scene = Situation::drew(&written(&hand[..13]), &written(&hand[13..]))
            .dora_markers(&written(&rest[..1]))
            .river(1, &written(&rest[1..12]))
            .riichi(1, &written(&rest[12..13]))
            .build();
        scene.raw_mut().tiles_left = 6;
        let danger = scene
            .view(|view| {
                let (player, sight) = (view.player(seat(1)), Sight::new(view.rules(), view.unseen(), view.dora_markers()));
                let riichi = Opponent::new(player.river(), &[], KindSet::EMPTY, Wind::South, Wind::East);
                Danger::of(&sight, &riichi)
            })
            .unwrap();
        let safe = hand.iter().filter(|tile| danger.deal_in(tile.kind()) == 0.0).count();
        let far = shanten(&ConcealedHand::new(hand.iter().copied().collect(), 0, 4).unwrap()) >= 3;
        if far && safe >= 2 {
            prop_assert_eq!(danger.deal_in(throws(&scene).kind()), 0.0);
        }
    }

    #[test]
    fn against_riichi_every_listed_discard_gets_a_value_and_the_best_is_chosen(
        tiles in Just(all_tiles()).prop_shuffle(),
    ) {
        let (hand, rest) = tiles.split_at(14);
        let situation = Situation::drew(&written(&hand[..13]), &written(&hand[13..])).river(2, &written(&rest[..8]));
        let scene = situation.riichi(2, &written(&rest[8..9])).dora_markers(&written(&rest[9..10])).build();
        let answered = decides(&[NO_KANS], &scene);
        let listed = scene.view(|view| view.legal().to_vec()).unwrap();
        prop_assert_eq!(answered.values.len(), listed.len());
        prop_assert!(answered.values.iter().all(|value| value.is_finite()));
        let best = answered.values.iter().copied().fold(f32::MIN, f32::max);
        let chosen = listed.iter().position(|action| *action == answered.action).unwrap();
        prop_assert_eq!(answered.values[chosen], best);
    }

    #[test]
    fn without_threats_it_keeps_the_lowest_shanten_number_unless_tenpai_is_worth_less(
        tiles in Just(all_tiles()).prop_shuffle(),
        thrown in 0_usize..6,
    ) {
        let (hand, rest) = tiles.split_at(14);
        let scene = (0..4).fold(
            Situation::drew(&written(&hand[..13]), &written(&hand[13..])).dora_markers(&written(&rest[24..25])),
            |situation, seat| situation.river(seat as u8, &written(&rest[6 * seat..6 * seat + thrown])),
        );
        let mut scene = scene.build();
        scene.raw_mut().tiles_left = 69 - 4 * thrown as u8;
        let full = ConcealedHand::new(hand.iter().copied().collect(), 0, 4).unwrap();
        let after = |thrown: Tile| shanten(&full.without(thrown.kind()).unwrap());
        let lowest = hand.iter().map(|&tile| after(tile)).min();
        let answered = decides(&[NO_KANS], &scene);
        let (Action::Dahai { tile, .. } | Action::Reach { tile, .. }) = answered.action else { panic!("a discard") };
        prop_assert!(Some(after(tile)) == lowest || (lowest, after(tile)) == (Some(0), 1), "{}", answered.reason);
        prop_assert!(answered.reason.starts_with("push"), "{}", answered.reason);
    }
}
