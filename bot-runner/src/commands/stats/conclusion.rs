//! The conclusion from the rows, in one sentence.

use lab_stats::Spread;

use super::super::table::{number_of, points};
use super::compare::{RowComparison, ShownDifference};
use super::group::{MIN_GAMES_OF_INTERVAL, StatsGroup};
use crate::cli::StatsBy;

/// The sentence; `None` without rows.
pub(super) fn conclusion(by: StatsBy, rows: &[StatsGroup], compared: &[RowComparison]) -> Option<String> {
    // For each policy and sort of table only the last version counts.
    let is_last =
        |&(index, pair): &(usize, &RowComparison)| compared[index + 1..].iter().all(|later| later.other != pair.one);
    let verdicts: Vec<String> =
        compared.iter().enumerate().filter(is_last).map(|(_, pair)| of_versions(pair)).collect();
    let said = if verdicts.is_empty() { of_rows(by, rows)? } else { verdicts.join("; ") };
    Some(format!("Conclusion: {said}."))
}

fn of_versions(pair: &RowComparison) -> String {
    let RowComparison { one, other, games, difference, needed, .. } = pair;
    let fewest = games.0.min(games.1);
    match pair.shown() {
        ShownDifference::Better => format!("{one} is better than {other}; keep it"),
        ShownDifference::Worse => format!("{one} is worse than {other}; go back to {other}"),
        ShownDifference::Nothing => {
            let until = match needed.filter(|&needed| needed > fewest) {
                _ if difference.estimate.spread.is_none() && fewest < MIN_GAMES_OF_INTERVAL => {
                    format!("play until each has {MIN_GAMES_OF_INTERVAL} games or more")
                }
                Some(needed) => {
                    format!("play until each has about {} games", points(needed.min(i32::MAX as u64) as i32))
                }
                None => "the difference is small, take either".to_owned(),
            };
            format!("it is not clear whether {one} is better than {other}; {until}")
        }
    }
}

/// For rows that are not versions of each other: which has the best average, or for a single row, whether it is better than the
/// others at its tables.
fn of_rows(by: StatsBy, rows: &[StatsGroup]) -> Option<String> {
    let table = &rows.first()?.table;
    let mut rows: Vec<&StatsGroup> = rows.iter().filter(|row| row.table == *table).collect();
    rows.sort_by(|one, other| one.cost().total_cmp(&other.cost()));
    let interval = |row: &StatsGroup| row.measured()?.spread;
    // More points are better.
    let sign = if table.is_about_places() { 1.0 } else { -1.0 };
    let ends = |spread: Spread| if sign > 0.0 { (spread.low, spread.high) } else { (-spread.high, -spread.low) };
    let label = &rows[0].label;
    let who = if by == StatsBy::Opponent { format!("against {label} your bot") } else { label.clone() };
    Some(match rows[..] {
        [row] => {
            let middle = if table.is_about_places() { f64::midpoint(1.0, table.players().into()) } else { 0.0 };
            match interval(row).map(ends) {
                None if row.games() >= MIN_GAMES_OF_INTERVAL => {
                    format!("all {} of {who} ended alike", number_of(row.games(), "game"))
                }
                None => format!("{} cannot show how well {who} does", number_of(row.games(), "game")),
                Some((_, high)) if high < middle => format!("{who} does better than the average of its tables"),
                Some((low, _)) if low > middle => format!("{who} does worse than the average of its tables"),
                Some(_) => format!("{who} does about as well as the average of its tables"),
            }
        }
        // Rows that are not versions of each other have met other opponents.
        [_, _, ..] if matches!(by, StatsBy::Version | StatsBy::Bot) => {
            format!("{who} has the best average; a tournament compares bots at the same tables")
        }
        [_, _, ..] => format!("{who} has the best average"),
        [] => return None,
    })
}
