//! How the forms write what they say.

use game_logs::{LogFacts, read_text, tenhou_form};
use riichi::referee::RecordedFacts;
use riichi::{Event, Rules};
use serde_json::{Value, json};

use crate::played::{played, read_game, read_lines};
use crate::writers::{mahjong_soul, majiang, mjlog};

fn facts_of(log: &str) -> LogFacts {
    let games = read_text(log)
        .expect("it is known")
        .expect("it can be read");
    let facts = games[0].facts.clone();
    assert_eq!(LogFacts::of_line(&games[0].lines[0]), Some(facts.clone()));
    facts
}

/// A round in Tenhou's form: all seats hold the same but for their suits, and the first seat draws
/// a tile that completes nothing.
fn tenhou_round(parts: &[(usize, Value)], result: Value) -> String {
    let hand = |suit: u8| -> Vec<u8> {
        let own = (1..=9).map(|number| 10 * suit + number);
        own.chain([41, 42, 43, 44]).collect()
    };
    let mut round = vec![
        json!([0, 0, 0]),
        json!(vec![25000; 4]),
        json!([45]),
        json!([]),
    ];
    for suit in [1, 2, 3, 0] {
        let hand = if suit == 0 {
            vec![11, 11, 12, 12, 22, 22, 32, 32, 46, 46, 47, 47, 45]
        } else {
            hand(suit)
        };
        round.extend([json!(hand), json!([]), json!([])]);
    }
    round.push(result);
    for (place, part) in parts {
        round[*place] = part.clone();
    }
    json!({"title": ["", ""], "name": ["a", "b", "c", "d"], "rule": {"disp": "般南喰赤", "aka": 1}, "log": [round]})
        .to_string()
}

#[test]
fn what_a_log_says_of_the_rules_is_kept_and_all_else_is_unknown() {
    let events = played(Rules::TENHOU_HALF, 1);
    let names = ["a", "b", "c", "d"].map(str::to_owned);
    let tenhou = tenhou_form(&events, &names)
        .expect("all hands are shown")
        .game;
    let facts = facts_of(&tenhou.to_string());
    assert_eq!(facts.red_fives, Some(3));
    assert_eq!(facts.open_tanyao, Some(true));
    assert_eq!(facts.names, names);
    assert_eq!(facts.began, None);
    let mut known = tenhou;
    known["ref"] = json!("2019050417gm-0029-0000-4f2a8622");
    known["rule"] = json!({});
    known["name"] = json!(["", "", "", ""]);
    let facts = facts_of(&known.to_string());
    assert_eq!(facts.began.as_deref(), Some("2019-05-04T17+09:00"));
    assert_eq!((facts.red_fives, facts.open_tanyao), (None, None));
    assert!(facts.names.is_empty());
    assert_eq!(facts.rules_in_words(), "unknown");

    let facts = facts_of(&mjlog(&events, Rules::TENHOU_HALF));
    assert_eq!(facts.names[0], "東");
    assert_eq!(
        facts.rules_in_words(),
        "East and South, 3 red fives, with open tanyao"
    );
    let facts = facts_of(&majiang(&events));
    assert_eq!(
        facts.names,
        ["a", "b", "c", "d"],
        "the first to deal is first"
    );
    assert_eq!(facts.rules.as_deref(), Some("a game"));
    assert_eq!((facts.red_fives, facts.open_tanyao), (None, None));
    let facts = facts_of(&mahjong_soul(&events, false));
    assert_eq!(facts.names[3], "player 3");
    assert_eq!(facts.rules_in_words(), "unknown");
}

#[test]
fn the_value_of_a_win_is_read_with_its_yaku() {
    let events = played(Rules::TENHOU_HALF, 5);
    let names = ["a", "b", "c", "d"].map(str::to_owned);
    let form = tenhou_form(&events, &names).expect("all hands are shown");
    let (events, facts) = read_game(&form.game.to_string());
    let wins = events
        .iter()
        .filter(|event| matches!(event, Event::Hora(_)))
        .count();
    let valued = |facts: &&(usize, RecordedFacts)| {
        let (_, told) = facts;
        told.yaku.is_some() && told.han.is_some() && told.points.is_some()
    };
    assert!(wins > 0);
    assert_eq!(facts.iter().filter(valued).count(), wins);
}

#[test]
fn a_draw_says_who_was_tenpai_if_the_log_does() {
    let log = tenhou_round(&[], json!(["全員不聴"]));
    let (events, facts) = read_game(&log);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Ryukyoku { .. }))
    );
    let tenpai = facts.iter().find_map(|(_, told)| told.tenpai);
    assert_eq!(
        tenpai.map(|tenpai| tenpai.as_slice().to_vec()),
        Some(vec![false; 4])
    );
}

#[test]
fn a_call_that_fits_two_discards_belongs_to_the_one_that_leads_to_the_end() {
    // Seat 3 calls the second 2p of seat 0, which has called in between.
    let parts = [
        (5, json!([22, "4646p46", 13])),
        (6, json!([60, 22, 60])),
        (8, json!([46])),
        (9, json!([60])),
        (14, json!(["2222p22"])),
        (15, json!([45])),
    ];
    let log = tenhou_round(&parts, json!(["流局", [0, 0, 0, 0]]));
    let (events, _) = read_game(&log);
    let callers: Vec<usize> = events
        .iter()
        .filter(|event| matches!(event, Event::Pon { .. }))
        .filter_map(|event| Some(event.actor()?.index()))
        .collect();
    assert_eq!(callers, [0, 3]);
}

#[test]
fn lists_of_events_are_read_as_lines() {
    let text = r#"[{"type":"start_game","id":0},{"type":"start_kyoku"}]
        [{"type":"tsumo","actor":0,"pai":"1m"}]
        []
        {"type":"end_game"}"#;
    let games = read_text(text)
        .expect("it is known")
        .expect("it can be read");
    assert_eq!(games[0].lines.len(), 4);
    assert!(games[0].lines[2].contains("tsumo"));
}

#[test]
fn several_games_in_a_text_are_all_read() {
    let one = tenhou_round(&[], json!(["全員不聴"]));
    let games = |text: &str| {
        read_text(text)
            .expect("it is known")
            .expect("it can be read")
            .len()
    };
    assert_eq!(games(&format!("{one}\n{one}\r\n\n{one}")), 3);
    assert_eq!(games(&format!("[{one},{one}]")), 2);
}

pub(crate) const COMPETITION: &str = "\
Match 5f3b
Wind 1
Player 0 Deal W1 W2 W3 W4 W5 W6 W7 W8 W9 T1 T2 T3 F1
Player 1 Deal B1 B2 B3 B4 B5 B6 B7 B8 B9 T4 T5 T6 F2
Player 2 Deal W1 W1 W4 W4 T7 T7 T8 T8 B1 B1 J1 J1 J2
Player 3 Deal W2 W2 W5 W5 T7 T8 T9 T9 B2 B2 J1 J2 J3
Player 0 Draw F3
Player 0 Play F3
Player 1 Draw J1
Player 1 Play J1
Player 2 Peng J1 Ignore Player 3 Chi W2
Player 2 Play J2
Player 3 Draw F4
Player 3 Play F4
Huang
Score 0 0 0 0
Match 5f3c
Wind 0
";

#[test]
fn games_of_the_chinese_standard_competitions_are_read_as_our_records() {
    let games = read_text(COMPETITION)
        .expect("it is known")
        .expect("it can be read");
    assert_eq!(games.len(), 2);
    let lines: Vec<Value> = games[0]
        .lines
        .iter()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(lines[0]["game"], "chinese-standard");
    assert_eq!(lines[1]["prevalent_wind"], "S");
    assert_eq!(lines[1]["hands"][2][12], "C");
    let names: Vec<&str> = lines
        .iter()
        .map(|line| line["type"].as_str().unwrap_or("?"))
        .collect();
    let expected = [
        "start_game",
        "deal",
        "draw",
        "discard",
        "draw",
        "discard",
        "pung",
        "draw",
        "discard",
        "end_game",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        lines[6],
        json!({"type": "pung", "actor": 2, "discard": "F"})
    );
}

#[test]
fn a_malformed_part_is_named_with_its_place() {
    let why = |log: &str| {
        read_text(log)
            .expect("it is known")
            .expect_err("it is malformed")
            .to_string()
    };
    let bad = tenhou_round(&[(5, json!([22, 99]))], json!(["全員不聴"]));
    assert_eq!(
        why(&bad),
        "Tenhou JSON, round 1, seat 0, draw 2: 99 is neither a tile nor a call"
    );
    let bad = tenhou_round(&[(4, json!([11, 12]))], json!([]));
    assert_eq!(
        why(&bad),
        "Tenhou JSON, round 1, seat 0, dealt tiles: there are 2, and 13 are dealt"
    );
    let bad = tenhou_round(&[(5, json!([22])), (6, json!([60, 60]))], json!([]));
    assert_eq!(
        why(&bad),
        "Tenhou JSON, round 1, draws and discards: discard 2 of seat 0 follows no draw"
    );
    let bad = COMPETITION.replace("Player 1 Draw J1", "Player 1 Draw J9");
    assert!(why(&bad).starts_with("Chinese Standard competition, line 9, Draw: \"J9\" is no tile"));
    let bad = mjlog(&played(Rules::TENHOU_HALF, 1), Rules::TENHOU_HALF).replacen(
        "hai2=\"",
        "hai2=\"7,",
        1,
    );
    assert!(
        why(&bad).contains("Tenhou mjlog, element "),
        "{}",
        why(&bad)
    );
}

/// The round in which seat 1 wins with four concealed triplets on the pair, and is paid this.
fn pair_wait(paid: i32) -> Vec<Event> {
    let tiles = |names: &str| json!(names.split(' ').collect::<Vec<_>>());
    let hands = [
        "2m 2m 3m 4m 6m 7m 8m 9m 1p 9p 1s 9s 2s",
        "1m 1m 1m 3p 3p 3p 5s 5s 5s 7s 7s 7s 2p",
        "4m 4m 6m 7m 8m 9m 1p 9p 1s 9s 2s E E",
        "2m 3m 4m 6m 7m 8m 9m 1p 9p 1s 9s E S",
    ]
    .map(tiles);
    let mut lines = vec![
        json!({"type": "start_game"}),
        json!({"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
            "dora_marker": "9s", "scores": [25000, 25000, 25000, 25000], "tehais": hands}),
    ];
    for (actor, tile) in ["W", "S", "2p"].into_iter().enumerate() {
        lines.push(json!({"type": "tsumo", "actor": actor, "pai": tile}));
        lines.push(json!({"type": "dahai", "actor": actor, "pai": tile, "tsumogiri": true}));
    }
    lines.push(
        json!({"type": "hora", "actor": 1, "target": 2, "deltas": [0, paid, -paid, 0], "ura_markers": []}),
    );
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    read_lines(lines.iter().map(String::as_str)).0
}

#[test]
fn tenhous_form_has_a_note_where_a_double_yakuman_is_paid() {
    let lost = |paid| {
        let form = tenhou_form(&pair_wait(paid), &[]).expect("it has a form");
        form.lost
            .into_iter()
            .map(|(_, words)| words)
            .collect::<Vec<_>>()
    };
    assert_eq!(lost(32_000), Vec::<String>::new());
    let notes = lost(64_000);
    assert!(
        matches!(notes.as_slice(), [note] if note.contains("is paid as a double yakuman")),
        "{notes:?}"
    );
}
