//! Compares two rows: is one better than the other, and how certain is that?

use lab_stats::{Estimate, MeanDifference, Spread};

use super::super::table::{number_of, points, signed};
use super::group::{MIN_GAMES_OF_INTERVAL, StatsGroup, TableKind};

/// A relevant difference in places: about the gain of a season's work on a policy.
const WORTH_FINDING: f64 = 0.1;
/// 1.96 and 0.84: to find a difference by a 95 % interval in four of five cases.
const POWER: f64 = (1.96 + 0.84) * (1.96 + 0.84);

#[derive(Debug)]
pub(super) struct RowComparison {
    /// The label of the later row, or of the one with more games.
    pub(super) one: String,
    /// The label of the other row.
    pub(super) other: String,
    /// Where both were played.
    pub(super) table: TableKind,
    pub(super) games: (u64, u64),
    /// The average advantage of the first in places, or in points a game.
    pub(super) difference: MeanDifference,
    /// Number of games of each that would show a difference of [`WORTH_FINDING`] places, or for points one as large as
    /// the measured one; `None` if it cannot be computed.
    pub(super) needed: Option<u64>,
}

/// Compares each version with the previous one of the same policy at the same sort of table; rows that are not versions
/// have no comparisons.
pub(super) fn comparisons(rows: &[StatsGroup]) -> Vec<RowComparison> {
    rows.iter()
        .enumerate()
        .filter_map(|(index, one)| {
            let is_earlier = |row: &&StatsGroup| row.policy == one.policy && row.table == one.table;
            let other = one.policy.as_ref().and_then(|_| rows[..index].iter().rev().find(is_earlier))?;
            let is_of_places = one.table.is_about_places();
            let difference = if is_of_places {
                // A better place is a smaller one.
                other.luck.difference(&one.luck)?
            } else {
                one.scores.difference(&other.scores)?
            };
            let estimate = difference.estimate;
            let is_enough = one.games().min(other.games()) >= MIN_GAMES_OF_INTERVAL;
            // The maximum difference: one less than the number of places, and unlimited for points.
            let most = if is_of_places { f64::from(one.table.players()) - 1.0 } else { f64::INFINITY };
            let is_known = |spread: &Spread| is_enough && spread.standard_error > 0.0;
            let estimate = Estimate { spread: estimate.spread.filter(is_known), ..estimate }.within(-most, most);
            let chance = difference.chance.filter(|_| estimate.spread.is_some());
            let difference = MeanDifference { estimate, chance };
            Some(RowComparison {
                one: one.label.clone(),
                other: other.label.clone(),
                table: one.table.clone(),
                games: (one.games(), other.games()),
                difference,
                needed: needed(&estimate, is_of_places, (one.games(), other.games())),
            })
        })
        .collect()
}

/// The table of a comparison, to begin a sentence with; empty if all are of the same.
pub(super) fn table_of(pair: &RowComparison, compared: &[RowComparison]) -> String {
    let several = compared.iter().any(|other| other.table != pair.table);
    if several { format!("{}: ", pair.table) } else { String::new() }
}

/// The number of games of each, from a difference measured over so many of each.
fn needed(Estimate { mean, spread }: &Estimate, is_of_places: bool, games: (u64, u64)) -> Option<u64> {
    /// A number that no one plays says no more than that the difference is small.
    const MAX_GAMES: f64 = 1e8;
    let Spread { standard_error, low, high } = (*spread)?;
    let factor = if is_of_places {
        POWER * (standard_error / WORTH_FINDING).powi(2)
    } else {
        ((high - low) / 2.0 / mean).powi(2)
    };
    // The harmonic mean: so many games of each would give the same error.
    let (one, other) = (games.0 as f64, games.1 as f64);
    let games = factor * 2.0 * one * other / (one + other);
    (1.0..MAX_GAMES).contains(&games).then_some(games.ceil() as u64)
}

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownDifference {
    Better,
    Worse,
    Nothing,
}

impl RowComparison {
    /// The result according to the interval.
    pub(super) fn shown(&self) -> ShownDifference {
        match self.difference.estimate.spread {
            Some(spread) if spread.low > 0.0 => ShownDifference::Better,
            Some(spread) if spread.high < 0.0 => ShownDifference::Worse,
            _ => ShownDifference::Nothing,
        }
    }

    pub(super) fn sentence(&self) -> String {
        let Self { one, other, table, games, difference, needed } = self;
        let is_of_places = table.is_about_places();
        let (does, unit, decimals) =
            if is_of_places { ("places", "places on average", 3) } else { ("scores", "points a game", 2) };
        let mean = difference.estimate.mean;
        let Some(spread) = difference.estimate.spread else {
            let games = format!("{} and {}", games.0, number_of(games.1, "game"));
            return format!("{games} do not show whether {one} or {other} is better.");
        };
        let count = |games: u64| points(i32::try_from(games).unwrap_or(i32::MAX));
        let of_games = format!("over {} and {} games", count(games.0), count(games.1));
        let chance = difference.chance.map_or_else(String::new, |chance| {
            let percent = match chance {
                rare if rare < 0.0001 => "less than 0.01".to_owned(),
                common if common > 0.99 => "more than 99".to_owned(),
                chance => format!("{:.2}", chance * 100.0),
            };
            format!(
                " If both were equally good, luck alone would give as large a difference in {percent} % of such cases."
            )
        });
        let (low, high) = (spread.low, spread.high);
        match self.shown() {
            ShownDifference::Better => format!(
                "{one} {does} better than {other}: by {mean:.decimals$} {unit} (95 % interval {low:.decimals$} to \
                 {high:.decimals$}) {of_games}.{chance}"
            ),
            ShownDifference::Worse => format!(
                "{one} {does} worse than {other}: by {:.decimals$} {unit} (95 % interval {:.decimals$} to {:.decimals$}) \
                 {of_games}.{chance}",
                -mean, -high, -low
            ),
            ShownDifference::Nothing => {
                let more = needed.filter(|&needed| is_of_places && needed > games.0.min(games.1)).map_or_else(
                    String::new,
                    |needed| {
                        format!(
                            " A difference of {WORTH_FINDING} places takes about {} games of each to show.",
                            count(needed)
                        )
                    },
                );
                format!(
                    "It is not shown which of {one} and {other} is better: {one} {does} {} better (95 % interval {} to \
                     {}) {of_games}.{chance}{more}",
                    signed(mean, decimals),
                    signed(low, decimals),
                    signed(high, decimals)
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_needed_are_those_of_each_when_one_has_played_more() {
        // Places with a variance of 1.25: their difference over 4,000 and 1,000 games, and over 1,600 of each.
        let variance = |one: f64, other: f64| 1.25 / one + 1.25 / other;
        let of = |variance: f64, games| {
            let spread = Spread { standard_error: variance.sqrt(), low: -1.0, high: 1.0 };
            needed(&Estimate { mean: 0.0, spread: Some(spread) }, true, games)
        };
        assert!((variance(4_000.0, 1_000.0) - variance(1_600.0, 1_600.0)).abs() < 1e-12);
        assert_eq!(of(variance(4_000.0, 1_000.0), (4_000, 1_000)), of(variance(1_600.0, 1_600.0), (1_600, 1_600)));
    }
}
