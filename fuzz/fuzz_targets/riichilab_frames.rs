//! Data from an arena of RiichiLab's protocol: any frames.
#![no_main]

#[path = "../checks/sessions.rs"]
#[allow(dead_code, reason = "one of its checks for each target")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::riichilab_frames(bytes));
