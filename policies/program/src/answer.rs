//! The answers of a program.

use std::num::NonZeroUsize;

use policy_process::{ProgramFault, as_json};
use serde_json::{Map, Value};

/// The key under which a program says, instead of an index, what it decides by and is away.
pub(crate) const UNAVAILABLE: &str = "unavailable";

/// The key under which a program says in its first answer how many views it takes in one line.
pub(crate) const BATCH: &str = "batch";
/// Maximum number of views in one line.
pub(crate) const MAX_BATCH: usize = 256;

/// Maximum number of characters of an answer that are shown.
const SHOWN: usize = 200;

/// The answer of a program. Its schema describes it: `schema/view-1.json`, `$defs.Answer`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(
        rename = "Answer",
        description = "The line that a program answers with."
    )
)]
pub(crate) struct ProgramAnswer {
    /// Which of the legal actions, counted from 0: its `index`.
    #[cfg_attr(test, schemars(range(max = 63)))]
    pub(crate) index: usize,
    /// A short reason, for users.
    pub(crate) reason: Option<String>,
    /// A value for each legal action in their order, null for one without a value; higher is
    /// better. Optional.
    #[cfg_attr(test, schemars(with = "Option<Vec<Option<f64>>>"))]
    pub(crate) values: Vec<Option<f32>>,
}

impl ProgramAnswer {
    /// Parses the answer to a line with this many legal actions. Unknown keys are ignored.
    ///
    /// # Errors
    /// The problem of the answer, or the reason that the program gives for not deciding now,
    /// through no fault of its own.
    pub(crate) fn parse(line: &str, actions: usize) -> Result<Self, ProgramFault> {
        let answer = json(line).map_err(ProgramFault::Useless)?;
        Self::of(&answer, || line.to_owned(), actions)
    }

    /// Parses the answers to a list of lines with so many legal actions each.
    ///
    /// # Errors
    /// If it is no list of as many answers; within, as for [`parse`](Self::parse).
    pub(crate) fn parse_all(
        line: &str,
        actions: &[usize],
    ) -> Result<Vec<Result<Self, ProgramFault>>, ProgramFault> {
        let bad = |found: &str| {
            ProgramFault::Useless(format!(
                "its answer {} is {found}; allowed for a list of {number} views: a list of {number} answers, in their order",
                shown(line),
                number = actions.len(),
            ))
        };
        match json(line).map_err(ProgramFault::Useless)? {
            Value::Array(answers) if answers.len() == actions.len() => Ok(answers
                .iter()
                .zip(actions)
                .map(|(answer, &actions)| Self::of(answer, || answer.to_string(), actions))
                .collect()),
            Value::Array(answers) => Err(bad(&format!("a list of {}", answers.len()))),
            other => Err(bad(sort(&other))),
        }
    }

    /// `text` writes the answer for users.
    fn of(answer: &Value, text: impl Fn() -> String, actions: usize) -> Result<Self, ProgramFault> {
        let Value::Object(answer) = answer else {
            return Err(ProgramFault::Useless(format!(
                "its answer {} is {}; allowed is an object with `index`",
                shown(&text()),
                sort(answer)
            )));
        };
        match answer.get(UNAVAILABLE) {
            None | Some(Value::Null) => {
                Self::read(answer, text, actions).map_err(ProgramFault::Useless)
            }
            Some(Value::String(why)) => Err(ProgramFault::Unavailable(why.clone())),
            Some(other) => Err(ProgramFault::Useless(format!(
                "its answer {}: `{UNAVAILABLE}` is {}; allowed: text that names the missing resource, or null",
                shown(&text()),
                value(other)
            ))),
        }
    }

    fn read(
        answer: &Map<String, Value>,
        text: impl Fn() -> String,
        actions: usize,
    ) -> Result<Self, String> {
        let bad = |key: &str, found: &str, allowed: &str| {
            format!(
                "its answer {}: `{key}` is {found}; allowed: {allowed}",
                shown(&text())
            )
        };
        let indices = format!(
            "0 to {}, the `index` of a legal action",
            actions.saturating_sub(1)
        );
        let index = match answer.get("index") {
            None => return Err(bad("index", "missing", &indices)),
            Some(found) => found
                .as_u64()
                .and_then(|index| usize::try_from(index).ok())
                .filter(|&index| index < actions)
                .ok_or_else(|| bad("index", &value(found), &indices))?,
        };
        let reason = match answer.get("reason") {
            None | Some(Value::Null) => None,
            Some(Value::String(reason)) => Some(reason.clone()),
            Some(other) => return Err(bad("reason", &value(other), "text, or null")),
        };
        let values = values(answer, actions).map_err(|found| {
            bad(
                "values",
                &found,
                &format!("a list of {actions} numbers or null, one for each legal action"),
            )
        })?;
        Ok(Self {
            index,
            reason,
            values,
        })
    }
}

/// How many views a program takes in one line, by its first answer: 1 if it does not say.
///
/// # Errors
/// If it says no number in this range.
pub(crate) fn max_batch(first_line: &str) -> Result<NonZeroUsize, ProgramFault> {
    let answer = json(first_line).map_err(ProgramFault::Useless)?;
    match answer.get(BATCH) {
        None | Some(Value::Null) => Ok(NonZeroUsize::MIN),
        Some(found) => found
            .as_u64()
            .and_then(|number| usize::try_from(number).ok())
            .filter(|&number| number <= MAX_BATCH)
            .and_then(NonZeroUsize::new)
            .ok_or_else(|| {
                ProgramFault::Useless(format!(
                    "its answer {}: `{BATCH}` is {}; allowed: 1 to {MAX_BATCH}, how many views it takes in one line",
                    shown(first_line),
                    value(found)
                ))
            }),
    }
}

fn json(line: &str) -> Result<Value, String> {
    serde_json::from_str(&as_json(line)).map_err(|error| {
        format!(
            "its answer {} is not JSON ({error}); allowed is one line such as {{\"index\": 0, \"reason\": \"why\"}}, \
             with null for an action without a value; other output belongs on standard error",
            shown(line)
        )
    })
}

fn values(answer: &Map<String, Value>, actions: usize) -> Result<Vec<Option<f32>>, String> {
    let list = match answer.get("values") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => return Err(value(other)),
    };
    if list.len() != actions {
        return Err(format!("a list of {}", list.len()));
    }
    let number = |entry: &Value| match entry {
        Value::Null => Ok(None),
        // A value beyond what a float of 32 bits holds is as good as the largest.
        _ => entry
            .as_f64()
            .map(|number| Some((number as f32).clamp(f32::MIN, f32::MAX)))
            .ok_or_else(|| format!("a list with {}", value(entry))),
    };
    list.iter().map(number).collect()
}

/// A value for users, cut if it is long.
fn value(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => sort(value).to_owned(),
        _ => shown(&value.to_string()),
    }
}

const fn sort(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The beginning of an answer, for users.
fn shown(text: &str) -> String {
    let cut: String = text.chars().take(SHOWN).collect();
    if cut.len() < text.len() {
        cut + "…"
    } else {
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_an_index_with_optional_values_and_reason() {
        for (line, index, reason, values) in [
            (r#"{"index": 2}"#, 2, None, vec![]),
            (
                r#"{"index": 0, "reason": null, "values": null}"#,
                0,
                None,
                vec![],
            ),
            (
                r#"{"index":1,"reason":"wide","values":[1,2.5,null],"version":7}"#,
                1,
                Some("wide"),
                vec![Some(1.0), Some(2.5), None],
            ),
        ] {
            let expected = ProgramAnswer {
                index,
                reason: reason.map(str::to_owned),
                values,
            };
            assert_eq!(ProgramAnswer::parse(line, 3), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_other_languages_write_for_no_number_is_no_value() {
        for values in [
            "[NaN, 2, -Infinity]",
            "[1e999, 2, -1e999]",
            "[Infinity, 2.0, null]",
        ] {
            let line = format!(
                r#"{{"index": 1, "values": {values}, "index": 2, "meta": {{"q": NaN}}, "reason": "\ud83d"}}"#
            );
            let given = ProgramAnswer::parse(&line, 3).expect(&line);
            assert_eq!(
                (given.index, given.values),
                (2, vec![None, Some(2.0), None]),
                "{line}"
            );
            assert_eq!(given.reason.as_deref(), Some("\u{fffd}"));
        }
        let large = ProgramAnswer::parse(r#"{"index": 0, "values": [1e300, -1e300, 3]}"#, 3)
            .expect("they are numbers");
        assert_eq!(large.values, [Some(f32::MAX), Some(f32::MIN), Some(3.0)]);
    }

    fn refused(line: &str) -> String {
        match ProgramAnswer::parse(line, 3) {
            Err(ProgramFault::Useless(text)) => text,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_mistake_is_reported_with_the_value_found_and_the_allowed_values() {
        let index = "allowed: 0 to 2, the `index` of a legal action";
        let values = "allowed: a list of 3 numbers or null, one for each legal action";
        for (line, says) in [
            ("{}", format!("`index` is missing; {index}")),
            (r#"{"index": 3}"#, format!("`index` is 3; {index}")),
            (r#"{"index": -1}"#, format!("`index` is -1; {index}")),
            (r#"{"index": 1.5}"#, format!("`index` is 1.5; {index}")),
            (r#"{"index": "1"}"#, format!("`index` is \"1\"; {index}")),
            (
                r#"{"index": 1, "reason": 5}"#,
                "`reason` is 5; allowed: text, or null".to_owned(),
            ),
            (
                r#"{"index": 1, "values": [1, 2]}"#,
                format!("`values` is a list of 2; {values}"),
            ),
            (
                r#"{"index": 1, "values": [1, 2, "3"]}"#,
                format!("`values` is a list with \"3\"; {values}"),
            ),
            (
                r#"{"index": 1, "values": {"0": 1}}"#,
                format!("`values` is an object; {values}"),
            ),
            (
                r#"{"unavailable": true}"#,
                "`unavailable` is true; allowed: text that names the missing resource".to_owned(),
            ),
            (
                "[1]",
                "is a list; allowed is an object with `index`".to_owned(),
            ),
            (
                "3",
                "is a number; allowed is an object with `index`".to_owned(),
            ),
            ("thinking", "is not JSON".to_owned()),
            (r#"{"index": NaN}"#, format!("`index` is null; {index}")),
            (
                r#"{"index": 1, "reason": -Infinity, "values": [1 2 3]}"#,
                "is not JSON".to_owned(),
            ),
        ] {
            let error = refused(line);
            assert!(
                error.starts_with(&format!("its answer {line}")) && error.contains(&says),
                "{error}"
            );
        }
        assert!(refused(&"[".repeat(100_000)).len() < 600);
    }

    #[test]
    fn answers_to_several_views_are_a_list_in_their_order() {
        let index = |answer: &Result<ProgramAnswer, ProgramFault>| {
            answer
                .as_ref()
                .map(|answer| answer.index)
                .map_err(Clone::clone)
        };
        let given = ProgramAnswer::parse_all(r#"[{"index": 2}, {"index": 3}, 5]"#, &[3, 3, 3])
            .expect("they are three");
        assert_eq!(index(&given[0]), Ok(2));
        for (answer, says) in [
            (
                &given[1],
                r#"its answer {"index":3}: `index` is 3; allowed: 0 to 2"#,
            ),
            (
                &given[2],
                "its answer 5 is a number; allowed is an object with `index`",
            ),
        ] {
            let Err(ProgramFault::Useless(text)) = answer else {
                panic!("{answer:?}")
            };
            assert!(text.starts_with(says), "{text}");
        }
        for (line, found) in [
            (r#"[{"index": 0}]"#, "a list of 1"),
            (r#"{"index": 0}"#, "an object"),
        ] {
            assert_eq!(
                ProgramAnswer::parse_all(line, &[3, 3]),
                Err(ProgramFault::Useless(format!(
                    "its answer {line} is {found}; allowed for a list of 2 views: a list of 2 answers, in their order"
                )))
            );
        }
    }

    #[test]
    fn a_program_says_first_how_many_views_it_takes_in_a_line() {
        let number = |line: &str| max_batch(line).map(NonZeroUsize::get);
        assert_eq!(number(r#"{"index": 0}"#), Ok(1));
        assert_eq!(number(r#"{"index": 0, "batch": 64}"#), Ok(64));
        for batch in ["0", "257", "1.5", r#""64""#] {
            let line = format!(r#"{{"index": 0, "batch": {batch}}}"#);
            assert_eq!(
                number(&line),
                Err(ProgramFault::Useless(format!(
                    "its answer {line}: `batch` is {batch}; allowed: 1 to 256, how many views it takes in one line"
                )))
            );
        }
    }

    #[test]
    fn a_program_may_say_that_what_it_decides_by_is_away() {
        let away = ProgramAnswer::parse(r#"{"unavailable": "the server is away"}"#, 3);
        assert_eq!(
            away,
            Err(ProgramFault::Unavailable("the server is away".to_owned()))
        );
        assert!(ProgramAnswer::parse(r#"{"unavailable": null, "index": 1}"#, 3).is_ok());
    }
}
