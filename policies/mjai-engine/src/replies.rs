//! When an engine replies: how it receives lines, and the number of answers it then owes.

use policy_sdk::Choice;
use riichi::Event;
use serde_json::{Map, Value};

use crate::spelling::Spelled;

/// To which lines an engine replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replies {
    /// One event per line; it replies to a line if it can act, unless the line has
    /// `"can_act":false` (Mortal, akochan).
    WhenAsked,
    /// One event a line, and one reply to each (mjai's first server; Mortal in its review mode).
    EveryLine,
    /// A list of events a line, and one reply to each list (mjai.app, Akagi).
    EveryBatch,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EngineInput {
    /// The lines, each with its line break.
    pub(crate) lines: String,
    /// Number of expected answers. The wanted one is the last.
    pub(crate) answers: u32,
}

impl Replies {
    /// The names of the kinds.
    pub(crate) const CHOICES: &'static [Choice] = &[
        Choice::new("when-asked"),
        Choice::new("every-line"),
        Choice::new("every-batch"),
    ];

    /// The kind of this name, one of the above.
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "every-line" => Self::EveryLine,
            "every-batch" => Self::EveryBatch,
            _ => Self::WhenAsked,
        }
    }

    /// Whether it receives the ends of rounds: mjai.app sends its bots neither `hora` nor
    /// `ryukyoku`.
    pub(crate) fn hear_ends(self) -> bool {
        self != Self::EveryBatch
    }

    /// Puts messages to an engine; with `asks`, the last of them calls for a decision.
    pub(crate) fn put(self, messages: &[Spelled], asks: bool) -> EngineInput {
        match self {
            Self::WhenAsked => EngineInput {
                lines: each_a_line(messages, asks),
                answers: u32::from(asks),
            },
            Self::EveryLine => EngineInput {
                lines: each_a_line(messages, asks),
                answers: messages.len() as u32,
            },
            Self::EveryBatch => in_batches(messages),
        }
    }
}

/// One message a line. Those that call for no decision say so, which spares engines that know the
/// word the thinking.
fn each_a_line(messages: &[Spelled], asks: bool) -> String {
    let last = messages.len().saturating_sub(1);
    let line = |(index, message): (usize, &Spelled)| {
        let mut fields = message.fields.clone();
        if !(asks && index == last) {
            fields.insert("can_act".to_owned(), Value::Bool(false));
        }
        Value::Object(fields).to_string() + "\n"
    };
    messages.iter().enumerate().map(line).collect()
}

/// The minimum number of batches. The beginning of a game and the end of a round are separate
/// batches, as at mjai.app.
fn in_batches(messages: &[Spelled]) -> EngineInput {
    let mut batches: Vec<Vec<Value>> = Vec::new();
    let mut open = false;
    for message in messages {
        let alone = matches!(message.event, Event::StartGame { .. } | Event::EndKyoku);
        let fields: Map<String, Value> = message.fields.clone();
        match batches.last_mut().filter(|_| open && !alone) {
            Some(batch) => batch.push(Value::Object(fields)),
            None => batches.push(vec![Value::Object(fields)]),
        }
        open = !alone;
    }
    let answers = batches.len() as u32;
    EngineInput {
        lines: batches
            .into_iter()
            .map(|batch| Value::Array(batch).to_string() + "\n")
            .collect(),
        answers,
    }
}

#[cfg(test)]
mod tests {
    use riichi::{Rules, Seat};

    use super::*;
    use crate::spelling::Spelling;

    fn messages() -> Vec<Spelled> {
        let draw = Event::Tsumo {
            actor: Seat::FIRST,
            tile: None,
        };
        let reach = Event::Reach { actor: Seat::FIRST };
        let spelling = Spelling::default();
        let start = spelling.start_game(Seat::FIRST, &Rules::default());
        vec![
            spelling.event(&Event::EndKyoku),
            start,
            spelling.event(&draw),
            spelling.event(&reach),
        ]
    }

    fn types(said: &EngineInput) -> Vec<String> {
        let type_of = |value: &Value| value["type"].as_str().unwrap().to_owned();
        let line = |line: &str| match serde_json::from_str(line).unwrap() {
            Value::Array(batch) => batch.iter().map(type_of).collect::<Vec<_>>().join(" "),
            value => format!(
                "{}{}",
                type_of(&value),
                if value["can_act"] == Value::Bool(false) {
                    ""
                } else {
                    "!"
                }
            ),
        };
        said.lines.lines().map(line).collect()
    }

    #[test]
    fn when_asked_only_the_line_that_asks_lets_act_and_one_answer_is_owed() {
        let said = Replies::WhenAsked.put(&messages(), true);
        assert_eq!(
            (types(&said), said.answers),
            (
                ["end_kyoku", "start_game", "tsumo", "reach!"]
                    .map(Into::into)
                    .into(),
                1
            )
        );
        let said = Replies::WhenAsked.put(&messages(), false);
        assert_eq!(
            (types(&said), said.answers),
            (
                ["end_kyoku", "start_game", "tsumo", "reach"]
                    .map(Into::into)
                    .into(),
                0
            )
        );
    }

    #[test]
    fn every_line_is_answered_whether_it_asks_or_not() {
        for (asks, last) in [(true, "reach!"), (false, "reach")] {
            let said = Replies::EveryLine.put(&messages(), asks);
            assert_eq!(
                (types(&said), said.answers),
                (
                    ["end_kyoku", "start_game", "tsumo", last]
                        .map(Into::into)
                        .into(),
                    4
                )
            );
        }
    }

    #[test]
    fn batches_are_lists_and_the_ends_of_rounds_and_starts_of_games_are_separate() {
        let said = Replies::EveryBatch.put(&messages(), true);
        assert_eq!(
            (types(&said), said.answers),
            (
                ["end_kyoku", "start_game", "tsumo reach"]
                    .map(Into::into)
                    .into(),
                3
            )
        );
        let said = Replies::EveryBatch.put(&messages()[2..], true);
        assert_eq!(
            (types(&said), said.answers),
            (vec!["tsumo reach".to_owned()], 1)
        );
    }
}
