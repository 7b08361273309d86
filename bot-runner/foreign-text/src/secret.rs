//! Texts without a secret.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::ops::Range;

use secrecy::{ExposeSecret, SecretString};

use crate::Boundary;

/// Minimum length, in bytes, of a part of a secret that is removed from a text; a shorter secret is
/// removed only as a whole.
const MIN_PART_LENGTH: usize = 8;

/// The same for the beginning of a secret at the end of a cut text.
const MIN_PART_LENGTH_AT_END: usize = 6;

/// The replacement for a secret.
const INSTEAD: &str = "[token]";

/// The name of an environment variable with a secret has one of these in it.
const SECRET_WORDS: [&str; 3] = ["TOKEN", "SECRET", "PASSWORD"];

/// Whether an environment variable may hold a secret, by its name; or by its value, because the
/// address of a proxy may have a password before an `@`.
pub fn may_hold_secret(name: &OsStr, value: &OsStr) -> bool {
    let name = name.to_string_lossy().to_uppercase();
    let has_password = name.ends_with("_PROXY") && value.to_string_lossy().contains('@');
    has_password || SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// A text without the secret and without longer parts of it. Of a text that spells the secret by
/// the escapes of JSON or of addresses nothing is left.
pub fn redacted<'t>(secret: Option<&SecretString>, text: &'t str) -> Cow<'t, str> {
    let Some(secret) = known(secret) else {
        return Cow::Borrowed(text);
    };
    let mut shown = Cow::Borrowed(text);
    let parts = Parts::of(secret);
    let found = parts.in_text(text.as_bytes());
    if parts.are_escaped_in(text, total(&found)) {
        return Cow::Borrowed(INSTEAD);
    }
    if !found.is_empty() {
        let mut plain = String::with_capacity(text.len());
        let mut shown_to = 0;
        for part in found {
            // A part may begin and end inside a character, which is taken out whole.
            let start = text.floor_boundary(part.start);
            plain.push_str(text.get(shown_to..start).unwrap_or_default());
            plain.push_str(INSTEAD);
            shown_to = (part.end..=text.len())
                .find(|&at| text.is_char_boundary(at))
                .unwrap_or(text.len());
        }
        plain.push_str(&text[shown_to..]);
        shown = Cow::Owned(plain);
    }
    if parts.are_escaped_in(&shown, 0) {
        return Cow::Borrowed(INSTEAD);
    }
    let beginnings = (MIN_PART_LENGTH_AT_END..secret.len())
        .rev()
        .filter(|&end| secret.is_char_boundary(end));
    let cut_off = beginnings
        .into_iter()
        .find(|&length| shown.ends_with(&secret[..length]));
    if let Some(length) = cut_off {
        let whole = &shown[..shown.len() - length];
        shown = Cow::Owned(format!("{whole}{INSTEAD}"));
    }
    shown
}

/// Whether a text contains the secret or a longer part of it, literally or in the escapes of JSON
/// or of addresses.
pub fn repeats(secret: Option<&SecretString>, text: &str) -> bool {
    known(secret).is_some_and(|secret| Parts::of(secret).are_in(text))
}

fn known(secret: Option<&SecretString>) -> Option<&str> {
    secret
        .map(|secret| secret.expose_secret())
        .filter(|secret| !secret.is_empty())
}

/// All parts of a secret that have the shortest length.
struct Parts {
    length: usize,
    /// The bytes of each as a number; sorted.
    numbers: Vec<u64>,
}

impl Parts {
    fn of(secret: &str) -> Self {
        let length = MIN_PART_LENGTH.min(secret.len());
        let mut numbers: Vec<u64> = numbers_of(secret.as_bytes(), length)
            .map(|(_, number)| number)
            .collect();
        numbers.sort_unstable();
        Self { length, numbers }
    }

    /// The ranges of a text that hold parts of the secret. Overlapping ranges are merged.
    fn in_text(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for (end, number) in numbers_of(text, self.length) {
            if self.numbers.binary_search(&number).is_err() {
                continue;
            }
            let start = end - self.length;
            match found.last_mut() {
                Some(last) if start < last.end => last.end = end,
                _ => found.push(start..end),
            }
        }
        found
    }

    fn are_in(&self, text: &str) -> bool {
        !self.in_text(text.as_bytes()).is_empty() || self.are_escaped_in(text, 0)
    }

    /// Whether a text with its escapes undone has more bytes of the secret than these.
    fn are_escaped_in(&self, text: &str, bytes: usize) -> bool {
        let has_more = |text: &[u8]| total(&self.in_text(text)) > bytes;
        let plain = if text.contains('\\') {
            Cow::Owned(unescaped(text))
        } else {
            Cow::Borrowed(text)
        };
        (matches!(plain, Cow::Owned(_)) && has_more(plain.as_bytes()))
            || (plain.contains('%') && has_more(&percent_decoded(plain.as_bytes())))
    }
}

/// The total length of these parts in bytes.
fn total(parts: &[Range<usize>]) -> usize {
    parts.iter().map(ExactSizeIterator::len).sum()
}

/// Each run of this many bytes, at most eight, as a number, with the position after it.
fn numbers_of(text: &[u8], length: usize) -> impl Iterator<Item = (usize, u64)> {
    let mask = u64::MAX >> (64 - 8 * length);
    let mut number = 0;
    let all = text.iter().enumerate().map(move |(at, &byte)| {
        number = (number << 8 | u64::from(byte)) & mask;
        (at + 1, number)
    });
    all.skip(length - 1)
}

/// A text with the escapes of addresses undone, `%` and two digits each.
fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| text.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut plain = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match digit(at + 1).zip(digit(at + 2)).filter(|_| byte == b'%') {
            Some((high, low)) => {
                plain.extend(u8::try_from(high << 4 | low));
                at += 3;
            }
            None => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    plain
}

/// A text with its JSON escapes decoded, whether or not it is valid JSON: a secret in an unreadable
/// frame is found too.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let code = after
            .strip_prefix('u')
            .and_then(|hex| u32::from_str_radix(hex.get(..4)?, 16).ok());
        match code.and_then(char::from_u32) {
            Some(letter) => {
                plain.push(letter);
                rest = &after[5..];
            }
            None => rest = after,
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(secret: &str, text: &str) -> String {
        redacted(Some(&SecretString::from(secret)), text).into_owned()
    }

    #[test]
    fn variables_that_are_named_like_secrets_or_hold_a_password_may_hold_one() {
        let may = |name: &str, value: &str| may_hold_secret(OsStr::new(name), OsStr::new(value));
        for secret in [
            "KUMA_TOKEN",
            "TOKENS",
            "github_token",
            "AWS_SECRET_KEY",
            "DB_PASSWORD",
        ] {
            assert!(may(secret, ""), "{secret}");
        }
        for plain in [
            "PATH",
            "HOME",
            "CUDA_VISIBLE_DEVICES",
            "MORTAL_CFG",
            "KUMA_2",
        ] {
            assert!(!may(plain, "a@b"), "{plain}");
        }
        assert!(
            may("https_proxy", "http://kuma:canary@proxy:1")
                && !may("https_proxy", "http://proxy:1")
        );
    }

    #[test]
    fn a_secret_is_removed_if_the_text_ends_within_it_and_if_it_is_written_with_escapes() {
        assert_eq!(
            without("canary-123", "you sent canary-123!"),
            "you sent [token]!"
        );
        for broken in ["you sent canary", "you sent canary-", "you sent canary-12"] {
            assert_eq!(without("canary-123", broken), "you sent [token]");
        }
        assert_eq!(without("canary-123", "you sent a can"), "you sent a can");
        for escaped in [
            r"\u0063anary-123",
            r#"canary-123 {"a":"\u0063anary-123","a":1}"#,
            r"\u63 \ué \ud800 \u0063anary-123",
        ] {
            assert_eq!(without("canary-123", escaped), "[token]", "{escaped}");
        }
    }

    #[test]
    fn the_beginning_of_a_secret_is_taken_out_of_any_place() {
        let long = "canary-0123456789-0123456789";
        assert_eq!(
            without(long, r#"found "canary-0123456789…", allowed"#),
            r#"found "[token]…", allowed"#
        );
        assert_eq!(
            without(long, "canary-0canary-0123456789-0123456789"),
            "[token][token]"
        );
        assert_eq!(without(long, "the canary-sings"), "the canary-sings");
        let secret = SecretString::from(long);
        assert!(
            repeats(Some(&secret), r#"{"a":"\u0063anary-012"}"#)
                && !repeats(Some(&secret), "canary-")
        );
        assert_eq!(without("abc", "ab abc abcd"), "ab [token] [token]d");
    }

    #[test]
    fn a_part_of_a_secret_without_its_beginning_is_taken_out() {
        let long = "canary-0123456789";
        assert_eq!(
            without(long, r#"{"a":"nary-0123456789"}"#),
            r#"{"a":"[token]"}"#
        );
        assert_eq!(
            without(long, "the middle, ry-012345, of it"),
            "the middle, [token], of it"
        );
        assert_eq!(
            without(long, "bye canary-0123456789|ry-0123456789"),
            "bye [token]|[token]"
        );
        assert_eq!(
            without(long, "canary-012|anary-0123456 3456789"),
            "[token]|[token] 3456789"
        );
        assert_eq!(
            without(long, "canary- 0123456 ary-012"),
            "canary- 0123456 ary-012",
            "shorter parts"
        );
        assert_eq!(
            without("canary-0123456789-canary-9876543210", "a canary-9876 b"),
            "a [token] b"
        );
        for (first, second) in (8..=long.len() - 8).map(|at| long.split_at(at)) {
            assert_eq!(
                without(long, first) + &without(long, second),
                "[token][token]",
                "two frames"
            );
        }
        assert_eq!(without("くまのひみつ", "<まのひみつ>"), "<[token]>");
    }

    #[test]
    fn a_secret_that_is_spelled_by_the_escapes_of_addresses_is_taken_out() {
        let long = "canary-0123456789";
        for escaped in [
            "user=%63anary-0123456789",
            "%6e%61ry%2D0123456",
            r"\u0025\u0036\u0033anary-0%3123",
            r"%6E\u0061ry-0123456",
        ] {
            assert_eq!(without(long, escaped), "[token]", "{escaped}");
            assert!(
                repeats(Some(&SecretString::from(long)), escaped),
                "{escaped}"
            );
        }
        for other in ["50 % of all", "%", "%6", "%zz%e7%86%8a", "%63anary-"] {
            assert_eq!(without(long, other), other);
        }
    }

    #[test]
    fn a_secret_of_any_letters_is_taken_out_and_an_empty_one_takes_nothing() {
        for secret in ["くまのひみつ", "secret 熊 of a test", "熊", "x熊x熊x熊x熊"] {
            assert_eq!(
                without(secret, &format!("<{secret}> 熊く"))
                    .matches("[token]")
                    .count(),
                1 + usize::from(secret == "熊")
            );
            for (end, _) in secret.char_indices() {
                let _ = without(secret, &format!("you said {}", &secret[..end]));
            }
        }
        assert_eq!(without("", "hello"), "hello");
        assert!(!repeats(Some(&SecretString::from("")), "hello") && !repeats(None, "hello"));
    }
}
