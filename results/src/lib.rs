//! Results of games, kept in a database: what a result holds, the schema, the spool in which results wait for a database that
//! is away, writing and reading.
//!
//! Whoever plays hands a finished game over to a [`ResultsKeeper`], which never makes it wait: one thread writes it into the
//! spool, a folder with a file for each game, another moves what lies there into the database. Nothing here knows an arena, a
//! config or a bot.
#![forbid(unsafe_code)]

mod address;
mod error;
mod keeper;
mod kept;
mod open;
mod postgres;
mod schema;
mod server_stream;
mod shipper;
mod spool;
mod sqlite;
mod store;
mod tls;

pub use address::{DatabaseAddress, ServerAddress};
pub use error::ResultsError;
pub use keeper::{KeptCounts, ResultsKeeper};
pub use kept::{KeptResult, ResultKind, key_of};
pub use open::{open, open_to_read};
pub use spool::usable_spool;
pub use store::{ResultsFilter, Store};
