//! A token is in no record, whatever the arena repeats.

use std::borrow::Cow;

use crate::config::Token;

/// A text without the token. One that spells it so that it would come out of the JSON again is not shown at all.
pub(super) fn redacted<'t>(token: Option<&Token>, text: &'t str) -> Cow<'t, str> {
    let Some(token) = token else { return Cow::Borrowed(text) };
    let shown = if token.is_in(text) { Cow::Owned(token.redact(text)) } else { Cow::Borrowed(text) };
    // Only an escaped letter can hide it from a plain search.
    if shown.contains('\\') && token.is_in(&unescaped(&shown)) {
        return Cow::Borrowed("(not kept, for it repeats the token)");
    }
    shown
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

    #[test]
    fn the_token_is_taken_out_however_it_is_spelled() {
        let token = Token::new("canary-1").expect("a token");
        assert_eq!(redacted(Some(&token), r#"{"a":"\n canary"}"#), r#"{"a":"\n canary"}"#);
        assert_eq!(redacted(Some(&token), r#"{"a":"x canary-1"}"#), r#"{"a":"x [token]"}"#);
        for escaped in [
            r#"{"a":["\u0063anary-1"]}"#,
            r#"{"canary\u002d1":1}"#,
            r#"{"a":"\u0063anary-1","a":1}"#,
            r#"{"a":"\u0063anary-1""#,
            r#"{"a":"canary-1 \u0063anary-1"}"#,
            r#"\u63 \ué \ud800 {"a":"\u0063anary-1""#,
        ] {
            assert!(!redacted(Some(&token), escaped).contains("anary"), "{escaped}");
        }
    }
}
