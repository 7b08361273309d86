//! The estimate as a function of public information.

use riichi::{MeldKind, Wind};
use riichi_estimates::danger::{Danger, Sight, Threat};

use crate::scene::{kind, river};

#[test]
fn riichi_is_tenpai_for_certain() {
    let scene = river("1m").riichi("E");
    assert_eq!(scene.opponent().threat(), Threat::Riichi);
    assert_eq!(scene.danger().tenpai(), 1.0);
}

#[test]
fn without_riichi_more_melds_and_more_turns_mean_more_danger() {
    let early = river("1m E").meld(MeldKind::Pon, "P P P");
    let late = river("1m E S W N 9p 9m 1p 2s 8s F C").meld(MeldKind::Pon, "P P P");
    let more = late.clone().meld(MeldKind::Chi, "4s 5s 6s");
    assert_eq!(
        early.opponent().threat(),
        Threat::Melds { melds: 1, turns: 2 }
    );
    assert!(early.danger().tenpai() < late.danger().tenpai());
    assert!(late.danger().tenpai() < more.danger().tenpai());
    assert!(early.deal_in("5m") < late.deal_in("5m"));
}

#[test]
fn suji_is_less_dangerous_than_no_suji_and_genbutsu_less_than_suji() {
    let scene = river("4m").riichi("E");
    assert!(scene.deal_in("4m") < scene.deal_in("1m"));
    assert!(scene.deal_in("1m") < scene.deal_in("1p"));
    let one_side = river("1m").riichi("E");
    let both = river("1m 7m").riichi("E");
    assert!(both.deal_in("4m") < one_side.deal_in("4m"));
    assert!(one_side.deal_in("4m") < one_side.deal_in("4p"));
}

#[test]
fn the_nearer_to_the_middle_the_more_dangerous() {
    let scene = river("4s 5s 6s").riichi("S");
    let by_number: Vec<f32> = ["1m", "2m", "3m", "4m"]
        .map(|name| scene.deal_in(name))
        .to_vec();
    assert!(by_number.is_sorted(), "{by_number:?}");
}

#[test]
fn behind_a_wall_a_tile_is_less_dangerous() {
    let open = river("E").riichi("S").see("6s 6s 6s");
    let one_chance = river("E").riichi("S").see("3m 3m 3m");
    let no_chance = river("E").riichi("S").see("3m 3m 3m 3m");
    assert!(no_chance.deal_in("1m") < one_chance.deal_in("1m"));
    assert!(one_chance.deal_in("1m") < open.deal_in("1m"));
}

#[test]
fn an_honour_is_less_dangerous_the_more_copies_are_seen() {
    let seen = |names| {
        river("4m 5m 6m 4s 5s 6s")
            .riichi("2m")
            .see(names)
            .deal_in("N")
    };
    assert!(seen("N N N") < seen("N N"));
    assert!(seen("N N") < seen("N"));
}

#[test]
fn the_fewer_two_sided_waits_are_left_the_more_dangerous_is_each() {
    let many = river("E").riichi("S");
    let few = river("4m 5m 6m 4s 5s 6s 1p").riichi("S");
    assert!(many.deal_in("8p") < few.deal_in("8p"));
}

#[test]
fn outside_of_an_early_discard_is_less_dangerous() {
    let scene = river("3m E S W N P").riichi("F");
    assert!(scene.deal_in("1m") < scene.deal_in("1p"));
}

#[test]
fn the_nearer_to_the_dora_the_more_a_deal_in_costs() {
    let danger = river("1m").riichi("E").dora_marker("4s").danger();
    let losses = ["9s", "7s", "6s", "5s"].map(|name| danger.loss(kind(name)));
    assert!(losses.is_sorted() && losses[0] < losses[3], "{losses:?}");
}

#[test]
fn a_deal_in_costs_more_to_the_dealer_to_riichi_and_to_melds_that_show_han() {
    let riichi = river("1m").riichi("E");
    assert!(
        riichi.danger().loss(kind("9p"))
            < riichi
                .clone()
                .seat_wind(Wind::East)
                .danger()
                .loss(kind("9p"))
    );
    let cheap = river("1m").meld(MeldKind::Chi, "4s 5s 6s");
    assert!(cheap.danger().loss(kind("9p")) < riichi.danger().loss(kind("9p")));
    let red_dora = river("1m")
        .meld(MeldKind::Chi, "4s 5sr 6s")
        .dora_marker("4s");
    let value_dora = river("1m")
        .meld(MeldKind::Pon, "P P P")
        .dora_marker("C")
        .dora_marker("C");
    for (shown, han) in [(red_dora, 2), (value_dora, 4)] {
        assert_eq!(shown.opponent().shown_han(&shown.sight()), han);
        assert!(cheap.danger().loss(kind("9p")) < shown.danger().loss(kind("9p")));
    }
}

#[test]
fn a_north_set_aside_is_a_shown_dora_and_two_if_it_is_indicated() {
    let shown = |scene: &crate::scene::DangerScene, norths| {
        scene
            .opponent()
            .with_norths(norths)
            .shown_han(&scene.sight())
    };
    assert_eq!(shown(&river("1m"), 2), 2);
    assert_eq!(shown(&river("1m").dora_marker("W"), 2), 4);
}

#[test]
fn of_three_players_hands_are_tenpai_sooner_and_a_deal_in_costs_more() {
    let scene = river("E S W N 9m 9p 1s P").meld(MeldKind::Pon, "F F F");
    let of_three = Danger::of(
        &Sight {
            players: 3,
            ..scene.sight()
        },
        &scene.opponent(),
    );
    assert!(of_three.tenpai() > scene.danger().tenpai());
    let riichi = river("E S W N 9m 9p 1s").riichi("P");
    let of_three = Danger::of(
        &Sight {
            players: 3,
            ..riichi.sight()
        },
        &riichi.opponent(),
    );
    assert!(of_three.loss(kind("5p")) > riichi.danger().loss(kind("5p")));
}
