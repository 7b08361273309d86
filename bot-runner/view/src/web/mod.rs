//! The page of a running process: its bots or its tournament, for browsers and programs.
//!
//! It is served by its own thread, at a lower priority than the bots: it reads the state that they
//! publish and never makes them wait. A part without viewers is not drawn. Pages get whole states:
//! one that is slow skips those between, and nothing is kept for it.

mod access;
mod app;
mod document;
mod feed;
mod log;
mod login;
mod metrics;
mod rounds;
mod routes;
mod seat;
mod serve;
mod subject;
mod texts;

pub use self::access::MIN_TOKEN_LENGTH;
pub use self::document::serve_document;
pub use self::log::{RecentLog, RecentLogLayer, recent_log};
pub use self::routes::for_readers;
pub use self::serve::{PageServer, SeatDoor, open_at, other_address};
pub use self::subject::{PageSubject, TournamentPage};
