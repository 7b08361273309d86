//! Logs in the text form of the Chinese Standard competitions.
#![no_main]

#[path = "../checks/log_target.rs"]
mod target;
use target::{Corpus, LogForm, log_of};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> Corpus {
    log_of(&[LogForm::ChineseStandard], bytes)
});
