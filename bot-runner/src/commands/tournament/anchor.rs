//! `tournament --anchor`: ratings beside those of the built-in policies in docs/policies.md.
//!
//! The list of docs/policies.md has the ratings of built-in policies with the parameters of
//! `configs/`. A config of a tournament that has one of these policies, and sets no parameter
//! otherwise, keeps its rating in the list; the others stand by their results from it.

use anyhow::bail;
use lab::tournament::{
    Arguments, Competitor, MeanEstimate, RatingResult, Ruleset, TournamentLength, TournamentResult,
    rating_degrees,
};
use lab_stats::{Estimate, Spread, spread_of};
use policy_host::GameKind;
use serde_json::{Map, Value};

use super::super::table::TextTable;

/// A policy of the rating list.
struct AnchorPolicy {
    policy: &'static str,
    /// Its config in `configs/`.
    config: &'static str,
    rating: f64,
    interval: [f64; 2],
}

/// The rating list of docs/policies.md, best first.
const ANCHORS: [AnchorPolicy; 5] = [
    rated(
        "learned",
        include_str!("../../../../configs/learned.toml"),
        1590.0,
        [1584.0, 1597.0],
    ),
    rated(
        "defensive-fold",
        include_str!("../../../../configs/defensive-fold.toml"),
        1566.0,
        [1560.0, 1572.0],
    ),
    rated(
        "greedy-tenpai",
        include_str!("../../../../configs/greedy-tenpai.toml"),
        1470.0,
        [1462.0, 1477.0],
    ),
    rated(
        "weighted-shape",
        include_str!("../../../../configs/weighted-shape.toml"),
        1446.0,
        [1438.0, 1454.0],
    ),
    rated(
        "eight-step",
        include_str!("../../../../configs/eight-step.toml"),
        1428.0,
        [1421.0, 1435.0],
    ),
];

const fn rated(
    policy: &'static str,
    config: &'static str,
    rating: f64,
    interval: [f64; 2],
) -> AnchorPolicy {
    AnchorPolicy {
        policy,
        config,
        rating,
        interval,
    }
}

/// The walls of the rating list.
const RATED_WALLS: u64 = 200;

impl AnchorPolicy {
    fn error(&self) -> Option<f64> {
        error_of(self.interval, RATED_WALLS)
    }

    /// The parameters that its config sets.
    fn params(&self) -> Map<String, Value> {
        let config: Value = toml::from_str(self.config).unwrap_or_default();
        let params = config.pointer("/policy/params").and_then(Value::as_object);
        params.cloned().unwrap_or_default()
    }

    /// Whether a config has this policy, and sets no parameter to another value.
    fn is(&self, who: &Competitor) -> bool {
        let own = self.params();
        let same = |(name, value): (&String, &Value)| own.get(name) == Some(value);
        who.policy == self.policy
            && who.sha256.is_none()
            && who.files.is_none()
            && who
                .params
                .as_object()
                .is_none_or(|set| set.iter().all(same))
    }

    fn of(who: &Competitor) -> Option<&'static Self> {
        ANCHORS.iter().find(|anchor| anchor.is(who))
    }
}

/// Refuses a tournament whose results cannot be compared with the rating list.
///
/// # Errors
///
/// If it is played by other rules, or none of its configs is in the list.
pub(super) fn require_anchor(arguments: &Arguments) -> anyhow::Result<()> {
    let is_as_rated = arguments.game == GameKind::Riichi
        && arguments.players == 4
        && arguments.rules.is_none_or(|rules| rules == Ruleset::Tenhou)
        && arguments
            .length
            .is_none_or(|length| length == TournamentLength::Half);
    if !is_as_rated {
        bail!(
            "--anchor: the built-in policies are rated by hanchan of four players with Tenhou's rules; leave it out, or \
             play those"
        );
    }
    if !arguments
        .configs
        .iter()
        .any(|who| AnchorPolicy::of(who).is_some())
    {
        let names: Vec<&str> = ANCHORS.iter().map(|anchor| anchor.policy).collect();
        bail!(
            "--anchor: none of the configs is a rated policy; add the config of one ({}) with the parameters of configs/",
            names.join(", ")
        );
    }
    Ok(())
}

/// The standard error of a rating with this interval, from so many walls.
fn error_of(interval: [f64; 2], walls: u64) -> Option<f64> {
    let spread = Spread::of_interval(interval, rating_degrees(walls))?;
    Some(spread.standard_error).filter(|error| error.is_finite())
}

/// A rating with its standard error, if it has one.
#[derive(Debug, Clone, Copy)]
struct AnchoredRating {
    rating: f64,
    error: Option<f64>,
}

/// The rating of each config that is not in the list, by its results against those that are.
fn anchored(arguments: &Arguments, result: &TournamentResult) -> Vec<(String, AnchoredRating)> {
    // Ratings of this tournament around any average.
    let here = |name: &str| -> Option<AnchoredRating> {
        if let [one, _] = &arguments.configs[..] {
            let pair = result.pairs.first()?;
            let error = error_of(pair.elo.interval?, result.walls);
            return Some(if name == one.name {
                AnchoredRating {
                    rating: pair.elo.difference,
                    error,
                }
            } else {
                AnchoredRating {
                    rating: 0.0,
                    error: Some(0.0),
                }
            });
        }
        let rated = |of: &&RatingResult| of.name == name;
        let RatingResult {
            rating,
            standard_error,
            ..
        } = result.ratings.iter().find(rated)?;
        Some(AnchoredRating {
            rating: *rating,
            error: *standard_error,
        })
    };
    let known: Vec<(&AnchorPolicy, AnchoredRating)> = arguments
        .configs
        .iter()
        .filter_map(|who| Some((AnchorPolicy::of(who)?, here(&who.name)?)))
        .collect();
    let count = known.len() as f64;
    if known.is_empty() {
        return Vec::new();
    }
    let shift = known
        .iter()
        .map(|(anchor, here)| anchor.rating - here.rating)
        .sum::<f64>()
        / count;
    let squares = known.iter().map(|(anchor, here)| {
        let error = here.error?;
        Some(anchor.error()?.powi(2) + error * error)
    });
    let squares: Option<f64> = squares.sum();
    let rated = arguments
        .configs
        .iter()
        .filter(|who| AnchorPolicy::of(who).is_none())
        .filter_map(|who| {
            let AnchoredRating { rating, error } = here(&who.name)?;
            let error = error
                .zip(squares)
                .map(|(error, squares)| (error * error + squares / (count * count)).sqrt());
            let rating = AnchoredRating {
                rating: rating + shift,
                error,
            };
            rating
                .rating
                .is_finite()
                .then(|| (who.name.clone(), rating))
        });
    rated.collect()
}

/// The ratings of the configs among those of the built-in policies.
pub(super) fn anchored_table(arguments: &Arguments, result: &TournamentResult) -> TextTable<4> {
    let mut table = TextTable::new(
        [
            "beside the built-in policies",
            "from",
            "rating",
            "95 % interval",
        ],
        [true, true, false, false],
    );
    let listed = ANCHORS.iter().map(|anchor| {
        let estimate = MeanEstimate {
            mean: anchor.rating,
            standard_error: anchor.error(),
            interval: Some(anchor.interval),
        };
        (anchor.policy.to_owned(), "docs/policies.md", estimate)
    });
    let own = anchored(arguments, result).into_iter().map(|(name, of)| {
        let AnchoredRating { rating, error } = of;
        // The error of a sum has at least the degrees of freedom of the part that has the fewest.
        let degrees = rating_degrees(result.walls.min(RATED_WALLS));
        let spread = error.and_then(|error| spread_of(rating, error, degrees));
        let estimate = Estimate {
            mean: rating,
            spread,
        };
        (name, "this tournament", estimate.into())
    });
    let mut rows: Vec<_> = listed.chain(own).collect();
    rows.sort_by(|one, other| other.2.mean.total_cmp(&one.2.mean));
    for (name, from, estimate) in rows {
        let interval = estimate.interval.map_or_else(
            || "-".to_owned(),
            |[low, high]| format!("{low:.0} to {high:.0}"),
        );
        table.row([
            name,
            from.to_owned(),
            format!("{:.0}", estimate.mean),
            interval,
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use lab::tournament::Format;

    use super::*;
    use crate::commands::false_verdicts::arguments;

    #[test]
    fn the_rating_list_is_that_of_the_document() {
        let document = include_str!("../../../../docs/policies.md");
        let rows: Vec<&str> = document
            .lines()
            .skip_while(|line| !line.starts_with("| policy | rating (95 % interval)"))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .collect();
        assert_eq!(rows.len(), ANCHORS.len());
        for (row, anchor) in rows.iter().zip(&ANCHORS) {
            let [low, high] = anchor.interval;
            let rating = format!("| {:.0} ({low:.0} to {high:.0}) |", anchor.rating);
            assert!(
                row.starts_with(&format!("| `{}`", anchor.policy)) && row.contains(&rating),
                "{row} is not {} {rating}",
                anchor.policy
            );
        }
    }

    #[test]
    fn a_config_is_rated_unless_it_sets_a_parameter_otherwise() {
        let who = |policy: &str, params: Value| Competitor {
            policy: policy.to_owned(),
            params,
            ..arguments(GameKind::Riichi, Format::TwoAgainstTwo, 2, 1).configs[0].clone()
        };
        let is_rated = |who: &Competitor| AnchorPolicy::of(who).is_some();
        assert!(is_rated(&who("greedy-tenpai", Value::Null)));
        assert!(is_rated(&who(
            "greedy-tenpai",
            serde_json::json!({"calls": "never"})
        )));
        assert!(!is_rated(&who(
            "greedy-tenpai",
            serde_json::json!({"calls": "yaku"})
        )));
        assert!(!is_rated(&who("tsumogiri", Value::Null)));
        let library = Competitor {
            sha256: Some("0".repeat(64)),
            ..who("greedy-tenpai", Value::Null)
        };
        assert!(!is_rated(&library));
        for anchor in &ANCHORS {
            assert!(is_rated(&who(anchor.policy, anchor.params().into())));
            assert!(!anchor.params().is_empty(), "{}", anchor.policy);
        }
    }
}
