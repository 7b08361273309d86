//! The log as a chart: the matches of each attempt.

use anyhow::{Context, Result};
use lab::drawing::{Anchor, Axis, COLOURS, Drawing, GRID, INK, round_ticks};
use lab::game::NamedGame;
use policy_host::Measure;
use policy_sdk::Policy;
use serde::Deserialize;

use crate::contest::{interval, parity};
use crate::games::TrainedGame;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 76.0;
const BOTTOM: f64 = 330.0;
/// Maximum number of marks of an axis.
const MAX_TICKS: usize = 8;

/// What the chart shows of a line of the log.
#[derive(Debug, Deserialize)]
struct ChartedAttempt {
    games: u64,
    accepted: bool,
    matches: Vec<ChartedMatch>,
}

#[derive(Debug, Deserialize)]
struct ChartedMatch {
    against: String,
    /// Earlier versions knew places only.
    #[serde(alias = "place")]
    mean: f64,
    /// `None` if a single wall was played.
    error: Option<f64>,
}

/// Draws the log of a training, as SVG: the average place or points of each attempt's weights in
/// each of its matches.
///
/// # Errors
///
/// If a line of the log cannot be read.
pub(crate) fn chart<G: TrainedGame>(log: &str, players: u8) -> Result<String> {
    let mut attempts = Vec::new();
    for (number, line) in (1..).zip(log.lines()) {
        let attempt: ChartedAttempt =
            serde_json::from_str(line).with_context(|| format!("line {number}"))?;
        attempts.push(attempt);
    }
    let parity = parity::<G>(players);
    let (title, margin) = match G::Game::KIND.measure() {
        Measure::Places => (
            "Average place of new weights in their matches (lower is better)",
            0.01,
        ),
        Measure::Points { .. } => (
            "Average points of new weights in their matches (higher is better)",
            0.1,
        ),
    };
    let ends = |of: &ChartedMatch| interval(of.mean, of.error.unwrap_or_default());
    let (low, high) = attempts
        .iter()
        .flat_map(|attempt| &attempt.matches)
        .flat_map(ends)
        .fold((parity - margin, parity + margin), |(low, high), end| {
            (low.min(end), high.max(end))
        });
    let games = attempts.last().map_or(1, |attempt| attempt.games) as f64;
    let (x, y) = (
        Axis {
            values: (0.0, games / 1_000.0),
            places: (LEFT, RIGHT - 20.0),
        },
        Axis {
            values: (low, high),
            places: (BOTTOM, TOP),
        },
    );

    let mut drawing = Drawing::new(WIDTH, HEIGHT, title);
    for (value, text) in round_ticks(low, high, MAX_TICKS) {
        drawing.line(&[(LEFT, y.at(value)), (RIGHT, y.at(value))], GRID, 1.0);
        drawing.text((LEFT - 6.0, y.at(value) + 4.0), Anchor::End, INK, &text);
    }
    for (value, text) in round_ticks(0.0, games / 1_000.0, MAX_TICKS) {
        drawing.text((x.at(value), BOTTOM + 16.0), Anchor::Middle, INK, &text);
    }
    let below = (f64::midpoint(LEFT, RIGHT), BOTTOM + 34.0);
    drawing.text(
        below,
        Anchor::Middle,
        INK,
        "games of self-play, in thousands",
    );
    drawing.line(&[(LEFT, TOP), (LEFT, BOTTOM), (RIGHT, BOTTOM)], INK, 1.0);
    drawing.line(&[(LEFT, y.at(parity)), (RIGHT, y.at(parity))], INK, 1.0);

    let series = [
        "the weights before",
        G::Teacher::DESCRIPTOR.id,
        "older generations",
    ];
    for (index, name) in series.into_iter().enumerate() {
        let left = LEFT + 150.0 * index as f64;
        drawing.dot((left + 5.0, 40.0), 4.0, COLOURS[index]);
        drawing.text((left + 14.0, 44.0), Anchor::Start, INK, name);
    }
    let legend = "against these; a large dot: accepted; bars: 95 % intervals";
    drawing.text((LEFT, 62.0), Anchor::Start, INK, legend);
    for attempt in &attempts {
        for of in &attempt.matches {
            let series = series
                .iter()
                .position(|name| *name == of.against)
                .unwrap_or(series.len() - 1);
            // Matches of one attempt lie beside each other.
            let at = x.at(attempt.games as f64 / 1_000.0) + 5.0 * series as f64;
            drawing.line(&ends(of).map(|end| (at, y.at(end))), COLOURS[series], 1.5);
            drawing.dot(
                (at, y.at(of.mean)),
                if attempt.accepted { 4.0 } else { 2.0 },
                COLOURS[series],
            );
        }
    }
    Ok(drawing.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::RiichiTraining;

    #[test]
    fn each_match_has_a_dot_over_its_games_and_the_large_ones_are_accepted() {
        let log = r#"{"games":1000,"accepted":false,"matches":[{"against":"defensive-fold","place":2.5,"error":null}]}
{"games":2000,"accepted":true,"matches":[{"against":"the weights before","place":2.4,"error":0.1}]}"#;
        let svg = chart::<RiichiTraining>(log, 4).unwrap();
        let dots: Vec<&str> = svg
            .lines()
            .filter(|line| line.starts_with("<circle") && !line.contains("cy=\"40.0\""))
            .collect();
        let [rejected, accepted] = dots[..] else {
            panic!("{dots:?}")
        };
        assert!(
            rejected.contains("cx=\"375.0\"") && rejected.contains("r=\"2\""),
            "{rejected}"
        );
        assert!(
            accepted.contains("cx=\"680.0\"") && accepted.contains("r=\"4\""),
            "{accepted}"
        );
        assert!(
            chart::<RiichiTraining>("{}", 4)
                .unwrap_err()
                .to_string()
                .contains("line 1")
        );
    }
}
