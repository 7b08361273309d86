//! Helpers that several test programs need. Each uses a part of it.
#![allow(dead_code, reason = "each test program uses a part")]

#[path = "../../client/tests/common/bidding_judge.rs"]
pub(crate) mod bidding_judge;
#[path = "../../client/tests/common/botzone_site.rs"]
pub(crate) mod botzone_site;
#[path = "../../client/tests/common/frames.rs"]
pub(crate) mod frames;
pub(crate) mod libraries;
#[path = "../../../policies/host/tests/common/logged.rs"]
pub(crate) mod logged;
#[path = "../../client/tests/common/policies.rs"]
pub(crate) mod policies;
#[path = "../../../policies/host/tests/common/questions.rs"]
pub(crate) mod questions;
#[path = "../../client/tests/common/records.rs"]
pub(crate) mod records;
#[path = "../../../policies/host/tests/common/seats.rs"]
pub(crate) mod seats;
#[path = "../../client/tests/common/server.rs"]
pub(crate) mod server;
