//! Results in an SQLite file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, TransactionBehavior, params_from_iter,
};

use crate::error::ResultsError;
use crate::kept::{ResultRow, SeatLuck};
use crate::ladder::LadderRow;
use crate::schema::{
    ColumnValue, INSERT, READ_VERSION, RowReader, SELECT, SELECT_LADDER, UPDATE_LUCK,
    UPSERT_LADDER, VERSION, VERSION_TABLE, ladder_result_of, ladder_row_of, luck_row_of,
    missing_migrations, result_of, row_of,
};
use crate::store::{ReadLadderRow, ReadRow, ResultsFilter, Store};

/// Maximum wait for another process that writes.
const WAIT_FOR_OTHERS: Duration = Duration::from_secs(10);

pub(crate) struct SqliteStore {
    connection: Connection,
}

impl SqliteStore {
    /// Opens or creates a file.
    pub(crate) fn open(path: &Path) -> Result<Self, ResultsError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .map_err(|error| told(path, ResultsError::database(&error)))?;
        }
        let mut store = Self::opened(path, flags)?;
        store.migrate().map_err(|error| told(path, error))?;
        Ok(store)
    }

    /// Opens an existing file.
    pub(crate) fn open_to_read(path: &Path) -> Result<Self, ResultsError> {
        if !path.exists() {
            return Err(ResultsError::Nothing(path.display().to_string()));
        }
        let mut store = Self::opened(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        if store.needs_rollback() {
            // A process that was killed while it wrote has left half a transaction, which only a
            // writer can roll back.
            store = Self::opened(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        }
        match store.version().map_err(|error| told(path, error))? {
            0 => Err(ResultsError::Nothing(path.display().to_string())),
            // The next writer upgrades it.
            found if found < VERSION => {
                drop(store);
                Self::open(path)
            }
            found => missing_migrations(found)
                .map(|_| store)
                .map_err(|error| told(path, error)),
        }
    }

    /// Checks whether an existing file is a database that results can be written to.
    pub(crate) fn check(path: &Path) -> Result<(), ResultsError> {
        let store = Self::opened(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let found = store.version().map_err(|error| told(path, error))?;
        missing_migrations(found)
            .map(drop)
            .map_err(|error| told(path, error))
    }

    fn opened(path: &Path, flags: OpenFlags) -> Result<Self, ResultsError> {
        // SQLite calls it an input/output error.
        if path.is_dir() {
            return Err(told(
                path,
                ResultsError::Database("it is a folder, allowed is a file".to_owned()),
            ));
        }
        // Its path must not be interpreted as a URI.
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let connection = connection.map_err(|error| told(path, ResultsError::database(&error)))?;
        connection
            .busy_timeout(WAIT_FOR_OTHERS)
            .map_err(|error| ResultsError::database(&error))?;
        Ok(Self { connection })
    }

    /// Whether reading fails because a transaction must be rolled back first.
    fn needs_rollback(&self) -> bool {
        let read = self
            .connection
            .query_row("SELECT COUNT(*) FROM sqlite_master", [], |_| Ok(()));
        read.is_err_and(|error| error.sqlite_error_code() == Some(ErrorCode::ReadOnly))
    }

    /// The schema's version; 0 if there is none.
    fn version(&self) -> Result<i64, ResultsError> {
        let named = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'bot_runner_schema'";
        let there: i64 = self
            .connection
            .query_row(named, [], |row| row.get(0))
            .map_err(database)?;
        if there == 0 {
            return Ok(0);
        }
        let version = self
            .connection
            .query_row(READ_VERSION, [], |row| row.get(0))
            .optional();
        Ok(version.map_err(database)?.unwrap_or(0))
    }

    fn migrate(&mut self) -> Result<(), ResultsError> {
        if self.version()? == VERSION {
            return Ok(());
        }
        self.connection
            .execute_batch("BEGIN IMMEDIATE")
            .map_err(database)?;
        let migrated = self.migrate_locked();
        let end = if migrated.is_ok() {
            "COMMIT"
        } else {
            "ROLLBACK"
        };
        let ended = self.connection.execute_batch(end).map_err(database);
        migrated.and(ended)
    }

    fn migrate_locked(&self) -> Result<(), ResultsError> {
        self.connection
            .execute_batch(VERSION_TABLE)
            .map_err(database)?;
        // Another process may have applied it meanwhile.
        for migration in missing_migrations(self.version()?)? {
            self.connection.execute_batch(migration).map_err(database)?;
        }
        let version = format!(
            "DELETE FROM bot_runner_schema; INSERT INTO bot_runner_schema VALUES ({VERSION})"
        );
        self.connection.execute_batch(&version).map_err(database)
    }
}

impl SqliteStore {
    /// Executes a statement with each of these rows in one transaction; returns the number of rows
    /// that it changed.
    fn execute_all<const N: usize>(
        &mut self,
        statement: &str,
        rows: impl Iterator<Item = [ColumnValue; N]>,
    ) -> Result<u64, ResultsError> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(database)?;
        let mut changed = 0;
        {
            let mut statement = transaction.prepare(statement).map_err(database)?;
            for row in rows {
                changed += statement.execute(params_from_iter(row)).map_err(database)? as u64;
            }
        }
        transaction.commit().map_err(database)?;
        Ok(changed)
    }

    fn select(
        &self,
        statement: &str,
        filter: &ResultsFilter,
        each: &mut dyn FnMut(&Row<'_>),
    ) -> Result<(), ResultsError> {
        let ResultsFilter {
            kind,
            bot,
            policy,
            arena,
            game,
            since_ms,
        } = filter;
        let mut select = self.connection.prepare(statement).map_err(database)?;
        let mut rows = select
            .query((kind.word(), bot, policy, arena, since_ms, game))
            .map_err(database)?;
        while let Some(row) = rows.next().map_err(database)? {
            each(row);
        }
        Ok(())
    }
}

impl Store for SqliteStore {
    fn write(&mut self, results: &[ResultRow]) -> Result<u64, ResultsError> {
        self.execute_all(INSERT, results.iter().map(row_of))
    }

    fn write_luck(&mut self, luck: &[(String, SeatLuck)]) -> Result<u64, ResultsError> {
        self.execute_all(UPDATE_LUCK, luck.iter().map(luck_row_of))
    }

    fn read(
        &mut self,
        filter: &ResultsFilter,
        each: &mut dyn FnMut(ReadRow),
    ) -> Result<(), ResultsError> {
        self.select(SELECT, filter, &mut |row| each(result_of(row)))
    }

    fn write_ladder(&mut self, rows: &[LadderRow]) -> Result<(), ResultsError> {
        self.execute_all(UPSERT_LADDER, rows.iter().map(ladder_row_of))
            .map(drop)
    }

    fn read_ladder(
        &mut self,
        filter: &ResultsFilter,
        each: &mut dyn FnMut(ReadLadderRow),
    ) -> Result<(), ResultsError> {
        self.select(SELECT_LADDER, filter, &mut |row| {
            each(ladder_result_of(row))
        })
    }
}

fn database(error: rusqlite::Error) -> ResultsError {
    ResultsError::database(&error)
}

/// An error with its file.
fn told(path: &Path, error: ResultsError) -> ResultsError {
    error.at(&path.display().to_string())
}

impl ToSql for ColumnValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Text(text) => text.to_sql(),
            Self::OptionalText(text) => text.to_sql(),
            Self::Number(number) => number.to_sql(),
            Self::OptionalNumber(number) => number.to_sql(),
            Self::OptionalReal(number) => number.to_sql(),
        }
    }
}

impl RowReader for Row<'_> {
    fn text(&self, column: usize) -> Option<String> {
        match self.get_ref(column) {
            Ok(ValueRef::Text(text)) => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        }
    }

    fn number(&self, column: usize) -> Option<i64> {
        match self.get_ref(column) {
            Ok(ValueRef::Integer(number)) => Some(number),
            _ => None,
        }
    }

    fn real(&self, column: usize) -> Option<f64> {
        match self.get_ref(column) {
            Ok(ValueRef::Real(number)) => Some(number),
            Ok(ValueRef::Integer(number)) => Some(number as f64),
            _ => None,
        }
    }
}
