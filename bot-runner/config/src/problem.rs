//! The mistakes in a config, described so that its author can fix them.

use std::fmt;
use std::path::{Path, PathBuf};

use foreign_text::{escaped, shown_path, without_middle};

use client::place::short;

/// Maximum number of characters of a key that are shown.
const MAX_KEY_LENGTH: usize = 80;

/// Maximum number of mistakes of a file that are reported while bots play, and of characters of
/// each.
const MAX_REPORTED: usize = 20;
const MAX_REASON: usize = 1_000;

/// One mistake: its place, the value found, the allowed values and the fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub file: PathBuf,
    /// The key, with its section (`policy.think_ms`); empty when it is about the whole file.
    pub key: String,
    /// The value found, the allowed values, and the next step.
    pub message: String,
}

impl Problem {
    /// A problem with a key of a file. Of a key that is longer than any of ours only the beginning
    /// is kept.
    pub fn new(file: &Path, key: impl Into<String>, message: impl Into<String>) -> Self {
        let mut key = key.into();
        if let Some((end, _)) = key.char_indices().nth(MAX_KEY_LENGTH) {
            key.truncate(end);
            key.push('…');
        }
        Self {
            file: file.to_owned(),
            key,
            message: message.into(),
        }
    }

    /// Whether no policy can be created from the `[policy]` section because of it.
    pub fn concerns_policy(&self) -> bool {
        self.key.is_empty() || self.key == "policy" || self.key.starts_with("policy.")
    }

    /// The key and the message, without the file.
    pub fn reason(&self) -> String {
        // It may quote a library, or the file.
        let message = escaped(self.message.as_bytes());
        match self.key.as_str() {
            "" => message,
            key => format!("{}: {message}", escaped(key.as_bytes())),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", shown_path(short(&self.file)), self.reason())
    }
}

/// All problems; at least one.
#[derive(Debug, thiserror::Error)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// The mistakes of one file, without its name: the first ones if they are many.
    pub fn reasons(&self) -> String {
        let told = self
            .0
            .iter()
            .take(MAX_REPORTED)
            .map(|problem| without_middle(&problem.reason(), MAX_REASON).into_owned());
        let more = self.0.len().saturating_sub(MAX_REPORTED);
        let more = (more > 0).then(|| format!("and {more} more, which `bot-runner check` lists"));
        told.chain(more).collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}
