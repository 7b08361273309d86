//! The arguments of `sprt`.

use clap::Args;

use super::tournament::elo_bounds;

/// Maximum number of results of one sort, far more than anyone has.
const MAX_RESULTS: u64 = 1_000_000_000_000;

/// The arguments of `sprt`.
#[derive(Debug, Args)]
pub struct SprtArgs {
    /// The number of results of each sort, from best to worst: wins, draws and losses, or first,
    /// second, third and fourth places of one player among others
    ///
    /// The best result scores 1, the worst 0, and those between are evenly spaced: a place scores
    /// the share of the others behind it. Two numbers are wins and losses; five are pairs of games.
    /// Results must be independent of each other: of two seats at one table count one.
    #[arg(long, value_name = "N,N,…", required = true, allow_hyphen_values = true, value_parser = counts)]
    pub counts: ResultCounts,
    /// Two Elo differences, the lower one first, for instance 0,10: the test shows which of them is
    /// more likely
    #[arg(long, value_name = "ELO,ELO", required = true, allow_hyphen_values = true, value_parser = elo_bounds)]
    pub elo: [f64; 2],
}

/// The number of results of each sort, from best to worst.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultCounts(pub Vec<u64>);

/// Parses two numbers of results or more, of which one is not 0.
fn counts(text: &str) -> Result<ResultCounts, String> {
    let count = |number: &str| {
        let count = number.trim().parse().ok();
        count.filter(|count| *count <= MAX_RESULTS)
    };
    let counts: Option<Vec<u64>> = text.split(',').map(count).collect();
    counts
        .filter(|counts| counts.len() >= 2 && counts.iter().any(|&count| count > 0))
        .map(ResultCounts)
        .ok_or_else(|| {
            format!(
                "found {text:?}; two whole numbers or more from 0 to {MAX_RESULTS} are needed, not \
                 all 0, from best to worst, for instance 310,260,225,205"
            )
        })
}
