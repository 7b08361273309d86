//! The observation inside a request.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use protocol::riichilab::observation::observation_base64;
use protocol::riichilab::{Observation, ObservationError, parse_observation};
use protocol::{ActionKind, Parsed, PossibleAction, parse_event};
use riichi::{MeldKind, PerSeat, Rules, Seat, Table, Tile};

/// In the engine's key order, from a claim window: seat 1 may pon the white dragon that seat 0
/// threw.
const FULL: &str = r#"{"player_id":1,"hands":[[],[16,17,52,88,124,125,135],[],[]],
    "melds":[[],[{"meld_type":"Kakan","tiles":[108,109,110,111],"opened":true,"from_who":3,"called_tile":108}],[],
    [{"meld_type":"Ankan","tiles":[0,1,2,3],"opened":false,"from_who":-1,"called_tile":null}]],
    "discards":[[126,4],[],[0],[]],"dora_indicators":[35,36],"scores":[25000,24000,-100,51100],
    "riichi_declared":[false,false,true,false],
    "_legal_actions":[{"action_type":"Pon","tile":126,"consume_tiles":[124,125],"actor":1},
    {"action_type":"Ron","tile":126,"consume_tiles":[],"actor":1},{"action_type":"Pass","tile":null,"consume_tiles":[],"actor":1}],
    "events":["{\"actor\":0,\"pai\":\"P\",\"tsumogiri\":true,\"type\":\"dahai\"}"],
    "honba":1,"riichi_sticks":2,"round_wind":1,"oya":3,"kyoku_index":3,"waits":[0,33],"is_tenpai":true,
    "tsumogiri_flags":[[true,false],[],[],[]],"riichi_sutehais":[null,null,0,null],"last_tedashis":[4,null,null,null],
    "last_discard":126,"drawn_tile":null,"forced_tedashi":false}"#;

fn read(json: &str) -> Observation {
    parse_observation(&STANDARD.encode(json)).unwrap()
}

fn tiles(names: &str) -> Vec<Tile> {
    names.split(' ').map(|name| name.parse().unwrap()).collect()
}

#[test]
fn every_field_is_read_and_numbers_become_tiles() {
    let read = read(FULL);
    assert_eq!(read.seat, Seat::new(1));
    let hands = read.hands.unwrap();
    assert_eq!(hands[1], tiles("5mr 5m 5pr 5sr P P C"));
    assert!(hands[0].is_empty());
    let melds = read.melds.unwrap();
    assert_eq!(
        (melds[1][0].kind, &melds[1][0].tiles),
        (MeldKind::Kakan, &tiles("E E E E"))
    );
    assert_eq!(
        (melds[1][0].from, melds[1][0].called),
        (Seat::new(3), Some(tiles("E")[0]))
    );
    assert_eq!(
        (melds[3][0].kind, melds[3][0].from, melds[3][0].called),
        (MeldKind::Ankan, None, None)
    );
    assert_eq!(
        read.discards.unwrap(),
        [tiles("P 2m"), vec![], tiles("1m"), vec![]]
    );
    assert_eq!(read.dora_indicators.unwrap(), tiles("9m 1p"));
    assert_eq!(
        read.scores,
        PerSeat::from_slice(&[25000, 24000, -100, 51100])
    );
    assert_eq!(read.riichi_declared.unwrap(), [false, false, true, false]);
    assert_eq!(
        read.riichi_tiles.unwrap(),
        [None, None, Some(tiles("1m")[0]), None]
    );
    let legal = read.legal_actions.unwrap();
    assert_eq!(
        legal.iter().map(|a| a.kind).collect::<Vec<_>>(),
        [ActionKind::Pon, ActionKind::Hora, ActionKind::None]
    );
    assert_eq!(
        (legal[0].tile, &legal[0].consumed),
        (Some(tiles("P")[0]), &tiles("P P"))
    );
    assert_eq!(
        read.events.unwrap(),
        [r#"{"actor":0,"pai":"P","tsumogiri":true,"type":"dahai"}"#]
    );
    assert_eq!(
        (read.honba, read.riichi_sticks, read.round_wind),
        (Some(1), Some(2), Some(1))
    );
    assert_eq!(
        (read.oya, read.kyoku_index, read.is_tenpai),
        (Seat::new(3), Some(3), Some(true))
    );
    assert_eq!(read.waits.unwrap(), [0, 33]);
    assert_eq!(read.tsumogiri_flags.unwrap()[0], [true, false]);
    assert_eq!((read.drawn_tile, read.forced_tedashi), (None, Some(false)));
}

#[test]
fn the_tile_that_a_win_by_a_set_aside_north_is_offered_on_is_the_north() {
    let mut table = Table::new(Rules::TENHOU_HALF.with_players(3), Seat::new(1).unwrap());
    let hidden = r#"["?","?","?","?","?","?","?","?","?","?","?","?","?"]"#;
    let own = r#"["1p","1p","1p","2p","2p","2p","3p","3p","3p","4p","4p","4p","N"]"#;
    let start = format!(
        r#"{{"type":"start_kyoku","bakaze":"E","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"dora_marker":"1s",
        "scores":[35000,35000,35000],"tehais":[{hidden},{own},{hidden}]}}"#
    );
    for event in [
        start.as_str(),
        r#"{"type":"tsumo","actor":0,"pai":"?"}"#,
        r#"{"type":"dahai","actor":0,"pai":"9s","tsumogiri":true}"#,
        r#"{"type":"tsumo","actor":1,"pai":"7s"}"#,
        r#"{"type":"dahai","actor":1,"pai":"7s","tsumogiri":true}"#,
        r#"{"type":"tsumo","actor":2,"pai":"?"}"#,
        r#"{"type":"kita","actor":2,"pai":"N"}"#,
    ] {
        let Ok(Parsed::Event(event)) = parse_event(event) else {
            panic!("{event}")
        };
        table.apply(&event).unwrap();
    }
    let win = PossibleAction {
        kind: ActionKind::Hora,
        pai: None,
        consumed: Default::default(),
        tsumogiri: None,
        target: None,
    };
    let written = parse_observation(&observation_base64(&table, &[win], &[])).unwrap();
    assert_eq!(written.legal_actions.unwrap()[0].tile, "N".parse().ok());
}

#[test]
fn the_first_of_each_five_is_the_red_one() {
    for (id, name) in [
        (16, "5mr"),
        (17, "5m"),
        (52, "5pr"),
        (88, "5sr"),
        (89, "5s"),
        (0, "1m"),
        (135, "C"),
    ] {
        assert_eq!(
            read(&format!(r#"{{"drawn_tile":{id}}}"#)).drawn_tile,
            name.parse().ok()
        );
    }
    assert_eq!(read(r#"{"drawn_tile":136}"#).drawn_tile, None);
}

#[test]
fn a_field_that_moved_is_none_and_the_others_are_used() {
    let older = FULL
        .replace(r#","drawn_tile":null,"forced_tedashi":false"#, "")
        .replace(r#""honba":1"#, r#""honba":"one""#);
    let read = read(&older);
    assert_eq!(
        (read.drawn_tile, read.forced_tedashi, read.honba),
        (None, None, None)
    );
    assert_eq!(read.hands.unwrap()[1].len(), 7);
}

#[test]
fn a_riichi_tile_that_is_no_tile_makes_none_of_them_count() {
    assert_eq!(
        read(r#"{"riichi_sutehais":[null,136,0,null]}"#).riichi_tiles,
        None
    );
}

#[test]
fn a_legal_action_of_unknown_type_is_omitted() {
    let read = read(&FULL.replace(r#""action_type":"Ron""#, r#""action_type":"Flip""#));
    assert_eq!(read.legal_actions.unwrap().len(), 2);
}

#[test]
fn three_seats_are_fine() {
    assert_eq!(
        read(r#"{"scores":[35000,35000,35000]}"#)
            .scores
            .unwrap()
            .players(),
        3
    );
}

#[test]
fn padding_may_be_missing() {
    assert_eq!(
        parse_observation(&STANDARD_NO_PAD.encode(FULL)),
        parse_observation(&STANDARD.encode(FULL))
    );
}

#[test]
fn text_that_is_not_base64_or_not_an_object_is_an_error() {
    assert!(matches!(
        parse_observation("***"),
        Err(ObservationError::Base64(_))
    ));
    assert!(matches!(
        parse_observation(&STANDARD.encode([0xff, 0xfe])),
        Err(ObservationError::Text(_))
    ));
    for json in ["", "[]", "{", &"[".repeat(100_000)] {
        assert!(
            matches!(
                parse_observation(&STANDARD.encode(json)),
                Err(ObservationError::Json { .. })
            ),
            "{json:.9}"
        );
    }
    let deep = format!(r#"{{"hands":{}}}"#, "[".repeat(100_000));
    assert!(parse_observation(&STANDARD.encode(deep)).is_err());
}
