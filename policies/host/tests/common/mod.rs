//! Helpers of this crate's tests, which the tests of `client` and `bot-runner` use too.

pub(crate) mod libraries;
pub(crate) mod logged;
pub(crate) mod questions;
pub(crate) mod seats;
