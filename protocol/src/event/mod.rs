//! mjai's spelling of events.

mod read;
mod reason;
mod write;

pub use read::{EventError, Parsed, parse_event};
pub(crate) use read::{EventFields, EventKey};
pub use reason::draw_reason_name;
pub use write::{EventObject, event_json};
