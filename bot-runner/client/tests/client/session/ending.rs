//! How games and connections end, by the arena's words alone.

use client::session::riichilab::ConnectionGoal;
use client::session::{SessionEnd, SessionStep};
use foreign_text::ForeignText;
use riichi::Event;
use serde_json::{Value, json};

use crate::common::frames::*;
use crate::session::player::*;

fn refused(words: &str) -> [SessionStep; 1] {
    [SessionStep::Ended(SessionEnd::Refused(ForeignText::new(
        words, None,
    )))]
}

#[test]
fn end_game_ends_a_ranked_connection_with_or_without_scores() {
    let mut player = Player::dealt(PLAIN);
    player.hear_all([ryukyoku([-3000, 1000, 1000, 1000]), end_kyoku()]);
    let steps = player.hear(&end_game());
    assert_eq!(
        steps,
        [
            SessionStep::Happened(Event::EndGame { scores: None }),
            SessionStep::Ended(SessionEnd::Game)
        ]
    );
    assert!(player.session.game.is_finished() && !player.session.game.in_game());
    assert_eq!(
        player.session.game.final_scores().unwrap().as_slice(),
        [22000, 26000, 26000, 26000]
    );
}

#[test]
fn scores_in_end_game_are_the_final_ones() {
    let mut player = Player::dealt(PLAIN);
    player.hear_all([ryukyoku([-3000, 1000, 1000, 1000]), end_kyoku()]);
    player.hear(&json!({"scores": [22000, 26000, 26000, 26000], "type": "end_game"}));
    assert_eq!(
        player.session.game.final_scores().unwrap().as_slice(),
        [22000, 26000, 26000, 26000]
    );
    assert_eq!(player.desyncs(), 0);
}

#[test]
fn scores_in_end_game_are_believed_even_against_ours() {
    let mut player = Player::dealt(PLAIN);
    player.hear_all([ryukyoku([0; 4]), end_kyoku()]);
    player.hear(&json!({"scores": [1000, 2000, 3000, 94000], "type": "end_game"}));
    assert_eq!(
        player.session.game.final_scores().unwrap().as_slice(),
        [1000, 2000, 3000, 94000]
    );
    assert_eq!(player.desyncs(), 1);
}

#[test]
fn a_game_is_over_whatever_its_scores_look_like() {
    for scores in [
        json!(["22000", "a", "b", "c"]),
        json!({"0": 22000}),
        json!([1, 2, 3, 4, 5]),
        json!("many"),
        json!(null),
    ] {
        let mut player = Player::dealt(PLAIN);
        player.hear_all([ryukyoku([-3000, 1000, 1000, 1000]), end_kyoku()]);
        let steps = player.hear(&json!({"scores": scores, "type": "end_game"}));
        assert!(
            matches!(
                &steps[..],
                [
                    SessionStep::Happened(_),
                    SessionStep::Ended(SessionEnd::Game)
                ]
            ),
            "{scores}: {steps:?}"
        );
        assert_eq!(
            player.session.game.final_scores().unwrap().as_slice(),
            [22000, 26000, 26000, 26000],
            "{scores}"
        );
    }
}

#[test]
fn sticks_left_on_the_table_go_to_the_first_and_of_equals_to_the_earlier_seat() {
    let mut player = Player::new(ConnectionGoal::Ranked);
    let mut start = start_kyoku(SEAT, PLAIN);
    start["kyotaku"] = json!(2);
    start["scores"] = json!([24000, 25000, 25000, 24000]);
    player.hear_all([start_game(SEAT), start, ryukyoku([0; 4]), end_kyoku()]);
    player.hear(&end_game());
    assert_eq!(
        player.session.game.final_scores().unwrap().as_slice(),
        [24000, 27000, 25000, 24000]
    );
}

#[test]
fn in_a_validation_the_verdict_comes_after_end_game() {
    let validate = |verdict: Value| {
        let mut player = Player::new(ConnectionGoal::Validation);
        player.hear_all([
            start_game(0),
            start_kyoku(0, PLAIN),
            ryukyoku([0; 4]),
            end_kyoku(),
            end_game(),
        ]);
        assert!(player.session.game.is_finished());
        player.hear(&verdict)
    };
    let passed = [SessionStep::Ended(SessionEnd::Validation {
        passed: true,
        reason: None,
    })];
    assert_eq!(
        validate(json!({"passed": true, "type": "validation_result"})),
        passed
    );
    let not_passed = [SessionStep::Ended(SessionEnd::Validation {
        passed: false,
        reason: Some(ForeignText::new("chombo", None)),
    })];
    assert_eq!(
        validate(json!({"passed": false, "reason": "chombo", "type": "validation_result"})),
        not_passed
    );
    assert_eq!(
        validate(json!({"message": "chombo", "success": false, "type": "validation_result"})),
        not_passed
    );
}

#[test]
fn a_verdict_ends_a_validation_also_in_the_middle_of_its_game() {
    let mut player = Player::new(ConnectionGoal::Validation);
    player.hear_all([start_game(0), start_kyoku(0, PLAIN)]);
    let verdict =
        player.hear(&json!({"passed": false, "reason": "chombo", "type": "validation_result"}));
    assert_eq!(
        verdict,
        [SessionStep::Ended(SessionEnd::Validation {
            passed: false,
            reason: Some(ForeignText::new("chombo", None))
        })]
    );
}

#[test]
fn a_verdict_says_nothing_of_a_ranked_game() {
    let mut player = Player::dealt(PLAIN);
    assert_eq!(
        player.hear(&json!({"passed": true, "type": "validation_result"})),
        []
    );
    assert!(player.session.game.in_game() && !player.session.game.is_finished());
}

#[test]
fn an_error_before_the_game_is_a_refusal_in_the_arenas_words() {
    let mut player = Player::new(ConnectionGoal::Ranked);
    let inactive = "Token verification failed: Bot is inactive";
    assert_eq!(player.hear(&json!({"error": inactive})), refused(inactive));
    assert_eq!(
        player.hear(&json!({"message": inactive, "type": "error"})),
        refused(inactive)
    );
    assert_eq!(
        player.hear(&json!({"error": {"code": 7}})),
        refused(r#"{"code":7}"#)
    );
}

#[test]
fn an_error_in_the_game_does_not_end_it() {
    let mut player = Player::offered(PLAIN, "4p");
    assert_eq!(player.hear(&json!({"error": "the moon is full"})), []);
    assert!(player.session.game.in_game());
    player.asked(&request(3, [call("pon", "4p", "4p 4p"), bare("none")]));
}

#[test]
fn an_error_in_a_game_whose_beginning_was_missed_does_not_end_it() {
    for heard in [
        request(3, [call("pon", "4p", "4p 4p"), bare("none")]),
        dahai(0, "4p", false),
    ] {
        let mut player = Player::new(ConnectionGoal::Ranked);
        player.hear(&heard);
        assert!(player.session.game.in_game(), "{heard}");
        assert_eq!(player.hear(&json!({"error": "slow down"})), []);
    }
}

#[test]
fn an_error_before_the_verdict_of_a_validation_is_no_refusal() {
    let mut player = Player::new(ConnectionGoal::Validation);
    player.hear_all([
        start_game(0),
        start_kyoku(0, PLAIN),
        ryukyoku([0; 4]),
        end_kyoku(),
        end_game(),
    ]);
    assert_eq!(player.hear(&json!({"error": "the moon is full"})), []);
    let verdict = player.hear(&json!({"passed": true, "type": "validation_result"}));
    assert_eq!(
        verdict,
        [SessionStep::Ended(SessionEnd::Validation {
            passed: true,
            reason: None
        })]
    );
}

#[test]
fn a_round_may_end_by_a_penalty_with_any_reason() {
    let mut player = Player::dealt(PLAIN);
    player.hear_all([json!({
        "deltas": [-12000, 4000, 4000, 4000], "reason": "Error: Illegal Action by Player 0", "type": "ryukyoku",
    })]);
    assert_eq!(
        player.session.game.table().unwrap().scores().as_slice(),
        [13000, 29000, 29000, 29000]
    );
    let mut next = start_kyoku(SEAT, PLAIN);
    next["honba"] = json!(1);
    next["scores"] = json!([13000, 29000, 29000, 29000]);
    player.hear_all([end_kyoku(), next]);
    assert_eq!(player.desyncs(), 0);
}
