//! Writing the server's frames: what an arena that speaks this protocol sends besides events.
//!
//! Keys are in alphabetical order, as on the real server.

use serde::Serialize;
use serde_json::value::RawValue;

use super::frame::{AckStatus, RequestTime};
use crate::action::PossibleAction;

/// A `request_action` to be written.
#[derive(Debug, Clone, Serialize)]
pub struct RequestOut<'a> {
    /// The engine's observation in base64.
    pub observation: &'a str,
    pub possible_actions: &'a [PossibleAction],
    /// The number to be echoed.
    pub request_id: u64,
    pub time: RequestTime,
}

/// An `action_ack` to be written.
#[derive(Debug, Clone, Serialize)]
pub struct AckOut<'a> {
    /// The action taken instead of a reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<&'a PossibleAction>,
    /// The reply that was not taken, a JSON text; left out when it is none.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_json")]
    pub attempted: Option<&'a str>,
    pub bank_consumed_ms: u64,
    /// Milliseconds left in the bank.
    pub bank_ms: u64,
    /// Milliseconds from sending the request to reading the reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub legal_types: &'a [&'static str],
    /// Why the reply was not taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// The request; an unknown number is echoed.
    pub request_id: i64,
    #[serde(serialize_with = "as_name")]
    pub status: AckStatus,
}

/// The frame that asks a seat to act.
pub fn request_json(request: &RequestOut<'_>) -> String {
    typed(request, "request_action")
}

/// The frame with the outcome of a request.
pub fn ack_json(ack: &AckOut<'_>) -> String {
    typed(ack, "action_ack")
}

/// The frame that ends a validation; `reason` says why it was not passed.
pub fn validation_result_json(passed: bool, reason: Option<&str>) -> String {
    #[derive(Serialize)]
    struct ResultFields<'a> {
        passed: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
    }
    typed(&ResultFields { passed, reason }, "validation_result")
}

/// The frame, without a type, that refuses a connection.
pub fn error_json(message: &str) -> String {
    #[derive(Serialize)]
    struct ErrorFields<'a> {
        error: &'a str,
    }
    written(&ErrorFields { error: message })
}

#[derive(Serialize)]
struct Typed<'r, T> {
    #[serde(flatten)]
    fields: &'r T,
    #[serde(rename = "type")]
    kind: &'static str,
}

fn typed<T: Serialize>(fields: &T, kind: &'static str) -> String {
    written(&Typed { fields, kind })
}

fn written<T: Serialize>(frame: &T) -> String {
    serde_json::to_string(frame).expect("texts, numbers and lists of them always have a JSON form")
}

fn as_name<S: serde::Serializer>(status: &AckStatus, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(status.name())
}

fn as_json<S: serde::Serializer>(text: &Option<&str>, serializer: S) -> Result<S::Ok, S::Error> {
    text.and_then(|text| serde_json::from_str::<&RawValue>(text).ok())
        .serialize(serializer)
}
