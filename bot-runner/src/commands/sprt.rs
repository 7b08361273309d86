//! `sprt`: the test between two Elo differences, on results from elsewhere.

use std::process::ExitCode;

use lab::tournament::SprtResult;
use lab_stats::Sprt;
use say::output::say;

use super::success;
use super::table::{decimal, number_of};
use super::tournament::report::sprt_words;
use crate::cli::{ResultCounts, SprtArgs};

/// Tests the results, and says which difference is more likely.
pub fn sprt(
    SprtArgs {
        counts: ResultCounts(counts),
        elo,
    }: &SprtArgs,
) -> ExitCode {
    let mut test = Sprt::new(*elo);
    let worst = (counts.len() - 1) as f64;
    for (place, &count) in counts.iter().enumerate() {
        test.add_many(1.0 - place as f64 / worst, count);
    }
    say(format!(
        "{}, average score {}.{}",
        number_of(counts.iter().sum(), "result"),
        decimal(test.mean_score(), 4),
        sprt_words(&SprtResult::of(*elo, &test))
    ));
    success(true)
}
