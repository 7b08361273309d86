//! Scores, computed from sticks and deltas, and corrected by the arena's.

use riichi::table::Contradiction;
use riichi::{Event, PerSeat};

use crate::round::{ACROSS, Deal, LEFT, ME, RIGHT, Round, deal, hora, points};

const TENPAI: &str = "2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s";

/// A round in which RIGHT has discarded a tile that we can win on, with two sticks on the table.
fn to_win() -> Round {
    let mut round = Deal {
        kyotaku: 2,
        scores: Some(points([23_000, 25_000, 25_000, 25_000])),
        ..Deal::of(TENPAI)
    }
    .begin();
    round.draw_and_discard("N");
    round.throws(RIGHT, "1m");
    round
}

fn next_round(scores: Option<[i32; 4]>, kyotaku: u8) -> Event {
    Deal {
        scores: scores.map(points),
        kyotaku,
        ..Deal::of(TENPAI)
    }
    .event()
}

#[test]
fn a_game_begins_with_the_scores_of_the_rules_until_the_arena_sends_others() {
    let untold = Deal {
        scores: None,
        ..Deal::of(TENPAI)
    }
    .begin();
    assert_eq!(*untold.table.scores(), points([25_000; 4]));
    let told = Deal {
        scores: Some(points([30_000; 4])),
        ..Deal::of(TENPAI)
    }
    .begin();
    assert_eq!(*told.table.scores(), points([30_000; 4]));
}

#[test]
fn a_win_moves_points_by_its_deltas_and_clears_the_sticks() {
    let mut round = to_win();
    assert_eq!(round.table.kyotaku(), 2);
    round.hora(ME, RIGHT, [4000, -2000, 0, 0]);
    assert_eq!(
        (*round.table.scores(), round.table.kyotaku()),
        (points([27_000, 23_000, 25_000, 25_000]), 0)
    );
}

#[test]
fn a_win_with_only_scores_sets_them() {
    let mut round = to_win();
    round.tell(hora(
        ME,
        RIGHT,
        None,
        Some(points([27_000, 23_000, 25_000, 25_000])),
    ));
    assert_eq!(
        *round.table.scores(),
        points([27_000, 23_000, 25_000, 25_000])
    );
}

#[test]
fn deltas_and_scores_of_one_event_must_agree_and_the_scores_take_effect() {
    let told = points([27_000, 23_000, 25_000, 25_000]);
    let mut round = to_win();
    round.tell(hora(
        ME,
        RIGHT,
        Some(points([4000, -2000, 0, 0])),
        Some(told),
    ));
    assert_eq!(*round.table.scores(), told);

    let mut round = to_win();
    let result = round.table.apply(&hora(
        ME,
        RIGHT,
        Some(points([3900, -1900, 0, 0])),
        Some(told),
    ));
    let expected = points([26_900, 23_100, 25_000, 25_000]);
    assert_eq!(
        result,
        Err(Contradiction::Scores {
            given: told,
            expected
        })
    );
    assert_eq!(*round.table.scores(), told);
}

#[test]
fn both_winners_of_a_double_ron_are_paid() {
    let mut round = to_win();
    round.hora(ACROSS, RIGHT, [0, -2600, 4600, 0]);
    round.hora(ME, RIGHT, [8000, -8000, 0, 0]);
    assert_eq!(
        (*round.table.scores(), round.table.kyotaku()),
        (points([31_000, 14_400, 29_600, 25_000]), 0)
    );
}

#[test]
fn an_exhaustive_draw_keeps_the_sticks() {
    let mut round = to_win();
    round.tell(Event::Ryukyoku {
        deltas: Some(points([1500, 1500, -1500, -1500])),
        scores: None,
        reason: None,
    });
    assert_eq!(
        (*round.table.scores(), round.table.kyotaku()),
        (points([24_500, 26_500, 23_500, 23_500]), 2)
    );
}

#[test]
fn a_draw_with_only_scores_sets_them() {
    let mut round = to_win();
    let told = points([24_500, 26_500, 23_500, 23_500]);
    round.tell(Event::Ryukyoku {
        deltas: None,
        scores: Some(told),
        reason: None,
    });
    assert_eq!(*round.table.scores(), told);
}

#[test]
fn scores_may_fall_below_zero() {
    let mut round = to_win();
    round.hora(ME, RIGHT, [34_000, -32_000, 0, 0]);
    assert_eq!(round.table.scores()[RIGHT], -7000);
}

#[test]
fn scores_of_an_accepted_riichi_must_have_the_stick_taken_off() {
    let accepted = |scores| Event::ReachAccepted {
        actor: RIGHT,
        scores: Some(points(scores)),
    };
    let mut round = deal(TENPAI);
    round.draw_and_discard("N");
    round.declare_riichi(RIGHT, "E");
    let mut right = round.clone();
    right.tell(accepted([25_000, 24_000, 25_000, 25_000]));
    let result = round
        .table
        .apply(&accepted([25_000, 25_000, 25_000, 25_000]));
    assert!(matches!(result, Err(Contradiction::Scores { .. })));
    assert_eq!(
        *round.table.scores(),
        points([25_000; 4]),
        "the arena's scores take effect"
    );
}

#[test]
fn the_next_rounds_scores_must_be_those_computed_and_take_effect_in_any_case() {
    let mut round = to_win();
    round.hora(ME, RIGHT, [4000, -2000, 0, 0]);
    round.tell(Event::EndKyoku);
    let mut agreeing = round.clone();
    agreeing.tell(next_round(Some([27_000, 23_000, 25_000, 25_000]), 0));

    let result = round
        .table
        .apply(&next_round(Some([27_000, 22_000, 26_000, 25_000]), 0));
    assert!(matches!(result, Err(Contradiction::Scores { .. })));
    assert_eq!(
        *round.table.scores(),
        points([27_000, 22_000, 26_000, 25_000])
    );
    assert_eq!(
        round.table.hand().counts().total(),
        13,
        "the round has begun anyway"
    );
}

#[test]
fn the_next_round_may_leave_the_scores_out() {
    let mut round = to_win();
    round.hora(ME, RIGHT, [4000, -2000, 0, 0]);
    round.tell(Event::EndKyoku);
    round.tell(next_round(None, 0));
    assert_eq!(
        *round.table.scores(),
        points([27_000, 23_000, 25_000, 25_000])
    );
}

#[test]
fn after_a_win_without_any_points_the_next_scores_are_taken_as_they_come() {
    let mut round = to_win();
    round.tell(hora(ME, RIGHT, None, None));
    round.tell(Event::EndKyoku);
    round.tell(next_round(Some([27_000, 23_000, 25_000, 25_000]), 0));
    assert_eq!(
        *round.table.scores(),
        points([27_000, 23_000, 25_000, 25_000])
    );
}

#[test]
fn a_draws_deltas_that_take_the_sticks_off_once_more_are_accepted() {
    // RiichiEnv before 0.4.11 sent an exhaustive draw like this.
    let mut round = deal(TENPAI);
    round.draw("N");
    round.riichi(ME, "N");
    round.tell(Event::Ryukyoku {
        deltas: Some(points([3000 - 1000, -1000, -1000, -1000])),
        scores: None,
        reason: None,
    });
    round.tell(Event::EndKyoku);
    round.tell(next_round(Some([27_000, 24_000, 24_000, 24_000]), 1));
    assert_eq!(
        *round.table.scores(),
        points([27_000, 24_000, 24_000, 24_000])
    );
}

#[test]
fn after_a_win_no_other_scores_are_accepted_than_its_deltas_make() {
    let mut round = deal(TENPAI);
    round.draw("N");
    round.riichi(ME, "N");
    round.throws(RIGHT, "1m");
    round.hora(ME, RIGHT, [3000 + 1000, -3000, 0, 0]);
    round.tell(Event::EndKyoku);
    let with_the_stick_back = next_round(Some([29_000, 22_000, 25_000, 25_000]), 0);
    assert!(matches!(
        round.table.apply(&with_the_stick_back),
        Err(Contradiction::Scores { .. })
    ));
}

#[test]
fn a_round_without_an_announced_end_leaves_the_scores_open() {
    let mut round = to_win();
    round.tell(Event::EndKyoku);
    round.tell(next_round(Some([1_000, 49_000, 25_000, 25_000]), 0));
    assert_eq!(
        *round.table.scores(),
        points([1_000, 49_000, 25_000, 25_000])
    );
}

#[test]
fn the_arenas_count_of_sticks_and_repeats_begins_a_round() {
    let mut round = to_win();
    round.tell(Event::Ryukyoku {
        deltas: Some(points([0; 4])),
        scores: None,
        reason: None,
    });
    round.tell(Event::EndKyoku);
    round.tell(next_round(None, 2));
    assert_eq!(round.table.kyotaku(), 2);
    assert_eq!(round.table.rounds(), 2);
}

#[test]
fn sticks_left_at_the_end_go_to_the_first() {
    let mut round = to_win();
    round.tell(Event::Ryukyoku {
        deltas: Some(points([1500, 1500, -1500, -1500])),
        scores: None,
        reason: None,
    });
    round.tell(Event::EndKyoku);
    let last = points([24_500, 28_500, 23_500, 23_500]);
    assert_eq!(round.table.final_scores(), last);
    round.tell(Event::EndGame { scores: None });
    assert_eq!(
        (*round.table.scores(), round.table.final_scores()),
        (last, last),
        "the arena need not say so"
    );
}

#[test]
fn announced_final_scores_must_be_those_computed() {
    let mut round = to_win();
    round.tell(Event::Ryukyoku {
        deltas: Some(points([1500, 1500, -1500, -1500])),
        scores: None,
        reason: None,
    });
    round.tell(Event::EndKyoku);
    let mut wrong = round.clone();
    let told = points([24_500, 28_500, 23_500, 23_500]);
    round.tell(Event::EndGame { scores: Some(told) });
    assert_eq!(
        round.table.final_scores(),
        told,
        "the sticks are not given twice"
    );

    let others = points([26_500, 26_500, 23_500, 23_500]);
    let result = wrong.table.apply(&Event::EndGame {
        scores: Some(others),
    });
    assert_eq!(
        result,
        Err(Contradiction::Scores {
            given: others,
            expected: told
        })
    );
    assert_eq!(wrong.table.final_scores(), others);
}

#[test]
fn places_are_ordered_by_points_and_ties_by_seat() {
    let places = |scores| {
        let round = Deal {
            scores: Some(points(scores)),
            ..Deal::of(TENPAI)
        }
        .begin();
        [ME, RIGHT, ACROSS, LEFT].map(|seat| round.table.place(seat))
    };
    assert_eq!(places([25_000; 4]), [1, 2, 3, 4]);
    assert_eq!(places([10_000, 40_000, 40_000, 10_000]), [3, 1, 2, 4]);
    assert_eq!(places([-1000, 25_000, 26_000, 50_000]), [4, 3, 2, 1]);
}

#[test]
fn values_for_another_number_of_seats_are_refused_and_change_nothing() {
    let three = PerSeat::from_slice(&[0, 0, 0]);
    let wrong = Contradiction::WrongPlayers {
        found: 3,
        players: 4,
    };
    let mut round = to_win();
    assert_eq!(round.refusal(hora(ME, RIGHT, three, None)), wrong);
    assert_eq!(round.refusal(hora(ME, RIGHT, None, three)), wrong);
    assert_eq!(
        round.refusal(hora(ME, RIGHT, Some(points([2000, -2000, 0, 0])), three)),
        wrong
    );
    assert_eq!(
        round.refusal(Event::Ryukyoku {
            deltas: three,
            scores: None,
            reason: None
        }),
        wrong
    );
    assert_eq!(
        round.refusal(Event::Ryukyoku {
            deltas: None,
            scores: three,
            reason: None
        }),
        wrong
    );
    assert_eq!(round.refusal(Event::EndGame { scores: three }), wrong);
    round.throws(ACROSS, "E");
    round.declare_riichi(LEFT, "E");
    assert_eq!(
        round.refusal(Event::ReachAccepted {
            actor: LEFT,
            scores: three
        }),
        wrong
    );
    assert_eq!(
        round.refusal(
            Deal {
                scores: three,
                ..Deal::of(TENPAI)
            }
            .event()
        ),
        wrong
    );
}
