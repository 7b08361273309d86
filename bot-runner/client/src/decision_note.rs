//! The notes on a policy's decisions, for the record.

use std::sync::Arc;
use std::time::Duration;

use policy_host::PolicyIdentity;
use protocol::game_record::LineForm;
use riichi::Seat;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// One decision of a bot: the answer and its source. Its actions are in their written form; of a
/// decision whose answer is not sent yet they are those of the game.
#[derive(Debug, Clone)]
pub struct DecisionNote<A = Box<RawValue>> {
    /// Number of the game in the bot's run, from 0.
    pub game: u64,
    /// Number of the decision in the game, from 0.
    pub decision: u32,
    pub seat: Seat,
    pub legal: Vec<A>,
    /// The index of the answered action, if there is an answer.
    pub chosen: Option<usize>,
    pub policy: Arc<PolicyIdentity>,
    pub outcome: DecisionOutcome,
}

/// The outcome of asking a policy.
#[derive(Debug, Clone)]
pub enum DecisionOutcome {
    Decided {
        took: Duration,
        /// Its value of each available action, if it gave them.
        values: Vec<f32>,
        /// The reason, if it gave one.
        reason: String,
    },
    /// It did not decide, for this reason: the safe answer was given.
    SafeAnswer(String),
}

impl<A> DecisionNote<A> {
    /// The note with its actions in their written form.
    pub fn written<F: LineForm<Action = A>>(self) -> DecisionNote {
        let actions = self.legal.iter();
        DecisionNote {
            legal: actions.map(|action| F::action(action, self.seat)).collect(),
            game: self.game,
            decision: self.decision,
            seat: self.seat,
            chosen: self.chosen,
            policy: self.policy,
            outcome: self.outcome,
        }
    }
}

impl DecisionNote {
    /// Approximate memory that it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let outcome = match &self.outcome {
            DecisionOutcome::Decided { values, reason, .. } => {
                size_of_val(values.as_slice()) + reason.len()
            }
            DecisionOutcome::SafeAnswer(why) => why.len(),
        };
        let actions = self.legal.iter();
        let actions: usize = actions.map(|action| action.get().len()).sum();
        size_of_val(self.legal.as_slice()) + actions + outcome
    }

    /// The note as a line of JSON, with the bot's name.
    pub fn line(&self, bot: &str) -> String {
        let (took_us, reason, values, safe_answer) = match &self.outcome {
            DecisionOutcome::Decided {
                took,
                values,
                reason,
            } => (
                Some(took.as_micros() as u64),
                Some(reason.as_str()),
                Some(values.as_slice()),
                None,
            ),
            DecisionOutcome::SafeAnswer(why) => (None, None, None, Some(why.as_str())),
        };
        let line = DecisionLine {
            bot,
            chosen: self.chosen,
            decision: self.decision,
            legal: &self.legal,
            policy: &self.policy.id,
            reason,
            safe_answer,
            seat: self.seat.index(),
            sha256: self.policy.hash.map(|hash| hash.to_string()),
            took_us,
            values,
            version: &self.policy.version,
        };
        serde_json::to_string(&line)
            .expect("texts, numbers and lists of them always have a JSON form")
    }

    pub fn recorded(&self) -> RecordedDecision {
        let (took_us, values, reason, safe_answer) = match &self.outcome {
            DecisionOutcome::Decided {
                took,
                values,
                reason,
            } => (
                Some(took.as_micros() as u64),
                values.clone(),
                reason.clone(),
                None,
            ),
            DecisionOutcome::SafeAnswer(why) => {
                (None, Vec::new(), String::new(), Some(why.clone()))
            }
        };
        RecordedDecision {
            seat: self.seat,
            decision: Some(self.decision.into()),
            legal: self
                .legal
                .iter()
                .map(|action| serde_json::from_str(action.get()).unwrap_or_default())
                .collect(),
            chosen: self.chosen,
            policy: format!("{} {}", self.policy.id, self.policy.version),
            took_us,
            values,
            reason,
            safe_answer,
        }
    }
}

/// A note in the form of records.
#[derive(Serialize)]
struct DecisionLine<'a> {
    bot: &'a str,
    chosen: Option<usize>,
    decision: u32,
    legal: &'a [Box<RawValue>],
    policy: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    safe_answer: Option<&'a str>,
    seat: usize,
    sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    took_us: Option<u64>,
    /// JSON has no number for an action without a value, which becomes null.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'a [f32]>,
    version: &'a str,
}

/// A note read from a record of this or an earlier runner. Missing or malformed fields are omitted.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedDecision {
    pub seat: Seat,
    /// Number of the decision in the game, from 0; older records have none.
    pub decision: Option<u64>,
    /// The actions in their written form.
    pub legal: Vec<Value>,
    /// The index of the answered action, if there is an answer.
    pub chosen: Option<usize>,
    /// The name and version of the policy.
    pub policy: String,
    pub took_us: Option<u64>,
    /// Its value of each action, NaN for an action without one; empty if it gave none.
    pub values: Vec<f32>,
    pub reason: String,
    /// The reason for the safe answer, if the policy gave none.
    pub safe_answer: Option<String>,
}

impl RecordedDecision {
    /// Reads the line of a note; `None` for any other line.
    pub fn read(line: &str) -> Option<Self> {
        let line: Value = serde_json::from_str(line).ok()?;
        let text = |name: &str| line[name].as_str().map(str::to_owned);
        let legal = line["legal"].as_array()?.clone();
        let chosen = line["chosen"]
            .as_u64()
            .and_then(|index| usize::try_from(index).ok());
        let values = line["values"]
            .as_array()
            .filter(|values| values.len() == legal.len());
        let value = |value: &Value| value.as_f64().map_or(f32::NAN, |value| value as f32);
        let known = [text("policy"), text("version")];
        Some(Self {
            seat: Seat::new(u8::try_from(line["seat"].as_u64()?).ok()?)?,
            decision: line["decision"].as_u64(),
            chosen: chosen.filter(|&index| index < legal.len()),
            legal,
            policy: known.into_iter().flatten().collect::<Vec<_>>().join(" "),
            took_us: line["took_us"].as_u64(),
            values: values.into_iter().flatten().map(value).collect(),
            reason: text("reason").unwrap_or_default(),
            safe_answer: text("safe_answer"),
        })
    }

    /// The actions; `None` if the game has not all of them.
    pub fn actions<F: LineForm>(&self) -> Option<Vec<F::Action>> {
        self.legal.iter().map(F::read_action).collect()
    }
}

#[cfg(test)]
mod tests {
    use policy_host::{Origin, Sha256};
    use protocol::game_record::RiichiLineForm;
    use riichi::Action;
    use serde_json::json;

    use super::*;

    fn read(note: &DecisionNote) -> Value {
        serde_json::from_str(&note.line("kuma")).expect("JSON")
    }

    fn typed(outcome: DecisionOutcome) -> DecisionNote<Action> {
        let policy = PolicyIdentity {
            id: "mine".to_owned(),
            version: "1.2".to_owned(),
            library: Origin::Builtin,
            hash: Some(Sha256::of(b"abc")),
        };
        let discard = Action::Dahai {
            tile: "5mr".parse().expect("a tile"),
            tsumogiri: true,
        };
        let legal = vec![Action::Ryukyoku, discard];
        DecisionNote {
            game: 0,
            decision: 7,
            seat: Seat::FIRST,
            legal,
            chosen: Some(1),
            policy: Arc::new(policy),
            outcome,
        }
    }

    fn note(outcome: DecisionOutcome) -> DecisionNote {
        typed(outcome).written::<RiichiLineForm>()
    }

    #[test]
    fn a_note_holds_the_choice_the_alternatives_and_the_build() {
        let outcome = DecisionOutcome::Decided {
            took: Duration::from_micros(12),
            values: vec![f32::NAN, 1.5],
            reason: "why not".to_owned(),
        };
        let expected = json!({
            "bot": "kuma", "seat": 0, "decision": 7,
            "policy": "mine", "version": "1.2", "sha256": Sha256::of(b"abc").to_string(),
            "legal": [
                {"type": "ryukyoku", "actor": 0},
                {"type": "dahai", "actor": 0, "pai": "5mr", "tsumogiri": true},
            ],
            "chosen": 1, "took_us": 12, "reason": "why not", "values": [null, 1.5],
        });
        assert_eq!(read(&note(outcome)), expected);
    }

    #[test]
    fn a_written_note_reads_back_the_same() {
        let outcome = DecisionOutcome::Decided {
            took: Duration::from_micros(12),
            values: vec![f32::NAN, 1.5],
            reason: "why not".to_owned(),
        };
        let note = typed(outcome);
        let line = note.clone().written::<RiichiLineForm>().line("kuma");
        let read = RecordedDecision::read(&line).expect("a note");
        assert_eq!(
            (read.seat, read.actions::<RiichiLineForm>(), read.chosen),
            (note.seat, Some(note.legal), note.chosen)
        );
        assert_eq!(
            (read.policy.as_str(), read.took_us, read.reason.as_str()),
            ("mine 1.2", Some(12), "why not")
        );
        assert!(read.values[0].is_nan() && read.values[1] == 1.5 && read.safe_answer.is_none());
        assert_eq!(RecordedDecision::read("{}"), None);
        let unknown = RecordedDecision::read("{\"seat\":0,\"legal\":[{\"type\":\"fly\"}]}");
        let unknown = unknown.expect("a note");
        assert_eq!(unknown.actions::<RiichiLineForm>(), None);
    }

    #[test]
    fn a_note_is_reported_as_in_its_record() {
        for outcome in [
            DecisionOutcome::Decided {
                took: Duration::from_micros(12),
                values: vec![0.5, 1.5],
                reason: "why not".to_owned(),
            },
            DecisionOutcome::SafeAnswer("it panicked".to_owned()),
        ] {
            let note = note(outcome);
            assert_eq!(
                Some(note.recorded()),
                RecordedDecision::read(&note.line("kuma"))
            );
        }
    }

    #[test]
    fn a_safe_answer_says_why_it_was_given() {
        let json = read(&note(DecisionOutcome::SafeAnswer("it panicked".to_owned())));
        assert_eq!(
            (&json["safe_answer"], json.get("values")),
            (&json!("it panicked"), None)
        );
    }
}
