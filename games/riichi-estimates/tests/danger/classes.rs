//! The classes of kinds by the waits that are still possible.

use riichi::{MeldKind, Wind};
use riichi_estimates::danger::{Class, Group, Side};

use crate::scene::river;

fn shut(group: Group, closed_wait: bool) -> Class {
    Class::Shut { group, closed_wait }
}

fn sides(group: Group, better: Side, worse: Side) -> Class {
    Class::Sides {
        group,
        better,
        worse,
    }
}

#[test]
fn honours_are_classed_by_copies_unseen_and_by_whether_three_are_a_yaku() {
    let scene = river("1m").riichi("2m").see("N P P");
    assert_eq!(
        scene.class("N"),
        Class::Honour {
            unseen: 3,
            value: false
        }
    );
    assert_eq!(
        scene.class("P"),
        Class::Honour {
            unseen: 2,
            value: true
        }
    );
    assert_eq!(
        scene.class("E"),
        Class::Honour {
            unseen: 3,
            value: true
        },
        "the round's wind"
    );
    assert_eq!(
        scene.class("S"),
        Class::Honour {
            unseen: 3,
            value: true
        },
        "its own wind"
    );
    assert_eq!(
        scene.seat_wind(Wind::North).class("S"),
        Class::Honour {
            unseen: 3,
            value: false
        }
    );
}

#[test]
fn suji_of_one_and_nine_leaves_a_pair_wait_only() {
    let scene = river("4m 6m").riichi("E");
    assert_eq!(scene.class("1m"), shut(Group::OneNine, false));
    assert_eq!(scene.class("9m"), shut(Group::OneNine, false));
    assert_eq!(
        scene.class("1p"),
        sides(Group::OneNine, Side::Open, Side::Shut)
    );
}

#[test]
fn suji_of_two_and_eight_and_of_three_and_seven_leaves_closed_waits() {
    let scene = river("5m").riichi("E");
    assert_eq!(
        [scene.class("2m"), scene.class("8m")],
        [shut(Group::TwoEight, true); 2]
    );
    let scene = river("6p 4s").riichi("E");
    assert_eq!(
        [scene.class("3p"), scene.class("7s")],
        [shut(Group::ThreeSeven, true); 2]
    );
}

#[test]
fn the_middle_tiles_are_suji_on_one_side_or_on_both() {
    let one = river("1m").riichi("E");
    assert_eq!(
        one.class("4m"),
        sides(Group::FourSix, Side::Open, Side::Shut)
    );
    assert_eq!(one.class("5m"), sides(Group::Five, Side::Open, Side::Open));
    let both = river("1m 7m").riichi("E");
    assert_eq!(both.class("4m"), shut(Group::FourSix, true));
    assert_eq!(
        river("2m 8m").riichi("E").class("5m"),
        shut(Group::Five, true)
    );
}

#[test]
fn passed_tiles_make_suji_too() {
    assert_eq!(
        river("E").riichi("S").passed("4m").class("1m"),
        shut(Group::OneNine, false)
    );
}

#[test]
fn a_wall_of_four_is_no_chance_and_a_wall_of_three_one_chance() {
    let calm = river("E").riichi("S");
    assert_eq!(
        calm.clone().see("3m 3m 3m").class("1m"),
        sides(Group::OneNine, Side::Thin, Side::Shut)
    );
    assert_eq!(
        calm.clone().see("2m 2m 2m").class("1m"),
        sides(Group::OneNine, Side::Thin, Side::Shut)
    );
    assert_eq!(
        calm.clone().see("3m 3m 3m 3m").class("1m"),
        shut(Group::OneNine, false)
    );
    assert_eq!(
        calm.clone().see("4m 4m").class("5m"),
        sides(Group::Five, Side::Open, Side::Open)
    );
    assert_eq!(
        calm.clone().see("4m 4m 4m").class("5m"),
        sides(Group::Five, Side::Open, Side::Thin)
    );
    assert_eq!(
        calm.clone().see("4m 4m 4m 4m").class("5m"),
        sides(Group::Five, Side::Open, Side::Shut)
    );
    assert_eq!(
        calm.see("4m 4m 4m 6m 6m 6m").class("5m"),
        sides(Group::Five, Side::Thin, Side::Thin)
    );
}

#[test]
fn walls_shut_closed_waits_too() {
    let suji = river("5m").riichi("E");
    assert_eq!(
        suji.clone().see("1m 1m 1m 1m").class("2m"),
        shut(Group::TwoEight, false)
    );
    let suji = river("6m").riichi("E");
    // 24m is impossible, 12m is left.
    assert_eq!(
        suji.clone().see("4m 4m 4m 4m").class("3m"),
        shut(Group::ThreeSeven, true)
    );
    assert_eq!(
        suji.see("4m 4m 4m 4m 1m 1m 1m 1m").class("3m"),
        shut(Group::ThreeSeven, false)
    );
}

#[test]
fn lines_are_the_two_sided_waits_that_are_left() {
    assert_eq!(river("E").riichi("S").lines().live(), 18);
    // 1-4 and 4-7; 3-6 and 4-7 of dots, which use 5p.
    assert_eq!(
        river("4m").riichi("S").see("5p 5p 5p 5p").lines().live(),
        14
    );
}

#[test]
fn indices_and_classes_belong_together() {
    let indices: Vec<_> = Class::all().map(|class| class.index()).collect();
    assert_eq!(indices, (0..Class::COUNT).map(Some).collect::<Vec<_>>());
    assert_eq!(Class::Never.index(), None);
    assert_eq!(
        river("1m").meld(MeldKind::Pon, "P P P").class("1m").index(),
        None
    );
}
