//! The name and version of a program that decides for a policy, as its instance gives them.

use serde::{Deserialize, Serialize};

use crate::find::describe::{MAX_NAME, shown_up_to};

/// Maximum number of characters of a name and of a version that are read.
const MAX_READ: usize = 4 * MAX_NAME;

/// A name and a version in the form in which they are shown: on one line, escaped and cut. `None`:
/// the policy's own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AnnouncedIdentity {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
}

impl AnnouncedIdentity {
    /// Maximum length in JSON, in bytes: a character takes up to four, and the keys less than 64.
    pub(crate) const MAX_JSON_BYTES: usize = 64 + 2 * 4 * MAX_NAME;

    pub(crate) fn new(name: &str, version: &str) -> Self {
        Self {
            name: shown(name),
            version: shown(version),
        }
    }

    /// The same, from a process that may have sent anything.
    pub(crate) fn checked(self) -> Self {
        Self::new(
            &self.name.unwrap_or_default(),
            &self.version.unwrap_or_default(),
        )
    }
}

fn shown(text: &str) -> Option<String> {
    let text: String = text.chars().take(MAX_READ).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    Some(shown_up_to(MAX_NAME, &words.join(" "))).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_short_line_without_controls() {
        let long = "long".repeat(1000);
        let cut = format!("{}…", &long[..MAX_NAME - 1]);
        for (given, expected) in [
            ("kuma", Some("kuma")),
            (" Kuma \t Bot\n", Some("Kuma Bot")),
            ("熊\u{1b}[31m\u{202e}", Some("熊\\u{1b}[31m\\u{202e}")),
            (&long, Some(&cut)),
            ("", None),
            (" \n", None),
        ] {
            let identity = AnnouncedIdentity::new(given, given);
            assert_eq!(
                (identity.name.as_deref(), identity.version.as_deref()),
                (expected, expected),
                "{given:?}"
            );
            assert_eq!(
                identity.clone().checked(),
                identity,
                "a second check changes nothing"
            );
            let json = serde_json::to_vec(&identity).expect("it has a JSON form");
            assert!(
                json.len() <= AnnouncedIdentity::MAX_JSON_BYTES,
                "{}",
                json.len()
            );
        }
    }
}
