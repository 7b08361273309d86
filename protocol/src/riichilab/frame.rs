//! Reading the server's frames.

use std::borrow::Cow;

use riichi::Event;
use serde::Serialize;
use serde::de::{IgnoredAny, MapAccess};
use serde_json::value::RawValue;

use crate::action::{ActionEntry, PossibleAction, PossibleActions};
use crate::event::{EventError, EventFields};
use crate::field::{Field, FieldError, FromJson, Into};
use crate::json::{Object, ReadError, read_entries, read_object};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerFrame<'a> {
    /// Something happened at the table.
    Event(Event),
    Request(RequestAction<'a>),
    /// The outcome of a request of ours.
    Ack(ActionAck<'a>),
    ValidationResult {
        /// Whether the bot passed.
        passed: bool,
        /// Why it did not, if the server says so.
        reason: Option<Cow<'a, str>>,
    },
    /// The server refuses us and will close. Comes with and without a `type`.
    Error {
        /// The server's own words.
        message: Cow<'a, str>,
    },
    /// A frame of a type that is not known here, to be ignored.
    Unknown {
        /// Its type.
        kind: Cow<'a, str>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestAction<'a> {
    /// The number to echo. Grows within a game, with gaps; starts again in the next.
    pub request_id: u64,
    /// The time we have, as far as the server says.
    pub time: Option<RequestTime>,
    /// The legal actions; `None` when the server gave no list.
    pub possible_actions: Option<Vec<PossibleAction>>,
    /// The engine's observation in base64, not decoded here: see
    /// [`parse_observation`](super::parse_observation).
    pub observation: Option<Cow<'a, str>>,
    /// Malformed parts; the request can be answered nevertheless.
    pub warnings: Vec<FieldError>,
}

/// The time for a request, in milliseconds from its sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct RequestTime {
    /// The rest of the round's bank.
    pub bank_ms: Option<u64>,
    /// When the server acts for us: grace and bank together.
    pub deadline_ms: Option<u64>,
    /// Time that costs nothing.
    pub grace_ms: Option<u64>,
}

/// The outcome of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionAck<'a> {
    pub request_id: Option<u64>,
    pub status: AckStatus,
    /// Milliseconds from sending the request to reading the reply.
    pub elapsed_ms: Option<u64>,
    pub bank_consumed_ms: Option<u64>,
    /// Milliseconds left in the bank.
    pub bank_ms: Option<u64>,
    /// The action that the server took for us.
    pub action: Option<PossibleAction>,
    /// Why a reply was not taken.
    pub reason: Option<Cow<'a, str>>,
    /// The reply that we had sent, as JSON.
    pub attempted: Option<&'a str>,
    pub legal_types: Vec<Cow<'a, str>>,
    /// Malformed parts of the ack itself.
    pub warnings: Vec<FieldError>,
}

/// The outcome of a request. One request may get several acks, for instance `defaulted` and then
/// `stale`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AckStatus {
    /// The reply is played.
    Accepted,
    /// The reply was an action that is not legal here: a chombo.
    Rejected,
    Unparseable,
    /// The reply was late, or for another request; no harm.
    Stale,
    /// The deadline passed and the server played for us; no fine.
    Defaulted,
    Other(String),
}

impl AckStatus {
    /// The name on the wire.
    pub fn name(&self) -> &str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Unparseable => "unparseable",
            Self::Stale => "stale",
            Self::Defaulted => "defaulted",
            Self::Other(name) => name,
        }
    }

    fn from_name(name: &str) -> Self {
        [
            Self::Accepted,
            Self::Rejected,
            Self::Unparseable,
            Self::Stale,
            Self::Defaulted,
        ]
        .into_iter()
        .find(|status| status.name() == name)
        .unwrap_or_else(|| Self::Other(name.to_owned()))
    }
}

/// A text that is not a frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Not a JSON object.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An event that is malformed, or a frame without type and without `error`.
    #[error(transparent)]
    Event(#[from] EventError),
    /// Another known frame without a field it cannot do without.
    #[error("frame `{frame}`: {fault}")]
    Field {
        /// The frame's type.
        frame: &'static str,
        fault: FieldError,
    },
}

/// Reads one frame from the server.
///
/// # Errors
/// When the text is longer than [`MAX_FRAME`](crate::MAX_FRAME) or no JSON object, when it has
/// neither `type` nor `error`, and when a frame of a known type lacks a field it cannot do without.
pub fn parse_frame(text: &str) -> Result<ServerFrame<'_>, FrameError> {
    let mut fields = FrameFields::default();
    read_object(text, &mut fields)?;
    let kind = match std::mem::take(&mut fields.event.kind).required("type") {
        Ok(kind) => kind,
        Err(fault) => {
            return fields
                .error
                .text()
                .map(|message| ServerFrame::Error { message })
                .ok_or(EventError::Type(fault).into());
        }
    };
    let in_frame = |frame| move |fault| FrameError::Field { frame, fault };
    match kind.as_bytes() {
        b"request_action" => fields
            .request()
            .map(ServerFrame::Request)
            .map_err(in_frame("request_action")),
        b"action_ack" => fields
            .ack()
            .map(ServerFrame::Ack)
            .map_err(in_frame("action_ack")),
        b"validation_result" => fields
            .validation_result()
            .map_err(in_frame("validation_result")),
        b"error" => Ok(ServerFrame::Error {
            message: fields.error_message(text),
        }),
        _ => match fields.event.event(&kind) {
            Some(event) => Ok(ServerFrame::Event(event?)),
            None => Ok(ServerFrame::Unknown { kind }),
        },
    }
}

/// The fields of all frames together.
#[derive(Debug, Default)]
struct FrameFields<'a> {
    event: EventFields<'a>,
    request_id: Field<'a, u64>,
    time: Field<'a, TimeFields<'a>>,
    possible_actions: Field<'a, PossibleActions>,
    observation: Field<'a, Cow<'a, str>>,
    status: Field<'a, AckStatus>,
    elapsed_ms: Field<'a, u64>,
    bank_consumed_ms: Field<'a, u64>,
    bank_ms: Field<'a, u64>,
    action: Field<'a, ActionEntry<'a>>,
    message: Field<'a, Cow<'a, str>>,
    attempted: Option<&'a RawValue>,
    legal_types: Field<'a, Vec<Cow<'a, str>>>,
    passed: Field<'a, bool>,
    error: ErrorField<'a>,
}

impl<'a> Object<'a> for FrameFields<'a> {
    #[inline]
    fn value<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name.as_bytes() {
            b"request_id" => map.next_value_seed(Into(&mut self.request_id)),
            b"time" => map.next_value_seed(Into(&mut self.time)),
            b"possible_actions" => map.next_value_seed(Into(&mut self.possible_actions)),
            b"observation" => map.next_value_seed(Into(&mut self.observation)),
            b"status" => map.next_value_seed(Into(&mut self.status)),
            b"elapsed_ms" => map.next_value_seed(Into(&mut self.elapsed_ms)),
            b"bank_consumed_ms" => map.next_value_seed(Into(&mut self.bank_consumed_ms)),
            b"bank_ms" => map.next_value_seed(Into(&mut self.bank_ms)),
            b"action" => map.next_value_seed(Into(&mut self.action)),
            b"message" => map.next_value_seed(Into(&mut self.message)),
            b"attempted" => map.next_value().map(|raw| self.attempted = Some(raw)),
            b"legal_types" => map.next_value_seed(Into(&mut self.legal_types)),
            b"passed" | b"success" => map.next_value_seed(Into(&mut self.passed)),
            b"error" => map
                .next_value()
                .map(|raw| self.error = ErrorField(Some(raw))),
            _ => self.event.value(name, map),
        }
    }
}

impl<'a> FrameFields<'a> {
    fn request(self) -> Result<RequestAction<'a>, FieldError> {
        let mut warnings = Vec::new();
        let time = self
            .time
            .tolerated("time", &mut warnings)
            .map(|time| time.read(&mut warnings));
        let possible_actions = self
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
        Ok(RequestAction {
            request_id: self.request_id.required("request_id")?,
            time,
            possible_actions,
            observation: self.observation.tolerated("observation", &mut warnings),
            warnings,
        })
    }

    fn ack(self) -> Result<ActionAck<'a>, FieldError> {
        let mut warnings = Vec::new();
        let action = self
            .action
            .tolerated("action", &mut warnings)
            .and_then(|entry| {
                entry.action().unwrap_or_else(|fault| {
                    warnings.push(FieldError {
                        field: format!("action.{}", fault.field),
                        ..fault
                    });
                    None
                })
            });
        let reason = self.event.reason.tolerated("reason", &mut warnings);
        let message = self.message.tolerated("message", &mut warnings);
        Ok(ActionAck {
            request_id: self.request_id.tolerated("request_id", &mut warnings),
            status: self.status.required("status")?,
            elapsed_ms: self.elapsed_ms.tolerated("elapsed_ms", &mut warnings),
            bank_consumed_ms: self
                .bank_consumed_ms
                .tolerated("bank_consumed_ms", &mut warnings),
            bank_ms: self.bank_ms.tolerated("bank_ms", &mut warnings),
            action,
            reason: reason.or(message),
            attempted: self.attempted.map(RawValue::get),
            legal_types: self
                .legal_types
                .tolerated("legal_types", &mut warnings)
                .unwrap_or_default(),
            warnings,
        })
    }

    fn validation_result(self) -> Result<ServerFrame<'a>, FieldError> {
        let passed = self.passed.required("passed")?;
        // A reason that is not a text must not hide the result.
        let reason = self.event.reason.optional("reason").ok().flatten();
        let message = self.message.optional("message").ok().flatten();
        Ok(ServerFrame::ValidationResult {
            passed,
            reason: reason.or(message),
        })
    }

    /// The words of an error frame; the frame itself if it has none, because an unknown field may
    /// hold a code.
    fn error_message(self, frame: &'a str) -> Cow<'a, str> {
        self.message
            .optional("message")
            .ok()
            .flatten()
            .or_else(|| self.error.text())
            .or_else(|| self.event.reason.optional("reason").ok().flatten())
            .unwrap_or(Cow::Borrowed(frame))
    }
}

/// The value of `error`, which is the whole message of a refusal and so must not be lost, whatever
/// its type.
#[derive(Debug, Default)]
struct ErrorField<'a>(Option<&'a RawValue>);

impl<'a> ErrorField<'a> {
    /// The text, or the JSON of anything else; `None` when absent or `null`.
    fn text(&self) -> Option<Cow<'a, str>> {
        let raw = self.0?.get();
        match serde_json::from_str::<Option<String>>(raw) {
            Ok(text) => text.map(Cow::Owned),
            Err(_) => Some(Cow::Borrowed(raw)),
        }
    }
}

impl FromJson<'_> for AckStatus {
    const ALLOWED: &'static str = "a status: accepted rejected unparseable stale defaulted";

    fn text(text: &str) -> Option<Self> {
        Some(Self::from_name(text))
    }
}

#[derive(Debug, Default)]
struct TimeFields<'a> {
    grace_ms: Field<'a, u64>,
    bank_ms: Field<'a, u64>,
    deadline_ms: Field<'a, u64>,
}

impl<'a> Object<'a> for TimeFields<'a> {
    fn value<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "grace_ms" => map.next_value_seed(Into(&mut self.grace_ms)),
            "bank_ms" => map.next_value_seed(Into(&mut self.bank_ms)),
            "deadline_ms" => map.next_value_seed(Into(&mut self.deadline_ms)),
            _ => map.next_value::<IgnoredAny>().map(|_| ()),
        }
    }
}

impl<'a> FromJson<'a> for TimeFields<'a> {
    const ALLOWED: &'static str = "an object with grace_ms, bank_ms and deadline_ms";

    fn object<A: MapAccess<'a>>(map: A) -> Result<Field<'a, Self>, A::Error> {
        let mut time = Self::default();
        read_entries(&mut time, map)?;
        Ok(Field::Given(time))
    }
}

impl TimeFields<'_> {
    fn read(self, warnings: &mut Vec<FieldError>) -> RequestTime {
        RequestTime {
            grace_ms: self.grace_ms.tolerated("time.grace_ms", warnings),
            bank_ms: self.bank_ms.tolerated("time.bank_ms", warnings),
            deadline_ms: self.deadline_ms.tolerated("time.deadline_ms", warnings),
        }
    }
}
