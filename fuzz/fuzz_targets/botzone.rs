//! Data from Botzone and its judge: anything.
#![no_main]

#[path = "../checks/botzone.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::botzone(bytes));
