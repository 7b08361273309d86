//! What holds in any situation.

use super::*;

use mahjong::danger::{Danger, Opponent, Sight};
use mahjong::shanten::shanten;
use mahjong::{Kind, KindSet};
use proptest::prelude::*;

fn all_tiles() -> Vec<Tile> {
    Kind::all().flat_map(|kind| [kind.tile(); 4]).collect()
}

/// As [`Situation`] takes them.
fn written(tiles: &[Tile]) -> String {
    let one = |tile: &Tile| match (tile.kind().number(), tile.kind().suit()) {
        (Some(number), Some(suit)) => format!("{number}{}", ["m", "p", "s"][usize::from(suit)]),
        _ => format!("{}z", tile.kind().index() - Kind::EAST.index() + 1),
    };
    tiles.iter().map(one).collect()
}

proptest! {
    #[test]
    fn far_from_tenpai_and_late_it_throws_no_tile_that_may_deal_in_while_it_has_two_that_cannot(
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
        let far = shanten(&hand.iter().copied().collect(), 0) >= 3;
        if far && safe >= 2 {
            prop_assert_eq!(danger.deal_in(throws(&scene).kind()), 0.0);
        }
    }

    #[test]
    fn every_listed_discard_gets_a_value_and_the_best_is_chosen(
        tiles in Just(all_tiles()).prop_shuffle(),
        riichi in any::<bool>(),
    ) {
        let (hand, rest) = tiles.split_at(14);
        let situation = Situation::drew(&written(&hand[..13]), &written(&hand[13..])).river(2, &written(&rest[..8]));
        let situation = if riichi { situation.riichi(2, &written(&rest[8..9])) } else { situation };
        let scene = situation.dora_markers(&written(&rest[9..10])).build();
        let answered = decides(&[NO_KANS], &scene);
        let listed = scene.view(|view| view.legal().to_vec()).unwrap();
        prop_assert_eq!(answered.values.len(), listed.len());
        prop_assert!(answered.values.iter().all(|value| value.is_finite()));
        let best = answered.values.iter().copied().fold(f32::MIN, f32::max);
        let chosen = listed.iter().position(|action| *action == answered.action).unwrap();
        prop_assert_eq!(answered.values[chosen], best);
    }
}
