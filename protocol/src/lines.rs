//! Events as lines, one JSON object each: the protocol of the original mjai server over TCP, and
//! the form in which bots like Mortal are hosted through pipes.
//!
//! Nothing is requested here: an event that leaves a seat something to do is the request.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use riichi::{Action, Event, MAX_PLAYERS, Seat, Tile};
use serde::Serialize;
use serde::de::MapAccess;

use crate::action::{NorthName, PossibleAction, PossibleActions};
use crate::event::{EventError, EventFields};
use crate::field::{Field, FieldError, Into};
use crate::json::{Object, ReadError, read_list, read_object};
use crate::reply::{named, written};

/// The reply that does nothing.
pub const NONE: &str = r#"{"type":"none"}"#;

/// Why a round is drawn that ends by nine terminals, as the original server spells it.
const NINE_TERMINALS: &str = "kyushukyuhai";

/// A line from the server or host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line<'a> {
    /// The original server greets and waits for [`join_json`].
    Hello,
    /// Something happened at the table.
    Event(EventLine),
    /// The original server refuses us, or has aborted the game.
    Error {
        /// Its own words.
        message: Cow<'a, str>,
    },
    /// A line of a type that is not known here.
    Unknown {
        /// Its type.
        kind: Cow<'a, str>,
    },
}

/// An event, with the line's information about answering it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventLine {
    pub event: Event,
    /// The legal actions besides discarding and passing; `None` if the line does not list them.
    pub possible_actions: Option<Vec<PossibleAction>>,
    /// The tiles that must not be discarded now; `None` if the line does not list them.
    pub cannot_dahai: Option<Vec<Tile>>,
    /// Whether an answer is wanted if there is a choice; true unless the line says otherwise.
    pub can_act: bool,
    /// The names of the players, if the start of a game has them.
    pub names: Vec<String>,
    /// The number of players, if the start of a game tells it.
    pub players: Option<u8>,
    /// Number of slots that a deal has hands for; one more than there are players if the last is
    /// empty.
    pub dealt_slots: usize,
    /// The name under which a North was set aside, if it was.
    pub north: Option<NorthName>,
    /// Malformed parts; the event itself is valid.
    pub warnings: Vec<FieldError>,
}

/// Reads one line.
///
/// # Errors
/// When it is longer than [`MAX_FRAME`](crate::MAX_FRAME) or no JSON object, has no `type`, or is
/// an event of a known type with a field that is missing or wrong.
pub fn parse_line(text: &str) -> Result<Line<'_>, EventError> {
    let mut fields = LineFields::default();
    read_object(text, &mut fields)?;
    let kind = std::mem::take(&mut fields.event.kind)
        .required("type")
        .map_err(EventError::Type)?;
    match kind.as_bytes() {
        b"hello" => return Ok(Line::Hello),
        b"error" => {
            let message = fields.message.optional("message").ok().flatten();
            return Ok(Line::Error {
                message: message.unwrap_or(Cow::Borrowed(text)),
            });
        }
        _ => {}
    }
    let dealt_slots = fields.event.dealt_slots();
    let Some(event) = fields.event.event(&kind) else {
        return Ok(Line::Unknown { kind });
    };
    let event = event?;
    let mut warnings = Vec::new();
    let possible_actions = fields
        .possible_actions
        .tolerated("possible_actions", &mut warnings)
        .map(|list| {
            let named = |fault: FieldError| FieldError {
                field: format!("possible_actions{}", fault.field),
                ..fault
            };
            warnings.extend(list.faults.into_iter().map(named));
            list.entries
        });
    let cannot_dahai = fields.cannot_dahai.tolerated("cannot_dahai", &mut warnings);
    let can_act = fields
        .can_act
        .tolerated("can_act", &mut warnings)
        .unwrap_or(true);
    // Nothing depends on them.
    let names = fields
        .names
        .optional("names")
        .ok()
        .flatten()
        .unwrap_or_default();
    let names: Vec<String> = names.into_iter().map(Cow::into_owned).collect();
    let told = fields.num_players.optional("num_players").ok().flatten();
    let players = told.filter(|players| (3..=4).contains(players));
    let north = NorthName::from_name(&kind);
    Ok(Line::Event(EventLine {
        event,
        possible_actions,
        cannot_dahai,
        can_act,
        names,
        players,
        dealt_slots,
        north,
        warnings,
    }))
}

/// The texts of the entries of a line that is a list, as hosts like mjai.app send their events;
/// `None` for any other line.
///
/// # Errors
/// When it is longer than [`MAX_FRAME`](crate::MAX_FRAME), or no JSON.
pub fn parse_batch(text: &str) -> Option<Result<Vec<&str>, ReadError>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    text.starts_with('[').then(|| read_list(text))
}

/// The answer to [`Line::Hello`].
pub fn join_json(name: &str, room: &str) -> String {
    #[derive(Serialize)]
    struct Join<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        name: &'a str,
        room: &'a str,
    }
    serde_json::to_string(&Join {
        kind: "join",
        name,
        room,
    })
    .expect("texts always have a JSON form")
}

/// The reply that sets a North aside, under this name.
pub fn north_json(seat: Seat, north: NorthName) -> String {
    named(&Action::Kita, north.name(), seat)
}

/// The reply that asks for an action of our `seat`: every field that the original server demands,
/// and none that it refuses. A riichi is the bare declaration; its discard answers the `reach`
/// event that follows.
pub fn action_json(action: &Action, seat: Seat) -> String {
    match action {
        Action::None => NONE.to_owned(),
        Action::Ryukyoku => written(action, seat, Some(NINE_TERMINALS), None),
        _ => written(action, seat, None, None),
    }
}

#[derive(Debug, Default)]
struct LineFields<'a> {
    event: EventFields<'a>,
    possible_actions: Field<'a, PossibleActions>,
    cannot_dahai: Field<'a, Vec<Tile>>,
    can_act: Field<'a, bool>,
    names: Field<'a, ArrayVec<Cow<'a, str>, MAX_PLAYERS>>,
    num_players: Field<'a, u8>,
    message: Field<'a, Cow<'a, str>>,
}

impl<'a> Object<'a> for LineFields<'a> {
    fn value<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "possible_actions" => map.next_value_seed(Into(&mut self.possible_actions)),
            "cannot_dahai" => map.next_value_seed(Into(&mut self.cannot_dahai)),
            "can_act" => map.next_value_seed(Into(&mut self.can_act)),
            "num_players" => map.next_value_seed(Into(&mut self.num_players)),
            "names" => map.next_value_seed(Into(&mut self.names)),
            "message" => map.next_value_seed(Into(&mut self.message)),
            _ => self.event.value(name, map),
        }
    }
}
