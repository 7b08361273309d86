//! Logs of Mahjong Soul as JSON.
#![no_main]

use game_logs::LogForm;
use libfuzzer_sys::Corpus;

#[path = "../checks/logs.rs"]
#[allow(dead_code, reason = "one of its checks for each target")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> Corpus {
    match checks::log_of(&[LogForm::MahjongSoul], bytes) {
        true => Corpus::Keep,
        false => Corpus::Reject,
    }
});
