//! The end of a hand and the payments.

use mcr::game::{McrEnd, WonWith};
use mcr::{Fan, McrAction};

use crate::scene::{PASS, act, discard, game, kind, may, pass, play_until, seat};

/// Thirteen orphans without the red dragon.
const ORPHANS: &str = "19m19p19s1234566z";

#[test]
fn by_a_discard_who_gave_the_tile_pays_eight_and_the_fan_and_the_others_eight() {
    let mut game = game(["7z23456m23456p23s", ORPHANS, "", ""]);
    discard(&mut game, 0, "7z");
    assert!(may(&game, 1, McrAction::Win));
    act(&mut game, 1, McrAction::Win);
    let end = game.end().expect("an end");
    let McrEnd::Won {
        winner,
        from,
        with,
        fan,
        ..
    } = end
    else {
        panic!("{end:?}")
    };
    assert_eq!(
        (*winner, *from, *with, fan.total()),
        (seat(1), seat(0), WonWith::Discard, 88)
    );
    assert_eq!(end.scores(), [-96, 112, -8, -8]);
}

#[test]
fn by_a_draw_each_pays_eight_and_the_fan() {
    let mut game = game([&format!("{ORPHANS}7z"), "", "", ""]);
    act(&mut game, 0, McrAction::Win);
    let end = game.end().expect("an end");
    let McrEnd::Won { fan, .. } = end else {
        panic!("{end:?}")
    };
    assert_eq!((fan.total(), fan.times(Fan::SelfDrawn)), (89, 1));
    assert_eq!(end.scores(), [291, -97, -97, -97]);
}

#[test]
fn a_win_below_eight_fan_and_an_action_that_is_not_legal_cost_thirty() {
    let mut wrong_win = game(["147m258p369s1122z5z", "", "", ""]);
    act(&mut wrong_win, 0, McrAction::Win);
    assert_eq!(
        wrong_win.end(),
        Some(&McrEnd::Fault {
            seat: seat(0),
            wrong_win: true
        })
    );
    assert_eq!(wrong_win.end().expect("an end").scores(), [-30, 10, 10, 10]);
    let mut not_held = game(["147m258p369s1122z5z", "", "", ""]);
    discard(&mut not_held, 0, "7z");
    assert_eq!(
        not_held.end(),
        Some(&McrEnd::Fault {
            seat: seat(0),
            wrong_win: false
        })
    );
    let mut no_action = game(["147m258p369s1122z5z", "", "", ""]);
    no_action.answer([Some(McrAction::Discard(kind("1m"))), PASS, None, PASS]);
    assert_eq!(
        no_action.end(),
        Some(&McrEnd::Fault {
            seat: seat(2),
            wrong_win: false
        })
    );
}

#[test]
fn an_ignored_answer_costs_nothing() {
    let mut game = game(["147m258p369s1122z5z", "11m", "", ""]);
    discard(&mut game, 0, "1m");
    let wrong = Some(McrAction::Discard(kind("9s")));
    let pung = game
        .seat(seat(1))
        .legal()
        .into_iter()
        .find(|action| matches!(action, McrAction::ClaimPung { .. }));
    game.answer([PASS, pung, wrong, wrong]);
    assert_eq!(game.end(), None);
    assert_eq!(game.seat(seat(1)).hand().sets().len(), 1);
}

#[test]
fn each_seat_draws_21_tiles_from_its_own_wall_and_then_the_hand_is_drawn() {
    let mut game = game(["", "", "", ""]);
    play_until(&mut game, |_| false);
    assert_eq!(game.end(), Some(&McrEnd::Drawn));
    assert_eq!(game.end().expect("an end").scores(), [0; 4]);
    for number in 0..4 {
        let public = game.seat(seat(0)).public(seat(number));
        assert_eq!(
            (public.river.len(), public.wall, public.concealed),
            (21, 0, 13)
        );
    }
}

#[test]
fn passing_after_the_end_is_refused() {
    let mut game = game([&format!("{ORPHANS}7z"), "", "", ""]);
    act(&mut game, 0, McrAction::Win);
    let end = game.end().cloned();
    pass(&mut game);
    assert_eq!(game.end().cloned(), end);
    assert_eq!(game.seat(seat(1)).legal(), []);
}
