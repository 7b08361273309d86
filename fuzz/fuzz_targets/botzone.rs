//! What Botzone and its judge may send: anything.
#![no_main]

#[path = "../checks/botzone.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::botzone(bytes));
