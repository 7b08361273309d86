//! Events as lines: messages of the original mjai server and of hosts, and the answers.

use protocol::NorthName;
use protocol::lines::{EventLine, Line, NONE, action_json, join_json, parse_line};
use riichi::{Action, Event, Seat, Tile};

fn event(text: &str) -> EventLine {
    match parse_line(text) {
        Ok(Line::Event(line)) => line,
        other => panic!("{text}: {other:?}"),
    }
}

fn tile(name: &str) -> Tile {
    name.parse().unwrap()
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

#[test]
fn greeting_refusal_and_unknown_lines_are_distinguished() {
    assert_eq!(
        parse_line(r#"{"type":"hello","protocol":"mjsonp","protocol_version":3}"#),
        Ok(Line::Hello)
    );
    let refused = parse_line(r#"{"type":"error","message":"The room is busy."}"#);
    assert_eq!(
        refused,
        Ok(Line::Error {
            message: "The room is busy.".into()
        })
    );
    let wordless = r#"{"type":"error","message":3}"#;
    assert_eq!(
        parse_line(wordless),
        Ok(Line::Error {
            message: wordless.into()
        }),
        "the line itself"
    );
    assert_eq!(
        parse_line(r#"{"type":"log"}"#),
        Ok(Line::Unknown { kind: "log".into() })
    );
    for bad in ["", "[]", "{}", r#"{"type":"tsumo"}"#] {
        assert!(parse_line(bad).is_err(), "{bad}");
    }
}

#[test]
fn an_event_comes_with_the_possible_reactions() {
    let line = event(
        r#"{"type":"dahai","actor":0,"pai":"4p","tsumogiri":false,"possible_actions":[
            {"type":"pon","actor":1,"target":0,"pai":"4p","consumed":["4p","4p"]}]}"#,
    );
    assert_eq!(
        line.event,
        Event::Dahai {
            actor: seat(0),
            tile: tile("4p"),
            tsumogiri: false
        }
    );
    let [pon] = &line.possible_actions.expect("it is there")[..] else {
        panic!("one entry")
    };
    assert!(pon.covers(&Action::Pon {
        target: seat(0),
        tile: tile("4p"),
        consumed: [tile("4p"); 2]
    }));
    assert_eq!((line.cannot_dahai, line.can_act), (None, true));
}

#[test]
fn forbidden_discards_and_events_without_an_answer_are_read() {
    let line = event(r#"{"type":"reach","actor":1,"cannot_dahai":["1m","5sr"]}"#);
    assert_eq!(line.cannot_dahai, Some(vec![tile("1m"), tile("5sr")]));
    assert!(!event(r#"{"type":"tsumo","actor":1,"pai":"1m","can_act":false}"#).can_act);
}

#[test]
fn the_number_of_players_and_the_name_of_a_north_set_aside_are_read() {
    let players = |text: &str| event(text).players;
    assert_eq!(
        players(r#"{"type":"start_game","id":0,"num_players":3}"#),
        Some(3)
    );
    assert_eq!(
        players(r#"{"type":"start_game","id":0,"num_players":4}"#),
        Some(4)
    );
    for unknown in ["", r#","num_players":7"#, r#","num_players":"three""#] {
        assert_eq!(
            players(&format!(r#"{{"type":"start_game","id":0{unknown}}}"#)),
            None,
            "{unknown}"
        );
    }
    for name in [NorthName::Kita, NorthName::Nukidora, NorthName::Nuki] {
        let line = event(&format!(r#"{{"type":"{}","actor":1}}"#, name.name()));
        assert_eq!(
            (line.event, line.north),
            (Event::Kita { actor: seat(1) }, Some(name))
        );
    }
    assert_eq!(event(r#"{"type":"reach","actor":1}"#).north, None);
}

#[test]
fn a_malformed_field_beside_a_good_event_is_a_warning_that_names_it() {
    let line = event(
        r#"{"type":"reach","actor":1,"cannot_dahai":["9z"],"possible_actions":[{"type":"pon"}]}"#,
    );
    let named: Vec<&str> = line
        .warnings
        .iter()
        .map(|fault| fault.field.as_str())
        .collect();
    assert_eq!(named, ["possible_actions[0].pai", "cannot_dahai[0]"]);
}

#[test]
fn a_reply_has_every_field_that_the_original_server_demands_and_none_that_it_refuses() {
    for (action, text) in [
        (Action::None, NONE),
        (
            Action::Ankan {
                consumed: [tile("1m"); 4],
            },
            r#"{"type":"ankan","actor":2,"consumed":["1m","1m","1m","1m"]}"#,
        ),
        (
            Action::Hora {
                target: seat(0),
                tile: tile("5pr"),
            },
            r#"{"type":"hora","actor":2,"target":0,"pai":"5pr"}"#,
        ),
        (
            Action::Ryukyoku,
            r#"{"type":"ryukyoku","actor":2,"reason":"kyushukyuhai"}"#,
        ),
        (
            Action::Reach {
                tile: tile("E"),
                tsumogiri: true,
            },
            r#"{"type":"reach","actor":2}"#,
        ),
        (
            Action::Dahai {
                tile: tile("E"),
                tsumogiri: true,
            },
            r#"{"type":"dahai","actor":2,"pai":"E","tsumogiri":true}"#,
        ),
    ] {
        assert_eq!(action_json(&action, seat(2)), text);
    }
    assert_eq!(
        join_json("ku\"ma", "default"),
        r#"{"type":"join","name":"ku\"ma","room":"default"}"#
    );
}
