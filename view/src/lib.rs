//! The views for users: games as pages, the page of a running process, and the table in a terminal.
//!
//! The crate lies above the client, whose bots it shows, and below the commands. Positions come from the games; it
//! knows no arena.
#![forbid(unsafe_code)]

pub mod page;
pub mod screen;
pub mod web;
