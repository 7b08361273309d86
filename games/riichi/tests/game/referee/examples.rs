//! Single rules by example.

use riichi::rules::Length;
use riichi::{Rules, Seat};
use serde_json::{Value, json};

use super::changes::sound_records;
use super::lines::{game, impossible, judged, seen_from};
use super::scene::{Scene, expect_refused, found, is_known, place, values, written};
use crate::deal::{Deal, tiles};
use crate::play::TENHOU;

const FOUR: Rules = Rules::TENHOU_HALF;
const THREE: Rules = Rules::TENHOU_HALF.with_players(3);

/// Seat 1 has pinfu and tanyao and waits for 3m and 6m.
fn pinfu() -> Deal {
    Deal::new(TENHOU)
        .holds(1, "4m 5m 2p 3p 4p 5p 6p 7p 3s 4s 5s 8s 8s")
        .doras("9s")
}

fn ron(actor: u8, target: u8, deltas: [i32; 4]) -> Value {
    json!({"type": "hora", "actor": actor, "target": target, "deltas": deltas, "ura_markers": []})
}

/// A random game with a line of a type for which something holds, and its place.
fn found_line(rules: Rules, kind: &str, holds: impl Fn(&Value) -> bool) -> (Vec<Value>, usize) {
    found(rules, |values| place(values, kind, &holds))
}

/// The game with a field of a line changed.
fn with(mut values: Vec<Value>, at: usize, field: &str, value: Value) -> Vec<String> {
    values[at][field] = value;
    written(&values)
}

fn without(mut values: Vec<Value>, at: usize) -> Vec<String> {
    values.remove(at);
    written(&values)
}

#[test]
fn a_win_needs_a_complete_hand_a_yaku_and_no_furiten() {
    let passed = |deal: Deal, draws: &str| {
        Scene::begin(deal.draws(draws), TENHOU)
            .idle(3)
            .at_last_discard()
    };
    let win = |scene: Scene, gain: i32| scene.and(ron(1, 2, [0, gain, -gain, 0]));
    win(passed(pinfu(), "W S E"), 2000)
        .expect_refused("1z does not complete 45m234567p34588s of seat 1");
    win(passed(pinfu(), "W 6m 3m"), 2000)
        .expect_refused("has discarded one of its waits (36m): it is furiten");
    let no_yaku = Deal::new(TENHOU)
        .holds(1, "4m 5m 1p 2p 3p 7s 8s 9s S S 7p 7p 7p")
        .doras("9s");
    win(passed(no_yaku, "W E 3m"), 1000)
        .expect_refused("45m123777p789s22z of seat 1 has no yaku with 3m");
    let right = "should be [0,2000,-2000,0]: 2 han, 30 fu (pinfu 1, tanyao 1)";
    let wrong = passed(pinfu(), "W E 3m").and(ron(1, 2, [0, 8000, -1000, 0]));
    wrong.expect_refused(&format!(
        "`deltas` is given as [0,8000,-1000,0], but {right}"
    ));
}

#[test]
fn riichi_needs_tenpai_points_tiles_and_a_closed_hand() {
    let reach = |actor: u8| json!({"type": "reach", "actor": actor});
    let tenpai = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 5s 5s";
    let noten = Deal::new(TENHOU)
        .holds(0, "1m 2m 3m 4m 5m 6m 7p 8p N E S W P")
        .draws("9s");
    Scene::begin(noten, TENHOU)
        .and(reach(0))
        .expect_refused("leaves it tenpai");
    let breaks = Scene::begin(Deal::new(TENHOU).holds(0, tenpai).draws("W"), TENHOU).and(reach(0));
    let breaks = breaks.and(json!({"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": false}));
    breaks.expect_refused(
        "`pai` is given as 1m, but riichi is declared with it, and 23456m789p2355s3z is not tenpai",
    );
    let late = Scene::begin(Deal::new(TENHOU).holds(2, tenpai), TENHOU).idle(66);
    late.and(reach(2))
        .expect_refused("riichi needs 4 tiles to draw, and 3 are left");

    let (mut values, at) = found_line(FOUR, "reach", |_| true);
    let first = place(&values, "start_kyoku", |_| true).expect("a round begins");
    assert!(
        place(&values, "end_kyoku", |_| true).is_some_and(|end| at < end),
        "it comes in the first round"
    );
    values[first]["scores"] = json!([900, 900, 900, 900]);
    expect_refused(&written(&values), at, "riichi costs 1000 points, and seat");

    let (mut values, at) = found(FOUR, |values| {
        let pon = place(values, "pon", |_| true)?;
        let next =
            |value: &Value| value["type"] == "tsumo" && value["actor"] == values[pon]["actor"];
        let after = values[pon..]
            .iter()
            .take_while(|value| value["type"] != "end_kyoku")
            .position(next)?;
        Some(pon + after + 1)
    });
    values.insert(
        at,
        reach(values[at - 1]["actor"].as_u64().expect("a seat") as u8),
    );
    expect_refused(&written(&values), at, "an open hand cannot declare riichi");
}

#[test]
fn a_riichi_is_paid_when_its_discard_passes_and_only_then() {
    let (values, at) = found_line(FOUR, "reach_accepted", |_| true);
    let seat = &values[at]["actor"];
    expect_refused(
        &without(values.clone(), at),
        at,
        &format!("`reach_accepted` of seat {seat} comes first"),
    );
    let (mut values, at) = found_line(FOUR, "dahai", |_| true);
    values.insert(
        at + 1,
        json!({"type": "reach_accepted", "actor": values[at]["actor"]}),
    );
    expect_refused(
        &written(&values),
        at + 1,
        "has not just discarded for a riichi",
    );
    let (values, at) = found_line(FOUR, "reach_accepted", |_| true);
    let deltas = with(values, at, "deltas", json!([-1000, -1000, 0, 0]));
    expect_refused(
        &deltas,
        at,
        "`deltas` is given as [-1000,-1000,0,0], but should be",
    );
}

#[test]
fn a_riichi_that_a_record_never_pays_is_a_known_error() {
    // The winner of the first round gets no stick of the others.
    let (mut values, at) = found(FOUR, |values| {
        let end = place(values, "end_kyoku", |_| true)?;
        let accepted: Vec<usize> = (0..end)
            .filter(|&at| values[at]["type"] == "reach_accepted")
            .collect();
        let is_won = values[end - 1]["type"] == "hora" && values[end - 2]["type"] != "hora";
        (accepted.len() == 1 && is_won && values[end - 1]["actor"] != values[accepted[0]]["actor"])
            .then(|| accepted[0])
    });
    let end = place(&values, "end_kyoku", |_| true).expect("the round ends");
    let winner = values[end - 1]["actor"].as_u64().expect("a seat") as usize;
    let gain = values[end - 1]["deltas"][winner].as_i64().expect("points");
    values[end - 1]["deltas"][winner] = json!(gain - 1000);
    values.truncate(end + 1);
    values.remove(at);
    is_known(&written(&values), at, "the record never pays this riichi");
}

#[test]
fn kuikae_is_found_of_a_known_hand_and_of_a_hidden_one() {
    let hand = "4m 5m 6m 1p 1p 2p 2p 9s 9s P P F F";
    let scene =
        Scene::begin(Deal::new(TENHOU).holds(1, hand).draws("3m"), TENHOU).act(0, "dahai 3m");
    let scene = scene.act(1, "chi 3m with [4m, 5m]");
    let discard = json!({"type": "dahai", "actor": 1, "pai": "6m", "tsumogiri": false});
    let lines = scene.and(discard).lines;
    expect_refused(
        &lines,
        lines.len() - 1,
        "`pai` is given as 6m, but kuikae forbids it after this call",
    );
    let hidden = seen_from(&lines, Seat::FIRST);
    expect_refused(
        &hidden,
        lines.len() - 1,
        "kuikae forbids it after this call",
    );
}

#[test]
fn a_round_is_drawn_only_when_a_draw_is_due() {
    let draw = |reason: &str| json!({"type": "ryukyoku", "reason": reason, "deltas": [0, 0, 0, 0]});
    let eight = Deal::new(TENHOU)
        .holds(0, "1m 9m 1p 9p 1s 9s E S 2m 3m 4m 5m 6m")
        .draws("7m");
    let scene = || Scene::begin(eight.clone(), TENHOU);
    scene()
        .and(draw("kyushu_kyuhai"))
        .expect_refused("no seat may show nine kinds of terminals and honours");
    scene()
        .idle(5)
        .and(draw("exhaustive_draw"))
        .expect_refused("64 tiles are left to draw");
    scene()
        .idle(5)
        .and(json!({"type": "ryukyoku"}))
        .expect_refused("64 tiles are left to draw");
    scene()
        .idle(5)
        .and(draw("suucha_riichi"))
        .expect_refused("there are no four riichi");
    scene()
        .idle(5)
        .and(draw("sanchaho"))
        .expect_refused("three seats cannot win on one tile here");
    // It is not drawn for another reason.
    let (values, at) = found_line(FOUR, "ryukyoku", |value| {
        value["reason"] == "exhaustive_draw"
    });
    let other = with(values, at, "reason", json!("nagashimangan"));
    expect_refused(&other, at, "the round is drawn because of an empty wall");
}

#[test]
fn a_round_that_has_to_be_drawn_does_not_go_on() {
    for reason in [
        "sufuurenta",
        "suucha_riichi",
        "suukansansen",
        "exhaustive_draw",
    ] {
        let (mut values, at) = found_line(FOUR, "ryukyoku", |value| value["reason"] == reason);
        let by = values[..at]
            .iter()
            .rev()
            .find(|value| value["type"] == "dahai")
            .expect("a discard")["actor"]
            .as_u64();
        let next = (by.expect("a seat") + 1) % 4;
        values[at] = json!({"type": "tsumo", "actor": next, "pai": "1m"});
        let words = if reason == "exhaustive_draw" {
            "the wall is drawn"
        } else {
            "the round is drawn, because of four"
        };
        expect_refused(&written(&values), at, words);
    }
}

#[test]
fn the_payments_of_a_draw_follow_from_the_hands() {
    let (values, at) = found_line(FOUR, "ryukyoku", |value| value["deltas"][0] == json!(-1000));
    let right = values[at]["deltas"].clone();
    let wrong = with(values, at, "deltas", json!([0, 0, 0, 0]));
    expect_refused(&wrong, at, &format!("should be {right}"));
    let (values, at) = nagashi();
    assert_eq!(values[at]["deltas"], json!([-4000, 8000, -2000, -2000]));
    expect_refused(
        &with(values, at, "deltas", json!([0, 0, 0, 0])),
        at,
        "nagashi mangan",
    );
    let (values, at) = found_line(FOUR, "ryukyoku", |value| value["deltas"][0] == json!(-1000));
    expect_refused(
        &with(values, at, "tenpais", json!([true, true, true, true])),
        at,
        "`tenpais` is given as",
    );
}

#[test]
fn sticks_in_the_payments_of_a_draw_are_a_known_error() {
    let (mut values, at) = found(FOUR, |values| {
        let at = place(values, "ryukyoku", |value| {
            value["reason"] == "exhaustive_draw"
        })?;
        let begins = values[..at]
            .iter()
            .rposition(|value| value["type"] == "start_kyoku")?;
        values[begins..at]
            .iter()
            .any(|value| value["type"] == "reach_accepted")
            .then_some(at)
    });
    let begins = values[..at]
        .iter()
        .rposition(|value| value["type"] == "start_kyoku")
        .expect("a round");
    let paid: Vec<usize> = (begins..at)
        .filter(|&line| values[line]["type"] == "reach_accepted")
        .collect();
    for line in paid {
        let seat = values[line]["actor"].as_u64().expect("a seat") as usize;
        let points = values[at]["deltas"][seat].as_i64().expect("points");
        values[at]["deltas"][seat] = json!(points - 1000);
    }
    is_known(
        &written(&values),
        at,
        "the arena took the riichi sticks of the round off once more",
    );
}

#[test]
fn a_deal_that_passes_on_after_anothers_nagashi_is_a_known_error() {
    let (mut values, at) = nagashi();
    let next = |kyoku: u8, scores: [i32; 4]| {
        let hands = [["?"; 13]; 4];
        json!({"type": "start_kyoku", "bakaze": "E", "kyoku": kyoku, "honba": 1, "kyotaku": 0, "oya": kyoku - 1,
            "dora_marker": "1m", "scores": scores, "tehais": hands})
    };
    let scores = [21_000, 33_000, 23_000, 23_000];
    values.push(next(1, scores));
    assert_eq!(
        judged(&written(&values)).findings,
        [],
        "the dealer is tenpai and repeats"
    );
    values[at + 2] = next(2, scores);
    is_known(
        &written(&values),
        at + 2,
        "the arena passed the deal on from a dealer who was tenpai",
    );
    values[at + 2] = next(3, scores);
    expect_refused(
        &written(&values),
        at + 2,
        "`kyoku` is given as 3, but should be 1",
    );
}

/// A round in which seat 1 discards only terminals and honours and the dealer is tenpai, up to its
/// end, and the place of the draw.
fn nagashi() -> (Vec<Value>, usize) {
    let outside = tiles("1m 9m 1p 9p 1s 9s E S W N P F C 1m 9m 1p 9p 1s");
    let deal = Deal::new(TENHOU).holds(0, "2m 3m 4m 3m 4m 5m 6p 7p 8p 2s 3s 5s 5s");
    let deal = deal
        .holds(1, "2m 2m 3m 3m 4m 6m 6m 7m 7m 8m 8m 2p 2p")
        .holds(2, "2p 2p 3p 3p 4p 5p 5p 7p 7p 8p 8p 4s 4s");
    let deal = outside
        .into_iter()
        .enumerate()
        .fold(deal, |deal, (turn, tile)| deal.draw_at(4 * turn + 1, tile));
    let values = values(&Scene::begin(deal, TENHOU).idle(70).lines);
    let at = place(&values, "ryukyoku", |_| true).expect("a draw");
    (values, at)
}

#[test]
fn the_next_round_follows_from_the_last() {
    let (values, at) = found(FOUR, |values| {
        (1..values.len())
            .filter(|&at| values[at]["type"] == "start_kyoku")
            .nth(1)
    });
    let next = |field: &str, value: Value, words: &str| {
        expect_refused(
            &with(values.clone(), at, field, value.clone()),
            at,
            &format!("`{field}` is given as {words}"),
        );
    };
    let number = |field: &str| values[at][field].as_u64().expect("a number");
    next(
        "honba",
        json!(number("honba") + 1),
        &format!("{}, but should be {}", number("honba") + 1, number("honba")),
    );
    next(
        "kyotaku",
        json!(number("kyotaku") + 1),
        &format!("{}", number("kyotaku") + 1),
    );
    next(
        "oya",
        json!((number("oya") + 1) % 4),
        &format!("{}", (number("oya") + 1) % 4),
    );
    next(
        "kyoku",
        json!(number("kyoku") % 4 + 1),
        &format!("{}", number("kyoku") % 4 + 1),
    );
    next("bakaze", json!("W"), "W, but should be E");
    let mut scores = values[at]["scores"].clone();
    scores[2] = json!(scores[2].as_i64().expect("points") + 100);
    next("scores", scores.clone(), &scores.to_string());
    let first = with(
        values.clone(),
        1,
        "scores",
        json!([25000, 25000, 25000, 26000]),
    );
    expect_refused(&first, 1, "all seats begin a game with the same points");
}

#[test]
fn the_game_ends_when_it_has_to_and_no_earlier() {
    let (values, end) = found_line(FOUR, "end_game", |_| true);
    let ends: Vec<usize> = (0..end)
        .filter(|&at| values[at]["type"] == "end_kyoku")
        .collect();
    let mut goes_on = values.clone();
    goes_on.push(values[1].clone());
    expect_refused(
        &written(&goes_on),
        end + 1,
        "the game is over, and only another `start_game` may follow",
    );
    let mut next = values.clone();
    next[end] = json!({"bakaze": "W", "dora_marker": "1m", "honba": 0, "kyoku": 4, "kyotaku": 0, "oya": 3,
        "tehais": values[1]["tehais"], "type": "start_kyoku"});
    assert!(impossible(&judged(&written(&next))).is_some_and(|(at, _)| at == end));
    let mut early = values[..=ends[1]].to_vec();
    early.push(json!({"type": "end_game"}));
    expect_refused(&written(&early), early.len() - 1, "the game is not over");
    // Without its end it is only cut.
    let cut = judged(&written(&values[..=ends[1]]));
    assert!(cut.findings.is_empty() && cut.cut.is_some());
    expect_refused(
        &without(values.clone(), ends[0]),
        ends[0],
        "`end_kyoku` comes first",
    );
    let mut scores = values[end]["scores"].clone();
    scores[0] = json!(scores[0].as_i64().expect("points") + 100);
    expect_refused(
        &with(values, end, "scores", scores),
        end,
        "`scores` is given as",
    );
}

#[test]
fn one_round_may_be_a_whole_game() {
    let (values, end) = found_line(FOUR.with_length(Length::Single), "end_game", |_| true);
    assert!(judged(&written(&values)).findings.is_empty() && end == values.len() - 1);
}

#[test]
fn sticks_that_the_last_scores_leave_on_the_table_are_a_known_error() {
    let sum = |value: &Value| {
        value["scores"]
            .as_array()
            .expect("scores")
            .iter()
            .filter_map(Value::as_i64)
            .sum::<i64>()
    };
    let (values, end) = found(FOUR, |values| {
        let end = place(values, "end_game", |_| true)?;
        // The last round is drawn, and a riichi was paid in it.
        let begins = values[..end]
            .iter()
            .rposition(|value| value["type"] == "start_kyoku")?;
        let riichi = values[begins..end]
            .iter()
            .any(|value| value["type"] == "reach_accepted");
        (values[end - 2]["type"] == "ryukyoku" && riichi && values[begins]["kyotaku"] == json!(0))
            .then_some(end)
    });
    assert_eq!(sum(&values[end]), 100_000);
    let begins = values[..end]
        .iter()
        .rposition(|value| value["type"] == "start_kyoku")
        .expect("a round");
    let sticks = values[begins..end]
        .iter()
        .filter(|value| value["type"] == "reach_accepted")
        .count() as i64;
    let scores: Vec<i64> = values[end]["scores"]
        .as_array()
        .expect("scores")
        .iter()
        .filter_map(Value::as_i64)
        .collect();
    let first = (0..4)
        .max_by_key(|&seat| (scores[seat], 3 - seat))
        .expect("four seats");
    let mut left = scores.clone();
    left[first] -= 1000 * sticks;
    is_known(
        &with(values, end, "scores", json!(left)),
        end,
        "the sticks left on the table belong to the first place",
    );
}

#[test]
fn the_value_of_a_win_is_counted_again() {
    let (values, at) = found_line(FOUR, "hora", |value| value["han"].as_u64() < Some(5));
    let han = values[at]["han"].clone();
    expect_refused(
        &with(values.clone(), at, "han", json!(13)),
        at,
        &format!("`han` is given as 13, but should be {han}"),
    );
    let fu = values[at]["fu"].clone();
    expect_refused(
        &with(values.clone(), at, "fu", json!(70)),
        at,
        &format!("`fu` is given as 70, but should be {fu}"),
    );
    let yaku = json!([{"name": "riichi", "han": 9}]);
    expect_refused(
        &with(values.clone(), at, "yaku", yaku),
        at,
        "`yaku` is given as riichi 9, but should be",
    );
    expect_refused(
        &with(values.clone(), at, "hora_points", json!(100)),
        at,
        "`hora_points` is given as 100",
    );
    expect_refused(
        &with(values.clone(), at, "pai", json!("1m")),
        at,
        "`pai` is given as 1m, but should be",
    );
    expect_refused(
        &with(values.clone(), at, "scores", json!([0, 0, 0, 0])),
        at,
        "`scores` is given as [0,0,0,0]",
    );
    expect_refused(
        &with(values.clone(), at, "hora_tehais", json!(["1m"])),
        at,
        "`hora_tehais` is given as 1m",
    );
    // What a record leaves out is no error.
    let mut short = values;
    for field in ["han", "fu", "yaku", "deltas", "ura_markers", "tsumo"] {
        short[at].as_object_mut().expect("an object").remove(field);
    }
    assert_eq!(judged(&written(&short)).findings, []);
}

#[test]
fn another_winner_or_target_is_refused() {
    let (values, at) = found(FOUR, |values| {
        values.iter().rposition(|value| value["type"] == "hora")
    });
    for field in ["actor", "target"] {
        for seat in (0..4).filter(|seat| values[at][field] != json!(seat)) {
            let found = impossible(&judged(&with(values.clone(), at, field, json!(seat))));
            assert!(
                found.is_some_and(|(place, _)| place == at),
                "{field} {seat}"
            );
        }
    }
}

#[test]
fn ura_indicators_are_those_of_a_riichi() {
    let (values, at) = found_line(FOUR, "hora", |value| value["ura_markers"] == json!([]));
    expect_refused(
        &with(values, at, "ura_markers", json!(["1m"])),
        at,
        "the winner is not in riichi",
    );
    let (values, at) = found_line(FOUR, "hora", |value| value["ura_markers"] != json!([]));
    let none = with(values.clone(), at, "ura_markers", json!([]));
    expect_refused(&none, at, "dora indicators, and as many under them");
    let mut short = values;
    short[at]
        .as_object_mut()
        .expect("an object")
        .remove("ura_markers");
    assert_eq!(
        judged(&written(&short)).findings,
        [],
        "the payment shows how many they were"
    );
}

#[test]
fn the_seat_that_is_liable_pays() {
    // The third triplet of dragons is called from seat 3, and seat 1 deals in.
    let deal = Deal::new(TENHOU)
        .holds(0, "P P F F C C 1m 2m 3m 5p 6p 9s 9s")
        .draws("E P F W S C 5p");
    let mut scene = Scene::begin(deal, TENHOU).act(0, "dahai E tsumogiri");
    for dragon in ["P", "F"] {
        scene = scene.act(1, &format!("dahai {dragon} tsumogiri"));
        scene = scene.act(0, &format!("pon {dragon}")).act(0, "dahai 9s");
    }
    let scene = scene
        .act(1, "dahai W tsumogiri")
        .act(2, "dahai S tsumogiri")
        .act(3, "dahai C tsumogiri");
    let scene = scene
        .act(0, "pon C")
        .act(0, "dahai 6p")
        .act(1, "dahai 5p tsumogiri")
        .act(0, "hora 5p");
    let values = values(&scene.lines);
    let at = place(&values, "hora", |_| true).expect("a win");
    assert_eq!(values[at]["deltas"], json!([48_000, -24_000, 0, -24_000]));
    assert_eq!(judged(&scene.lines).findings, []);
    let alone = with(values, at, "deltas", json!([48_000, -48_000, 0, 0]));
    expect_refused(&alone, at, "should be [48000,-24000,0,-24000]: 13 han");
}

#[test]
fn kans_and_their_indicators_come_at_their_time() {
    let (values, at) = found(FOUR, |values| {
        (0..values.len() - 3).find(|&at| {
            let kind = |place: usize| {
                values[at + place]["type"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            };
            matches!(&*kind(0), "kakan" | "daiminkan")
                && kind(1) == "tsumo"
                && kind(2) == "dora"
                && kind(3) == "dahai"
        })
    });
    expect_refused(
        &without(values.clone(), at + 2),
        at + 2,
        "`dora` comes first",
    );
    let mut early = values.clone();
    early.swap(at + 1, at + 2);
    expect_refused(
        &written(&early),
        at + 1,
        "the indicator of an open kan is turned before the discard that follows",
    );
    let mut twice = values.clone();
    twice.insert(at + 3, values[at + 2].clone());
    expect_refused(
        &written(&twice),
        at + 3,
        "no kan has earned another indicator",
    );
    let won = json!({"type": "hora", "actor": values[at]["actor"], "target": values[at]["actor"]});
    let mut wins = values;
    wins[at + 3] = won;
    expect_refused(&written(&wins), at + 3, "turned only before a discard");

    let (values, at) = found(FOUR, |values| {
        let plain = |at: &usize| {
            let kinds = [0, 1, 2].map(|place| {
                values[at + place]["type"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            });
            kinds == ["ankan", "dora", "tsumo"]
        };
        (0..values.len() - 2).find(plain)
    });
    expect_refused(&without(values, at + 1), at + 1, "`dora` comes first");

    let last = Scene::begin(
        Deal::new(TENHOU).holds(1, "5s 5s 5s 5s 1m 4m 7m 1p 4p 7p E S W"),
        TENHOU,
    )
    .idle(69);
    let kan = json!({"type": "ankan", "actor": 1, "consumed": ["5s", "5s", "5s", "5s"]});
    last.and(kan)
        .expect_refused("no tile is left to replace it");
}

#[test]
fn a_north_is_set_aside_only_in_games_of_three_and_only_if_it_is_held() {
    let (mut values, at) = found_line(FOUR, "tsumo", |_| true);
    values.insert(
        at + 1,
        json!({"type": "kita", "actor": values[at]["actor"]}),
    );
    expect_refused(&written(&values), at + 1, "only in games of three");
    let held = "1p 2p 3p 4p 5p 6p 7p 8p 9p 1s 2s 3s 4s";
    let rules = Rules {
        red_fives: 0,
        ..THREE
    };
    let scene = Scene::begin(Deal::new(rules).holds(0, held).draws("9s"), rules);
    scene
        .and(json!({"type": "kita", "actor": 0}))
        .expect_refused("`type` is given as kita, but the seat holds");
}

#[test]
fn a_fifth_tile_is_refused_wherever_it_is_shown() {
    let (mut values, at) = found_line(FOUR, "tsumo", |_| true);
    let all: Vec<String> = values[at - 1]["tehais"]
        .as_array()
        .expect("hands")
        .iter()
        .flat_map(|hand| {
            hand.as_array()
                .expect("a hand")
                .iter()
                .map(|tile| tile.as_str().expect("a tile").to_owned())
        })
        .collect();
    values[at]["pai"] = json!("5mr");
    if !all.contains(&"5mr".to_owned()) {
        values[at - 1]["tehais"][3][0] = json!("5mr");
    }
    expect_refused(
        &written(&values),
        at,
        "`pai` is given as 5mr, but the record shows every 5mr of the round elsewhere",
    );
    let (values, at) = found_line(FOUR, "start_kyoku", |_| true);
    let mut hands = values[at]["tehais"].clone();
    for place in 0..5 {
        hands[1][place] = json!("E");
    }
    expect_refused(
        &with(values, at, "tehais", hands),
        at,
        "but the record shows all four E of the round elsewhere",
    );
}

#[test]
fn of_a_hidden_hand_the_payment_is_one_that_some_hand_has() {
    let (values, at) = found_line(FOUR, "hora", |value| {
        value["actor"] != json!(0) && value["target"] != value["actor"]
    });
    let lines = seen_from(&written(&values), Seat::FIRST);
    assert_eq!(judged(&lines).findings, []);
    let mut values = super::scene::values(&lines);
    let (winner, target) = (
        values[at]["actor"].as_u64().expect("a seat"),
        values[at]["target"].as_u64().expect("a seat"),
    );
    for (seat, more) in [(winner, 500), (target, -500)] {
        let points = values[at]["deltas"][seat as usize]
            .as_i64()
            .expect("points");
        values[at]["deltas"][seat as usize] = json!(points + more * 7 + more / 500 * 100);
    }
    expect_refused(&written(&values), at, "no hand is paid so");
}

#[test]
fn a_seat_in_riichi_discards_what_it_draws() {
    let (values, at) = found(FOUR, |values| {
        let accepted = place(values, "reach_accepted", |_| true)?;
        let discard =
            |value: &Value| value["type"] == "dahai" && value["actor"] == values[accepted]["actor"];
        let after = values[accepted..]
            .iter()
            .take_while(|value| value["type"] != "end_kyoku")
            .position(discard)?;
        Some(accepted + after)
    });
    let other = Seat::all(4)
        .find(|seat| values[at]["actor"] != json!(seat.index()))
        .expect("another seat");
    let changed = with(values, at, "tsumogiri", json!(false));
    expect_refused(
        &changed,
        at,
        "`tsumogiri` is given as false, but should be true",
    );
    expect_refused(
        &seen_from(&changed, other),
        at,
        "a seat in riichi discards the tile it has drawn",
    );
}

#[test]
fn a_hidden_seat_discards_the_drawn_tile_that_is_shown() {
    let shown =
        |tile: &str, tsumogiri: bool| hidden_round(&[draws(0, "7m"), discards(0, tile, tsumogiri)]);
    let judged_round = |values: Vec<Value>| judged(&written(&values)).findings;
    assert_eq!(judged_round(shown("7m", true)), []);
    assert_eq!(judged_round(shown("2s", false)), []);
    let right = "the seat has drawn 7m, and discards what it has drawn";
    let refused = judged_round(shown("2s", true));
    assert!(
        refused.iter().any(|(_, found)| found.right == right),
        "{refused:?}"
    );
}

#[test]
fn a_hidden_seat_wins_on_the_drawn_tile_that_is_shown() {
    // A dealer who wins with the first draw has a yakuman.
    let won = |tile: &str| {
        let mut win = json!({"type": "hora", "actor": 0, "target": 0,
            "deltas": [48000, -16000, -16000, -16000], "ura_markers": []});
        win["pai"] = json!(tile);
        judged(&written(&hidden_round(&[draws(0, "7m"), win]))).findings
    };
    assert_eq!(won("7m"), []);
    let refused = won("2s");
    assert!(
        refused
            .iter()
            .any(|(_, found)| found.field == "pai" && found.right == "should be 7m"),
        "{refused:?}"
    );
}

#[test]
fn each_reason_is_given_where_rules_refuse_for_different_ones() {
    // Four concealed triplets, won on the pair: a yakuman at Tenhou, a double one at Mahjong Soul.
    let pair = Deal::new(TENHOU)
        .holds(1, "1m 1m 1m 3p 3p 3p 5s 5s 5s 7s 7s 7s 2p")
        .doras("9s");
    Scene::begin(pair.draws("W S 2p"), TENHOU)
        .idle(3)
        .at_last_discard()
        .and(ron(1, 2, [0, 48_000, -48_000, 0]))
        .expect_refused(", or by other rules should be [0,64000,-64000,0]");
}

#[test]
fn the_nearest_of_two_winners_comes_first() {
    let (mut values, at) = found(FOUR, |values| {
        (1..values.len())
            .find(|&at| values[at]["type"] == "hora" && values[at - 1]["type"] == "hora")
    });
    let first = values[at - 1]["actor"].clone();
    values.swap(at - 1, at);
    let found = impossible(&judged(&written(&values)));
    assert!(
        found.is_some_and(|(place, _)| place == at - 1 || place == at),
        "seat {first} comes first"
    );
    let mut twice = values.clone();
    twice.swap(at - 1, at);
    twice[at] = twice[at - 1].clone();
    assert!(impossible(&judged(&written(&twice))).is_some_and(|(place, _)| place == at));
}

/// The record without its hands and draws.
fn hidden(mut values: Vec<Value>) -> Vec<Value> {
    for value in &mut values {
        if let Some(hands) = value.get_mut("tehais") {
            let seats = hands.as_array().expect("hands").len();
            *hands = json!(vec![["?"; 13]; seats]);
        }
        if value["type"] == "tsumo" {
            value["pai"] = json!("?");
        }
    }
    values
}

fn unseen_hand() -> Value {
    json!(vec!["?"; 13])
}

/// A round of hidden hands, dealt by seat 0, with these events.
fn hidden_round(events: &[Value]) -> Vec<Value> {
    round([(); 4].map(|()| unseen_hand()), "9s", events)
}

/// The first round of a game, dealt by seat 0, with these hands and events.
fn round(hands: [Value; 4], dora: &str, events: &[Value]) -> Vec<Value> {
    let start = json!({"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "dora_marker": dora, "scores": [25000, 25000, 25000, 25000], "tehais": hands});
    [json!({"type": "start_game"}), start]
        .into_iter()
        .chain(events.iter().cloned())
        .collect()
}

fn draws(actor: u8, tile: &str) -> Value {
    json!({"type": "tsumo", "actor": actor, "pai": tile})
}

fn discards(actor: u8, tile: &str, tsumogiri: bool) -> Value {
    json!({"type": "dahai", "actor": actor, "pai": tile, "tsumogiri": tsumogiri})
}

/// Seats draw hidden tiles and discard these, beginning with a seat.
fn turns(first: u8, tiles: &str) -> Vec<Value> {
    let turn = |(place, tile)| {
        let seat = (first + place as u8) % 4;
        [draws(seat, "?"), discards(seat, tile, true)]
    };
    tiles.split(' ').enumerate().flat_map(turn).collect()
}

fn riichi(actor: u8, tile: &str) -> [Value; 4] {
    let reach = |name: &str| json!({"type": name, "actor": actor});
    [
        draws(actor, "?"),
        reach("reach"),
        discards(actor, tile, true),
        reach("reach_accepted"),
    ]
}

/// Hands and tiles by their names.
fn held(names: &str) -> Value {
    json!(names.split(' ').collect::<Vec<_>>())
}

#[test]
fn an_end_without_scores_is_accepted_when_they_are_not_known() {
    for number in 1..=12 {
        let mut values = values(&game(FOUR, number));
        for value in &mut values {
            let Some(fields) = value.as_object_mut() else {
                continue;
            };
            if matches!(
                fields["type"].as_str(),
                Some("hora" | "ryukyoku" | "end_game")
            ) {
                for field in [
                    "deltas",
                    "scores",
                    "ura_markers",
                    "han",
                    "fu",
                    "yaku",
                    "hora_points",
                ] {
                    fields.remove(field);
                }
            }
        }
        assert_eq!(judged(&written(&values)).findings, [], "{number}");
        for value in hidden(values.clone())
            .iter_mut()
            .chain(&mut values)
            .filter(|value| value["type"] == "start_kyoku")
        {
            value.as_object_mut().expect("an object").remove("scores");
        }
        assert_eq!(
            judged(&written(&values)).findings,
            [],
            "{number}, no scores at all"
        );
        assert_eq!(
            judged(&written(&hidden(values))).findings,
            [],
            "{number}, hidden"
        );
    }
}

#[test]
fn a_hidden_winner_is_not_furiten_by_what_all_seats_see() {
    let refused = |events: &[Value], words: &str| {
        let values = hidden_round(events);
        expect_refused(&written(&values), values.len() - 1, words);
    };
    let win = |target: u8, gain: i32, paid: i32| {
        let mut deltas = [gain, 0, 0, 0];
        deltas[usize::from(target)] = -paid;
        [ron(0, target, deltas)]
    };
    let discarded = [
        turns(0, "4m 9p 9p 9p 9m 5mr").as_slice(),
        &win(1, 7700, 7700),
    ]
    .concat();
    assert_eq!(judged(&written(&hidden_round(&discarded))).findings, []);
    let discarded = [
        turns(0, "5m 9p 9p 9p 9m 5mr").as_slice(),
        &win(1, 7700, 7700),
    ]
    .concat();
    refused(
        &discarded,
        "seat 0 wins on 5mr and has discarded it: it is furiten",
    );
    let passed = [turns(0, "9m 4m 4m").as_slice(), &win(2, 7700, 7700)].concat();
    refused(
        &passed,
        "seat 0 wins on 4m and has let it pass since its last discard",
    );
    let mut ura = win(2, 8700, 7700);
    ura[0]["ura_markers"] = json!(["E"]);
    let in_riichi = |others: &str| [riichi(0, "9p").as_slice(), &turns(1, others), &ura].concat();
    assert_eq!(
        judged(&written(&hidden_round(&in_riichi("3m 4m")))).findings,
        []
    );
    refused(
        &in_riichi("4m 4m"),
        "seat 0 wins on 4m and has let it pass in riichi",
    );
    refused(
        &in_riichi("4m 1s 1s 1s 1s 4m"),
        "seat 0 wins on 4m and has let it pass in riichi",
    );
}

#[test]
fn what_is_told_of_a_hidden_winner_fits_what_it_is_paid() {
    for (number, lines) in sound_records().into_iter().enumerate() {
        for left_out in [
            &[][..],
            &["fu"],
            &["deltas", "fu"],
            &["deltas", "han", "hora_points"],
        ] {
            let mut values = hidden(values(&lines));
            for win in values.iter_mut().filter(|value| value["type"] == "hora") {
                left_out
                    .iter()
                    .for_each(|field| drop(win.as_object_mut().expect("an object").remove(*field)));
            }
            assert_eq!(
                impossible(&judged(&written(&values))),
                None,
                "record {number} without {left_out:?}"
            );
        }
    }
    let small =
        |value: &Value| value["han"].as_u64() < Some(4) && value["ura_markers"] == json!([]);
    let (values, at) = found_line(FOUR, "hora", small);
    let values = hidden(values);
    let refused = |field: &str, value: Value, words: &str| {
        expect_refused(&with(values.clone(), at, field, value), at, words);
    };
    refused(
        "han",
        json!(13),
        "`han` is given as 13, but no hand that is paid so has as many",
    );
    refused(
        "fu",
        json!(110),
        "`fu` is given as 110, but no hand that is paid so has as many",
    );
    refused(
        "hora_points",
        json!(99_900),
        "`hora_points` is given as 99900, but no hand",
    );
    refused(
        "yaku",
        json!([{"name": "kokushi musou", "han": 13}]),
        "but no hand that is paid so has 13 han",
    );
    let han = values[at]["han"].as_i64().expect("han");
    refused(
        "yaku",
        json!([{"name": "riichi", "han": 1}, {"name": "dora", "han": han - 1}]),
        "the win is without riichi",
    );
    let (values, at) = found_line(FOUR, "hora", |value| value["ura_markers"] != json!([]));
    let mut values = hidden(values);
    let parts = values[at]["yaku"].as_array_mut().expect("yaku");
    let place = parts
        .iter()
        .position(|part| part["name"] == "riichi")
        .expect("riichi");
    parts[place]["name"] = json!("dora");
    expect_refused(&written(&values), at, "the win has riichi");
}

#[test]
fn ura_indicators_of_another_winner_in_riichi_are_no_error() {
    for riichi_comes_first in [true, false] {
        let (values, at) = found(FOUR, |values| {
            (1..values.len()).find(|&at| {
                let is_riichi = |at: usize| {
                    values[at]["type"] == "hora" && values[at]["ura_markers"] != json!([])
                };
                values[at - 1]["type"] == "hora"
                    && values[at]["type"] == "hora"
                    && (is_riichi(at - 1), is_riichi(at))
                        == (riichi_comes_first, !riichi_comes_first)
            })
        });
        let (of_riichi, other) = if riichi_comes_first {
            (at - 1, at)
        } else {
            (at, at - 1)
        };
        let ura = values[of_riichi]["ura_markers"].clone();
        assert_eq!(
            judged(&with(values.clone(), other, "ura_markers", ura.clone())).findings,
            []
        );
        let first = if ura == json!(["9m"]) { "8m" } else { "9m" };
        expect_refused(
            &with(values, other, "ura_markers", json!([first])),
            other,
            "the winner is not in riichi",
        );
    }
}

#[test]
fn an_indicator_may_be_turned_before_a_closed_kan() {
    let hand = held("P P 1m 1m 1m 2m 4m 6m 5p 6p 8p 9s 7s");
    let pon = json!({"type": "pon", "actor": 0, "target": 1, "pai": "P", "consumed": ["P", "P"]});
    let kakan = json!({"type": "kakan", "actor": 0, "pai": "P", "consumed": ["P", "P", "P"]});
    let ankan = json!({"type": "ankan", "actor": 0, "consumed": ["1m", "1m", "1m", "1m"]});
    let dora = |marker: &str| json!({"type": "dora", "dora_marker": marker});
    let called = [
        draws(0, "1m"),
        discards(0, "7s", false),
        draws(1, "?"),
        discards(1, "P", false),
        pon,
    ];
    let to_kan = [
        vec![discards(0, "9s", false)],
        turns(1, "S S S"),
        vec![draws(0, "P"), kakan, draws(0, "3m")],
    ]
    .concat();
    let kans = |later: &[Value]| {
        let end = [draws(0, "9m"), discards(0, "9m", true)];
        round(
            [hand.clone(), unseen_hand(), unseen_hand(), unseen_hand()],
            "9p",
            &[&called, &*to_kan, later, &end].concat(),
        )
    };
    for order in [
        [dora("4s"), ankan.clone(), dora("5s")],
        [ankan.clone(), dora("4s"), dora("5s")],
    ] {
        assert_eq!(judged(&written(&kans(&order))).findings, []);
    }
    let short = kans(&[dora("4s"), ankan]);
    expect_refused(&written(&short), short.len() - 2, "`dora` comes first");
}

#[test]
fn a_fourth_riichi_that_only_the_next_round_pays_is_a_known_error() {
    let (mut values, at) = found(FOUR, |values| {
        let at = place(values, "ryukyoku", |value| {
            value["reason"] == "suucha_riichi"
        })?;
        values[at..]
            .iter()
            .any(|value| value["type"] == "start_kyoku")
            .then_some(at)
    });
    assert_eq!(values[at - 1]["type"], "reach_accepted");
    values.remove(at - 1);
    is_known(
        &written(&values),
        at - 1,
        "the next round shows that it is paid",
    );
    values.truncate(at + 1);
    values.push(json!({"type": "end_game"}));
    expect_refused(&written(&values), at - 1, "`reach_accepted` of seat");
}

#[test]
fn a_hidden_ron_on_a_closed_kan_is_that_of_thirteen_orphans() {
    let kan =
        |actor: u8| json!({"type": "ankan", "actor": actor, "consumed": ["E", "E", "E", "E"]});
    let judge_win = |events: &[Value], words: Option<&str>| {
        let values = hidden_round(events);
        match words {
            Some(words) => expect_refused(&written(&values), values.len() - 1, words),
            None => assert_eq!(judged(&written(&values)).findings, []),
        }
    };
    let closed = |points: i32| [draws(0, "?"), kan(0), ron(1, 0, [-points, points, 0, 0])];
    judge_win(&closed(32_000), None);
    // The words are those of the usual rules, Tenhou's; only Mahjong Soul's let thirteen orphans
    // win so.
    judge_win(&closed(3900), Some("a closed kan cannot be robbed"));
    let pon =
        json!({"type": "pon", "actor": 1, "target": 0, "pai": "1m", "consumed": ["1m", "1m"]});
    let open = [
        draws(0, "?"),
        discards(0, "1m", true),
        pon,
        discards(1, "2m", false),
        draws(2, "?"),
        kan(2),
    ];
    let open = [open.as_slice(), &[ron(1, 2, [0, 32_000, -32_000, 0])]].concat();
    judge_win(&open, Some("a closed kan cannot be robbed"));
}

#[test]
fn a_hidden_seat_in_riichi_is_tenpai() {
    let (values, at) = found(FOUR, |values| {
        let at = place(values, "ryukyoku", |value| {
            value["reason"] == "exhaustive_draw"
        })?;
        let begins = values[..at]
            .iter()
            .rposition(|value| value["type"] == "start_kyoku")?;
        let riichi = values[begins..at]
            .iter()
            .filter(|value| value["type"] == "reach_accepted")
            .count();
        (riichi == 1 && values[at]["deltas"] != json!([0, 0, 0, 0])).then_some(at)
    });
    let values = hidden(values);
    let riichi = values[..at]
        .iter()
        .rfind(|value| value["type"] == "reach_accepted")
        .expect("a riichi");
    let riichi = riichi["actor"].as_u64().expect("a seat") as usize;
    let gains = |value: &Value| value.as_i64().expect("points") > 0;
    let mut tenpai: Vec<bool> = values[at]["deltas"]
        .as_array()
        .expect("points")
        .iter()
        .map(gains)
        .collect();
    assert_eq!(
        judged(&with(values.clone(), at, "tenpais", json!(tenpai))).findings,
        []
    );
    tenpai[riichi] = false;
    expect_refused(
        &with(values, at, "tenpais", json!(tenpai)),
        at,
        "`tenpais` is given as",
    );
}

#[test]
fn three_winners_draw_the_round_before_a_riichi_is_paid_or_after() {
    let hands = [
        held("1m 1m 1m 9m 9m 9m 8p 7p 6p C C C E"),
        held("2m 3m 4m 5m 6m 7m 2p 3p 5s 5s 6s 7s 8s"),
        held("3m 4m 5m 6m 7m 8m 2p 3p 6s 6s 6s 7s 8s"),
        held("2s 3s 4s 2p 3p N N N 1s 1s 9p 9p 9p"),
    ];
    let declared = [
        draws(0, "4p"),
        json!({"type": "reach", "actor": 0}),
        discards(0, "4p", true),
    ];
    let accepted = [json!({"type": "reach_accepted", "actor": 0})];
    for draw in [
        json!({"type": "ryukyoku", "reason": "sanchaho"}),
        json!({"type": "ryukyoku"}),
    ] {
        for paid in [&[], accepted.as_slice()] {
            let values = round(
                hands.clone(),
                "9s",
                &[&declared, paid, std::slice::from_ref(&draw)].concat(),
            );
            assert_eq!(judged(&written(&values)).findings, []);
        }
    }
    // Two of them are no draw.
    let mut two = hands;
    two[3] = unseen_hand();
    two[2] = held("2s 3s 4s 2p 2p N N N 1s 1s 9p 9p 9p");
    let values = round(
        two,
        "9s",
        &[
            &declared,
            accepted.as_slice(),
            &[json!({"type": "ryukyoku"})],
        ]
        .concat(),
    );
    expect_refused(
        &written(&values),
        values.len() - 1,
        "69 tiles are left to draw",
    );
}

#[test]
fn sticks_in_the_payments_of_the_last_draw_are_a_known_error_up_to_the_end() {
    let (mut values, end) = found(FOUR, |values| {
        let end = place(values, "end_game", |_| true)?;
        let begins = values[..end]
            .iter()
            .rposition(|value| value["type"] == "start_kyoku")?;
        let has = |kind: &str| {
            values[begins..end]
                .iter()
                .any(|value| value["type"] == kind)
        };
        (has("reach_accepted") && values[end - 2]["reason"] == "exhaustive_draw").then_some(end)
    });
    let begins = values[..end]
        .iter()
        .rposition(|value| value["type"] == "start_kyoku")
        .expect("a round");
    let first = |scores: &Value| {
        let scores: Vec<i64> = scores
            .as_array()
            .expect("scores")
            .iter()
            .filter_map(Value::as_i64)
            .collect();
        (0..4)
            .max_by_key(|&seat| (scores[seat], 3 - seat))
            .expect("four seats")
    };
    let winner = first(&values[end]["scores"]);
    let paid: Vec<usize> = (begins..end)
        .filter(|&at| values[at]["type"] == "reach_accepted")
        .collect();
    for at in paid {
        let seat = values[at]["actor"].as_u64().expect("a seat") as usize;
        for (at, field) in [(end - 2, "deltas"), (end, "scores")] {
            let points = values[at][field][seat].as_i64().expect("points");
            values[at][field][seat] = json!(points - 1000);
        }
    }
    assert_eq!(
        first(&values[end]["scores"]),
        winner,
        "the same seat is first"
    );
    is_known(
        &written(&values),
        end,
        "the arena took the riichi sticks of the round off once more",
    );
}
