//! Reading one section of a TOML file key by key, so that every mistake in it is found and not just the first.

use std::path::Path;

use policy_host::{did_you_mean, kind_of, listed, nearest, shown};
use toml::{Table, Value};

use super::problem::Problem;

/// A section being read: what is asked for is taken out, what is left at the end is unknown.
pub(super) struct Section<'a> {
    file: &'a Path,
    name: &'a str,
    rest: Table,
    known: Vec<&'static str>,
}

impl<'a> Section<'a> {
    /// The top level of a file.
    pub(super) fn top(file: &'a Path, table: Table) -> Self {
        Self { file, name: "", rest: table, known: Vec::new() }
    }

    /// The full name of a key of this section.
    pub(super) fn key(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    /// A problem with a key of this section.
    pub(super) fn problem(&self, key: &str, message: impl Into<String>) -> Problem {
        Problem::new(self.file, self.key(key), message)
    }

    fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.rest.remove(key)
    }

    /// Names keys that are not there among those that are allowed.
    pub(super) fn allows(&mut self, keys: &[&'static str]) {
        self.known.extend(keys);
    }

    /// Takes a key that has no place here, which is not named among those that are allowed; whether it was there.
    pub(super) fn take_refused(&mut self, key: &str) -> bool {
        self.rest.remove(key).is_some()
    }

    /// Whether a key that nobody has asked for yet is called as if it held a token.
    pub(super) fn holds_secret(&self) -> bool {
        self.rest.keys().any(|key| is_secret(key))
    }

    /// A section below this one, if it is there.
    pub(super) fn section(&mut self, key: &'static str, problems: &mut Vec<Problem>) -> Option<Section<'a>> {
        match self.take(key)? {
            Value::Table(table) => Some(Section { file: self.file, name: key, rest: table, known: Vec::new() }),
            other => {
                problems.push(self.problem(key, format!("found {}, allowed is a section [{key}]", kind_of(&other))));
                None
            }
        }
    }

    /// A section below this one by its full name, which is not at the top level.
    pub(super) fn subsection(
        &mut self,
        key: &'static str,
        name: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Option<Section<'a>> {
        match self.take(key)? {
            Value::Table(table) => Some(Section { file: self.file, name, rest: table, known: Vec::new() }),
            other => {
                problems.push(self.problem(key, format!("found {}, allowed is a section [{name}]", kind_of(&other))));
                None
            }
        }
    }

    /// The texts of a list under a key.
    pub(super) fn texts(&mut self, key: &'static str, problems: &mut Vec<Problem>) -> Vec<String> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let texts = value.as_array().and_then(|list| {
            list.iter().map(|text| text.as_str().filter(|text| !text.is_empty()).map(str::to_owned)).collect()
        });
        texts.unwrap_or_else(|| {
            problems.push(self.problem(key, format!("found {}, allowed is a list of texts", shown(&value))));
            Vec::new()
        })
    }

    /// The table under a key, its content left for others to judge.
    pub(super) fn table(&mut self, key: &'static str, problems: &mut Vec<Problem>) -> Table {
        match self.take(key) {
            None => Table::new(),
            Some(Value::Table(table)) => table,
            Some(other) => {
                let message = format!("found {}, allowed is a section [{}]", kind_of(&other), self.key(key));
                problems.push(self.problem(key, message));
                Table::new()
            }
        }
    }

    /// A text under a key.
    pub(super) fn text(&mut self, key: &'static str, problems: &mut Vec<Problem>) -> Option<String> {
        match self.take(key)? {
            Value::String(text) => Some(text),
            other => {
                problems.push(self.problem(key, format!("found {}, allowed is a text in quotes", kind_of(&other))));
                None
            }
        }
    }

    /// The meaning of the word under a key, one of `words`.
    pub(super) fn one_of<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&str, T)],
        problems: &mut Vec<Problem>,
    ) -> Option<T> {
        let value = self.take(key)?;
        let known = words.iter().find(|(word, _)| value.as_str() == Some(word));
        if known.is_none() {
            let allowed: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
            let like = did_you_mean(value.as_str().unwrap_or_default(), words.iter().map(|(word, _)| *word));
            let message = format!("found {}, allowed are {}{like}", shown(&value), allowed.join(", "));
            problems.push(self.problem(key, message));
        }
        known.map(|&(_, meaning)| meaning)
    }

    /// `true` or `false` under a key.
    pub(super) fn boolean(&mut self, key: &'static str, problems: &mut Vec<Problem>) -> Option<bool> {
        match self.take(key)? {
            Value::Boolean(value) => Some(value),
            other => {
                problems.push(self.problem(key, format!("found {}, allowed are true and false", shown(&other))));
                None
            }
        }
    }

    /// One of some numbers under a key.
    pub(super) fn number_of(&mut self, key: &'static str, known: &[u8], problems: &mut Vec<Problem>) -> Option<u8> {
        let value = self.take(key)?;
        let number =
            value.as_integer().and_then(|number| known.iter().copied().find(|&known| i64::from(known) == number));
        if number.is_none() {
            let allowed: Vec<String> = known.iter().map(ToString::to_string).collect();
            problems.push(self.problem(key, format!("found {}, allowed are {}", shown(&value), allowed.join(" and "))));
        }
        number
    }

    /// A whole number of some unit under a key.
    pub(super) fn whole(
        &mut self,
        key: &'static str,
        unit: &str,
        allowed: std::ops::RangeInclusive<u32>,
        problems: &mut Vec<Problem>,
    ) -> Option<u32> {
        let value = self.take(key)?;
        let number = value.as_integer().and_then(|number| u32::try_from(number).ok());
        if let Some(number) = number.filter(|number| allowed.contains(number)) {
            return Some(number);
        }
        problems.push(self.problem(
            key,
            format!("found {}, allowed are whole {unit} from {} to {}", shown(&value), allowed.start(), allowed.end()),
        ));
        None
    }

    /// Whether one of these keys is there that nobody has asked for yet.
    pub(super) fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.rest.contains_key(*key))
    }

    /// Reports every key that nobody asked for. Their values are not shown: they might be secrets in the wrong place.
    pub(super) fn finish(self, problems: &mut Vec<Problem>) {
        for key in self.rest.keys() {
            let advice = match nearest(key, self.known.iter().copied()) {
                Some(known) => format!("unknown key; did you mean `{known}`?"),
                None if is_secret(key) => NO_SECRETS.to_owned(),
                None => format!("unknown key; allowed are {}", listed(&self.known)),
            };
            problems.push(self.problem(key, advice));
        }
    }
}

const NO_SECRETS: &str = "a token does not belong in a config, which gets shared and shown; put it into an environment \
                          variable and name that as arena.token_env, or into a file with mode 0600 and name that as \
                          arena.token_file (at Botzone arena.secret_env and arena.secret_file)";

/// Whether a key is called as if it held a token.
pub(super) fn is_secret(key: &str) -> bool {
    let letters: String = key.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let words = ["token", "password", "passwd", "secret", "auth", "bearer", "apikey", "jwt", "credential", "cookie"];
    words.iter().any(|word| letters.contains(word))
}
