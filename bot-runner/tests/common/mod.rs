//! Helpers that several test programs need. Each uses a part of it.
#![allow(dead_code, reason = "each test program uses a part")]

pub(crate) mod bidding_judge;
pub(crate) mod botzone_site;
pub(crate) mod frames;
pub(crate) mod games;
pub(crate) mod libraries;
pub(crate) mod logged;
pub(crate) mod policies;
pub(crate) mod questions;
pub(crate) mod records;
pub(crate) mod server;
