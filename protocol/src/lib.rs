//! The wire: mjai's spelling of events and actions, the frames of the arenas that speak it, and
//! Botzone's texts.
//!
//! Text in, typed values out, and back. This crate has no I/O and no state. Reading is tolerant in
//! the same way everywhere: keys come in any order, unknown keys and unknown types are ignored, and
//! a known field with an invalid value is an error that names it. No input makes this crate panic,
//! and it reads no text longer than [`MAX_FRAME`].
#![forbid(unsafe_code)]

pub mod action;
pub mod botzone;
pub mod event;
mod field;
pub mod game_record;
mod introduction;
pub mod json;
pub mod lines;
pub mod reply;
pub mod riichilab;

pub use action::{ActionKind, NorthName, PossibleAction};
pub use event::{
    EventError, EventObject, OmittedFields, Parsed, RecordedLine, event_json, parse_event,
    parse_recorded, recorded_json, without_empty_slot, won_json,
};
pub use field::FieldError;
pub use introduction::Introduction;
pub use json::{MAX_FRAME, ReadError, text_of};
