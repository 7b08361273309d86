//! Figures of single hands, and of an invalid one.

use riichi::concealed::BadHand;
use riichi::notation::Tiles;
use riichi::score::WinSituation;
use riichi::{Hand, Kind, KindSet, Rules, Wind};
use riichi_estimates::expectation::{BadOutset, Detours, Expectation, Stand};

use crate::scene::{HandScene, meld, situation, tile, tiles};

/// The tiles that are not among these, none of them red.
fn all_but(hand: &str) -> String {
    let held = Hand::from_tiles(tiles(hand)).expect("a hand");
    let left = |kind: Kind| std::iter::repeat_n(kind.tile(), usize::from(4 - held.counts()[kind]));
    Kind::all()
        .flat_map(left)
        .map(|tile| Tiles([tile].into_iter().collect()).to_string())
        .collect()
}

#[test]
fn the_chances_by_turn_rise_to_those_in_the_end() {
    for (detours, throws) in [(Detours::None, 3), (Detours::One, 3), (Detours::One, 0)] {
        let hand = "234m45p34s5578889s";
        let scene = HandScene {
            throws,
            detours,
            ura_indicators: 1,
            ..HandScene::new(hand, &all_but(hand), 10)
        };
        let expectation = scene.expectation();
        for discard in expectation.discards() {
            let by_turn = expectation
                .by_turn(discard.tile)
                .expect("one of the discards");
            assert_eq!(by_turn.len(), 11, "before any draw, and after each of ten");
            assert!(
                by_turn.is_sorted_by(|one, next| one.win <= next.win && one.tenpai <= next.tenpai)
            );
            let last = by_turn[10];
            let close = |one: f64, other: f64| (one - other).abs() < 1e-9 * (1.0 + other.abs());
            let chances = discard.chances;
            assert!(
                close(last.win, chances.win) && close(last.points, chances.points),
                "{last:?} for {chances:?}"
            );
            assert!(
                close(last.tenpai, chances.tenpai),
                "{last:?} for {chances:?}"
            );
        }
    }
}

#[test]
fn more_draws_and_more_discards_never_make_a_hand_worse() {
    let hand = "234m45p34s5578889s";
    let unseen = all_but(hand);
    let best = |draws, throws| {
        let scene = HandScene {
            throws,
            may_riichi: false,
            ..HandScene::new(hand, &unseen, draws)
        };
        scene.expectation().discards()[0].chances
    };
    for draws in 1..12 {
        assert!(best(draws, 0).win < best(draws + 1, 0).win);
        assert!(best(draws, 3).win < best(draws + 1, 3).win);
        assert!(best(draws, 0).win < best(draws, 3).win);
    }
}

#[test]
fn a_good_wait_early_declares_riichi_and_none_is_declared_without_a_draw_to_come() {
    let hand = "234m456p34s55678s9m";
    let unseen = all_but(hand);
    let stand = |draws| {
        HandScene {
            throws: 3,
            ..HandScene::new(hand, &unseen, draws)
        }
        .expectation()
        .discards()[0]
            .stand
    };
    assert_eq!(stand(10), Stand::Riichi);
    assert_ne!(stand(0), Stand::Riichi);
}

#[test]
fn an_open_tenpai_without_yaku_is_improved_to_one_with() {
    // 123m 44s 67s waits for 5s and 8s, which win nothing; with 4m for 1m it is all simples.
    let melds = vec![meld("345p"), meld("678p")];
    let unseen = all_but("1238m345678p4467s");
    let scene = |detours| HandScene {
        melds: melds.clone(),
        throws: 3,
        detours,
        ..HandScene::new("1238m4467s", &unseen, 12)
    };
    let of_8m = |expectation: &Expectation| {
        let mut discards = expectation.discards().iter();
        discards
            .find(|discard| discard.tile == tile("8m"))
            .expect("tenpai")
            .chances
            .win
    };
    assert_eq!(of_8m(&scene(Detours::None).expectation()), 0.0);
    let expectation = scene(Detours::One).expectation();
    assert!(of_8m(&expectation) > 0.2);
    let waiting = Hand::from_tiles(tiles("123m4467s")).expect("a hand");
    assert_eq!(
        expectation.throws(&waiting, &scene(Detours::One).melds, tile("4m"), 8),
        Some(tile("1m"))
    );
    assert_eq!(
        expectation.throws(&waiting, &scene(Detours::One).melds, tile("E"), 8),
        Some(tile("E"))
    );
}

/// A hand of three players who have set this many Norths aside, with all other tiles except the
/// Norths unseen.
fn of_three(hand: &str, norths: u8) -> HandScene {
    let rules = Rules::TENHOU_HALF.with_players(3);
    let held = Hand::from_tiles(tiles(hand)).expect("a hand");
    let kinds = KindSet::in_play(3)
        .iter()
        .filter(|&kind| kind != Wind::North.kind());
    let left = kinds
        .flat_map(|kind| std::iter::repeat_n(kind.tile(), usize::from(4 - held.counts()[kind])));
    let unseen: String = left
        .map(|tile| Tiles([tile].into_iter().collect()).to_string())
        .collect();
    let situation = WinSituation {
        rules,
        kita: norths,
        ..situation()
    };
    HandScene {
        throws: 2,
        situation,
        ..HandScene::new(hand, &unseen, 12)
    }
}

#[test]
fn three_players_draw_no_kind_that_they_do_not_play_with() {
    let scene = of_three("119m456p34s556788s", 0);
    assert!(scene.expectation().discards()[0].chances.win > 0.0);
    let with_5m = HandScene {
        unseen: scene.unseen.with(tile("5m")).expect("a tile"),
        ..scene
    };
    let refused = Expectation::of(&with_5m.outset()).expect_err("it cannot be drawn");
    assert_eq!(
        refused,
        BadHand::NotInPlay {
            kind: tile("5m").kind()
        }
        .into()
    );
}

#[test]
fn norths_set_aside_are_dora() {
    let chances = |norths| {
        of_three("119m456p34s556788s", norths)
            .expectation()
            .discards()[0]
            .chances
    };
    let (none, two) = (chances(0), chances(2));
    assert_eq!(none.win, two.win);
    assert!(two.points > 2.0 * none.points, "{two:?} for {none:?}");
}

#[test]
fn an_impossible_hand_is_refused_by_name() {
    let refused =
        |scene: HandScene| Expectation::of(&scene.outset()).expect_err("it cannot be followed");
    let wall = "6699s12345p";
    assert_eq!(
        refused(HandScene::new("234m456p67788s33z", wall, 2)),
        BadOutset::NotFull
    );
    assert_eq!(
        refused(HandScene::new("147m258p369s12345z", wall, 2)),
        BadOutset::TooFar(6)
    );
    assert_eq!(
        refused(HandScene::new("234m456p67788s33z1z", wall, 25)),
        BadOutset::Draws(25)
    );
    let too_few = HandScene {
        throws: 3,
        ..HandScene::new("234m456p67788s33z1z", wall, 3)
    };
    assert_eq!(
        refused(too_few),
        BadOutset::TooFewUnseen {
            wanted: 15,
            unseen: 9
        }
    );
    let throws = HandScene {
        throws: 4,
        ..HandScene::new("234m456p67788s33z1z", wall, 0)
    };
    assert_eq!(refused(throws), BadOutset::Throws(4));
    let fifth = HandScene::new("234m456p67788s33z1z", "8888s12345p", 1);
    assert_eq!(
        refused(fifth),
        BadOutset::FifthTile {
            tile: tile("8s"),
            count: 5
        }
    );
    let indicators = HandScene {
        ura_indicators: 6,
        ..HandScene::new("234m456p67788s33z1z", wall, 2)
    };
    assert_eq!(refused(indicators), BadOutset::UraIndicators(6));
}
