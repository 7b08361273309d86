//! Words from outside: the one place through which what an arena, a site or a database says passes
//! before it reaches a log, a page, a record or a terminal.
//!
//! [`ForeignText`] keeps the words as they came, for the program to understand, and shows them
//! without the secret, on one line and cut. The secret is taken out first: a part of it that a cut
//! or an excerpt leaves would not be found any more.
#![forbid(unsafe_code)]

mod bounds;
mod escape;
mod secret;
mod shorten;

use std::fmt;
use std::path::Path;

use secrecy::{ExposeSecret, SecretString};

pub use bounds::{MAX_TEXT_BYTES, TextTooLong, check_text, check_texts};
pub use escape::{escaped, escaped_json, escaped_lines, is_unseen};
pub use secret::{may_hold_secret, redacted, repeats};
pub use shorten::without_middle;

/// Maximum number of characters that are shown. Known messages are far shorter.
const MAX_SHOWN: usize = 200;

/// Maximum number of bytes that are kept for parsing.
const MAX_UNDERSTOOD: usize = 4 << 10;

/// Maximum length, in bytes, of a text that is searched for a secret before a part of it is shown.
const MAX_SEARCHED: usize = 64 << 10;

/// Words from outside. `Display` and `Debug` show only the safe form.
#[derive(Clone, Default)]
pub struct ForeignText {
    understood: SecretString,
    shown: String,
}

impl ForeignText {
    /// Words, with the secret that their sender may repeat.
    pub fn new(words: &str, secret: Option<&SecretString>) -> Self {
        let understood = SecretString::from(&words[..words.floor_boundary(MAX_UNDERSTOOD)]);
        Self {
            understood,
            shown: cut(&redacted(secret, words)),
        }
    }

    /// Words that quote a part of a text. They are not shown if that text contains the secret,
    /// because they may quote any part of it, nor if it is too long to be searched each time.
    pub fn excerpt(text: &str, words: &dyn fmt::Display, secret: Option<&SecretString>) -> Self {
        if secret.is_some() && text.len() > MAX_SEARCHED {
            return Self::hidden(&format!(
                "(not shown, out of a text of {} KiB)",
                text.len() >> 10
            ));
        }
        let words = words.to_string();
        if repeats(secret, text) || repeats(secret, &words) {
            return Self::hidden("(not shown, since it repeats the token)");
        }
        Self::new(&words, secret)
    }

    /// Our own words in place of others that may not be shown.
    fn hidden(instead: &str) -> Self {
        Self {
            understood: SecretString::default(),
            shown: instead.to_owned(),
        }
    }

    /// The original words, cut if they are very long: for parsing, never for display.
    pub fn understood(&self) -> &str {
        self.understood.expose_secret()
    }

    /// The words as they may be shown.
    pub fn as_str(&self) -> &str {
        &self.shown
    }

    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }
}

impl fmt::Display for ForeignText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for ForeignText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.shown, f)
    }
}

impl PartialEq for ForeignText {
    fn eq(&self, other: &Self) -> bool {
        self.shown == other.shown && self.understood() == other.understood()
    }
}

impl Eq for ForeignText {}

/// A name from outside that holds no secret, as [`ForeignText`] shows it: escaped, and cut after
/// 200 characters.
pub fn shown(words: &str) -> String {
    cut(words)
}

/// A path, escaped.
pub fn shown_path(path: impl AsRef<Path>) -> String {
    escaped(path.as_ref().as_os_str().as_encoded_bytes())
}

/// Escaped and cut to a readable length.
fn cut(words: &str) -> String {
    match words.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => escaped(&words.as_bytes()[..end]) + "…",
        None => escaped(words.as_bytes()),
    }
}

/// The positions at which a text may be cut.
trait Boundary {
    /// The last boundary of characters that is not behind this byte.
    fn floor_boundary(&self, byte: usize) -> usize;
}

impl Boundary for str {
    fn floor_boundary(&self, byte: usize) -> usize {
        (0..=byte.min(self.len()))
            .rev()
            .find(|&at| self.is_char_boundary(at))
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "canary-0123456789";

    fn shown(words: &str) -> String {
        ForeignText::new(words, Some(&SecretString::from(SECRET))).to_string()
    }

    #[test]
    fn words_are_escaped_and_cut_after_two_hundred_characters() {
        let shown = |words: &str| ForeignText::new(words, None).to_string();
        assert_eq!(
            shown("no\r\n\u{1b}[31mkuma: passed"),
            "no\\r\\n\\u{1b}[31mkuma: passed"
        );
        assert_eq!(shown(&"熊".repeat(MAX_SHOWN)), "熊".repeat(MAX_SHOWN));
        assert_eq!(shown(&"熊".repeat(3 << 20)), "熊".repeat(MAX_SHOWN) + "…");
    }

    #[test]
    fn a_secret_is_taken_out_before_the_words_are_cut() {
        for before in 0..=MAX_SHOWN {
            let words = shown(&("x".repeat(before) + SECRET + &"y".repeat(MAX_SHOWN)));
            assert!(!words.contains("can"), "{words}");
        }
    }

    #[test]
    fn words_that_quote_a_part_of_a_text_with_the_secret_are_not_shown() {
        let secret = SecretString::from(SECRET);
        for (text, words) in [
            ("x canary-0123456789", "found \"x cana\"…"),
            (r"\u0063anary-0123456789", "found y"),
        ] {
            let words = ForeignText::excerpt(text, &words, Some(&secret));
            assert_eq!(words.to_string(), "(not shown, since it repeats the token)");
            assert!(!format!("{words:?}").contains("cana") && words.understood().is_empty());
        }
        assert_eq!(
            ForeignText::excerpt("hello", &"found \"hello\"", Some(&secret)).as_str(),
            "found \"hello\""
        );
        let long = ForeignText::excerpt(&"x".repeat(MAX_SEARCHED + 1), &"x", Some(&secret));
        assert_eq!(long.as_str(), "(not shown, out of a text of 64 KiB)");
    }

    #[test]
    fn words_are_understood_as_they_came_though_a_secret_is_a_part_of_them() {
        let words = ForeignText::new(
            "this bot is already active",
            Some(&SecretString::from("active")),
        );
        assert_eq!(
            (words.understood(), words.as_str()),
            ("this bot is already active", "this bot is already [token]")
        );
        assert!(!format!("{words:?} {words}").contains("active"));
        assert_eq!(
            ForeignText::new(&"熊".repeat(3 << 20), None)
                .understood()
                .len(),
            MAX_UNDERSTOOD / 3 * 3
        );
    }
}
