//! Which seats may claim, and in which order.

use mcr::game::McrEnd;
use mcr::{DeclaredSet, Fan, McrAction, McrEvent};

use crate::scene::{PASS, act, discard, game, kind, may, pass, play_until, seat};

const FIRST: &str = "147m258p369s1234z5z";

#[test]
fn a_chow_is_for_the_next_seat_alone_and_names_its_middle_tile() {
    let mut game = game([FIRST, "1234m1234p13579s9s", "23m444p888s55566z7z", ""]);
    discard(&mut game, 0, "1m");
    for middle in ["2m", "3m"] {
        let chow = McrAction::ClaimChow {
            middle: kind(middle),
            discard: kind("9s"),
        };
        assert_eq!(
            (may(&game, 1, chow), may(&game, 2, chow)),
            (middle == "2m", false),
            "{middle}"
        );
    }
    act(
        &mut game,
        1,
        McrAction::ClaimChow {
            middle: kind("2m"),
            discard: kind("9s"),
        },
    );
    assert_eq!(
        game.seat(seat(1)).hand().sets(),
        [DeclaredSet::Chow(kind("2m"))]
    );
    assert_eq!(
        game.events().last(),
        Some(&McrEvent::ChowClaimed {
            seat: seat(1),
            middle: kind("2m"),
            discard: kind("9s")
        })
    );
    assert!(game.seat(seat(3)).public(seat(0)).river[0].claimed);
}

#[test]
fn a_pung_comes_before_a_chow_and_the_very_tile_may_be_discarded() {
    let mut game = game([FIRST, "23m14p13577s1122z", "111m258p369s3344z5z", ""]);
    discard(&mut game, 0, "1m");
    let pung = McrAction::ClaimPung {
        discard: kind("1m"),
    };
    assert!(may(&game, 2, pung) && may(&game, 2, McrAction::ClaimKong));
    let chow = McrAction::ClaimChow {
        middle: kind("2m"),
        discard: kind("1z"),
    };
    game.answer([PASS, Some(chow), Some(pung), PASS]);
    assert_eq!(
        game.seat(seat(2)).hand().sets(),
        [DeclaredSet::Pung(kind("1m"))]
    );
    assert_eq!(game.seat(seat(1)).hand().sets(), []);
}

#[test]
fn a_win_comes_before_a_pung_and_of_two_the_first_in_turn_order_wins_alone() {
    let mut game = game([
        "1m1199p5555s6666s7z",
        "11m",
        "23456789m456p22z",
        "23456789m789s33z",
    ]);
    discard(&mut game, 0, "1m");
    let pung = game
        .seat(seat(1))
        .legal()
        .into_iter()
        .find(|action| matches!(action, McrAction::ClaimPung { .. }));
    let win = McrAction::Win;
    assert!(pung.is_some() && may(&game, 2, win) && may(&game, 3, win));
    game.answer([PASS, pung, Some(win), Some(win)]);
    assert!(
        matches!(game.end(), Some(McrEnd::Won { winner, .. }) if *winner == seat(2)),
        "{:?}",
        game.end()
    );
}

#[test]
fn an_added_kong_can_be_robbed_by_the_others() {
    let mut game = game(["55s147m258p12345z5s", "5s", "46s234m567p123p99m", ""]);
    discard(&mut game, 0, "1m");
    pass(&mut game);
    discard(&mut game, 1, "5s");
    act(
        &mut game,
        0,
        McrAction::ClaimPung {
            discard: kind("4m"),
        },
    );
    pass(&mut game);
    play_until(&mut game, |game| game.seat(seat(0)).drawn().is_some());
    act(&mut game, 0, McrAction::AddKong(kind("5s")));
    assert_eq!(
        [0, 1, 2, 3].map(|number| may(&game, number, McrAction::Win)),
        [false, false, true, false]
    );
    let fan = game.seat(seat(2)).win().expect("a win");
    assert_eq!(fan.times(Fan::RobbingTheKong), 1);
}

#[test]
fn a_concealed_kong_cannot_be_robbed() {
    let mut game = game(["5555s147m258p1234z", "", "46s234m567p123p99m", ""]);
    act(&mut game, 0, McrAction::ConcealedKong(kind("5s")));
    for number in 0..4 {
        assert_eq!(game.seat(seat(number)).legal(), [McrAction::Pass]);
    }
}

#[test]
fn a_discard_cannot_be_claimed_when_the_next_seats_wall_is_empty() {
    // The last two tiles that seat 3 draws are the other red dragons.
    let mut game = game(["77z", "", "", ""]);
    for (left, may_claim) in [(1, true), (0, false)] {
        play_until(&mut game, |game| {
            game.seat(seat(3)).drawn().is_some() && game.seat(seat(0)).public(seat(3)).wall == left
        });
        discard(&mut game, 3, "7z");
        let claims = game
            .seat(seat(0))
            .legal()
            .iter()
            .any(|action| matches!(action, McrAction::ClaimPung { .. }));
        assert_eq!(claims, may_claim, "{left} tiles left");
    }
}
