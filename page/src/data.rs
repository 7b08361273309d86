//! A game as the script of its page reads it.

use serde::Serialize;
use serde_json::Value;

use crate::codes;
use crate::game::{GamePage, OtherChoice, OwnChoice, PageDecision};
use crate::rounds::{RoundData, ShownRounds};
use crate::text::shown;

/// A game.
#[derive(Debug, Serialize)]
pub(crate) struct GameData {
    title: String,
    players: u8,
    /// Tiles that can be drawn in a round.
    wall: u8,
    names: Vec<String>,
    /// Whose decisions these are.
    seat: Option<usize>,
    facts: Vec<(String, String)>,
    warnings: Vec<String>,
    /// Who decided: the policies of `own.policy`.
    policies: Vec<String>,
    other: Option<String>,
    rounds: Vec<RoundData>,
    /// Scores at the end.
    end: Option<Vec<i32>>,
    decisions: Vec<DecisionData>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    desyncs: Vec<DesyncData>,
}

/// A difference between the bot's picture of the game and the arena's: after so many events of a round.
#[derive(Debug, Serialize)]
struct DesyncData {
    round: usize,
    step: usize,
    kind: String,
}

/// A decision: after so many events of a round.
#[derive(Debug, Serialize)]
struct DecisionData {
    round: usize,
    step: usize,
    legal: Vec<Value>,
    /// Which of the legal actions was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<OwnData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<OtherData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<Vec<Option<f64>>>,
}

#[derive(Debug, Serialize)]
struct OwnData {
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Option<f64>>,
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    policy: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    safe: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    desync: bool,
}

#[derive(Debug, Serialize)]
struct OtherData {
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Option<f64>>,
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
}

impl GameData {
    pub(crate) fn of(page: &GamePage) -> Self {
        let rounds = ShownRounds::of(&page.events);
        let mut policies = Vec::new();
        let decisions = page.decisions.iter().filter_map(|decision| {
            let &(round, step) = rounds.places.get(decision.after)?;
            Some(DecisionData::of(decision, round, step, &mut policies))
        });
        let decisions = decisions.collect();
        let desyncs = page.desyncs.iter().filter_map(|desync| {
            let &(round, step) = rounds.places.get(desync.after)?;
            Some(DesyncData { round, step, kind: shown(&desync.kind) })
        });
        let desyncs = desyncs.collect();
        let name = |seat: usize| page.names.get(seat).map_or_else(|| format!("seat {seat}"), |name| shown(name));
        Self {
            title: shown(&page.title),
            players: rounds.players,
            wall: rounds.wall,
            names: (0..usize::from(rounds.players)).map(name).collect(),
            seat: page.seat.map(riichi::Seat::index),
            facts: page.facts.iter().map(|(what, text)| (shown(what), shown(text))).collect(),
            warnings: page.warnings.iter().chain(&rounds.warnings).map(|text| shown(text)).collect(),
            policies,
            other: page.other.as_deref().map(shown),
            rounds: rounds.rounds,
            end: rounds.end,
            decisions,
            desyncs,
        }
    }

    pub(crate) fn json(&self) -> String {
        serde_json::to_string(self).expect("texts, numbers and lists of them always have a JSON form")
    }
}

impl DecisionData {
    fn of(decision: &PageDecision, round: usize, step: usize, policies: &mut Vec<String>) -> Self {
        Self {
            round,
            step,
            legal: decision.legal.iter().map(codes::action).collect(),
            done: decision.done.and_then(|done| decision.legal.iter().position(|&action| action == done)),
            own: decision.own.as_ref().map(|own| OwnData::of(own, policies)),
            other: decision.other.as_ref().map(OtherData::of),
            simulated: decision.simulated.as_deref().map(numbers),
        }
    }
}

impl OwnData {
    fn of(own: &OwnChoice, policies: &mut Vec<String>) -> Self {
        let name = shown(&own.policy);
        let policy = policies.iter().position(|known| *known == name).unwrap_or_else(|| {
            policies.push(name);
            policies.len() - 1
        });
        Self {
            chosen: own.chosen,
            values: numbers(&own.values),
            reason: shown(&own.reason),
            policy,
            us: own.took_us,
            safe: own.safe_answer.as_deref().map(shown),
            desync: own.desync,
        }
    }
}

impl OtherData {
    fn of(other: &OtherChoice) -> Self {
        Self {
            chosen: other.chosen,
            values: numbers(&other.values),
            reason: shown(&other.reason),
            agrees: other.agrees,
        }
    }
}

/// Values to five digits: more are not seen, and a page should be small. Nothing is left of values none of which is a number.
pub(crate) fn numbers(values: &[f32]) -> Vec<Option<f64>> {
    if !values.iter().any(|value| value.is_finite()) {
        return Vec::new();
    }
    values.iter().map(|value| value.is_finite().then(|| five_digits(*value))).collect()
}

fn five_digits(value: f32) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_five_digits_whatever_their_size() {
        assert_eq!(
            numbers(&[0.123_456_79, -12_345.678, 0.0, f32::NAN, 1e-9]),
            [Some(0.12346), Some(-12_346.0), Some(0.0), None, Some(1e-9)]
        );
        assert!(numbers(&[f32::NAN, f32::INFINITY]).is_empty());
    }
}
