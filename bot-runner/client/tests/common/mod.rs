//! Helpers of this crate's tests, some of which the tests of `bot-runner` use too.

pub(crate) mod bidding_judge;
pub(crate) mod botzone_site;
pub(crate) mod frames;
pub(crate) mod games;
#[path = "../../../../policies/host/tests/common/logged.rs"]
pub(crate) mod logged;
pub(crate) mod policies;
#[path = "../../../../policies/host/tests/common/questions.rs"]
pub(crate) mod questions;
pub(crate) mod records;
#[path = "../../../../policies/host/tests/common/seats.rs"]
pub(crate) mod seats;
pub(crate) mod server;
