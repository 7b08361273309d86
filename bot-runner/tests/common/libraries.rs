//! The built program, and libraries of policies.

#[path = "../../../policies/host/tests/common/libraries.rs"]
mod of_host;

#[allow(unused_imports, reason = "each test program uses a part")]
pub(crate) use of_host::*;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_bot-runner");
