//! Reads one section of a TOML file key by key, so that all its mistakes are found, not just the
//! first.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use mistakes::{KeyProblem, did_you_mean, kind_of, listed, nearest, quoted, shown};
use toml::{Table, Value};

/// A section being read: keys are removed as they are read, and any left at the end are unknown.
pub struct Section<'a> {
    pub file: &'a Path,
    name: String,
    rest: Table,
    known: Vec<&'static str>,
    /// The mistakes so far, in all sections of the file.
    problems: &'a RefCell<Vec<KeyProblem>>,
}

impl<'a> Section<'a> {
    pub fn top(file: &'a Path, table: Table, problems: &'a RefCell<Vec<KeyProblem>>) -> Self {
        Self {
            file,
            name: String::new(),
            rest: table,
            known: Vec::new(),
            problems,
        }
    }

    /// The full name of a key of this section.
    fn key(&self, key: &str) -> String {
        if self.name.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.name)
        }
    }

    /// Reports a mistake in a key of this section.
    pub fn refuse(&self, key: &str, message: impl Into<String>) {
        self.problems
            .borrow_mut()
            .push(KeyProblem::new(self.key(key), message));
    }

    /// Whether a mistake in a key of this section was reported.
    pub fn is_wrong(&self, key: &str) -> bool {
        let key = self.key(key);
        self.problems
            .borrow()
            .iter()
            .any(|problem| problem.key == key)
    }

    /// Reports that a key is missing, unless it is present with a mistake.
    pub fn refuse_missing(&self, key: &str, message: impl Into<String>) {
        if !self.is_wrong(key) {
            self.refuse(key, message);
        }
    }

    fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.rest.remove(key)
    }

    /// Adds absent keys to the list of allowed keys.
    pub fn allows(&mut self, keys: &[&'static str]) {
        self.known.extend(keys);
    }

    /// Removes a key that is not allowed here, and is not listed as allowed; returns whether it was
    /// present.
    pub fn take_refused(&mut self, key: &str) -> bool {
        self.rest.remove(key).is_some()
    }

    /// Whether an unread key has a name that suggests a token.
    pub fn holds_secret(&self) -> bool {
        self.rest.keys().any(|key| is_secret(key))
    }

    /// Whether one of these keys is present and unread.
    pub fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.rest.contains_key(*key))
    }

    /// A subsection, if it is present.
    pub fn section(&mut self, key: &'static str) -> Option<Self> {
        let (file, name, problems) = (self.file, self.key(key), self.problems);
        match self.take(key)? {
            Value::Table(rest) => Some(Section {
                file,
                name,
                rest,
                known: Vec::new(),
                problems,
            }),
            other => {
                self.refuse(
                    key,
                    format!("found {}, allowed is a section [{name}]", kind_of(&other)),
                );
                None
            }
        }
    }

    /// The table under a key; its content is checked elsewhere.
    pub fn table(&mut self, key: &'static str) -> Table {
        self.section(key)
            .map(|section| section.rest)
            .unwrap_or_default()
    }

    pub fn text(&mut self, key: &'static str) -> Option<String> {
        match self.take(key)? {
            Value::String(text) => Some(text),
            other => {
                self.refuse(
                    key,
                    format!("found {}, allowed is a text in quotes", kind_of(&other)),
                );
                None
            }
        }
    }

    pub fn texts(&mut self, key: &'static str) -> Vec<String> {
        let Some(value) = self.take(key) else {
            return Vec::new();
        };
        let texts = value.as_array().and_then(|list| {
            list.iter()
                .map(|text| {
                    text.as_str()
                        .filter(|text| !text.is_empty())
                        .map(str::to_owned)
                })
                .collect()
        });
        texts.unwrap_or_else(|| {
            self.refuse(
                key,
                format!("found {}, allowed is a list of texts", shown(&value)),
            );
            Vec::new()
        })
    }

    /// The path of a folder under a key, relative to the config's folder; `otherwise` if the key is
    /// absent.
    pub fn folder(&mut self, key: &'static str, otherwise: &str) -> PathBuf {
        let folder = self.text(key).unwrap_or_else(|| otherwise.to_owned());
        if folder.is_empty() || folder.contains(char::is_control) {
            let found = if folder.is_empty() {
                "an empty text"
            } else {
                "a control character"
            };
            self.refuse(
                key,
                format!(
                    "found {found}; allowed is the path of a folder, for instance {otherwise:?}"
                ),
            );
        }
        folder_of(self.file).join(folder)
    }

    /// The value of the word under a key, one of `words`.
    pub fn one_of<T: Copy>(&mut self, key: &'static str, words: &[(&str, T)]) -> Option<T> {
        let value = self.take(key)?;
        let known = words.iter().find(|(word, _)| value.as_str() == Some(word));
        if known.is_none() {
            let like = did_you_mean(
                value.as_str().unwrap_or_default(),
                words.iter().map(|(word, _)| *word),
            );
            self.refuse(
                key,
                format!(
                    "found {}, allowed are {}{like}",
                    shown(&value),
                    quoted(words)
                ),
            );
        }
        known.map(|&(_, meaning)| meaning)
    }

    pub fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let value = self.take(key)?;
        if value.as_bool().is_none() {
            self.refuse(
                key,
                format!("found {}, allowed are true and false", shown(&value)),
            );
        }
        value.as_bool()
    }

    pub fn players(&mut self) -> Option<u8> {
        let value = self.take("players")?;
        let players = [3, 4]
            .into_iter()
            .find(|&players| value.as_integer() == Some(players.into()));
        if players.is_none() {
            self.refuse(
                "players",
                format!("found {}, allowed are 3 and 4", shown(&value)),
            );
        }
        players
    }

    pub fn whole(
        &mut self,
        key: &'static str,
        unit: &str,
        allowed: std::ops::RangeInclusive<u32>,
    ) -> Option<u32> {
        let value = self.take(key)?;
        let number = value
            .as_integer()
            .and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| allowed.contains(number));
        if number.is_none() {
            let (from, to) = allowed.into_inner();
            self.refuse(
                key,
                format!(
                    "found {}, allowed are whole {unit} from {from} to {to}",
                    shown(&value)
                ),
            );
        }
        number
    }

    /// Reports every unread key. Their values are not shown, because they may be secrets in the
    /// wrong place.
    pub fn finish(self) {
        self.finish_with("");
    }

    /// The same with advice for a key that is like none of this section.
    pub fn finish_with(self, advice_for_others: &str) {
        for key in self.rest.keys() {
            let advice = match nearest(key, self.known.iter().copied()) {
                Some(known) => format!("unknown key; did you mean `{known}`?"),
                None if is_secret(key) => NO_SECRETS.to_owned(),
                None => format!(
                    "unknown key; allowed are {}{advice_for_others}",
                    listed(&self.known)
                ),
            };
            self.refuse(key, advice);
        }
    }
}

const NO_SECRETS: &str = "a token does not belong in a config, which gets shared and shown; put it into an environment \
                          variable and name that as arena.token_env, or into a file with mode 0600 and name that as \
                          arena.token_file (at Botzone arena.secret_env and arena.secret_file)";

/// Whether the name of a key suggests a token.
pub fn is_secret(key: &str) -> bool {
    let letters: String = key
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    let words = [
        "token",
        "password",
        "passwd",
        "secret",
        "auth",
        "bearer",
        "apikey",
        "jwt",
        "credential",
        "cookie",
    ];
    words.iter().any(|word| letters.contains(word))
}

/// The folder that relative paths in a config start from.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// The same as a complete path, for policies, which do not know the folder in which the runner was
/// started.
pub fn complete_folder_of(file: &Path) -> PathBuf {
    let complete = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    folder_of(&complete).to_owned()
}
