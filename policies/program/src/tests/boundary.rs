//! The lines hold the fields of the boundary's view: the types behind the C header.

use std::collections::BTreeSet;

use policy_sdk::abi::action::LegalAction;
use policy_sdk::abi::card::{CardLegal, CardLogEvent, CardSeatView, CardView};
use policy_sdk::abi::layout::Plain;
use policy_sdk::abi::log::{DRAW_EXHAUSTIVE, EVENT_DELTAS, EVENT_HORA, EVENT_RYUKYOKU, LogEvent};
use policy_sdk::abi::seat::{Meld, RiverTile, SeatView};
use policy_sdk::abi::standard::{
    StandardLegal, StandardLogEvent, StandardRiverTile, StandardSeatView, StandardSet, StandardView,
};
use policy_sdk::abi::view::{CannotRon, Rules, View};
use policy_sdk::testing::Situation;
use serde_json::{Value, json};

use crate::SCHEMA;
use crate::riichi::RiichiView;

/// A field of the boundary, and its place in a line: a type of the schema and a key of it.
type Place = (&'static str, &'static [(&'static str, &'static str)]);

const VIEW: &[Place] = &[
    ("struct_size", &[]),
    ("decision", &[("RiichiView", "decision")]),
    ("game", &[("RiichiView", "game")]),
    // A line is answered before there is another one.
    ("question", &[]),
    ("game_number", &[("RiichiView", "game_number")]),
    ("flags", &[]),
    ("seed", &[("RiichiView", "seed")]),
    ("events", &[("RiichiView", "events")]),
    ("legal", &[("RiichiView", "legal")]),
    ("waits", &[("RiichiView", "waits")]),
    ("cannot_ron", &[("Player", "cannot_ron")]),
    ("rules", &[("RiichiView", "rules")]),
    ("scores", &[("RiichiView", "scores")]),
    ("start_scores", &[("RiichiView", "start_scores")]),
    ("grace_us", &[("Time", "grace_ms")]),
    ("bank_us", &[("Time", "bank_ms")]),
    ("deadline_us", &[("Time", "deadline_ms")]),
    ("budget_us", &[("Time", "budget_ms")]),
    ("seat", &[("RiichiView", "seat")]),
    ("bakaze", &[("RiichiView", "bakaze")]),
    ("kyoku", &[("RiichiView", "kyoku")]),
    ("honba", &[("RiichiView", "honba")]),
    ("kyotaku", &[("RiichiView", "kyotaku")]),
    ("start_kyotaku", &[("RiichiView", "start_kyotaku")]),
    ("oya", &[("RiichiView", "oya")]),
    ("placements", &[("RiichiView", "placements")]),
    ("closed", &[("RiichiView", "hand")]),
    ("closed_reds", &[("RiichiView", "hand")]),
    ("drawn", &[("RiichiView", "drawn")]),
    ("start_hand", &[("RiichiView", "start_hand")]),
    (
        "furiten",
        &[
            ("Furiten", "river"),
            ("Furiten", "temporary"),
            ("Furiten", "riichi"),
        ],
    ),
    ("seats", &[("RiichiView", "seats")]),
    ("dora_markers", &[("RiichiView", "dora_markers")]),
    ("dora_count", &[("RiichiView", "dora_markers")]),
    ("tiles_left", &[("RiichiView", "tiles_left")]),
    ("first_turn", &[("RiichiView", "first_turn")]),
    ("after_kan", &[("RiichiView", "after_kan")]),
    ("unseen", &[("RiichiView", "unseen")]),
    ("unseen_reds", &[("RiichiView", "unseen_reds")]),
    ("request", &[("Asked", "type")]),
    ("offered", &[("Asked", "pai")]),
    ("offered_by", &[("Asked", "from")]),
    ("reserved", &[]),
];

const SEAT: &[Place] = &[
    ("melds", &[("Player", "melds")]),
    ("river", &[("Player", "river")]),
    ("meld_count", &[("Player", "melds")]),
    ("river_len", &[("Player", "river")]),
    (
        "riichi",
        &[
            ("Player", "riichi"),
            ("Riichi", "accepted"),
            ("Riichi", "double"),
            ("Riichi", "ippatsu"),
        ],
    ),
    ("riichi_order", &[("Riichi", "order")]),
    ("kita_count", &[("Player", "kita")]),
    ("reserved", &[]),
];

const MELD: &[Place] = &[
    ("kind", &[("Meld", "type")]),
    ("tile_count", &[("Meld", "tiles")]),
    ("tiles", &[("Meld", "tiles")]),
    ("called", &[("Meld", "called")]),
    ("from", &[("Meld", "from")]),
    ("order", &[("Meld", "order")]),
    ("reserved", &[]),
];

const RIVER: &[Place] = &[
    ("tile", &[("RiverTile", "pai")]),
    (
        "flags",
        &[("RiverTile", "tsumogiri"), ("RiverTile", "riichi")],
    ),
    ("called_by", &[("RiverTile", "called_by")]),
    ("order", &[("RiverTile", "order")]),
];

const ACTION: &[Place] = &[
    ("kind", &[("LegalAction", "type")]),
    ("tile", &[("LegalAction", "pai")]),
    ("target", &[("LegalAction", "target")]),
    ("flags", &[("LegalAction", "tsumogiri")]),
    ("consumed", &[("LegalAction", "consumed")]),
];

const EVENT: &[Place] = &[
    ("kind", &[("Event", "type")]),
    ("actor", &[("Event", "actor")]),
    ("target", &[("Event", "target")]),
    ("tile", &[("Event", "pai"), ("Event", "dora_marker")]),
    ("consumed", &[("Event", "consumed")]),
    ("flags", &[("Event", "tsumogiri")]),
    // Rivers and melds have the field, and the events are in its order.
    ("order", &[]),
    ("reason", ROUND_END),
    ("tenpai", ROUND_END),
    ("noten", ROUND_END),
    ("deltas", ROUND_END),
    ("reserved", &[]),
];

/// The end of a round is a choice of objects, whose keys `a_round_that_ended_is_reported` checks.
const ROUND_END: &[(&str, &str)] = &[("RiichiView", "ended_round")];

/// Fields that have the same name in a type of the schema.
fn same_names<T: Plain>(
    kind: &'static str,
) -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    T::FIELDS
        .iter()
        .map(|field| (field.name, vec![(kind, field.name)]))
        .collect()
}

#[track_caller]
fn assert_all_there<T: Plain>(places: &[(&'static str, Vec<(&'static str, &'static str)>)]) {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let fields: BTreeSet<&str> = T::FIELDS.iter().map(|field| field.name).collect();
    assert_eq!(
        fields,
        places.iter().map(|(field, _)| *field).collect(),
        "what becomes of each field"
    );
    for (field, keys) in places {
        for (kind, key) in keys {
            assert!(
                schema["$defs"][kind]["properties"][key].is_object(),
                "{field}: {kind}.{key}"
            );
        }
    }
}

fn owned(places: &[Place]) -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    places
        .iter()
        .map(|(field, keys)| (*field, keys.to_vec()))
        .collect()
}

#[test]
fn every_field_of_the_boundarys_view_has_its_place_in_a_line() {
    assert_all_there::<View>(&owned(VIEW));
    assert_all_there::<SeatView>(&owned(SEAT));
    assert_all_there::<Meld>(&owned(MELD));
    assert_all_there::<RiverTile>(&owned(RIVER));
    assert_all_there::<LegalAction>(&owned(ACTION));
    assert_all_there::<LogEvent>(&owned(EVENT));
    let rules = same_names::<Rules>("Rules").into_iter();
    let rules = rules.map(|(field, keys)| {
        (
            field,
            if field == "reserved" {
                Vec::new()
            } else {
                keys
            },
        )
    });
    assert_all_there::<Rules>(&rules.collect::<Vec<_>>());
    assert_all_there::<CannotRon>(&same_names::<CannotRon>("CannotRon"));
}

/// The common beginning of the other games' views.
const HEAD: &[(&str, &[&str])] = &[
    ("struct_size", &[]),
    ("game", &["game"]),
    // A line is answered before there is another one.
    ("question", &[]),
    ("game_number", &["game_number"]),
    // The seed with the other keys of randomness mixed into it.
    ("seed", &["random"]),
    ("decision", &["decision"]),
    ("flags", &[]),
    ("legal", &["legal"]),
    ("grace_us", &["time"]),
    ("bank_us", &["time"]),
    ("deadline_us", &["time"]),
    ("budget_us", &["time"]),
    ("reserved", &[]),
    ("padding", &[]),
];

const STANDARD: &[Place] = &[
    ("events", &[("ChineseStandardView", "events")]),
    (
        "seat",
        &[
            ("ChineseStandardView", "seat"),
            ("ChineseStandardView", "seat_wind"),
        ],
    ),
    (
        "prevalent_wind",
        &[("ChineseStandardView", "prevalent_wind")],
    ),
    ("with_flowers", &[("ChineseStandardView", "flowers")]),
    ("counting", &[("ChineseStandardView", "counting")]),
    ("request", &[("StandardRequest", "type")]),
    ("drawn", &[("ChineseStandardView", "drawn")]),
    ("offered", &[("StandardRequest", "tile")]),
    ("offered_by", &[("StandardRequest", "from")]),
    ("win_fan", &[("ChineseStandardView", "win_fan")]),
    ("closed", &[("ChineseStandardView", "hand")]),
    ("unseen", &[("ChineseStandardView", "unseen")]),
    ("seats", &[("ChineseStandardView", "seats")]),
    ("start_hand", &[("ChineseStandardView", "start_hand")]),
    ("start_flowers", &[("ChineseStandardView", "start_flowers")]),
];

const STANDARD_SEAT: &[Place] = &[
    ("river", &[("StandardShown", "river")]),
    ("sets", &[("StandardShown", "sets")]),
    ("river_len", &[("StandardShown", "river")]),
    ("set_count", &[("StandardShown", "sets")]),
    ("flowers", &[("StandardShown", "flowers")]),
    ("wall", &[("StandardShown", "wall")]),
    ("concealed", &[("StandardShown", "concealed")]),
    ("reserved", &[]),
];

const STANDARD_ACTION: &[Place] = &[
    ("kind", &[("StandardLegalAction", "type")]),
    ("tile", &[("StandardLegalAction", "tile")]),
    ("discard", &[("StandardLegalAction", "discard")]),
    ("reserved", &[]),
];

const STANDARD_EVENT: &[Place] = &[
    ("kind", &[("StandardEventLine", "type")]),
    ("seat", &[("StandardEventLine", "seat")]),
    (
        "tile",
        &[
            ("StandardEventLine", "tile"),
            ("StandardEventLine", "flower"),
        ],
    ),
    ("discard", &[("StandardEventLine", "discard")]),
];

const CARDS: &[Place] = &[
    (
        "events",
        &[("DouDizhuView", "bids"), ("DouDizhuView", "plays")],
    ),
    ("hand", &[("DouDizhuView", "hand")]),
    ("unseen", &[("DouDizhuView", "unseen")]),
    ("public_cards", &[("DouDizhuView", "public")]),
    (
        "to_beat",
        &[("DouDizhuView", "to_beat"), ("PlayLine", "cards")],
    ),
    (
        "seats",
        &[("DouDizhuView", "plays"), ("DouDizhuView", "left")],
    ),
    ("seat", &[("DouDizhuView", "seat")]),
    ("landlord", &[("DouDizhuView", "landlord")]),
    ("to_beat_by", &[("PlayLine", "seat")]),
    ("highest_bid", &[("DouDizhuView", "bids")]),
    ("bidding", &[("DouDizhuView", "bidding")]),
    ("shuttle_wings", &[("DouDizhuView", "shuttle_wings")]),
    ("request", &[("DouDizhuView", "request")]),
];

const CARD_SEAT: &[Place] = &[
    ("played", &[("PlayLine", "cards")]),
    ("left", &[("DouDizhuView", "left")]),
    ("bid", &[("DouDizhuView", "bids")]),
    ("reserved", &[]),
];

const CARD_ACTION: &[Place] = &[
    ("kind", &[("CardLegalAction", "type")]),
    ("bid", &[("CardLegalAction", "bid")]),
    ("combination", &[("CardLegalAction", "combination")]),
    // The cards say it.
    ("wings", &[]),
    ("low", &[]),
    ("length", &[]),
    ("reserved", &[]),
    ("cards", &[("CardLegalAction", "cards")]),
];

const CARD_EVENT: &[Place] = &[
    // Bids, the landlord with its public cards, and plays are separate.
    (
        "kind",
        &[
            ("DouDizhuView", "bids"),
            ("DouDizhuView", "landlord"),
            ("DouDizhuView", "plays"),
        ],
    ),
    ("seat", &[("PlayLine", "seat")]),
    ("bid", &[("DouDizhuView", "bids")]),
    ("reserved", &[]),
    (
        "cards",
        &[("PlayLine", "cards"), ("DouDizhuView", "public")],
    ),
];

/// A view of this name: the common beginning, and its own fields.
fn with_head(
    kind: &'static str,
    own: &[Place],
) -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let head = HEAD
        .iter()
        .map(|(field, keys)| (*field, keys.iter().map(|key| (kind, *key)).collect()));
    head.chain(owned(own)).collect()
}

#[test]
fn every_field_of_the_other_games_views_has_its_place_in_a_line() {
    assert_all_there::<StandardView>(&with_head("ChineseStandardView", STANDARD));
    assert_all_there::<StandardSeatView>(&owned(STANDARD_SEAT));
    assert_all_there::<StandardLegal>(&owned(STANDARD_ACTION));
    assert_all_there::<StandardLogEvent>(&owned(STANDARD_EVENT));
    assert_all_there::<StandardSet>(&owned(&[
        ("kind", &[("StandardSetLine", "type")]),
        ("tile", &[("StandardSetLine", "tile")]),
    ]));
    assert_all_there::<StandardRiverTile>(&owned(&[
        ("tile", &[("StandardRiverLine", "tile")]),
        ("flags", &[("StandardRiverLine", "claimed")]),
    ]));
    assert_all_there::<CardView>(&with_head("DouDizhuView", CARDS));
    assert_all_there::<CardSeatView>(&owned(CARD_SEAT));
    assert_all_there::<CardLegal>(&owned(CARD_ACTION));
    assert_all_there::<CardLogEvent>(&owned(CARD_EVENT));
}

#[test]
fn a_round_that_ended_is_reported() {
    let mut scene = Situation::drew("123m 406p 789s 1122z", "3z").build();
    let deltas = [8_000, 0, -8_000, 0];
    let won = LogEvent {
        kind: EVENT_HORA,
        actor: 0,
        target: 2,
        tile: 8,
        flags: EVENT_DELTAS,
        deltas,
        ..LogEvent::EMPTY
    };
    let drawn = LogEvent {
        kind: EVENT_RYUKYOKU,
        reason: DRAW_EXHAUSTIVE,
        tenpai: 1,
        noten: 2,
        ..LogEvent::EMPTY
    };
    let lines = [won, drawn].map(|end| {
        scene.events_mut().insert(0, end);
        let line = scene
            .view(|view| RiichiView::of(view).map(|view| view.line()))
            .expect("a view");
        scene.events_mut().remove(0);
        let line: Value = serde_json::from_str(&line.expect("its log is in order")).expect("JSON");
        line["ended_round"][0].clone()
    });
    let won = json!({"type": "hora", "actor": 0, "target": 2, "pai": "9m", "deltas": deltas});
    let tenpais = json!([true, false, null, null]);
    let drawn = json!({"type": "ryukyoku", "reason": "exhaustive_draw", "tenpais": tenpais, "deltas": null});
    assert_eq!(lines, [won, drawn]);
}
