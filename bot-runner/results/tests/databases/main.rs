//! Results in real databases: files of SQLite's, and a PostgreSQL server that the tests start.

mod common;
mod hostile;
mod keeping;
mod server;
mod stores;
