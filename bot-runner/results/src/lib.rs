//! Results of games in a database: the content of a result, the schema, the spool in which results
//! wait for the database, writing and reading.
//!
//! A bot hands a finished game over to a [`ResultsKeeper`], which never makes it wait: one thread
//! writes it into the spool, a folder with a file for each game, another moves what lies there into
//! the database. If the disk fails, results stay in memory, and both threads try again until one of
//! them has stored them; a [`ResultsReceipt`] reports when. This crate knows no arena, config or
//! bot.
#![forbid(unsafe_code)]

mod address;
mod error;
mod keeper;
mod kept;
mod ladder;
mod open;
mod postgres;
mod receipt;
mod schema;
mod server_stream;
mod shared;
mod shipper;
mod spool;
mod sqlite;
mod store;
mod tls;
mod usable;

pub use address::{BadDatabaseAddress, DatabaseAddress, ServerAddress};
pub use error::ResultsError;
pub use keeper::{KeptCounts, ResultsKeeper};
pub use kept::{GameTrouble, ResultKind, ResultRow, SeatLuck, key_of};
pub use ladder::{LadderOpponent, LadderPart, LadderRow};
pub use open::{open, open_to_read};
pub use receipt::{ReceiptState, ResultsReceipt};
pub use spool::usable_spool;
pub use store::{BadRow, ReadLadderRow, ReadRow, ResultsFilter, Store};
pub use usable::{UnusablePlace, usable_database, usable_folder};
