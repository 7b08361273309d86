//! Properties of any situation.

use proptest::prelude::*;
use riichi::table::Discard;
use riichi::{Counts, Kind, KindSet, Rules, Tile, Wind};
use riichi_estimates::danger::{Class, Danger, Opponent, Sight, Threat, TwoSidedWaits};

fn any_river() -> impl Strategy<Value = Vec<Discard>> {
    let riichi = prop::option::of(0_usize..20);
    (prop::collection::vec(0_u8..37, 0..20), riichi).prop_map(|(tiles, riichi)| {
        tiles
            .into_iter()
            .enumerate()
            .map(|(place, index)| Discard {
                tile: Tile::new(index).expect("a tile"),
                tsumogiri: false,
                riichi: riichi == Some(place),
                called_by: None,
                order: place as u8,
            })
            .collect()
    })
}

fn any_sight() -> impl Strategy<Value = Sight> {
    (prop::collection::vec(0_u8..=4, 34), 0_u8..37).prop_map(|(unseen, marker)| {
        let unseen = Counts(unseen.try_into().expect("34 kinds"));
        Sight::new(&Rules::default(), unseen, Tile::new(marker))
    })
}

fn opponent(river: &[Discard], passed: KindSet) -> Opponent {
    Opponent::new(river.iter().copied(), &[], passed, Wind::South, Wind::East)
}

proptest! {
    #[test]
    fn chances_are_between_0_and_1_and_exactly_0_for_certainly_safe_kinds(
        river in any_river(), passed in 0_u64..1 << 34, sight in any_sight(),
    ) {
        let passed = KindSet::from_bits(passed);
        let opponent = opponent(&river, passed);
        let (danger, lines) = (Danger::of(&sight, &opponent), TwoSidedWaits::new(&sight, &opponent));
        for kind in Kind::all() {
            prop_assert!((0.0..=1.0).contains(&danger.deal_in(kind)));
            if passed.contains(kind) || river.iter().any(|discard| discard.tile.kind() == kind) {
                prop_assert_eq!(danger.deal_in(kind), 0.0);
            }
            if opponent.threat() == Threat::Riichi {
                let never = Class::of(kind, &sight, &opponent, &lines) == Class::Never;
                prop_assert_eq!(never, danger.deal_in(kind) == 0.0);
            }
        }
    }

    #[test]
    fn what_passes_makes_no_kind_that_it_is_suji_of_more_likely_than_others_of_its_number(
        passed in 0_usize..27,
    ) {
        // All tiles equally unseen, so that the suits differ only in the passed tiles.
        let sight = Sight { players: 4, unseen: Counts([4; 34]), dora: KindSet::EMPTY };
        let passed = Kind::new(passed as u8).expect("a kind");
        let riichi = Discard { tile: Kind::EAST.tile(), tsumogiri: false, riichi: true, called_by: None, order: 0 };
        let danger = Danger::of(&sight, &opponent(&[riichi], [passed].into_iter().collect()));
        for suji in [passed.offset(3), passed.offset(-3)].into_iter().flatten() {
            let elsewhere = Kind::new((suji.index() as u8 + 9) % 27).expect("a kind");
            prop_assert!(danger.deal_in(suji) < danger.deal_in(elsewhere));
        }
    }
}
