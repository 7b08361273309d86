//! The process of a policy for this crate's tests, as `bot-runner policy-child` is for the runner.

use std::process::ExitCode;

use policy_host::child::serve;

fn main() -> ExitCode {
    serve(builtin::libraries()).unwrap_or_else(|error| {
        eprintln!("only a test starts this: {error}");
        ExitCode::FAILURE
    })
}
