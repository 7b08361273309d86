//! The engine's observation, which RiichiLab puts into its requests as base64 of a JSON text.
//!
//! Its details change between versions of the engine, so every field is read separately: one that
//! is missing or unexpected is `None`, and the others are used.

mod write;

pub use write::observation_base64;

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use riichi::event::Points;
use riichi::{MeldKind, PerSeat, Seat, Tile};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::action::ActionKind;
use crate::json::{ReadError, text_of};

/// The engine's description of the seat's knowledge and legal actions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observation {
    pub seat: Option<Seat>,
    /// The tiles of each seat's hand, the drawn one last; the hands of others are empty.
    pub hands: Option<Vec<Vec<Tile>>>,
    /// The melds of each seat in order; a kakan keeps the place of its pon.
    pub melds: Option<Vec<Vec<ObservedMeld>>>,
    /// The river of each seat in full, tiles called away included.
    pub discards: Option<Vec<Vec<Tile>>>,
    pub dora_indicators: Option<Vec<Tile>>,
    pub scores: Option<Points>,
    /// Which seats declared riichi; true from the declaration on, before the stick is paid.
    pub riichi_declared: Option<Vec<bool>>,
    /// The tile each seat discarded with its riichi, from that discard on; `None` for a seat
    /// without one.
    pub riichi_tiles: Option<Vec<Option<Tile>>>,
    /// The legal actions, without unreadable entries.
    pub legal_actions: Option<Vec<ObservedAction>>,
    /// mjai events as JSON texts, those since the seat's observation before.
    pub events: Option<Vec<String>>,
    /// Repeat counters.
    pub honba: Option<u8>,
    pub riichi_sticks: Option<u32>,
    /// Wind of the round, 0 is East.
    pub round_wind: Option<u8>,
    /// The dealer.
    pub oya: Option<Seat>,
    /// Number of the round within its wind, from 0.
    pub kyoku_index: Option<u8>,
    /// The kinds (0 to 33) the hand waits for.
    pub waits: Option<Vec<u8>>,
    pub is_tenpai: Option<bool>,
    /// For each discard of each seat whether it was the drawn tile; rows may be empty.
    pub tsumogiri_flags: Option<Vec<Vec<bool>>>,
    /// The tile just drawn. In a chankan window older engines give the added tile, which is not in
    /// hand.
    pub drawn_tile: Option<Tile>,
    /// Whether every discard now counts as from the hand.
    pub forced_tedashi: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedMeld {
    pub kind: MeldKind,
    /// Its tiles, the called one included.
    pub tiles: Vec<Tile>,
    /// The discarder of the called tile.
    pub from: Option<Seat>,
    pub called: Option<Tile>,
}

/// An entry of an observation's list of legal actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedAction {
    /// The type; a win by ron and one by tsumo are both `Hora`.
    pub kind: ActionKind,
    /// The tile that is discarded, called or added.
    pub tile: Option<Tile>,
    /// Own tiles used, as the engine orders them.
    pub consumed: Vec<Tile>,
}

/// A text that is not an observation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObservationError {
    #[error("the observation is not base64: {0}")]
    Base64(#[from] base64::DecodeError),
    /// No text, or one that is too long.
    #[error("the observation is not a text: {0}")]
    Text(#[from] ReadError),
    /// No JSON object.
    #[error("the observation is not a JSON object (line {line}, column {column})")]
    Json {
        /// Line of the fault, from 1.
        line: usize,
        /// Column of the fault, from 1.
        column: usize,
    },
}

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Reads an observation from its base64 form.
///
/// # Errors
/// When it is not base64, or what it holds is not a JSON object. A field that is not as expected is
/// not an error.
pub fn parse_observation(base64: &str) -> Result<Observation, ObservationError> {
    let bytes = BASE64.decode(base64)?;
    let text = text_of(&bytes)?;
    let mut map: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| ObservationError::Json {
            line: error.line(),
            column: error.column(),
        })?;
    let mut reader = Reader(&mut map);
    Ok(Observation {
        seat: reader.take::<u8>("player_id").and_then(Seat::new),
        hands: reader
            .take("hands")
            .and_then(|rows: Vec<Vec<u64>>| rows.iter().map(|row| tiles(row)).collect()),
        melds: reader.take("melds").and_then(|rows: Vec<Vec<RawMeld>>| {
            rows.into_iter()
                .map(|row| row.into_iter().map(RawMeld::read).collect())
                .collect()
        }),
        discards: reader
            .take("discards")
            .and_then(|rows: Vec<Vec<u64>>| rows.iter().map(|row| tiles(row)).collect()),
        dora_indicators: reader
            .take("dora_indicators")
            .and_then(|ids: Vec<u64>| tiles(&ids)),
        scores: reader
            .take("scores")
            .and_then(|scores: Vec<i32>| PerSeat::from_slice(&scores)),
        riichi_declared: reader.take("riichi_declared"),
        riichi_tiles: reader
            .take("riichi_sutehais")
            .and_then(|ids: Vec<Option<u64>>| {
                ids.into_iter()
                    .map(|id| id.map_or(Some(None), |id| tile(id).map(Some)))
                    .collect()
            }),
        legal_actions: reader.take("_legal_actions").map(|entries: Vec<Value>| {
            entries
                .into_iter()
                .filter_map(|entry| serde_json::from_value(entry).ok().and_then(RawAction::read))
                .collect()
        }),
        events: reader.take("events"),
        honba: reader.take("honba"),
        riichi_sticks: reader.take("riichi_sticks"),
        round_wind: reader.take("round_wind"),
        oya: reader.take::<u8>("oya").and_then(Seat::new),
        kyoku_index: reader.take("kyoku_index"),
        waits: reader.take("waits"),
        is_tenpai: reader.take("is_tenpai"),
        tsumogiri_flags: reader.take("tsumogiri_flags"),
        drawn_tile: reader.take("drawn_tile").and_then(tile),
        forced_tedashi: reader.take("forced_tedashi"),
    })
}

struct Reader<'r>(&'r mut Map<String, Value>);

impl Reader<'_> {
    /// The value of a key, if it has the expected form.
    fn take<T: for<'de> Deserialize<'de>>(&mut self, key: &str) -> Option<T> {
        serde_json::from_value(self.0.remove(key)?).ok()
    }
}

/// The tile with one of the engine's 136 numbers: four of each kind in order, and the first of each
/// five is red.
pub fn tile(id: u64) -> Option<Tile> {
    const RED_FIVES: [u64; 3] = [16, 52, 88];
    match RED_FIVES.iter().position(|&red| red == id) {
        Some(suit) => Tile::red_five(suit as u8),
        None if id < 136 => Tile::new((id / 4) as u8),
        None => None,
    }
}

fn tiles(ids: &[u64]) -> Option<Vec<Tile>> {
    ids.iter().map(|&id| tile(id)).collect()
}

#[derive(Deserialize)]
struct RawMeld {
    meld_type: String,
    tiles: Vec<u64>,
    #[serde(default)]
    from_who: Option<i64>,
    #[serde(default)]
    called_tile: Option<u64>,
}

impl RawMeld {
    fn read(self) -> Option<ObservedMeld> {
        let kind = match self.meld_type.as_str() {
            "Chi" => MeldKind::Chi,
            "Pon" => MeldKind::Pon,
            "Daiminkan" => MeldKind::Daiminkan,
            "Ankan" => MeldKind::Ankan,
            "Kakan" => MeldKind::Kakan,
            _ => return None,
        };
        Some(ObservedMeld {
            kind,
            tiles: tiles(&self.tiles)?,
            from: self
                .from_who
                .and_then(|seat| Seat::new(u8::try_from(seat).ok()?)),
            called: self.called_tile.and_then(tile),
        })
    }
}

#[derive(Deserialize)]
struct RawAction {
    action_type: String,
    #[serde(default)]
    tile: Option<u64>,
    #[serde(default)]
    consume_tiles: Vec<u64>,
}

impl RawAction {
    fn read(self) -> Option<ObservedAction> {
        let kind = match self.action_type.as_str() {
            "Discard" => ActionKind::Dahai,
            "Chi" => ActionKind::Chi,
            "Pon" => ActionKind::Pon,
            "Daiminkan" => ActionKind::Daiminkan,
            "Ankan" => ActionKind::Ankan,
            "Kakan" => ActionKind::Kakan,
            "Kita" => ActionKind::Kita,
            "Riichi" => ActionKind::Reach,
            "Ron" | "Tsumo" => ActionKind::Hora,
            "KyushuKyuhai" => ActionKind::Ryukyoku,
            "Pass" => ActionKind::None,
            _ => return None,
        };
        Some(ObservedAction {
            kind,
            tile: self.tile.and_then(tile),
            consumed: tiles(&self.consume_tiles)?,
        })
    }
}
