//! The bounds of texts that come with a file, a database or an answer.

use serde_json::Value;

/// Maximum length, in bytes, of a text in a file or a database. The longest of our own, the first
/// difference of a game with all of it escaped, has half of that.
pub const MAX_TEXT_BYTES: usize = 64 << 10;

/// A text that is longer than [`MAX_TEXT_BYTES`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} has {bytes} bytes; at most {MAX_TEXT_BYTES} are read")]
pub struct TextTooLong {
    /// The way to it.
    pub field: String,
    pub bytes: usize,
}

/// Checks that no text and no key of a document is longer than [`MAX_TEXT_BYTES`].
///
/// # Errors
///
/// The first that is, with the way to it: `policies[0].version has 100000 bytes; at most 65536 are
/// read`.
pub fn check_texts(value: &Value) -> Result<(), TextTooLong> {
    check_below("", value)
}

/// Checks the text of this field.
///
/// # Errors
///
/// If it is longer than [`MAX_TEXT_BYTES`].
pub fn check_text(field: &str, text: &str) -> Result<(), TextTooLong> {
    match text.len() {
        0..=MAX_TEXT_BYTES => Ok(()),
        bytes => Err(TextTooLong {
            field: field.to_owned(),
            bytes,
        }),
    }
}

fn check_below(place: &str, value: &Value) -> Result<(), TextTooLong> {
    match value {
        Value::String(text) => check_text(place, text),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| check_below(&format!("{place}[{index}]"), item)),
        Value::Object(fields) => fields.iter().try_for_each(|(key, value)| {
            check_text(
                &format!(
                    "a key of {}",
                    if place.is_empty() {
                        "the document"
                    } else {
                        place
                    }
                ),
                key,
            )?;
            let key = crate::shown(key);
            check_below(
                &if place.is_empty() {
                    key
                } else {
                    format!("{place}.{key}")
                },
                value,
            )
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_text_that_is_too_long_is_named() {
        let long = "熊".repeat(MAX_TEXT_BYTES / 3 + 1);
        let bytes = long.len();
        let said = |value: Value| check_texts(&value).map_err(|why| why.to_string());
        assert_eq!(
            said(json!({"a": ["x".repeat(MAX_TEXT_BYTES)], "b": 1, "c": null})),
            Ok(())
        );
        assert_eq!(
            said(json!({"policies": [{"id": "kuma"}, {"version": long}]})),
            Err(format!(
                "policies[1].version has {bytes} bytes; at most 65536 are read"
            ))
        );
        assert_eq!(
            said(json!({"faults": {long.clone(): 1}})),
            Err(format!(
                "a key of faults has {bytes} bytes; at most 65536 are read"
            ))
        );
    }
}
