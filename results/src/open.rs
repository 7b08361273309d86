//! The database of an address.

use secrecy::SecretString;

use crate::address::DatabaseAddress;
use crate::error::ResultsError;
use crate::postgres::PostgresStore;
use crate::sqlite::SqliteStore;
use crate::store::Store;

/// Opens a database to write to, and brings it to the newest schema.
///
/// # Errors
///
/// If it cannot be reached, or is of a newer runner.
pub fn open(address: &DatabaseAddress, password: Option<&SecretString>) -> Result<Box<dyn Store>, ResultsError> {
    Ok(match address {
        DatabaseAddress::Sqlite(path) => Box::new(SqliteStore::open(path)?),
        DatabaseAddress::Postgres(url) => Box::new(PostgresStore::open(url, password, false)?),
    })
}

/// Opens a database that is there already, to read from it.
///
/// # Errors
///
/// If it cannot be reached, holds no results, or is of a newer runner.
pub fn open_to_read(
    address: &DatabaseAddress,
    password: Option<&SecretString>,
) -> Result<Box<dyn Store>, ResultsError> {
    Ok(match address {
        DatabaseAddress::Sqlite(path) => Box::new(SqliteStore::open_to_read(path)?),
        DatabaseAddress::Postgres(url) => Box::new(PostgresStore::open(url, password, true)?),
    })
}
