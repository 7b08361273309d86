//! A table with another number of players than the bot is set to play with: the session ends at
//! once, in every dialect.

use client::session::mjsonp::MjsonpSession;
use client::session::riichilab::{ConnectionGoal, RiichilabSession};
use client::session::stdio::StdioSession;
use client::session::{Dialect, SessionEnd, SessionStep, WrongTable};
use riichi::Rules;
use serde_json::{Value, json};

use crate::common::frames::*;
use crate::session::player::seat;

/// The first deal at a table of three.
fn dealt_to_three() -> Value {
    let mut deal = start_kyoku(SEAT, "1m 9m 4p 4p 8p 1s 3s 5s 6s 6s 7s F C");
    for key in ["tehais", "scores"] {
        deal[key].as_array_mut().expect("a list").pop();
    }
    deal
}

/// A session of each dialect before its game.
fn sessions(players: u8) -> [Box<dyn Dialect>; 4] {
    let rules = Rules::TENHOU_HALF.with_players(players);
    [
        Box::new(RiichilabSession::new(ConnectionGoal::Ranked, rules)),
        Box::new(RiichilabSession::new(ConnectionGoal::Validation, rules)),
        Box::new(MjsonpSession::new("kuma", "default", rules)),
        Box::new(StdioSession::new(seat(SEAT), rules)),
    ]
}

fn hear(session: &mut dyn Dialect, line: &Value) -> Vec<SessionStep> {
    session.hear(&line.to_string()).into_iter().collect()
}

#[test]
fn every_dialect_ends_at_the_first_deal_of_another_size() {
    for (players, deal, dealt) in [(4, dealt_to_three(), 3), (3, start_kyoku(SEAT, PLAIN), 4)] {
        for begins in [true, false] {
            for mut session in sessions(players) {
                if begins {
                    hear(session.as_mut(), &start_game(SEAT));
                }
                let steps = hear(session.as_mut(), &deal);
                assert_eq!(
                    steps,
                    [SessionStep::Ended(SessionEnd::WrongTable(WrongTable {
                        dealt,
                        players
                    }))]
                );
                assert_eq!(
                    session.game().desyncs.total(),
                    0,
                    "a table of another size is no desync"
                );
            }
        }
    }
}

#[test]
fn a_seat_that_three_players_do_not_have_ends_the_session_at_the_start_of_the_game() {
    let wrong = [SessionStep::Ended(SessionEnd::WrongTable(WrongTable {
        dealt: 4,
        players: 3,
    }))];
    for mut session in sessions(3).into_iter().take(3) {
        assert_eq!(hear(session.as_mut(), &start_game(3)), wrong);
    }
}

#[test]
fn every_dialect_ends_at_a_later_deal_of_another_size() {
    for mut session in sessions(4) {
        for line in [
            start_game(SEAT),
            start_kyoku(SEAT, PLAIN),
            ryukyoku([0; 4]),
            end_kyoku(),
        ] {
            hear(session.as_mut(), &line);
        }
        let steps = hear(session.as_mut(), &dealt_to_three());
        assert_eq!(
            steps,
            [SessionStep::Ended(SessionEnd::WrongTable(WrongTable {
                dealt: 3,
                players: 4
            }))]
        );
        assert!(
            !session.game().is_finished() && session.game().final_scores().is_none(),
            "it has no result"
        );
    }
}

#[test]
fn final_scores_of_another_size_or_beyond_all_bounds_are_a_desync_and_the_own_table_counts() {
    for told in [
        json!([25_000, 50_000, 30_000]),
        json!([1_000_001, 0, 0, 0]),
        json!([0, 0, 0, i32::MIN]),
    ] {
        for mut session in sessions(4) {
            for line in [
                start_game(SEAT),
                start_kyoku(SEAT, PLAIN),
                ryukyoku([-3000, 1000, 1000, 1000]),
                end_kyoku(),
            ] {
                hear(session.as_mut(), &line);
            }
            hear(
                session.as_mut(),
                &json!({"scores": told, "type": "end_game"}),
            );
            let game = session.game();
            let scores = game.final_scores().expect("the game is over");
            assert_eq!(
                scores.as_slice(),
                [22_000, 26_000, 26_000, 26_000],
                "{told}"
            );
            assert_eq!(game.desyncs.total(), 1, "{told}");
        }
    }
}

#[test]
fn an_answer_without_the_policy_is_counted_as_safe_in_every_dialect() {
    let lost = json!({"actor": 0, "pai": "42x", "tsumogiri": false, "type": "dahai"});
    let own_draw = tsumo(SEAT, "9m");
    for (index, mut session) in sessions(4).into_iter().enumerate() {
        for line in [
            start_game(SEAT),
            start_kyoku(SEAT, PLAIN),
            tsumo(0, "?"),
            lost.clone(),
        ] {
            hear(session.as_mut(), &line);
        }
        let mut steps = hear(session.as_mut(), &own_draw);
        if index < 2 {
            steps = hear(session.as_mut(), &request(9, discards("1m 6m 9m")));
        }
        assert!(
            matches!(&steps[..], [SessionStep::Reply(_), ..]),
            "{index}: {steps:?}"
        );
        assert_eq!(session.game().blind_answers, 1, "{index}");
    }
}

#[test]
fn an_answer_that_is_the_only_one_is_not_counted_as_safe() {
    for mut session in sessions(4) {
        for line in [
            start_game(SEAT),
            start_kyoku(SEAT, PLAIN),
            tsumo(0, "?"),
            dahai(0, "E", true),
            tsumo(SEAT, "9m"),
        ] {
            hear(session.as_mut(), &line);
        }
        hear(session.as_mut(), &request(9, discards("9m")));
        assert_eq!(session.game().blind_answers, 0);
    }
}
