//! Logs in the text form of the Chinese Standard competitions.
#![no_main]

use game_logs::LogForm;
use libfuzzer_sys::Corpus;

#[path = "../checks/logs.rs"]
#[allow(dead_code, reason = "one of its checks for each target")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> Corpus {
    match checks::log_of(&[LogForm::ChineseStandard], bytes) {
        true => Corpus::Keep,
        false => Corpus::Reject,
    }
});
