//! Texts in the terminal: lines for users, tables in its columns, and a table that is redrawn while
//! games are played.
#![forbid(unsafe_code)]

pub mod columns;
pub mod numbers;
pub mod output;
pub mod screen;
pub mod table;
