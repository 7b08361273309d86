//! Logs in the JSON of Majiang.
#![no_main]

#[path = "../checks/log_target.rs"]
mod target;
use target::{Corpus, LogForm, log_of};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> Corpus { log_of(&[LogForm::Majiang], bytes) });
