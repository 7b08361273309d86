//! mjai events: those that are read, refused and written.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use proptest::prelude::*;
use protocol::{EventError, Parsed, event_json, parse_event, without_empty_slot};
use riichi::event::{DrawReason, Hora, StartKyoku, UraMarkers};
use riichi::{Event, PerSeat, Seat, Tile, Wind};

fn event(text: &str) -> Event {
    match parse_event(text) {
        Ok(Parsed::Event(event)) => event,
        other => panic!("{text} gave {other:?}"),
    }
}

fn refusal(text: &str) -> String {
    parse_event(text).expect_err(text).to_string()
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn tile(name: &str) -> Tile {
    name.parse().unwrap()
}

fn points(values: &[i32]) -> Option<PerSeat<i32>> {
    PerSeat::from_slice(values)
}

#[test]
fn keys_come_in_any_order_with_type_mostly_last() {
    let tsumo = Event::Tsumo {
        actor: seat(1),
        tile: Some(tile("9m")),
    };
    assert_eq!(event(r#"{"actor":1,"pai":"9m","type":"tsumo"}"#), tsumo);
    assert_eq!(event(r#"{"type":"tsumo","pai":"9m","actor":1}"#), tsumo);
    assert_eq!(
        event(" { \"pai\" : \"9m\" ,\n\"type\":\"tsumo\", \"actor\" : 1 } "),
        tsumo
    );
}

#[test]
fn a_record_of_the_engine_reads_and_writes_back_the_same_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/riichi/tests/records");
    for name in [
        "riichienv-majiang-00003",
        "riichienv-majiang-00006",
        "riichienv-majiang-00007",
    ] {
        let mut text = String::new();
        let file = std::fs::File::open(folder.join(name).with_extension("jsonl.gz")).unwrap();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        assert!(text.lines().count() > 900);
        // The reason of a drawn round is the one thing in these records that an event does not
        // keep.
        for line in text
            .lines()
            .filter(|line| !line.contains(r#""type":"ryukyoku""#))
        {
            assert_eq!(event_json(&event(line)), line);
        }
    }
}

#[test]
fn unknown_fields_are_ignored_whatever_they_hold() {
    let noisy = r#"{"actor":0,"logs":["x",{"a":[null,1.5e300,-0]}],"x":{"type":"dahai","pai":"zz"},"pai":"?",
        "cannot_dahai":[],"type":"tsumo","reason":7,"seed":[184467440737095516159,1]}"#;
    assert_eq!(
        event(noisy),
        Event::Tsumo {
            actor: seat(0),
            tile: None
        }
    );
}

#[test]
fn known_fields_that_the_event_does_not_have_are_ignored_too() {
    assert_eq!(
        event(r#"{"actor":"x","scores":"none","tehais":3,"type":"end_kyoku"}"#),
        Event::EndKyoku
    );
}

#[test]
fn an_unknown_type_is_no_error_even_with_fields_that_would_be_wrong_elsewhere() {
    assert_eq!(
        parse_event(r#"{"actor":99,"pai":[],"type":"hello"}"#),
        Ok(Parsed::Unknown("hello".into()))
    );
}

#[test]
fn an_object_without_a_type_is_an_error() {
    assert_eq!(
        refusal(r#"{"actor":1}"#),
        "event without a type: `type` is missing; allowed is a text"
    );
    assert_eq!(
        refusal(r#"{"type":5}"#),
        "event without a type: `type` is 5; allowed is a text"
    );
}

#[test]
fn an_error_names_the_type_the_field_the_value_and_the_allowed_values() {
    let tiles = "1m..9m 1p..9p 1s..9s, E S W N P F C, 5mr 5pr 5sr";
    for (text, says) in [
        (
            r#"{"actor":4,"pai":"1m","type":"tsumo"}"#,
            "event `tsumo`: `actor` is 4; allowed is a seat, 0 to 3".to_owned(),
        ),
        (r#"{"pai":"1m","type":"tsumo"}"#, "event `tsumo`: `actor` is missing; allowed is a seat, 0 to 3".to_owned()),
        (
            r#"{"actor":1,"pai":"0m","type":"dahai"}"#,
            format!("event `dahai`: `pai` is \"0m\"; allowed is a tile: {tiles}"),
        ),
        (
            r#"{"actor":1,"pai":"?","type":"dahai"}"#,
            format!("event `dahai`: `pai` is hidden (?); allowed is a tile: {tiles}"),
        ),
        (
            r#"{"actor":1,"pai":"1m","tsumogiri":1,"type":"dahai"}"#,
            "event `dahai`: `tsumogiri` is 1; allowed is true or false".to_owned(),
        ),
        (
            r#"{"actor":1,"consumed":["1m"],"pai":"1m","target":0,"type":"pon"}"#,
            "event `pon`: `consumed` is a list of 1; allowed is a list of 2 tiles".to_owned(),
        ),
        (
            r#"{"actor":1,"consumed":["1m",null],"pai":"1m","target":0,"type":"pon"}"#,
            format!("event `pon`: `consumed[1]` is null; allowed is a tile: {tiles}"),
        ),
        (
            r#"{"actor":1,"consumed":["1m","1m","1m","1m","1m"],"type":"ankan"}"#,
            "event `ankan`: `consumed` is a list of 5; allowed is a list of the required number of tiles".to_owned(),
        ),
        (r#"{"actor":[],"type":"reach"}"#, "event `reach`: `actor` is an array; allowed is a seat, 0 to 3".to_owned()),
        (
            r#"{"actor":{"a":1},"type":"reach"}"#,
            "event `reach`: `actor` is an object; allowed is a seat, 0 to 3".to_owned(),
        ),
        (
            r#"{"actor":1,"deltas":[0,0,0,9999999999],"target":1,"type":"hora"}"#,
            "event `hora`: `deltas[3]` is 9999999999; allowed is points, a whole number of 32 bits".to_owned(),
        ),
    ] {
        assert_eq!(refusal(text), says);
    }
}

#[test]
fn a_long_wrong_text_is_quoted_in_part_and_escaped() {
    let text = format!(
        r#"{{"actor":0,"pai":"{}","type":"tsumo"}}"#,
        "\\u001b[31m".repeat(4) + &"x".repeat(5000)
    );
    assert!(refusal(&text).len() < 250);
    let raw = format!(
        r#"{{"actor":0,"pai":"{}","type":"tsumo"}}"#,
        "é".repeat(5000)
    );
    assert!(refusal(&raw).contains(&format!("{:?}…", "é".repeat(32))));
}

#[test]
fn a_text_with_escapes_reads_like_one_without() {
    assert_eq!(
        event(r#"{"\u0061ctor":1,"pai":"\u0039m","type":"t\u0073umo"}"#),
        Event::Tsumo {
            actor: seat(1),
            tile: Some(tile("9m"))
        }
    );
}

#[test]
fn null_for_an_optional_field_is_as_good_as_none() {
    assert_eq!(
        event(r#"{"actor":1,"target":1,"deltas":null,"ura_markers":null,"type":"hora"}"#),
        Event::Hora(Hora {
            actor: seat(1),
            target: seat(1),
            deltas: None,
            scores: None,
            ura_markers: UraMarkers::default()
        })
    );
}

#[test]
fn start_game_has_the_seat_as_id_or_as_the_legacy_seat_or_not_at_all() {
    for (text, expected) in [
        (r#"{"id":2,"type":"start_game"}"#, Some(2)),
        (r#"{"seat":3,"type":"start_game"}"#, Some(3)),
        (r#"{"id":1,"seat":3,"type":"start_game"}"#, Some(1)),
        (
            r#"{"names":["a","b","c","d"],"seed":[1,2],"type":"start_game"}"#,
            None,
        ),
    ] {
        assert_eq!(
            event(text),
            Event::StartGame {
                seat: expected.map(seat)
            }
        );
    }
    assert!(refusal(r#"{"id":4,"type":"start_game"}"#).contains("`id` is 4"));
}

#[test]
fn a_missing_tsumogiri_means_false() {
    assert_eq!(
        event(r#"{"actor":1,"pai":"C","type":"dahai"}"#),
        Event::Dahai {
            actor: seat(1),
            tile: tile("C"),
            tsumogiri: false
        }
    );
}

const HIDDEN: &str = r#"["?","?","?","?","?","?","?","?","?","?","?","?","?"]"#;
const KNOWN: &str = r#"["1m","6m","4p","4p","8p","1s","3s","5sr","6s","6s","7s","F","C"]"#;

fn start_kyoku(scores: &str, hands: &[&str]) -> String {
    format!(
        r#"{{"bakaze":"S","dora_marker":"2m","honba":3,"kyoku":2,"kyotaku":1,"oya":1,{scores}"tehais":[{}],"type":"start_kyoku"}}"#,
        hands.join(",")
    )
}

#[test]
fn start_kyoku_knows_our_hand_alone() {
    let text = start_kyoku(
        r#""scores":[25000,-100,25000,50100],"#,
        &[HIDDEN, KNOWN, HIDDEN, HIDDEN],
    );
    let Event::StartKyoku(start) = event(&text) else {
        panic!()
    };
    assert_eq!(
        (start.bakaze, start.kyoku, start.honba, start.kyotaku),
        (Wind::South, 2, 3, 1)
    );
    assert_eq!((start.oya, start.dora_marker), (seat(1), tile("2m")));
    assert_eq!(
        start.scores,
        points(&[25000, -100, 25000, 50100]),
        "scores may be negative"
    );
    assert!(start.tehais[seat(0)].is_none());
    let ours = start.tehais[seat(1)].unwrap();
    assert_eq!(
        (ours[0], ours[7], ours[12]),
        (tile("1m"), tile("5sr"), tile("C"))
    );
    assert_eq!(event_json(&Event::StartKyoku(start)), text);
}

#[test]
fn start_kyoku_comes_without_scores_on_the_original_server() {
    let Event::StartKyoku(start) = event(&start_kyoku("", &[HIDDEN, KNOWN, HIDDEN, HIDDEN])) else {
        panic!()
    };
    assert_eq!(start.scores, None);
}

#[test]
fn three_players_have_arrays_of_three() {
    let text = start_kyoku(r#""scores":[35000,35000,35000],"#, &[HIDDEN, KNOWN, HIDDEN]);
    let Event::StartKyoku(start) = event(&text) else {
        panic!()
    };
    assert_eq!(
        (start.tehais.players(), start.scores.unwrap().players()),
        (3, 3)
    );
    assert_eq!(event_json(&Event::StartKyoku(start)), text);
    let hora =
        event(r#"{"actor":2,"deltas":[-1000,0,1000],"target":0,"type":"hora","ura_markers":[]}"#);
    assert!(matches!(hora, Event::Hora(hora) if hora.deltas == points(&[-1000, 0, 1000])));
}

/// The hand of a player of three.
const THIRD: &str = r#"["1m","9m","1p","1p","9p","1s","1s","9s","9s","E","E","S","N"]"#;

#[test]
fn a_round_of_three_in_four_slots_is_read_as_one_of_three() {
    let first = |dora: &str, scores: &str, hands: &[&str]| {
        let text = start_kyoku(scores, hands)
            .replace(r#""2m""#, dora)
            .replace(r#""bakaze":"S""#, r#""bakaze":"E""#);
        let text = text.replace(
            r#""honba":3,"kyoku":2,"kyotaku":1,"oya":1"#,
            r#""honba":0,"kyoku":1,"kyotaku":0,"oya":0"#,
        );
        let Event::StartKyoku(start) = event(&text) else {
            panic!()
        };
        (
            start.tehais.players(),
            start.scores.map(|scores| scores.as_slice().to_vec()),
        )
    };
    let three = (3, Some(vec![35_000; 3]));
    let scores = r#""scores":[35000,35000,35000,0],"#;
    assert_eq!(
        first(r#""9p""#, scores, &[THIRD, HIDDEN, HIDDEN, HIDDEN]),
        three,
        "hidden tiles"
    );
    assert_eq!(
        first(r#""9p""#, scores, &[THIRD, HIDDEN, HIDDEN, "[]"]),
        three,
        "no tiles"
    );
    assert_eq!(
        first(r#""9p""#, "", &[THIRD, HIDDEN, HIDDEN, "[]"]),
        (3, None),
        "no scores"
    );
    let others = r#""scores":[40000,40000,40000,0],"#;
    assert_eq!(
        first(r#""9p""#, others, &[HIDDEN; 4]).0,
        3,
        "in the first round no player of four has 0 points"
    );
    assert_eq!(
        first(r#""2m""#, scores, &[HIDDEN; 4]).0,
        4,
        "three play without 2m"
    );
    assert_eq!(
        first(r#""9p""#, scores, &[KNOWN, HIDDEN, HIDDEN, HIDDEN]).0,
        4,
        "three play without 6m"
    );
    assert_eq!(first(r#""9p""#, "", &[HIDDEN; 4]).0, 4);

    let later = |scores: &str| {
        let text =
            start_kyoku(scores, &[HIDDEN, THIRD, HIDDEN, HIDDEN]).replace(r#""2m""#, r#""9p""#);
        let Event::StartKyoku(start) = event(&text) else {
            panic!()
        };
        start.tehais.players()
    };
    assert_eq!(
        later(r#""scores":[50000,24000,30000,0],"#),
        3,
        "104,000 points and a stick are those of three"
    );
    assert_eq!(
        later(r#""scores":[45000,24000,30000,0],"#),
        4,
        "99,000 points and a stick are those of four"
    );
    let text = start_kyoku(scores, &[HIDDEN, "[]", HIDDEN, HIDDEN]);
    assert!(
        refusal(&text).contains("`tehais[1]` is a list of 0; allowed is 13 tiles"),
        "{}",
        refusal(&text)
    );
}

#[test]
fn the_points_of_an_empty_fourth_slot_are_cut_at_a_table_of_three() {
    let four = |text| without_empty_slot(event(text), 3);
    let Event::Hora(hora) = four(
        r#"{"actor":2,"deltas":[-1000,0,1000,0],"scores":[1,2,3,0],"target":0,"type":"hora"}"#,
    ) else {
        panic!()
    };
    assert_eq!(
        (hora.deltas, hora.scores),
        (points(&[-1000, 0, 1000]), points(&[1, 2, 3]))
    );
    let drawn = four(r#"{"deltas":[0,0,0,0],"type":"ryukyoku"}"#);
    assert!(matches!(drawn, Event::Ryukyoku { deltas, .. } if deltas == points(&[0; 3])));
    let ended = four(r#"{"scores":[50000,30000,25000,0],"type":"end_game"}"#);
    assert!(
        matches!(ended, Event::EndGame { scores } if scores == points(&[50_000, 30_000, 25_000]))
    );
    let accepted = four(r#"{"actor":0,"scores":[34000,35000,35000,0],"type":"reach_accepted"}"#);
    assert!(
        matches!(accepted, Event::ReachAccepted { scores, .. } if scores == points(&[34_000, 35_000, 35_000]))
    );
    // A fourth player's points are not cut.
    let text = r#"{"deltas":[0,0,-1000,1000],"type":"ryukyoku"}"#;
    assert_eq!(without_empty_slot(event(text), 3), event(text));
    let text = r#"{"deltas":[0,0,0,0],"type":"ryukyoku"}"#;
    assert_eq!(without_empty_slot(event(text), 4), event(text));
}

#[test]
fn the_total_of_the_points_tells_whether_a_fourth_seat_without_points_is_a_players() {
    let players = |round: [&str; 3], scores: &str| {
        let [kyoku, oya, kyotaku] = round;
        let text = format!(
            r#"{{"type":"start_kyoku","bakaze":"S","kyoku":{kyoku},"oya":{oya},"honba":0,"kyotaku":{kyotaku},
            "dora_marker":"9p","scores":{scores},"tehais":[{THIRD},{HIDDEN},{HIDDEN},{HIDDEN}]}}"#
        );
        let Event::StartKyoku(start) = event(&text) else {
            panic!("{text}")
        };
        assert!(
            start
                .scores
                .is_some_and(|scores| scores.players() == start.tehais.players())
        );
        start.tehais.players()
    };
    let (second, last) = (["2", "1", "2"], ["4", "3", "0"]);
    assert_eq!(
        players(second, "[40000,33000,30000,0]"),
        3,
        "3 times 35,000 points with the sticks"
    );
    assert_eq!(
        players(second, "[40000,23000,10000,0]"),
        3,
        "3 times 25,000"
    );
    assert_eq!(
        players(second, "[40000,33000,25000,0]"),
        4,
        "4 times 25,000"
    );
    assert_eq!(
        players(second, "[60000,33000,25000,0]"),
        4,
        "3 times 40,000 or 4 times 30,000"
    );
    assert_eq!(players(last, "[45000,30000,25000,0]"), 4);
    // Hosts that do not know the points write zeros.
    let zeros = start_kyoku(r#""scores":[0,0,0,0],"#, &[THIRD, HIDDEN, HIDDEN, HIDDEN]);
    let zeros = zeros
        .replace(r#""2m""#, r#""9p""#)
        .replace(r#""bakaze":"S""#, r#""bakaze":"E""#);
    let zeros = zeros
        .replace(r#""honba":3,"kyoku":2"#, r#""honba":0,"kyoku":1"#)
        .replace(r#""kyotaku":1"#, r#""kyotaku":0"#);
    assert!(matches!(event(&zeros), Event::StartKyoku(start) if start.tehais.players() == 4));
}

#[test]
fn a_round_of_a_table_of_three_loses_an_unused_fourth_slot() {
    let deal = |scores: &str, hands: &[&str]| event(&start_kyoku(scores, hands));
    let four = deal(
        r#""scores":[60000,60000,0,0],"#,
        &[HIDDEN, KNOWN, HIDDEN, HIDDEN],
    );
    let three = deal(r#""scores":[60000,60000,0],"#, &[HIDDEN, KNOWN, HIDDEN]);
    assert_eq!(without_empty_slot(four, 3), three);
    assert_eq!(without_empty_slot(three, 3), three);
    assert_eq!(without_empty_slot(four, 4), four);
    // Without points the tiles tell: three players have no 2 to 8 of characters.
    let unknown = deal("", &[HIDDEN, THIRD, HIDDEN, HIDDEN]);
    let Event::StartKyoku(start) = unknown else {
        panic!("{unknown:?}")
    };
    let unknown = Event::StartKyoku(StartKyoku {
        dora_marker: tile("9p"),
        ..start
    });
    let cut = without_empty_slot(unknown, 3);
    assert!(
        matches!(cut, Event::StartKyoku(cut) if cut.tehais.players() == 3),
        "{cut:?}"
    );
    for scores in ["", r#""scores":[25000,25000,25000,25000],"#] {
        let four = deal(scores, &[HIDDEN, KNOWN, HIDDEN, HIDDEN]);
        assert_eq!(
            without_empty_slot(four, 3),
            four,
            "a fourth seat that has points is not dropped"
        );
    }
}

#[test]
fn arrays_of_one_event_have_the_same_number_of_seats() {
    let text = start_kyoku(
        r#""scores":[35000,35000,35000],"#,
        &[HIDDEN, KNOWN, HIDDEN, HIDDEN],
    );
    assert!(
        refusal(&text)
            .contains("`scores` is a list of 3; allowed is one entry for each seat of the event")
    );
    let text = start_kyoku("", &[HIDDEN, KNOWN]);
    assert!(
        refusal(&text)
            .contains("`tehais` is a list of 2; allowed is a hand for each of 3 or 4 seats")
    );
    let text = r#"{"actor":3,"deltas":[0,0,0],"target":3,"type":"hora"}"#;
    assert!(refusal(text).contains("`actor` is 3; allowed is a seat of three, 0 to 2"));
    let text = r#"{"deltas":[0,0,0,0,0],"type":"ryukyoku"}"#;
    assert!(refusal(text).contains("`deltas` is a list of 5"));
}

#[test]
fn a_hand_is_thirteen_tiles_all_known_or_all_hidden() {
    for (hand, says) in [
        (
            HIDDEN.replacen('?', "1m", 1),
            "`tehais[1]` is a hand half hidden",
        ),
        (
            KNOWN.replacen(r#","C""#, "", 1),
            "`tehais[1]` is a list of 12",
        ),
        (
            KNOWN.replacen(r#""C""#, r#""C","C""#, 1),
            "`tehais[1]` is a list of 14",
        ),
        (KNOWN.replacen("8p", "8z", 1), "`tehais[1][4]` is \"8z\""),
        ("null".to_owned(), "`tehais[1]` is null"),
        ("7".to_owned(), "`tehais[1]` is 7"),
    ] {
        let said = refusal(&start_kyoku("", &[HIDDEN, &hand, HIDDEN, HIDDEN]));
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn numbers_of_a_round_stay_in_their_range() {
    for (from, to, says) in [
        (
            r#""kyoku":2"#,
            r#""kyoku":5"#,
            "`kyoku` is 5; allowed is a number from 1 to 4",
        ),
        (
            r#""kyoku":2"#,
            r#""kyoku":0"#,
            "`kyoku` is 0; allowed is a number from 1 to 4",
        ),
        (
            r#""honba":3"#,
            r#""honba":256"#,
            "`honba` is 256; allowed is a number from 0 to 255",
        ),
        (
            r#""honba":3"#,
            r#""honba":1.5"#,
            "`honba` is 1.5e0; allowed is a number from 0 to 255",
        ),
        (
            r#""kyotaku":1"#,
            r#""kyotaku":-1"#,
            "`kyotaku` is -1; allowed is a number from 0 to 255",
        ),
        (
            r#""bakaze":"S""#,
            r#""bakaze":"P""#,
            "`bakaze` is \"P\"; allowed is a wind: E S W N",
        ),
    ] {
        let text = start_kyoku("", &[HIDDEN, KNOWN, HIDDEN, HIDDEN]).replace(from, to);
        assert!(refusal(&text).contains(says), "{}", refusal(&text));
    }
}

#[test]
fn ankan_may_have_a_pai_which_says_nothing() {
    let ankan = Event::Ankan {
        actor: seat(0),
        consumed: ["5sr", "5s", "5s", "5s"].map(tile),
    };
    assert_eq!(
        event(r#"{"actor":0,"consumed":["5sr","5s","5s","5s"],"pai":"5sr","type":"ankan"}"#),
        ankan
    );
    assert_eq!(
        event(r#"{"actor":0,"consumed":["5sr","5s","5s","5s"],"type":"ankan"}"#),
        ankan
    );
    assert_eq!(
        event(r#"{"actor":0,"consumed":["5sr","5s","5s","5s"],"pai":{},"type":"ankan"}"#),
        ankan
    );
}

#[test]
fn kita_is_known_by_its_three_names() {
    for name in ["kita", "nukidora", "nuki"] {
        assert_eq!(
            event(&format!(r#"{{"actor":1,"pai":"N","type":"{name}"}}"#)),
            Event::Kita { actor: seat(1) }
        );
    }
}

#[test]
fn reach_accepted_carries_the_actor_alone_or_scores_with_it() {
    assert_eq!(
        event(r#"{"actor":2,"type":"reach_accepted"}"#),
        Event::ReachAccepted {
            actor: seat(2),
            scores: None
        }
    );
    let full = r#"{"type":"reach_accepted","actor":2,"deltas":[0,0,-1000,0],"scores":[25000,25000,24000,25000]}"#;
    let scores = points(&[25000, 25000, 24000, 25000]);
    assert_eq!(
        event(full),
        Event::ReachAccepted {
            actor: seat(2),
            scores
        }
    );
}

#[test]
fn hora_needs_neither_pai_nor_tsumo_nor_deltas() {
    let hora = |target, deltas| {
        Event::Hora(Hora {
            actor: seat(1),
            target: seat(target),
            deltas,
            scores: None,
            ura_markers: UraMarkers::default(),
        })
    };
    let deltas = points(&[-3900, 4900, 0, 0]);
    assert_eq!(
        event(r#"{"actor":1,"deltas":[-3900,4900,0,0],"target":0,"type":"hora","ura_markers":[]}"#),
        hora(0, deltas)
    );
    assert_eq!(
        event(r#"{"actor":1,"target":0,"type":"hora"}"#),
        hora(0, None)
    );
    assert_eq!(
        event(r#"{"actor":1,"target":1,"type":"hora"}"#),
        hora(1, None),
        "actor and target decide"
    );
    assert_eq!(
        event(r#"{"actor":1,"target":1,"tsumo":true,"type":"hora"}"#),
        hora(1, None)
    );
}

#[test]
fn ura_indicators_are_known_by_both_names() {
    for key in ["ura_markers", "uradora_markers"] {
        let text = format!(r#"{{"actor":1,"target":0,"type":"hora","{key}":["1m","5pr"]}}"#);
        let Event::Hora(hora) = event(&text) else {
            panic!()
        };
        assert_eq!(
            hora.ura_markers.to_vec().as_slice(),
            ["1m", "5pr"].map(tile)
        );
    }
    let six =
        r#"{"actor":1,"target":0,"type":"hora","ura_markers":["1m","1m","1m","1m","2m","2m"]}"#;
    assert!(refusal(six).contains("`ura_markers` is a list of 6"));
}

#[test]
fn the_original_servers_long_hora_and_ryukyoku_read_too() {
    let text = r#"{"type":"hora","actor":1,"target":0,"pai":"7s","uradora_markers":["8m"],"hora_tehais":["2m","3m"],
        "yakus":[["akadora",1]],"fu":30,"fan":4,"hora_points":7700,"deltas":[-7700,7700,0,0],"scores":[17300,32700,25000,25000]}"#;
    let Event::Hora(hora) = event(text) else {
        panic!()
    };
    assert_eq!(hora.scores, points(&[17300, 32700, 25000, 25000]));
    let text = r#"{"type":"ryukyoku","reason":"fanpai","tehais":[["?"],["1m"],["?","?"],[]],"tenpais":[false,true,false,false],
        "deltas":[-1000,3000,-1000,-1000],"scores":[24000,28000,24000,24000]}"#;
    let (deltas, scores) = (
        points(&[-1000, 3000, -1000, -1000]),
        points(&[24000, 28000, 24000, 24000]),
    );
    assert_eq!(
        event(text),
        Event::Ryukyoku {
            deltas,
            scores,
            reason: Some(DrawReason::Exhaustive)
        }
    );
}

#[test]
fn a_chombo_ends_the_round_by_a_ryukyoku_with_a_free_text_and_deltas() {
    assert_eq!(
        event(
            r#"{"deltas":[-12000,4000,4000,4000],"reason":"Error: Illegal Action by Player 0","type":"ryukyoku"}"#
        ),
        Event::Ryukyoku {
            deltas: points(&[-12000, 4000, 4000, 4000]),
            scores: None,
            reason: Some(DrawReason::IllegalAction(seat(0)))
        }
    );
}

#[test]
fn the_reason_of_a_draw_is_known_by_the_names_of_both_families_and_no_other_hides_the_draw() {
    let read = |reason: &str| match event(&format!(r#"{{"reason":{reason},"type":"ryukyoku"}}"#)) {
        Event::Ryukyoku { reason, .. } => reason,
        other => panic!("{other:?}"),
    };
    for (names, reason) in [
        (["exhaustive_draw", "fanpai"], DrawReason::Exhaustive),
        (["nagashimangan"; 2], DrawReason::NagashiMangan),
        (["kyushu_kyuhai", "kyushukyuhai"], DrawReason::NineTerminals),
        (["sufuurenta", "sufonrenta"], DrawReason::FourWinds),
        (["suukansansen", "sukaikan"], DrawReason::FourKans),
        (["suucha_riichi", "suchareach"], DrawReason::FourRiichi),
        (["sanchaho"; 2], DrawReason::ThreeWinners),
        (
            ["Error: Illegal Action by Player 2"; 2],
            DrawReason::IllegalAction(seat(2)),
        ),
    ] {
        assert_eq!(
            names.map(|name| read(&format!("{name:?}"))),
            [Some(reason); 2]
        );
        let written = event_json(&Event::Ryukyoku {
            deltas: None,
            scores: None,
            reason: Some(reason),
        });
        assert_eq!(
            written,
            format!(r#"{{"reason":"{}","type":"ryukyoku"}}"#, names[0])
        );
    }
    for unknown in [
        r#""an earthquake""#,
        r#""Error: Illegal Action by Player 9""#,
        "7",
        "null",
    ] {
        assert_eq!(read(unknown), None, "{unknown}");
    }
}

#[test]
fn ryukyoku_needs_no_reason() {
    assert_eq!(
        event(r#"{"type":"ryukyoku"}"#),
        Event::Ryukyoku {
            deltas: None,
            scores: None,
            reason: None
        }
    );
}

#[test]
fn end_game_is_bare_or_has_scores() {
    assert_eq!(
        event(r#"{"type":"end_game"}"#),
        Event::EndGame { scores: None }
    );
    assert_eq!(
        event(r#"{"scores":[1,2,3,-6],"type":"end_game"}"#),
        Event::EndGame {
            scores: points(&[1, 2, 3, -6])
        }
    );
}

#[test]
fn text_that_is_not_a_json_object_is_a_reading_error() {
    for text in [
        "",
        "null",
        "[]",
        "\"tsumo\"",
        "{",
        r#"{"type":"end_game"}x"#,
        r#"{"type":"end_game"}{}"#,
        "{'a':1}",
    ] {
        assert!(
            matches!(parse_event(text), Err(EventError::Read(_))),
            "{text}"
        );
    }
}

fn any_seat() -> impl Strategy<Value = Seat> {
    (0..4u8).prop_map(seat)
}

fn any_tile() -> impl Strategy<Value = Tile> {
    (0..37u8).prop_map(|index| Tile::new(index).unwrap())
}

fn tiles<const N: usize>() -> impl Strategy<Value = [Tile; N]> {
    proptest::collection::vec(any_tile(), N).prop_map(|tiles| tiles.try_into().unwrap())
}

fn any_points() -> impl Strategy<Value = Option<PerSeat<i32>>> {
    proptest::option::of(any::<[i32; 4]>().prop_map(|values| PerSeat::from_slice(&values).unwrap()))
}

fn any_event() -> impl Strategy<Value = Event> {
    let start = (
        0..4usize,
        1..5u8,
        any::<u8>(),
        any::<u8>(),
        any_seat(),
        any_tile(),
        any_points(),
    );
    let hands = proptest::collection::vec(proptest::option::of(tiles::<13>()), 4);
    let start = (start, hands).prop_map(
        |((wind, kyoku, honba, kyotaku, oya, dora_marker, scores), hands)| {
            let tehais = PerSeat::from_slice(&hands).unwrap();
            Event::StartKyoku(StartKyoku {
                bakaze: Wind::ALL[wind],
                kyoku,
                honba,
                kyotaku,
                oya,
                dora_marker,
                scores,
                tehais,
            })
        },
    );
    let hora = (
        any_seat(),
        any_seat(),
        any_points(),
        any_points(),
        proptest::collection::vec(any_tile(), 0..6),
    )
        .prop_map(|(actor, target, deltas, scores, ura)| {
            Event::Hora(Hora {
                actor,
                target,
                deltas,
                scores,
                ura_markers: UraMarkers::from_slice(&ura).unwrap(),
            })
        });
    prop_oneof![
        proptest::option::of(any_seat()).prop_map(|seat| Event::StartGame { seat }),
        start,
        (any_seat(), proptest::option::of(any_tile()))
            .prop_map(|(actor, tile)| Event::Tsumo { actor, tile }),
        (any_seat(), any_tile(), any::<bool>()).prop_map(|(actor, tile, tsumogiri)| Event::Dahai {
            actor,
            tile,
            tsumogiri
        }),
        (any_seat(), any_seat(), any_tile(), tiles()).prop_map(
            |(actor, target, tile, consumed)| Event::Chi {
                actor,
                target,
                tile,
                consumed
            }
        ),
        (any_seat(), any_seat(), any_tile(), tiles()).prop_map(
            |(actor, target, tile, consumed)| Event::Pon {
                actor,
                target,
                tile,
                consumed
            }
        ),
        (any_seat(), any_seat(), any_tile(), tiles()).prop_map(
            |(actor, target, tile, consumed)| Event::Daiminkan {
                actor,
                target,
                tile,
                consumed
            }
        ),
        (any_seat(), tiles()).prop_map(|(actor, consumed)| Event::Ankan { actor, consumed }),
        (any_seat(), any_tile(), tiles()).prop_map(|(actor, tile, consumed)| Event::Kakan {
            actor,
            tile,
            consumed
        }),
        any_seat().prop_map(|actor| Event::Kita { actor }),
        any_tile().prop_map(|marker| Event::Dora { marker }),
        any_seat().prop_map(|actor| Event::Reach { actor }),
        (any_seat(), any_points())
            .prop_map(|(actor, scores)| Event::ReachAccepted { actor, scores }),
        hora,
        (any_points(), any_points()).prop_map(|(deltas, scores)| Event::Ryukyoku {
            deltas,
            scores,
            reason: None
        }),
        Just(Event::EndKyoku),
        any_points().prop_map(|scores| Event::EndGame { scores }),
    ]
}

proptest! {
    #[test]
    fn an_event_written_reads_back_as_itself(written in any_event()) {
        let text = event_json(&written);
        prop_assert_eq!(parse_event(&text), Ok(Parsed::Event(written)));
    }

    #[test]
    fn keys_are_written_in_alphabetical_order(written in any_event()) {
        let text = event_json(&written);
        let sorted: serde_json::Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(text, sorted.to_string());
    }
}
