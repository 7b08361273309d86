//! Data from a program that hosts a bot: any lines.
#![no_main]

#[path = "../checks/sessions.rs"]
#[allow(dead_code, reason = "one of its checks for each target")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::stdio_lines(bytes));
