//! Features that make a kind more or less likely than others of its class.

use riichi::MeldKind;
use riichi_estimates::danger::{Copies, DoraTrait, OutsideTrait, RiichiTrait, SuitTrait};

use crate::scene::river;

#[test]
fn the_dora_and_its_neighbours() {
    let scene = river("1m").riichi("E").dora_marker("4p");
    let dora = |name| scene.traits(name).dora;
    assert_eq!(
        [dora("5p"), dora("4p"), dora("6p")],
        [DoraTrait::Is, DoraTrait::Beside, DoraTrait::Beside]
    );
    assert_eq!(
        [dora("3p"), dora("7p"), dora("8p"), dora("5s")],
        [
            DoraTrait::Near,
            DoraTrait::Near,
            DoraTrait::Far,
            DoraTrait::Far
        ]
    );
}

#[test]
fn outside_of_an_early_discard_is_towards_the_end_of_the_suit() {
    let scene = river("3m E S 7p W N").riichi("1s");
    let outside = |name| scene.traits(name).outside;
    assert_eq!(
        [outside("1m"), outside("2m"), outside("4m"), outside("8m")],
        [
            OutsideTrait::VeryEarly,
            OutsideTrait::VeryEarly,
            OutsideTrait::No,
            OutsideTrait::No
        ]
    );
    assert_eq!(
        [outside("9p"), outside("6p"), outside("2p")],
        [OutsideTrait::Early, OutsideTrait::No, OutsideTrait::No]
    );
}

#[test]
fn a_discard_after_the_sixth_or_the_riichi_tile_itself_is_not_early() {
    assert_eq!(
        river("E S W N P F 3m").riichi("C").traits("1m").outside,
        OutsideTrait::No
    );
    assert_eq!(
        river("E").riichi("3m").traits("1m").outside,
        OutsideTrait::No
    );
}

#[test]
fn of_an_early_five_all_of_the_suit_is_outside() {
    let scene = river("5s").riichi("E");
    assert_eq!(scene.traits("7s").outside, OutsideTrait::EarlyFive);
    assert_eq!(scene.traits("1s").outside, OutsideTrait::EarlyFive);
    assert_eq!(scene.traits("1p").outside, OutsideTrait::No);
}

#[test]
fn the_neighbours_of_the_riichi_tile_and_its_suji() {
    let scene = river("E").riichi("5m");
    let riichi = |name| scene.traits(name).riichi;
    assert_eq!(
        [riichi("3m"), riichi("4m"), riichi("7m")],
        [RiichiTrait::Beside; 3]
    );
    assert_eq!([riichi("2m"), riichi("8m")], [RiichiTrait::Suji; 2]);
    assert_eq!(
        [riichi("1m"), riichi("3p"), riichi("S")],
        [RiichiTrait::No; 3]
    );
}

#[test]
fn copies_unseen_count_for_suited_kinds() {
    let scene = river("E")
        .riichi("S")
        .see("1m 2m 2m 3m 3m 3m 4m 4m 4m 4m N N N");
    let copies = |name| scene.traits(name).copies;
    assert_eq!(
        [copies("1m"), copies("2m"), copies("3m"), copies("4m")],
        [Copies::Three, Copies::Two, Copies::One, Copies::None]
    );
    assert_eq!(copies("N"), Copies::Three, "honours are classed by them");
}

#[test]
fn two_melds_of_one_suit_and_few_discards_of_it_show_that_it_is_collected() {
    let scene = river("1m 9p 5m 3p")
        .meld(MeldKind::Pon, "2s 2s 2s")
        .meld(MeldKind::Chi, "4s 5s 6s");
    let suit = |name| scene.traits(name).suit;
    assert_eq!(
        [suit("8s"), suit("8m"), suit("N")],
        [SuitTrait::Collected, SuitTrait::Other, SuitTrait::Honour]
    );
    let one = river("1m 9p").meld(MeldKind::Pon, "2s 2s 2s");
    assert_eq!(
        one.traits("8s").suit,
        SuitTrait::None,
        "one meld says nothing"
    );
    let two = river("1m 9p")
        .meld(MeldKind::Pon, "2s 2s 2s")
        .meld(MeldKind::Pon, "2p 2p 2p");
    assert_eq!(two.traits("8s").suit, SuitTrait::None, "two suits");
    let thrown = river("1s 9p 5m")
        .meld(MeldKind::Pon, "2s 2s 2s")
        .meld(MeldKind::Chi, "4s 5s 6s");
    assert_eq!(
        thrown.traits("8s").suit,
        SuitTrait::None,
        "it throws the suit too"
    );
}
