//! The operations of a results database.

use foreign_text::shown;

use crate::error::ResultsError;
use crate::kept::{ResultKind, ResultRow, SeatLuck};
use crate::ladder::LadderRow;

/// A row of the database: a result, or why it is none.
pub type ReadRow = Result<ResultRow, BadRow>;

/// A row about a game on a ladder, or why it is none.
pub type ReadLadderRow = Result<LadderRow, BadRow>;

/// A row that no runner can have written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the row {key:?}: {why}", key = shown(key))]
pub struct BadRow {
    /// Its key, if it is a text.
    pub(crate) key: String,
    pub(crate) why: String,
}

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
    /// Writes all of the results or none; existing ones remain unchanged. Returns the number of new
    /// ones.
    ///
    /// # Errors
    ///
    /// If they could not be written, or it is unknown whether they were.
    fn write(&mut self, results: &[ResultRow]) -> Result<u64, ResultsError>;

    /// Writes what luck has added to the results with these keys, all of it or none; it takes the
    /// place of luck of another version. Keys without a result are left out. Returns the number of
    /// results that it changed.
    ///
    /// # Errors
    ///
    /// If it could not be written, or it is unknown whether it was.
    fn write_luck(&mut self, luck: &[(String, SeatLuck)]) -> Result<u64, ResultsError>;

    /// Reads results one by one, oldest first; a row that no runner can have written is given as
    /// its description.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn read(
        &mut self,
        filter: &ResultsFilter,
        each: &mut dyn FnMut(ReadRow),
    ) -> Result<(), ResultsError>;

    /// Writes what a ladder publishes about games, all of it or none; a later row of a game takes
    /// the place of an earlier one.
    ///
    /// # Errors
    ///
    /// If it could not be written, or it is unknown whether it was.
    fn write_ladder(&mut self, rows: &[LadderRow]) -> Result<(), ResultsError>;

    /// Reads what ladders publish about these results, one by one, oldest game first.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn read_ladder(
        &mut self,
        filter: &ResultsFilter,
        each: &mut dyn FnMut(ReadLadderRow),
    ) -> Result<(), ResultsError>;
}
