//! Files of logs: archives, gzip, any encoding.
#![no_main]

#[path = "../checks/logs.rs"]
#[allow(dead_code, reason = "one of its checks for each target")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::logs(bytes));
