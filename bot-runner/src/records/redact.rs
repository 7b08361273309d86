//! A token is in no record, whatever the arena repeats.

use std::borrow::Cow;

use serde_json::Value;

use crate::config::Token;

/// A text without the token. One that spells it so that it would come out of the JSON again is not shown at all.
pub(super) fn redacted<'t>(token: Option<&Token>, text: &'t str) -> Cow<'t, str> {
    let Some(token) = token else { return Cow::Borrowed(text) };
    // Only an escaped letter can hide it from a plain search.
    if text.contains('\\') && serde_json::from_str(text).is_ok_and(|value| says(token, &value)) {
        return Cow::Borrowed("(not kept, for it repeats the token)");
    }
    if token.is_in(text) { Cow::Owned(token.redact(text)) } else { Cow::Borrowed(text) }
}

fn says(token: &Token, value: &Value) -> bool {
    match value {
        Value::String(text) => token.is_in(text),
        Value::Array(values) => values.iter().any(|value| says(token, value)),
        Value::Object(fields) => fields.iter().any(|(key, value)| token.is_in(key) || says(token, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_taken_out_however_it_is_spelled() {
        let token = Token::new("canary-1").expect("a token");
        assert_eq!(redacted(Some(&token), r#"{"a":"\n canary"}"#), r#"{"a":"\n canary"}"#);
        assert_eq!(redacted(Some(&token), r#"{"a":"x canary-1"}"#), r#"{"a":"x [token]"}"#);
        for escaped in [r#"{"a":["\u0063anary-1"]}"#, r#"{"canary\u002d1":1}"#] {
            assert!(!redacted(Some(&token), escaped).contains("anary"), "{escaped}");
        }
    }
}
