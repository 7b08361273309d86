//! `policy-child`: a policy's own process, started only by the runner.

use std::process::ExitCode;

use super::FAILED;
use policy_host::child::serve;

/// Runs a policy for the runner that started this process.
pub fn policy_child() -> ExitCode {
    serve(builtin::libraries()).unwrap_or_else(|error| {
        eprintln!(
            "bot-runner: a policy's process, which only the runner itself can start: {error}"
        );
        ExitCode::from(FAILED)
    })
}
