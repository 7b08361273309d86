//! The operations of a results database.

use crate::error::ResultsError;
use crate::kept::{ResultKind, ResultRow};

#[derive(Debug, Clone)]
pub struct ResultsFilter {
    pub kind: ResultKind,
    pub bot: Option<String>,
    pub policy: Option<String>,
    pub arena: Option<String>,
    /// Only of this game, by its name.
    pub game: Option<String>,
    /// Ended at this moment or later, milliseconds since 1970.
    pub since_ms: i64,
}

/// An open database. All calls block, so asynchronous tasks must not make them.
pub trait Store: Send {
    /// Writes all of the results or none; existing ones remain unchanged. Returns the number of new ones.
    ///
    /// # Errors
    ///
    /// If they could not be written, or it is unknown whether they were.
    fn write(&mut self, results: &[ResultRow]) -> Result<u64, ResultsError>;

    /// Reads results one by one, oldest first.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn read(&mut self, filter: &ResultsFilter, each: &mut dyn FnMut(ResultRow)) -> Result<(), ResultsError>;
}
