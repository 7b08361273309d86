//! Rungs A to C read off random hands the long way.

use super::*;

use policy_sdk::testing::{all_tiles, written};
use proptest::prelude::*;
use riichi::acceptance::discard_options;
use riichi::{ConcealedHand, Counts, Kind};

/// The distance from a tile to the next other tile of its suit: 0 for a second of its kind, 9 for
/// none.
fn distance(closed: &Counts, kind: Kind) -> i8 {
    if closed[kind] > 1 {
        return 0;
    }
    let beside = |&steps: &i8| {
        [-steps, steps]
            .into_iter()
            .filter_map(|steps| kind.offset(steps))
            .any(|k| closed[k] > 0)
    };
    (1..9).find(beside).unwrap_or(9)
}

/// From the ends inward: honours, then 1 and 9, …
fn inward(kind: Kind) -> u8 {
    kind.number().map_or(0, |number| number.min(10 - number))
}

/// The kinds that the ladder may discard by rungs A to C; `None` if the hand has no such discard.
fn by_the_first_rungs(hand: &ConcealedHand) -> Option<Vec<Kind>> {
    let closed = hand.counts();
    let wait = |kind: Kind| u32::from(4 - closed[kind]);
    let tenpai = discard_options(hand)
        .into_iter()
        .filter(|option| option.shanten == 0);
    let widths: Vec<(u32, Kind)> = tenpai
        .map(|option| (option.acceptance.iter().map(wait).sum(), option.kind))
        .collect();
    if let Some(widest) = widths.iter().map(|(width, _)| *width).max() {
        return Some(
            widths
                .iter()
                .filter(|(width, _)| *width == widest)
                .map(|(_, kind)| *kind)
                .collect(),
        );
    }
    let apart = |least: i8, most: i8| -> Vec<Kind> {
        closed
            .kinds()
            .iter()
            .filter(|&kind| (least..=most).contains(&distance(closed, kind)))
            .collect()
    };
    let rung = [apart(3, 9), apart(2, 2)]
        .into_iter()
        .find(|rung| !rung.is_empty())?;
    let outermost = rung.iter().map(|&kind| inward(kind)).min();
    Some(
        rung.into_iter()
            .filter(|&kind| Some(inward(kind)) == outermost)
            .collect(),
    )
}

proptest! {
    #[test]
    fn tenpai_comes_first_then_what_has_two_places_vacant_then_one(
        tiles in Just(all_tiles()).prop_shuffle(),
        few_kinds in any::<bool>(),
    ) {
        // Hands of two suits come further down the ladder.
        let tiles: Vec<Tile> = tiles.into_iter().filter(|tile| !few_kinds || (4..20).contains(&tile.kind().index())).collect();
        let situation = Situation::drew(&written(&tiles[..13]), &written(&tiles[13..14]));
        let scene = situation.dora_markers(&written(&tiles[14..15])).build();
        let hand = scene.view(|view| *view.concealed()).unwrap();
        let answered = TestInstance::create(&ENTRY, "eight-step", &[]).unwrap().decide(&scene).unwrap();
        let (Action::Dahai { tile: thrown, .. } | Action::Reach { tile: thrown, .. }) = answered.action else {
            panic!("a discard, not {:?}", answered.action)
        };
        let pairs = hand.counts().0.iter().filter(|&&count| count > 1).count();
        let tenpai = matches!(answered.action, Action::Reach { .. });
        match by_the_first_rungs(&hand) {
            Some(expected) if tenpai || pairs < 5 => prop_assert!(expected.contains(&thrown.kind()), "{}", thrown),
            _ => prop_assert!(!answered.reason.starts_with(['A', 'B', 'C']), "{}", answered.reason),
        }
    }
}
