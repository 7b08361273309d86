//! The schema, made from the types that are written.

#![allow(
    dead_code,
    reason = "types of mjai's spelling are here only for their schema"
)]

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use riichi::{Kind, Tile};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Value, json};

use crate::answer::{BATCH, MAX_BATCH, ProgramAnswer, UNAVAILABLE};
use crate::doudizhu::DouDizhuLine;
use crate::mcr::McrLine;
use crate::names::{CountedKinds, KindName, KindNames, TileName};
use crate::riichi::RiichiView;
use crate::{SCHEMA, SCHEMA_VERSION};

/// The command that writes the files of `schema` again, and the decisions that the tests of the
/// Python package replay.
pub(crate) const REWRITE: &str = "UPDATE_SCHEMA=1 cargo test -p program";

impl JsonSchema for TileName {
    fn schema_name() -> Cow<'static, str> {
        "Tile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = Tile::all().map(Tile::name).collect();
        json_schema!({ "type": "string", "enum": names, "description": "A tile by mjai's name; 5mr, 5pr and 5sr are the red fives." })
    }
}

impl JsonSchema for KindName {
    fn schema_name() -> Cow<'static, str> {
        "Kind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = Kind::all().map(|kind| kind.tile().name()).collect();
        json_schema!({ "type": "string", "enum": names, "description": "A kind of tiles, the colour of fives left aside." })
    }
}

impl JsonSchema for KindNames {
    fn schema_name() -> Cow<'static, str> {
        "Kinds".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kind = generator.subschema_for::<KindName>();
        json_schema!({ "type": "array", "items": kind, "uniqueItems": true, "description": "Kinds in their order." })
    }
}

impl JsonSchema for CountedKinds {
    fn schema_name() -> Cow<'static, str> {
        "KindCounts".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kind = generator.subschema_for::<KindName>();
        json_schema!({
            "type": "object",
            "propertyNames": kind,
            "additionalProperties": { "type": "integer", "minimum": 0, "maximum": 4 },
            "description": "Number of tiles of each kind.",
        })
    }
}

/// An action in mjai's spelling, with additional keys.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LegalAction")]
#[serde(rename = "LegalAction")]
pub(crate) struct MjaiAction {
    /// Its index: what an answer names.
    #[schemars(range(max = 63))]
    index: u8,
    /// Which action; a reach names its discard, and a none lets the offered tile pass.
    #[serde(rename = "type")]
    kind: ActionType,
    /// The own seat.
    #[schemars(range(max = 3))]
    actor: u8,
    /// The seat that a tile is taken from: of chi, pon, daiminkan and hora; the own seat for a
    /// self-draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8", range(max = 3))]
    target: Option<u8>,
    /// The tile discarded, called, added, set aside or won on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TileName")]
    pai: Option<TileName>,
    /// The own tiles used besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<TileName>", length(min = 2, max = 4))]
    consumed: Option<Vec<TileName>>,
    /// Whether the discarded tile is the one just drawn: of dahai and reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    tsumogiri: Option<bool>,
    /// The hand after the action, before its next draw, and after the best discard if one is due;
    /// null after hora and ryukyoku.
    after: Option<crate::outlook::OutlookLine>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
enum ActionType {
    Dahai,
    Reach,
    Chi,
    Pon,
    Daiminkan,
    Ankan,
    Kakan,
    Kita,
    Hora,
    Ryukyoku,
    None,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MeldType {
    Chi,
    Pon,
    Daiminkan,
    Ankan,
    Kakan,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "snake_case")]
enum EventType {
    StartKyoku,
    Tsumo,
    Dahai,
    Chi,
    Pon,
    Daiminkan,
    Ankan,
    Kakan,
    Kita,
    Dora,
    Reach,
    ReachAccepted,
}

/// An event in mjai's spelling; a tile that the own seat does not know is "?".
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Event")]
pub(crate) struct MjaiEvent {
    /// Which event.
    #[serde(rename = "type")]
    kind: EventType,
    /// The seat that acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8", range(max = 3))]
    actor: Option<u8>,
    /// The seat that a tile is taken from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8", range(max = 3))]
    target: Option<u8>,
    /// The tile.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TileOrHidden")]
    pai: Option<TileOrHidden>,
    /// Tiles used besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<TileName>")]
    consumed: Option<Vec<TileName>>,
    /// Whether the discarded tile is the one just drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    tsumogiri: Option<bool>,
    /// The dora indicator: of start_kyoku and dora.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TileName")]
    dora_marker: Option<TileName>,
    /// Wind of the round: of start_kyoku, as are all that follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TileName")]
    bakaze: Option<TileName>,
    /// Number of the round within its wind.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8")]
    kyoku: Option<u8>,
    /// Repeat counters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8")]
    honba: Option<u8>,
    /// Riichi sticks on the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8")]
    kyotaku: Option<u8>,
    /// The dealer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8", range(max = 3))]
    oya: Option<u8>,
    /// Points of each seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<i32>")]
    scores: Option<Vec<i32>>,
    /// The tiles dealt to each seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Vec<TileOrHidden>>")]
    tehais: Option<Vec<Vec<TileOrHidden>>>,
}

/// A tile, or "?" for one that the own seat does not know.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum TileOrHidden {
    Tile(TileName),
    Hidden(Hidden),
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
enum Hidden {
    #[serde(rename = "?")]
    Hidden,
}

/// The input of a program: a view of a game, which its `game` names.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "View")]
enum ViewOfAnyGame {
    Riichi(Box<RiichiView>),
    Mcr(Box<McrLine>),
    DouDizhu(Box<DouDizhuLine>),
}

/// The schema as the types make it.
fn made() -> String {
    let view = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<ViewOfAnyGame>();
    let answer = SchemaSettings::draft2020_12()
        .for_deserialize()
        .into_generator()
        .into_root_schema_for::<ProgramAnswer>();
    let (mut view, mut answer) = (Value::from(view), Value::from(answer));
    let answer_fields = answer.as_object_mut().expect("a schema of an object");
    for key in ["$schema", "title", "required"] {
        answer_fields.remove(key);
    }
    let description = "Instead of an index: what the program decides by and is away, such as a server. The safe answer is given, \
                       and however often that happens the program is not set aside.";
    answer["properties"][UNAVAILABLE] =
        json!({ "type": ["string", "null"], "description": description });
    for key in ["name", "version"] {
        let description =
            format!("In the first answer alone: the program's {key}, for users. Optional.");
        answer["properties"][key] =
            json!({ "type": ["string", "number", "null"], "description": description });
    }
    let description = "In the first answer alone: how many views the program takes in one line, as a list, which it answers \
                       with a list. Optional; 1 without it.";
    answer["properties"][BATCH] = json!({
        "type": ["integer", "null"], "minimum": 1, "maximum": MAX_BATCH, "description": description
    });
    answer["anyOf"] = json!([{ "required": ["index"] }, { "required": [UNAVAILABLE] }]);
    view["$id"] = json!(format!("urn:bot-runner:policy-view:{SCHEMA_VERSION}"));
    view["title"] = json!(format!(
        "A decision as a program reads it, version {SCHEMA_VERSION}"
    ));
    view["$defs"]["Answer"] = answer;
    join_lines(&mut view);
    serde_json::to_string_pretty(&view).expect("JSON") + "\n"
}

/// Joins the lines of each description: they end where the comment in the source does.
fn join_lines(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(text)) = fields.get_mut("description") {
                let paragraphs: Vec<String> = text
                    .split("\n\n")
                    .map(|lines| lines.replace('\n', " "))
                    .collect();
                *text = paragraphs.join("\n\n");
            }
            fields.values_mut().for_each(join_lines);
        }
        Value::Array(values) => values.iter_mut().for_each(join_lines),
        _ => {}
    }
}

pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Compares the committed file with the generated one; with `UPDATE_SCHEMA` in the environment it
/// is written.
#[track_caller]
pub(crate) fn assert_committed(path: &Path, made: &str) {
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(path, made).expect("it can be written");
    }
    let committed = fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == made,
        "{} differs from the generated file; write it again with\n\n    {REWRITE}\n",
        path.display()
    );
}

#[test]
fn the_committed_schema_is_the_one_that_the_types_make() {
    assert_committed(&file("schema/view-1.json"), &made());
    assert!(std::env::var_os("UPDATE_SCHEMA").is_some() || SCHEMA == made());
}
