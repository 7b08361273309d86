//! The operations of any database of results.

use crate::error::ResultsError;
use crate::kept::{ResultKind, ResultRow};

/// Which results are wanted.
#[derive(Debug, Clone)]
pub struct ResultsFilter {
    /// The kind.
    pub kind: ResultKind,
    /// Of this bot alone.
    pub bot: Option<String>,
    /// Of this policy alone.
    pub policy: Option<String>,
    /// Of this arena alone.
    pub arena: Option<String>,
    /// Of this game alone, by its name.
    pub game: Option<String>,
    /// Ended at this moment or later, milliseconds since 1970.
    pub since_ms: i64,
}

/// An open database. All calls block, and none may be made where asynchronous tasks run.
pub trait Store: Send {
    /// Writes all of the results or none; existing ones remain unchanged. Returns the number of new ones.
    ///
    /// # Errors
    ///
    /// If they could not be written, or it is unknown whether they were.
    fn write(&mut self, results: &[ResultRow]) -> Result<u64, ResultsError>;

    /// Reads results one by one, the oldest first.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn read(&mut self, filter: &ResultsFilter, each: &mut dyn FnMut(ResultRow)) -> Result<(), ResultsError>;
}
