//! What users see: games as pages, the page of a running process, and the table in a terminal.
//!
//! The crate depends on the client, whose bots it shows; the commands depend on it. Positions come
//! from the games; it does not depend on any arena.
#![forbid(unsafe_code)]

pub mod columns;
pub mod output;
pub mod page;
pub mod person;
pub mod screen;
pub mod web;
