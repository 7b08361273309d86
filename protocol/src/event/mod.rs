//! mjai's spelling of events.

mod read;
mod reason;
mod recorded;
mod write;

pub(crate) use read::EventFields;
pub use read::{EventError, Parsed, parse_event, without_empty_slot};
pub use reason::draw_reason_name;
pub use recorded::{OmittedFields, RecordedLine, parse_recorded};
pub use write::{EventObject, event_json, recorded_json, won_json};
