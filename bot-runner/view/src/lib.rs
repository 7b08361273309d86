//! What users see in a browser: games as pages, and the page of a running process.
//!
//! The crate depends on the client, whose bots it shows; the commands depend on it. Positions come
//! from the games; it does not depend on any arena.
#![forbid(unsafe_code)]

pub mod page;
pub mod person;
pub mod web;
