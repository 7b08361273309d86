//! Figures of bots and games in tables of text.

use builtin::ValueUnit;
use client::board::BotRating;
use policy_host::GameKind;
pub(super) use say::numbers::{decimal, number_of, points, signed, thousands};
pub(super) use say::table::TextTable;

/// The heading of [`average_points`].
pub(super) const AVERAGE_POINTS: &str = "avg points";

/// An average place; a dash without one.
pub(super) fn average_place(average: Option<f64>) -> String {
    average.map_or_else(|| "-".to_owned(), |place| format!("{place:.2}"))
}

/// Average points of a game; a dash without them.
pub(super) fn average_points(average: Option<f64>) -> String {
    average.map_or_else(|| "-".to_owned(), |points| signed(points, 2))
}

/// The heading of [`rating`].
pub(super) const RATING: &str = "rating";

/// A rating with its last change; a dash without one.
pub(super) fn rating(rating: Option<BotRating>) -> String {
    rating.map_or_else(
        || "-".to_owned(),
        |BotRating { now, change }| format!("{now:.1} ({})", signed(change, 1)),
    )
}

/// Number of units of a point in the game of this name; 1 for an unknown game.
pub(super) fn score_units(game: &str) -> i32 {
    GameKind::ALL
        .into_iter()
        .find(|kind| kind.name() == game)
        .map_or(1, GameKind::score_units)
}

/// A score in a game's units, converted to points: a whole number, or with the necessary decimals.
pub(super) fn score(game: &str, units: i32) -> String {
    match score_units(game) {
        1 => points(units),
        // A number without decimals has no point.
        point => (f64::from(units) / f64::from(point)).to_string(),
    }
}

/// A value in the unit of a policy.
pub(super) fn amount(unit: ValueUnit, value: f32) -> String {
    match unit {
        ValueUnit::Chance => format!("{:.1} % of the chance to win", 100.0 * value),
        ValueUnit::Steps => {
            let steps = (value / 1000.0).round() as u64;
            match steps {
                0 => number_of(value.round() as u64, "tile"),
                steps => number_of(steps, "step"),
            }
        }
        ValueUnit::Score => format!("{value:.3} by the policy's own score"),
        ValueUnit::Points => format!("{value:.2} points"),
        ValueUnit::PlacesGained | ValueUnit::PlacesAboveLast => format!("{value:.3} places"),
    }
}

/// The number of rounds, as the end of a sentence; empty for a game of one hand.
pub(super) fn after_rounds(rounds: u32) -> String {
    if rounds > 1 {
        format!(" after {rounds} rounds")
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_reported_in_points_of_their_game() {
        assert_eq!(
            ["riichi", "chinese-standard", "go"].map(|game| score(game, 3200)),
            ["3,200", "3,200", "3,200"]
        );
        assert_eq!(
            [400, -200, 425, -10, 0].map(|units| score("doudizhu", units)),
            ["4", "-2", "4.25", "-0.1", "0"]
        );
    }
}
