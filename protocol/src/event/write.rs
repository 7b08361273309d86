//! Writes events as JSON.

use std::borrow::Cow;

use riichi::event::{HAND_SIZE, Hora};
use riichi::referee::RecordedFacts;
use riichi::score::Score;
use riichi::{Event, Seat, Tile};
use serde::{Serialize, Serializer};

use super::reason::draw_reason_name;

const HIDDEN: &str = "?";

/// The fields of all events together, in the alphabetical order in which RiichiLab writes them.
#[derive(Default, Serialize)]
struct WrittenEvent<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bakaze: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    consumed: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deltas: Option<&'a [i32]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dora_marker: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fu: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    han: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    honba: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hora_points: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kyoku: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kyotaku: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    oya: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pai: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<&'a [i32]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tehais: Option<Vec<[&'static str; HAND_SIZE]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tenpais: Option<&'a [bool]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tsumo: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tsumogiri: Option<bool>,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ura_markers: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    yaku: Option<Vec<WrittenYaku<'a>>>,
}

/// A yaku or sort of dora with its han.
#[derive(Serialize)]
struct WrittenYaku<'a> {
    name: &'a str,
    han: i64,
}

/// The event in RiichiLab's form: one JSON object, keys in alphabetical order, hidden tiles as `?`.
pub fn event_json(event: &Event) -> String {
    let fields = fields_of(event);
    serde_json::to_string(&fields)
        .expect("texts, numbers and lists of them always have a JSON form")
}

/// A win in the form of [`event_json`], with its value in more keys: `han`, `fu`, and `yaku`, a
/// list of `name` and `han` that includes the dora.
pub fn won_json(hora: &Hora, score: &Score) -> String {
    let yaku = score
        .parts()
        .map(|(name, han)| WrittenYaku {
            name,
            han: han.into(),
        })
        .collect();
    let event = Event::Hora(*hora);
    let fields = WrittenEvent {
        han: Some(score.han.into()),
        fu: Some(score.fu.into()),
        yaku: Some(yaku),
        ..fields_of(&event)
    };
    serde_json::to_string(&fields)
        .expect("texts, numbers and lists of them always have a JSON form")
}

/// An event in the form of [`event_json`] with what its line says besides, as
/// [`parse_recorded`](super::parse_recorded) reads it: the value of a win, who was tenpai, and an
/// unknown reason for a draw.
pub fn recorded_json(event: &Event, told: &RecordedFacts) -> String {
    let fields = fields_of(event);
    let yaku = told.yaku.as_ref().map(|yaku| {
        let parts = yaku.parts.iter();
        parts
            .map(|(name, han)| WrittenYaku { name, han: *han })
            .collect()
    });
    let fields = WrittenEvent {
        han: told.han.map(|(_, han)| han),
        fu: told.fu,
        hora_points: told.points,
        yaku,
        tenpais: told.tenpai.as_ref().map(|tenpai| tenpai.as_slice()),
        reason: fields.reason.or(told.reason.as_deref().map(Cow::Borrowed)),
        ura_markers: fields.ura_markers.filter(|_| !told.ura_left_out),
        ..fields
    };
    serde_json::to_string(&fields)
        .expect("texts, numbers and lists of them always have a JSON form")
}

/// An event as part of another value, in the form of [`event_json`].
#[derive(Debug, Clone, Copy)]
pub struct EventObject(pub Event);

impl Serialize for EventObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields_of(&self.0).serialize(serializer)
    }
}

fn fields_of(event: &Event) -> WrittenEvent<'_> {
    WrittenEvent {
        kind: event.name(),
        ..particular_fields(event)
    }
}

/// The fields besides the type.
fn particular_fields(event: &Event) -> WrittenEvent<'_> {
    let by = |actor: Seat| WrittenEvent {
        actor: Some(actor.index()),
        ..WrittenEvent::default()
    };
    let call = |actor, target: Option<Seat>, tile: Tile, consumed: &[Tile]| WrittenEvent {
        target: target.map(Seat::index),
        pai: Some(tile.name()),
        consumed: Some(consumed.iter().map(|tile| tile.name()).collect()),
        ..by(actor)
    };
    match event {
        Event::StartGame { seat } => WrittenEvent {
            id: seat.map(Seat::index),
            ..WrittenEvent::default()
        },
        Event::StartKyoku(start) => WrittenEvent {
            bakaze: Some(start.bakaze.kind().tile().name()),
            dora_marker: Some(start.dora_marker.name()),
            honba: Some(start.honba),
            kyoku: Some(start.kyoku),
            kyotaku: Some(start.kyotaku),
            oya: Some(start.oya.index()),
            scores: start.scores.as_ref().map(|scores| scores.as_slice()),
            tehais: Some(
                start
                    .tehais
                    .as_slice()
                    .iter()
                    .map(|hand| hand.map_or([HIDDEN; HAND_SIZE], |tiles| tiles.map(Tile::name)))
                    .collect(),
            ),
            ..WrittenEvent::default()
        },
        Event::Tsumo { actor, tile } => WrittenEvent {
            pai: Some(tile.map_or(HIDDEN, Tile::name)),
            ..by(*actor)
        },
        Event::Dahai {
            actor,
            tile,
            tsumogiri,
        } => WrittenEvent {
            pai: Some(tile.name()),
            tsumogiri: Some(*tsumogiri),
            ..by(*actor)
        },
        Event::Chi {
            actor,
            target,
            tile,
            consumed,
        }
        | Event::Pon {
            actor,
            target,
            tile,
            consumed,
        } => call(*actor, Some(*target), *tile, consumed),
        Event::Daiminkan {
            actor,
            target,
            tile,
            consumed,
        } => call(*actor, Some(*target), *tile, consumed),
        // The arena names the first of the four, although it is not needed.
        Event::Ankan { actor, consumed } => call(*actor, None, consumed[0], consumed),
        Event::Kakan {
            actor,
            tile,
            consumed,
        } => call(*actor, None, *tile, consumed),
        Event::Kita { actor } => WrittenEvent {
            pai: Some("N"),
            ..by(*actor)
        },
        Event::Dora { marker } => WrittenEvent {
            dora_marker: Some(marker.name()),
            ..WrittenEvent::default()
        },
        Event::Reach { actor } => by(*actor),
        Event::ReachAccepted { actor, scores } => WrittenEvent {
            scores: scores.as_ref().map(|scores| scores.as_slice()),
            ..by(*actor)
        },
        Event::Hora(hora) => WrittenEvent {
            target: Some(hora.target.index()),
            deltas: hora.deltas.as_ref().map(|deltas| deltas.as_slice()),
            scores: hora.scores.as_ref().map(|scores| scores.as_slice()),
            tsumo: (hora.actor == hora.target).then_some(true),
            ura_markers: Some(
                hora.ura_markers
                    .to_vec()
                    .into_iter()
                    .map(Tile::name)
                    .collect(),
            ),
            ..by(hora.actor)
        },
        Event::Ryukyoku {
            deltas,
            scores,
            reason,
        } => WrittenEvent {
            reason: reason.map(draw_reason_name),
            deltas: deltas.as_ref().map(|deltas| deltas.as_slice()),
            scores: scores.as_ref().map(|scores| scores.as_slice()),
            ..WrittenEvent::default()
        },
        Event::EndKyoku => WrittenEvent::default(),
        Event::EndGame { scores } => WrittenEvent {
            scores: scores.as_ref().map(|scores| scores.as_slice()),
            ..WrittenEvent::default()
        },
    }
}
