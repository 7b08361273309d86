//! Data from a server of the original mjai protocol: any lines.
#![no_main]

#[path = "../checks/sessions.rs"]
#[allow(dead_code, reason = "one of its checks for each target")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::mjsonp_lines(bytes));
