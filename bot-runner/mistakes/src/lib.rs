//! Mistakes in the keys and values that a user writes: where they are, which values are allowed,
//! and which known word is the nearest.
#![forbid(unsafe_code)]

use toml::Value;

/// A mistake in a key, or what is wrong with the thing that its value names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyProblem {
    /// The key with its section, for instance `policy.params.level`.
    pub key: String,
    /// The value found, the allowed values, and the next step.
    pub message: String,
}

impl KeyProblem {
    pub fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            message: message.into(),
        }
    }
}

/// Names in backquotes with commas.
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    quoted.join(", ")
}

/// The known name most similar to a word, if one is near enough: two letters may differ, in a short
/// word one.
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let max_distance = if word.chars().count() < 4 { 1 } else { 2 };
    // A much longer word, such as a secret in the wrong place, is not compared.
    let like = names
        .into_iter()
        .filter(|name| word.len() <= name.len() + max_distance);
    let near = like
        .map(|name| (strsim::damerau_levenshtein(name, word), name))
        .min()?;
    (near.0 <= max_distance).then_some(near.1)
}

/// A question to append to a message about a wrong word, if there is a similar name.
pub fn did_you_mean<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// The type of a TOML value, with its article.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a section",
    }
}

/// A TOML value as an error may show it.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => value.to_string(),
        other => kind_of(other).to_owned(),
    }
}

/// Words in the config's notation.
pub fn quoted<T>(words: &[(&str, T)]) -> String {
    words
        .iter()
        .map(|(word, _)| format!("{word:?}"))
        .collect::<Vec<_>>()
        .join(", ")
}
