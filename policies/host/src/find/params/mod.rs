//! A config's parameters against what the policy's descriptor allows.

use std::path::Path;

use policy_abi::params::{ParamValue, VALUE_CHOICE, VALUE_PATH, VALUE_TEXT, Value};
use policy_abi::text::Text;
use serde::{Deserialize, Serialize};
use toml::Value as Toml;

use crate::find::describe::{ParamInfo, ParamKind, PolicyInfo, float_bits};
use crate::policy_config::PolicyConfig;
use mistakes::{KeyProblem, did_you_mean, listed, shown};

/// Checked parameters, ready to be handed over.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ParamValues(Vec<(String, Checked)>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Checked {
    Integer(i64),
    Number(#[serde(with = "float_bits")] f64),
    Boolean(bool),
    Text(u32, String),
}

/// Checks a bot's parameters; paths are completed with the config's folder.
///
/// # Errors
///
/// All that is wrong with them.
pub fn check_params(
    section: &PolicyConfig,
    policy: &PolicyInfo,
    config_folder: &Path,
) -> Result<ParamValues, Vec<KeyProblem>> {
    let mut values = Vec::new();
    let mut problems = Vec::new();
    for (name, value) in &section.params {
        let key = format!("policy.params.{name}");
        let Some(param) = policy.params.iter().find(|param| param.name == *name) else {
            let known: Vec<&str> = policy
                .params
                .iter()
                .map(|param| param.name.as_str())
                .collect();
            let message = match known.as_slice() {
                [] => format!("the policy {} takes no parameters", policy.id),
                known => {
                    let like = did_you_mean(name, known.iter().copied());
                    format!(
                        "the policy {} takes no such parameter; it takes {}{like}",
                        policy.id,
                        listed(known)
                    )
                }
            };
            problems.push(KeyProblem::new(key, message));
            continue;
        };
        match check(param, value, config_folder) {
            Some(checked) => values.push((name.clone(), checked)),
            None => {
                let like = match (&param.kind, value) {
                    (ParamKind::Choice(choices), Toml::String(text)) => {
                        did_you_mean(text, choices.iter().map(String::as_str))
                    }
                    _ => String::new(),
                };
                let message = format!("found {}, {}{like}", shown(value), allowed(&param.kind));
                problems.push(KeyProblem::new(key, message));
            }
        }
    }
    for param in &policy.params {
        // A path has no default that suits every machine, so it may be omitted.
        let needed = param.default.is_none() && param.kind != ParamKind::Path;
        if needed && !section.params.contains_key(&param.name) {
            let message = format!(
                "the key is missing; {} ({})",
                allowed(&param.kind),
                param.help
            );
            problems.push(KeyProblem::new(
                format!("policy.params.{}", param.name),
                message,
            ));
        }
    }
    if problems.is_empty() {
        Ok(ParamValues(values))
    } else {
        Err(problems)
    }
}

fn check(param: &ParamInfo, value: &Toml, folder: &Path) -> Option<Checked> {
    match (&param.kind, value) {
        (ParamKind::Integer(min, max), &Toml::Integer(number)) => (*min..=*max)
            .contains(&number)
            .then_some(Checked::Integer(number)),
        (ParamKind::Number(min, max), value) => {
            // A whole number is a number too.
            let number = value
                .as_float()
                .or_else(|| value.as_integer().map(|number| number as f64))?;
            (*min..=*max)
                .contains(&number)
                .then_some(Checked::Number(number))
        }
        (ParamKind::Boolean, &Toml::Boolean(value)) => Some(Checked::Boolean(value)),
        (ParamKind::Text, Toml::String(text)) => Some(Checked::Text(VALUE_TEXT, text.clone())),
        // A list of numbers arrives as they are written, with commas.
        (ParamKind::Text, Toml::Array(list)) => {
            let numbers: Option<Vec<String>> = list
                .iter()
                .map(|value| match value {
                    Toml::Integer(_) | Toml::Float(_) => Some(value.to_string()),
                    _ => None,
                })
                .collect();
            numbers.map(|numbers| Checked::Text(VALUE_TEXT, numbers.join(", ")))
        }
        (ParamKind::Choice(choices), Toml::String(text)) => choices
            .contains(text)
            .then(|| Checked::Text(VALUE_CHOICE, text.clone())),
        (ParamKind::Path, Toml::String(path)) => Some(Checked::Text(
            VALUE_PATH,
            folder.join(path).to_string_lossy().into_owned(),
        )),
        _ => None,
    }
}

fn allowed(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Text | ParamKind::Path => format!("allowed is {kind}"),
        _ => format!("allowed are {kind}"),
    }
}

impl ParamValues {
    /// The paths among them, in the order of their names.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        let paths = self.0.iter().filter_map(|(name, value)| match value {
            Checked::Text(VALUE_PATH, path) => Some((name, Path::new(path))),
            _ => None,
        });
        let mut paths: Vec<_> = paths.collect();
        paths.sort();
        paths.into_iter().map(|(_, path)| path)
    }

    /// The values in the boundary's form, for as long as these live.
    pub(crate) fn to_abi(&self) -> Vec<ParamValue> {
        self.0
            .iter()
            .map(|(name, value)| ParamValue {
                name: Text::new(name),
                value: match value {
                    Checked::Integer(number) => Value::integer(*number),
                    Checked::Number(number) => Value::number(*number),
                    Checked::Boolean(value) => Value::boolean(*value),
                    Checked::Text(kind, text) => Value::text(*kind, text),
                },
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
