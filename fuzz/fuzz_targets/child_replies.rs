//! Data from a policy's process to the runner: any bytes.
#![no_main]

#[path = "../checks/child_replies.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::child_replies(bytes));
