//! Possible actions and replies.

use protocol::reply::{parse_reply, reply_json};
use protocol::riichilab::{ServerFrame, parse_frame};
use protocol::{ActionKind, PossibleAction};
use riichi::{Action, Seat, Tile};

fn tile(name: &str) -> Tile {
    name.parse().unwrap()
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// The entries of a list and the warnings about it.
fn entries(list: &str) -> (Vec<PossibleAction>, Vec<String>) {
    let text = format!(r#"{{"possible_actions":{list},"request_id":1,"type":"request_action"}}"#);
    match parse_frame(&text) {
        Ok(ServerFrame::Request(request)) => {
            let warnings = request.warnings.iter().map(ToString::to_string).collect();
            (request.possible_actions.unwrap_or_default(), warnings)
        }
        other => panic!("{other:?}"),
    }
}

fn entry(text: &str) -> PossibleAction {
    let (mut entries, warnings) = entries(&format!("[{text}]"));
    assert_eq!(warnings, [""; 0]);
    entries.remove(0)
}

#[test]
fn every_type_of_entry_is_read() {
    let (read, warnings) = entries(
        r#"[{"pai":"1m","type":"dahai"},{"consumed":["1m","2m"],"pai":"3m","type":"chi"},
        {"consumed":["4p","4p"],"pai":"4p","type":"pon"},{"consumed":["E","E","E"],"pai":"E","type":"daiminkan"},
        {"consumed":["E","E","E","E"],"type":"ankan"},{"consumed":["E","E","E"],"pai":"E","type":"kakan"},
        {"pai":"N","type":"kita"},{"type":"reach"},{"type":"hora"},{"type":"ryukyoku"},{"type":"none"}]"#,
    );
    assert_eq!(warnings, [""; 0]);
    let kinds: Vec<_> = read.iter().map(|entry| entry.kind.name()).collect();
    let all = [
        "dahai",
        "chi",
        "pon",
        "daiminkan",
        "ankan",
        "kakan",
        "kita",
        "reach",
        "hora",
        "ryukyoku",
        "none",
    ];
    assert_eq!(kinds, all);
}

#[test]
fn an_entry_of_unknown_type_is_ignored() {
    let (read, warnings) = entries(r#"[{"type":"resign","pai":7},{"type":"none"}]"#);
    assert_eq!(
        (read.len(), read[0].kind, warnings.len()),
        (1, ActionKind::None, 0)
    );
}

#[test]
fn a_malformed_entry_is_named_and_the_others_stay_usable() {
    let (read, warnings) = entries(
        r#"[{"pai":"1m","type":"dahai"},{"type":"dahai"},{"consumed":["1m","0m"],"pai":"3m","type":"chi"},7,
        {"consumed":["1m"],"pai":"1m","type":"pon"},{"pai":"2m"},{"type":"none"}]"#,
    );
    assert_eq!(
        read.iter().map(|entry| entry.kind).collect::<Vec<_>>(),
        [ActionKind::Dahai, ActionKind::None]
    );
    let starts = [
        "`possible_actions[1].pai` is missing",
        "`possible_actions[2].consumed[1]` is \"0m\"",
        "`possible_actions[3]` is 7",
        "`possible_actions[4].consumed` is a list of 1",
        "`possible_actions[5].type` is missing",
    ];
    assert_eq!(warnings.len(), starts.len());
    for (warning, start) in warnings.iter().zip(starts) {
        assert!(warning.starts_with(start), "{warning}");
    }
}

#[test]
fn a_discard_entry_may_be_marked_as_the_drawn_tile_or_not_and_covers_both() {
    for (text, mark) in [
        (r#"{"pai":"1m","type":"dahai"}"#, None),
        (
            r#"{"pai":"1m","tsumogiri":true,"type":"dahai"}"#,
            Some(true),
        ),
    ] {
        let entry = entry(text);
        assert_eq!(entry.tsumogiri, mark);
        for tsumogiri in [true, false] {
            assert!(entry.covers(&Action::Dahai {
                tile: tile("1m"),
                tsumogiri
            }));
        }
    }
}

#[test]
fn a_plain_five_covers_the_red_one_but_not_the_reverse() {
    let (plain, red) = (
        entry(r#"{"pai":"5p","type":"dahai"}"#),
        entry(r#"{"pai":"5pr","type":"dahai"}"#),
    );
    let discard = |name| Action::Dahai {
        tile: tile(name),
        tsumogiri: false,
    };
    assert!(plain.covers(&discard("5p")) && plain.covers(&discard("5pr")));
    assert!(red.covers(&discard("5pr")) && !red.covers(&discard("5p")));
    assert!(!plain.covers(&discard("5s")) && !plain.covers(&discard("5sr")));
}

#[test]
fn calls_are_compared_by_tiles_in_any_order_with_colours_and_by_the_called_tile() {
    let chi = entry(r#"{"consumed":["5mr","4m"],"pai":"6m","type":"chi"}"#);
    assert_eq!(chi.consumed.as_slice(), ["4m", "5mr"].map(tile));
    let call = |pai, consumed: [&str; 2]| Action::Chi {
        target: seat(0),
        tile: tile(pai),
        consumed: consumed.map(tile),
    };
    assert!(chi.covers(&call("6m", ["4m", "5mr"])));
    assert!(chi.covers(&call("6m", ["5mr", "4m"])));
    assert!(!chi.covers(&call("6m", ["4m", "5m"])));
    assert!(!chi.covers(&call("3m", ["4m", "5mr"])));
    let pon = Action::Pon {
        target: seat(0),
        tile: tile("6m"),
        consumed: ["4m", "5mr"].map(tile),
    };
    assert!(!chi.covers(&pon));
}

#[test]
fn the_pai_of_an_ankan_is_ignored() {
    let ankan = Action::Ankan {
        consumed: ["5s", "5s", "5s", "5sr"].map(tile),
    };
    for text in [
        r#"{"consumed":["5s","5sr","5s","5s"],"pai":"5s","type":"ankan"}"#,
        r#"{"consumed":["5sr","5s","5s","5s"],"pai":null,"type":"ankan"}"#,
        r#"{"consumed":["5sr","5s","5s","5s"],"pai":"whatever","type":"ankan"}"#,
    ] {
        assert!(entry(text).covers(&ankan), "{text}");
    }
    assert!(!entry(r#"{"consumed":["4s","4s","4s","4s"],"type":"ankan"}"#).covers(&ankan));
}

#[test]
fn the_rest_is_compared_by_type() {
    for (text, action) in [
        (
            r#"{"type":"hora"}"#,
            Action::Hora {
                target: seat(2),
                tile: tile("E"),
            },
        ),
        (
            r#"{"pai":"1m","target":1,"type":"hora"}"#,
            Action::Hora {
                target: seat(2),
                tile: tile("E"),
            },
        ),
        (
            r#"{"type":"reach"}"#,
            Action::Reach {
                tile: tile("E"),
                tsumogiri: false,
            },
        ),
        (r#"{"pai":"N","type":"kita"}"#, Action::Kita),
        (r#"{"type":"ryukyoku"}"#, Action::Ryukyoku),
        (r#"{"type":"none"}"#, Action::None),
    ] {
        assert!(entry(text).covers(&action), "{text}");
        assert!(
            !entry(text).covers(&Action::Dahai {
                tile: tile("E"),
                tsumogiri: false
            }),
            "{text}"
        );
    }
}

#[test]
fn an_entry_is_written_as_the_arena_writes_it() {
    for text in [
        r#"{"pai":"1m","type":"dahai"}"#,
        r#"{"pai":"1m","tsumogiri":true,"type":"dahai"}"#,
        r#"{"consumed":["4p","5pr"],"pai":"3p","type":"chi"}"#,
        r#"{"consumed":["5s","5s","5s","5sr"],"type":"ankan"}"#,
        r#"{"type":"none"}"#,
    ] {
        assert_eq!(serde_json::to_string(&entry(text)).unwrap(), text);
    }
}

#[test]
fn replies_carry_every_field_some_dialect_wants_and_the_request_id() {
    let two = |names: [&str; 2]| names.map(tile);
    let three = |names: [&str; 3]| names.map(tile);
    let target = seat(0);
    for (action, expected) in [
        (
            Action::Dahai {
                tile: tile("5mr"),
                tsumogiri: true,
            },
            r#"{"type":"dahai","actor":1,"pai":"5mr","tsumogiri":true,"request_id":5}"#,
        ),
        (
            Action::Chi {
                target,
                tile: tile("3m"),
                consumed: two(["4m", "5mr"]),
            },
            r#"{"type":"chi","actor":1,"target":0,"pai":"3m","consumed":["4m","5mr"],"request_id":5}"#,
        ),
        (
            Action::Pon {
                target,
                tile: tile("C"),
                consumed: two(["C", "C"]),
            },
            r#"{"type":"pon","actor":1,"target":0,"pai":"C","consumed":["C","C"],"request_id":5}"#,
        ),
        (
            Action::Daiminkan {
                target,
                tile: tile("C"),
                consumed: three(["C", "C", "C"]),
            },
            r#"{"type":"daiminkan","actor":1,"target":0,"pai":"C","consumed":["C","C","C"],"request_id":5}"#,
        ),
        (
            Action::Kakan {
                tile: tile("C"),
                consumed: three(["C", "C", "C"]),
            },
            r#"{"type":"kakan","actor":1,"pai":"C","consumed":["C","C","C"],"request_id":5}"#,
        ),
        (
            Action::Hora {
                target,
                tile: tile("E"),
            },
            r#"{"type":"hora","actor":1,"target":0,"pai":"E","request_id":5}"#,
        ),
        (
            Action::Kita,
            r#"{"type":"kita","actor":1,"pai":"N","request_id":5}"#,
        ),
        (
            Action::Ryukyoku,
            r#"{"type":"ryukyoku","actor":1,"request_id":5}"#,
        ),
        (Action::None, r#"{"type":"none","actor":1,"request_id":5}"#),
    ] {
        assert_eq!(reply_json(&action, seat(1), 5), expected);
    }
}

#[test]
fn a_riichi_is_declared_without_a_tile_and_its_discard_answers_the_next_request() {
    let reach = Action::Reach {
        tile: tile("4m"),
        tsumogiri: false,
    };
    assert_eq!(
        reply_json(&reach, seat(1), 21),
        r#"{"type":"reach","actor":1,"request_id":21}"#
    );
}

#[test]
fn an_ankan_is_replied_without_pai() {
    let ankan = Action::Ankan {
        consumed: ["5s", "5s", "5s", "5sr"].map(tile),
    };
    assert_eq!(
        reply_json(&ankan, seat(3), 9),
        r#"{"type":"ankan","actor":3,"consumed":["5s","5s","5s","5sr"],"request_id":9}"#
    );
}

#[test]
fn the_largest_request_id_is_echoed_exactly() {
    let id = i64::MAX as u64;
    let text = reply_json(&Action::None, seat(0), id);
    assert_eq!(parse_reply(&text).unwrap().request_id, Some(i64::MAX));
    let text = format!(r#"{{"request_id":{id},"type":"request_action"}}"#);
    assert!(
        matches!(parse_frame(&text), Ok(ServerFrame::Request(request)) if request.request_id == id)
    );
}

#[test]
fn an_arena_reads_what_a_bot_writes_and_old_forms_too() {
    let reply =
        parse_reply(r#"{"actor":9,"consumed":["5pr","4p"],"pai":"3p","type":"chi","x":[{}]}"#)
            .unwrap();
    assert_eq!(
        (reply.kind, reply.request_id, reply.pai.as_deref()),
        (ActionKind::Chi, None, Some("3p"))
    );
    assert_eq!(reply.consumed.unwrap(), ["5pr", "4p"]);
    let reply = parse_reply(r#"{"pai":"no tile","request_id":-4,"type":"dahai"}"#).unwrap();
    assert_eq!(
        (reply.request_id, reply.pai.as_deref(), reply.tsumogiri),
        (Some(-4), Some("no tile"), None)
    );
}

#[test]
fn a_message_that_is_no_action_in_form_is_an_error_that_says_why() {
    for (text, says) in [
        ("", "not one JSON object"),
        ("[]", "not one JSON object"),
        ("{}", "`type` is missing"),
        (
            r#"{"type":"start_game"}"#,
            "`type` is \"start_game\"; allowed is an action",
        ),
        (
            r#"{"request_id":"5","type":"none"}"#,
            "`request_id` is \"5\"",
        ),
        (r#"{"request_id":1.5,"type":"none"}"#, "`request_id` is 1.5"),
        (r#"{"pai":5,"type":"dahai"}"#, "`pai` is 5"),
        (
            r#"{"tsumogiri":"yes","type":"dahai"}"#,
            "`tsumogiri` is \"yes\"",
        ),
        (
            r#"{"consumed":["1m",2],"type":"pon"}"#,
            "`consumed[1]` is 2",
        ),
    ] {
        let error = parse_reply(text).expect_err(text).to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn of_many_bad_entries_the_first_are_named_and_the_others_counted() {
    let (list, warnings) = entries(&format!(
        "[{}{{\"type\":\"none\"}}]",
        "0,".repeat(1_000_000)
    ));
    assert_eq!((list.len(), warnings.len()), (1, 9));
    assert_eq!(
        warnings[8],
        "`possible_actions` is 999992 more entries that are not actions; allowed is a list of actions"
    );
}
