//! Whether the last line of a record agrees with its events.

use riichi::Finding;
use serde_json::Value;

use super::{GameOutcome, RecordEnd};

/// Maximum difference of two equal scores; some are hundredths, which an arena may round.
const ROUNDING: f64 = 0.001;

/// A field of the last line of a record that contradicts the events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongEnd {
    /// Line of the record, from 1.
    pub line: u64,
    /// The field, with both values in JSON.
    pub finding: Finding,
    /// The whole line.
    pub end: String,
}

impl WrongEnd {
    /// The first difference from the most similar of the possible ends; `None` if one of them is
    /// the same.
    pub(super) fn nearest(line: u64, given: &RecordEnd, possible: &[RecordEnd]) -> Option<Self> {
        let differences = possible.iter().map(|end| differences(given, end));
        let [(field, found, expected), ..] = &differences.min_by_key(Vec::len)?[..] else {
            return None;
        };
        let expected = if expected.is_null() {
            "left out".to_owned()
        } else {
            expected.to_string()
        };
        Some(Self {
            line,
            finding: Finding::value(field.clone(), found, expected),
            end: given.line(),
        })
    }
}

/// The fields in which two ends differ, with both values. What the given one does not know is no
/// difference.
fn differences(given: &RecordEnd, expected: &RecordEnd) -> Vec<(String, Value, Value)> {
    let mut differences = Vec::new();
    let mut scores = given.scores.iter().zip(&expected.scores);
    if given.scores.len() != expected.scores.len()
        || scores.any(|(one, other)| (one - other).abs() > ROUNDING)
    {
        differences.push((
            "scores".to_owned(),
            value(&given.scores),
            value(&expected.scores),
        ));
    }
    let outcome = match &given.outcome {
        None | Some(GameOutcome::Other) => return differences,
        outcome => value(outcome),
    };
    let expected = value(&expected.outcome);
    if outcome["type"] != expected["type"] {
        differences.push(("outcome".to_owned(), outcome, expected));
        return differences;
    }
    for (field, given) in outcome.as_object().into_iter().flatten() {
        if !given.is_null() && *given != expected[field] {
            differences.push((
                format!("outcome.{field}"),
                given.clone(),
                expected[field].clone(),
            ));
        }
    }
    differences
}

fn value(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
