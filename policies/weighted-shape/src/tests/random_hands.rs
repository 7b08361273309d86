//! Properties of every hand, on random ones.

use super::*;

use policy_sdk::testing::{Scene, all_tiles, written};
use proptest::prelude::*;
use riichi::yaku::yaku_is_certain;
use riichi::{ConcealedHand, Counts, Kind, MeldKind, Wind};
use riichi_estimates::splits::{Part, Shape, for_each_split};

fn decides(settings: &[Setting<'_>], scene: &Scene) -> Answered {
    TestInstance::create(&ENTRY, "weighted-shape", settings)
        .unwrap()
        .decide(scene)
        .unwrap()
}

/// Shanten number and tenths of Q of a split of 14 tiles.
fn worth(split: &[Part]) -> (usize, u32) {
    let number = |wanted: &[Shape]| {
        split
            .iter()
            .filter(|part| wanted.contains(&part.shape()))
            .count()
    };
    let sets = number(&[Shape::Run, Shape::Triplet]);
    let pairs = number(&[Shape::Pair]);
    let halves = number(&[Shape::Neighbours, Shape::Gap]);
    let room = 4 - sets;
    let with_pair = pairs.min(1) + (pairs.saturating_sub(1) + halves).min(room);
    let steps = 8 - 2 * sets - with_pair.max((pairs + halves).min(room));
    (
        steps,
        (5 * number(&[Shape::Isolated])
            + 3 * number(&[Shape::Gap])
            + 2 * number(&[Shape::Neighbours])) as u32,
    )
}

/// The discard of the best split, by class and then by the highest index.
fn discards_from_the_best_split(hand: &ConcealedHand) -> Kind {
    let mut best: Option<((usize, u32), Vec<Part>)> = None;
    for_each_split(hand, |split| {
        let worth = worth(split);
        if best.as_ref().is_none_or(|(lowest, _)| worth < *lowest) {
            best = Some((worth, split.to_vec()));
        }
    });
    let (_, split) = best.expect("there is a split");
    let classes = [Shape::Isolated, Shape::Gap, Shape::Neighbours, Shape::Pair];
    let last_of = |shape| split.iter().rfind(|part| part.shape() == shape);
    let part = classes
        .into_iter()
        .find_map(last_of)
        .expect("14 tiles that are not tenpai are not all sets");
    part.kinds().last().expect("a part has tiles")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_hand_that_cannot_be_tenpai_discards_from_the_best_of_all_its_splits(
        tiles in Just(all_tiles()).prop_shuffle(),
    ) {
        let situation = Situation::drew(&written(&tiles[..13]), &written(&tiles[13..14]));
        let scene = situation.dora_markers(&written(&tiles[14..15])).build();
        let hand = scene.view(|view| *view.concealed()).unwrap();
        let answered = decides(&[PLAIN], &scene);
        match answered.action {
            Action::Dahai { tile, .. } => prop_assert_eq!(tile.kind(), discards_from_the_best_split(&hand)),
            other => prop_assert!(matches!(other, Action::Reach { .. }), "{:?}", other),
        }
    }

    #[test]
    fn after_a_call_and_its_discard_a_yaku_is_certain(
        // Few kinds, so that calls are frequent: bamboo, 5p to 8p and the dragons.
        tiles in Just(all_tiles()
            .into_iter()
            .map(|tile| tile.kind().tile())
            .filter(|tile| (13..27).contains(&tile.index()) || tile.kind().is_dragon())
            .collect::<Vec<_>>())
        .prop_shuffle(),
    ) {
        let (hand, offered) = (&tiles[..13], tiles[13]);
        let calls = possible_calls(&hand.iter().copied().collect(), offered);
        let situation = Situation::offered(&written(hand), &written(&[offered]), 3);
        let scene = calls.iter().fold(situation, |situation, &call| situation.also(call)).build();
        let (kind, consumed) = match decides(&[], &scene).action {
            Action::Chi { consumed, .. } => (MeldKind::Chi, consumed),
            Action::Pon { consumed, .. } => (MeldKind::Pon, consumed),
            other => {
                prop_assert_eq!(other, Action::None);
                return Ok(());
            }
        };
        let mut rest = hand.to_vec();
        for tile in consumed {
            rest.remove(rest.iter().position(|&held| held == tile).unwrap());
        }
        let melded = [offered, consumed[0], consumed[1]];
        let scene = Situation::called(&written(&rest)).meld(0, kind, &written(&melded), 3).build();
        let Action::Dahai { tile: thrown, .. } = decides(&[], &scene).action else { panic!("a discard") };
        rest.remove(rest.iter().position(|&held| held == thrown).unwrap());
        let hand = ConcealedHand::new(rest.iter().copied().collect(), 1, 4).unwrap();
        let certain = scene.view(|view| yaku_is_certain(&hand, view.melds(), Wind::East, Wind::East, true, view.unseen().kinds())).unwrap();
        prop_assert!(certain, "{:?} called with {:?}, {} discarded", offered, consumed, thrown);
    }
}

fn possible_calls(hand: &Counts, offered: Tile) -> Vec<Action> {
    let kind = offered.kind();
    let mut calls = Vec::new();
    if hand[kind] >= 2 {
        calls.push(Action::Pon {
            target: seat(3),
            tile: offered,
            consumed: [offered; 2],
        });
    }
    for steps in [[-2, -1], [-1, 1], [1, 2]] {
        if let [Some(low), Some(high)] =
            steps.map(|steps| kind.offset(steps).filter(|&other| hand[other] > 0))
        {
            calls.push(Action::Chi {
                target: seat(3),
                tile: offered,
                consumed: [low.tile(), high.tile()],
            });
        }
    }
    calls
}
