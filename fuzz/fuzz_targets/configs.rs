//! Content of a config: any text.
#![no_main]

#[path = "../checks/configs.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::configs(bytes));
