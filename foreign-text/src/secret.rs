//! Texts without a secret.

use std::borrow::Cow;
use std::ops::Range;

use secrecy::{ExposeSecret, SecretString};

use crate::Boundary;

/// Shortest beginning of a secret that is taken out of a text, bytes.
const SHORTEST_PART: usize = 8;

/// The same where the text breaks off behind it.
const SHORTEST_PART_AT_END: usize = 6;

/// What is shown in place of a secret.
const INSTEAD: &str = "[token]";

/// A text without the secret and without longer parts of its beginning. Of a text that spells the secret by JSON's escapes
/// nothing is left.
#[must_use]
pub fn redacted<'t>(secret: Option<&SecretString>, text: &'t str) -> Cow<'t, str> {
    let Some(secret) = known(secret) else { return Cow::Borrowed(text) };
    let mut shown = Cow::Borrowed(text);
    if find(secret, text).is_some() {
        let mut plain = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(part) = find(secret, rest) {
            plain.push_str(&rest[..part.start]);
            plain.push_str(INSTEAD);
            rest = &rest[part.end..];
        }
        plain.push_str(rest);
        shown = Cow::Owned(plain);
    }
    if is_in(secret, &shown) {
        return Cow::Borrowed(INSTEAD);
    }
    let parts = (SHORTEST_PART_AT_END..secret.len()).rev().filter(|&end| secret.is_char_boundary(end));
    let cut_off = parts.into_iter().find(|&length| shown.ends_with(&secret[..length]));
    if let Some(length) = cut_off {
        let whole = &shown[..shown.len() - length];
        shown = Cow::Owned(format!("{whole}{INSTEAD}"));
    }
    shown
}

/// Whether the secret or a longer part of its beginning is in a text, as it is or by JSON's escapes.
#[must_use]
pub fn repeats(secret: Option<&SecretString>, text: &str) -> bool {
    known(secret).is_some_and(|secret| is_in(secret, text))
}

fn known(secret: Option<&SecretString>) -> Option<&str> {
    secret.map(|secret| secret.expose_secret()).filter(|secret| !secret.is_empty())
}

fn is_in(secret: &str, text: &str) -> bool {
    find(secret, text).is_some() || (text.contains('\\') && find(secret, &unescaped(text)).is_some())
}

/// The first place in a text with the secret, or with as much of its beginning as is there.
fn find(secret: &str, text: &str) -> Option<Range<usize>> {
    let shortest = (SHORTEST_PART.min(secret.len())..=secret.len()).find(|&end| secret.is_char_boundary(end))?;
    let start = text.find(&secret[..shortest])?;
    let length = text[start..].bytes().zip(secret.bytes()).take_while(|(found, own)| found == own).count();
    Some(start..start + secret.floor_boundary(length))
}

/// A text with its JSON escapes undone, whether it is JSON or not: what is hidden in a frame that cannot be read is still there.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let code = after.strip_prefix('u').and_then(|hex| u32::from_str_radix(hex.get(..4)?, 16).ok());
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
    fn a_secret_is_taken_out_where_a_text_breaks_off_in_it_and_where_it_is_spelled_by_escapes() {
        assert_eq!(without("canary-123", "you sent canary-123!"), "you sent [token]!");
        for broken in ["you sent canary", "you sent canary-", "you sent canary-12"] {
            assert_eq!(without("canary-123", broken), "you sent [token]");
        }
        assert_eq!(without("canary-123", "you sent a can"), "you sent a can");
        for escaped in
            [r"\u0063anary-123", r#"canary-123 {"a":"\u0063anary-123","a":1}"#, r"\u63 \ué \ud800 \u0063anary-123"]
        {
            assert_eq!(without("canary-123", escaped), "[token]", "{escaped}");
        }
    }

    #[test]
    fn the_beginning_of_a_secret_is_taken_out_of_any_place() {
        let long = "canary-0123456789-0123456789";
        assert_eq!(without(long, r#"found "canary-0123456789…", allowed"#), r#"found "[token]…", allowed"#);
        assert_eq!(without(long, "canary-0canary-0123456789-0123456789"), "[token][token]");
        assert_eq!(without(long, "the canary-sings"), "the canary-sings");
        let secret = SecretString::from(long);
        assert!(repeats(Some(&secret), r#"{"a":"\u0063anary-012"}"#) && !repeats(Some(&secret), "canary-"));
        assert_eq!(without("abc", "ab abc abcd"), "ab [token] [token]d");
    }

    #[test]
    fn a_secret_of_any_letters_is_taken_out_and_an_empty_one_takes_nothing() {
        for secret in ["くまのひみつ", "secret 熊 of a test", "熊", "x熊x熊x熊x熊"] {
            assert_eq!(
                without(secret, &format!("<{secret}> 熊く")).matches("[token]").count(),
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
