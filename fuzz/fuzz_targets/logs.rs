//! Logs of other programs: anything.
#![no_main]

#[path = "../checks/logs.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::logs(bytes));
