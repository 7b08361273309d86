//! A token is in no record, whatever the arena repeats.

use std::borrow::Cow;

use crate::config::Token;

/// A text without the token. Of one that spells it so that it would come out of the JSON again nothing is kept.
pub(super) fn redacted<'t>(token: Option<&Token>, text: &'t str) -> Cow<'t, str> {
    match token.filter(|token| token.is_in(text)) {
        Some(token) => Cow::Owned(token.redact(text)),
        None => Cow::Borrowed(text),
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
        for escaped in [r#"{"a":["\u0063anary-1"]}"#, r#"{"canary\u002d1":1}"#, r#"{"a":"canary-1 \u0063anary-1"}"#] {
            assert_eq!(redacted(Some(&token), escaped), "[token]");
        }
    }
}
