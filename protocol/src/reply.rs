//! The answer to a request, as the bot writes it and as an arena reads it.

use std::borrow::Cow;

use riichi::{Action, Seat, Tile};
use serde::Serialize;
use serde::de::{IgnoredAny, MapAccess};

use crate::action::{ActionKind, PossibleAction};
use crate::field::{Field, FieldError, FromJson, Into};
use crate::json::{Object, ReadError, read_object};

/// An action in its written form, with fields that only some dialects want.
#[derive(Debug, Clone, Serialize)]
struct WrittenAction {
    #[serde(rename = "type")]
    kind: &'static str,
    actor: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pai: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    consumed: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tsumogiri: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<u64>,
}

impl WrittenAction {
    fn of(action: &Action, seat: Seat) -> Self {
        let (target, pai) = match *action {
            Action::Chi { target, tile, .. }
            | Action::Pon { target, tile, .. }
            | Action::Daiminkan { target, tile, .. }
            | Action::Hora { target, tile } => (Some(target.index()), Some(tile.name())),
            Action::Dahai { tile, .. } | Action::Kakan { tile, .. } => (None, Some(tile.name())),
            Action::Kita => (None, Some("N")),
            Action::Reach { .. } | Action::Ankan { .. } | Action::Ryukyoku | Action::None => {
                (None, None)
            }
        };
        let tsumogiri = if let Action::Dahai { tsumogiri, .. } = *action {
            Some(tsumogiri)
        } else {
            None
        };
        Self {
            kind: ActionKind::of(action).name(),
            actor: seat.index(),
            target,
            pai,
            consumed: consumed(action).iter().map(|tile| tile.name()).collect(),
            tsumogiri,
            reason: None,
            request_id: None,
        }
    }
}

/// An action as records of decisions have it: spelled like a reply, without the id of a request,
/// and a riichi with the discard that goes with it.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct RecordedAction(WrittenAction);

impl RecordedAction {
    pub fn of(action: &Action, seat: Seat) -> Self {
        let written = WrittenAction::of(action, seat);
        // On the wire this tile is the answer to another request.
        Self(match *action {
            Action::Reach { tile, tsumogiri } => WrittenAction {
                pai: Some(tile.name()),
                tsumogiri: Some(tsumogiri),
                ..written
            },
            _ => written,
        })
    }
}

/// Reads an action as records of decisions have it; `None` for anything else.
pub fn recorded_action(value: &serde_json::Value) -> Option<Action> {
    let tile = |name: &serde_json::Value| name.as_str()?.parse::<Tile>().ok();
    let pai = || tile(&value["pai"]);
    let target = || Seat::new(u8::try_from(value["target"].as_u64()?).ok()?);
    let tsumogiri = value["tsumogiri"].as_bool().unwrap_or(false);
    let own = || {
        value["consumed"]
            .as_array()?
            .iter()
            .map(tile)
            .collect::<Option<Vec<Tile>>>()
    };
    Some(match ActionKind::from_name(value["type"].as_str()?)? {
        ActionKind::Dahai => Action::Dahai {
            tile: pai()?,
            tsumogiri,
        },
        ActionKind::Reach => Action::Reach {
            tile: pai()?,
            tsumogiri,
        },
        ActionKind::Chi => Action::Chi {
            target: target()?,
            tile: pai()?,
            consumed: own()?.try_into().ok()?,
        },
        ActionKind::Pon => Action::Pon {
            target: target()?,
            tile: pai()?,
            consumed: own()?.try_into().ok()?,
        },
        ActionKind::Daiminkan => Action::Daiminkan {
            target: target()?,
            tile: pai()?,
            consumed: own()?.try_into().ok()?,
        },
        ActionKind::Ankan => Action::Ankan {
            consumed: own()?.try_into().ok()?,
        },
        ActionKind::Kakan => Action::Kakan {
            tile: pai()?,
            consumed: own()?.try_into().ok()?,
        },
        ActionKind::Kita => Action::Kita,
        ActionKind::Hora => Action::Hora {
            target: target()?,
            tile: pai()?,
        },
        ActionKind::Ryukyoku => Action::Ryukyoku,
        ActionKind::None => Action::None,
    })
}

/// The reply that asks for an action of our `seat`, to the request with this id.
///
/// It has every field that some dialect wants and none that another refuses (so no `pai` in an
/// `ankan`). An [`Action::Reach`] is written as the bare declaration, which names no tile: its
/// discard answers the request that follows and is a separate [`Action::Dahai`].
pub fn reply_json(action: &Action, seat: Seat, request_id: u64) -> String {
    written(action, seat, None, Some(request_id))
}

/// An action in the form of every dialect, with fields that only some want.
pub(crate) fn written(
    action: &Action,
    seat: Seat,
    reason: Option<&'static str>,
    request_id: Option<u64>,
) -> String {
    let reply = WrittenAction {
        reason,
        request_id,
        ..WrittenAction::of(action, seat)
    };
    serde_json::to_string(&reply).expect("texts, numbers and lists of them always have a JSON form")
}

/// An action in the form of every dialect, under another name of its type.
pub(crate) fn named(action: &Action, kind: &'static str, seat: Seat) -> String {
    let reply = WrittenAction {
        kind,
        ..WrittenAction::of(action, seat)
    };
    serde_json::to_string(&reply).expect("texts, numbers and lists of them always have a JSON form")
}

/// The reply that repeats an entry of the server's own list: for cases without other information.
pub fn entry_reply_json(entry: &PossibleAction, request_id: u64) -> String {
    #[derive(Serialize)]
    struct Taken<'a> {
        #[serde(flatten)]
        entry: &'a PossibleAction,
        request_id: u64,
    }
    serde_json::to_string(&Taken { entry, request_id })
        .expect("texts, numbers and lists of them always have a JSON form")
}

fn consumed(action: &Action) -> &[Tile] {
    match action {
        Action::Chi { consumed, .. } | Action::Pon { consumed, .. } => consumed,
        Action::Daiminkan { consumed, .. } | Action::Kakan { consumed, .. } => consumed,
        Action::Ankan { consumed } => consumed,
        _ => &[],
    }
}

/// A reply as an arena receives it: an action in form, legal or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply<'a> {
    pub kind: ActionKind,
    /// The request it answers; old clients leave it out. Ids that were never issued may be
    /// negative.
    pub request_id: Option<i64>,
    /// The tile's name, which may be invalid.
    pub pai: Option<Cow<'a, str>>,
    /// The names of the tiles used.
    pub consumed: Option<Vec<Cow<'a, str>>>,
    /// Whether the drawn tile is discarded.
    pub tsumogiri: Option<bool>,
}

/// A message that is not an action in form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// Not a JSON object.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A field that is missing or of the wrong sort.
    #[error(transparent)]
    Field(#[from] FieldError),
}

/// Reads a bot's reply. Unknown fields are ignored, `actor` and `target` among them: the connection
/// decides the seat.
///
/// # Errors
/// When the message is not a JSON object, its `type` is not an action, or a field is of the wrong
/// sort.
pub fn parse_reply(text: &str) -> Result<Reply<'_>, ReplyError> {
    let mut fields = ReplyFields::default();
    read_object(text, &mut fields)?;
    Ok(Reply {
        kind: fields.kind.required("type")?,
        request_id: fields.request_id.optional("request_id")?,
        pai: fields.pai.optional("pai")?,
        consumed: fields.consumed.optional("consumed")?,
        tsumogiri: fields.tsumogiri.optional("tsumogiri")?,
    })
}

#[derive(Debug, Default)]
struct ReplyFields<'a> {
    kind: Field<'a, ActionKind>,
    request_id: Field<'a, i64>,
    pai: Field<'a, Cow<'a, str>>,
    consumed: Field<'a, Vec<Cow<'a, str>>>,
    tsumogiri: Field<'a, bool>,
}

impl<'a> Object<'a> for ReplyFields<'a> {
    fn value<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "type" => map.next_value_seed(Into(&mut self.kind)),
            "request_id" => map.next_value_seed(Into(&mut self.request_id)),
            "pai" => map.next_value_seed(Into(&mut self.pai)),
            "consumed" => map.next_value_seed(Into(&mut self.consumed)),
            "tsumogiri" => map.next_value_seed(Into(&mut self.tsumogiri)),
            _ => map.next_value::<IgnoredAny>().map(|_| ()),
        }
    }
}

impl FromJson<'_> for ActionKind {
    const ALLOWED: &'static str =
        "an action: dahai chi pon daiminkan ankan kakan kita reach hora ryukyoku none";

    fn text(text: &str) -> Option<Self> {
        Self::from_name(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_action_reads_back_the_same() {
        let tile = |name: &str| name.parse::<Tile>().expect("a tile");
        let target = Seat::new(2).expect("a seat");
        for action in [
            Action::Dahai {
                tile: tile("5mr"),
                tsumogiri: true,
            },
            Action::Reach {
                tile: tile("9p"),
                tsumogiri: false,
            },
            Action::Chi {
                target,
                tile: tile("3s"),
                consumed: [tile("4s"), tile("5sr")],
            },
            Action::Pon {
                target,
                tile: tile("E"),
                consumed: [tile("E"); 2],
            },
            Action::Daiminkan {
                target,
                tile: tile("E"),
                consumed: [tile("E"); 3],
            },
            Action::Ankan {
                consumed: [tile("C"); 4],
            },
            Action::Kakan {
                tile: tile("5pr"),
                consumed: [tile("5p"); 3],
            },
            Action::Kita,
            Action::Hora {
                target,
                tile: tile("1m"),
            },
            Action::Ryukyoku,
            Action::None,
        ] {
            let written =
                serde_json::to_value(RecordedAction::of(&action, Seat::FIRST)).expect("JSON");
            assert_eq!(recorded_action(&written), Some(action), "{written}");
        }
        for other in [
            "null",
            "{}",
            r#"{"type":"dahai"}"#,
            r#"{"type":"pon","pai":"E","target":7,"consumed":["E","E"]}"#,
        ] {
            assert_eq!(
                recorded_action(&serde_json::from_str(other).expect("JSON")),
                None,
                "{other}"
            );
        }
    }
}
