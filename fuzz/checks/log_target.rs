//! A target for the logs of some forms.

pub(crate) use game_logs::LogForm;
pub(crate) use libfuzzer_sys::Corpus;

#[path = "logs.rs"]
#[allow(dead_code, reason = "the check of files has its own target")]
mod logs;

/// Checks a log. The corpus keeps only texts that seem to be of these forms.
pub(crate) fn log_of(forms: &[LogForm], bytes: &[u8]) -> Corpus {
    match logs::log_of(forms, bytes) {
        true => Corpus::Keep,
        false => Corpus::Reject,
    }
}
