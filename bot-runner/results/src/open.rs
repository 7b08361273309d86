//! The database of an address.

use secrecy::SecretString;

use crate::address::DatabaseAddress;
use crate::error::ResultsError;
use crate::postgres::PostgresStore;
use crate::sqlite::SqliteStore;
use crate::store::Store;

/// Opens a database for writing, and updates it to the newest schema.
///
/// # Errors
///
/// If it cannot be reached, or belongs to a newer runner.
pub fn open(
    address: &DatabaseAddress,
    password: Option<&SecretString>,
) -> Result<Box<dyn Store>, ResultsError> {
    Ok(match address {
        DatabaseAddress::Sqlite(path) => Box::new(SqliteStore::open(path)?),
        DatabaseAddress::Postgres(url) => Box::new(PostgresStore::open(url, password, false)?),
    })
}

/// Opens an existing database for reading.
///
/// # Errors
///
/// If it cannot be reached, contains no results, or belongs to a newer runner.
pub fn open_to_read(
    address: &DatabaseAddress,
    password: Option<&SecretString>,
) -> Result<Box<dyn Store>, ResultsError> {
    Ok(match address {
        DatabaseAddress::Sqlite(path) => Box::new(SqliteStore::open_to_read(path)?),
        DatabaseAddress::Postgres(url) => Box::new(PostgresStore::open(url, password, true)?),
    })
}
