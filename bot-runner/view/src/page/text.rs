//! Texts that may come from strangers.

use std::fmt::Write as _;

const MAX_CHARACTERS: usize = 1_000;

/// A text for a page: a very long one is cut and marked as cut.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        None => text.to_owned(),
        Some((end, _)) => {
            format!(
                "{}… (cut: {} characters in all)",
                &text[..end],
                text.chars().count()
            )
        }
    }
}

/// Maximum number of characters of a name in a sentence.
const MAX_NAME: usize = 60;

/// A short name for sentences, which a page has thousands of.
pub(crate) fn short(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

/// A text inside of an element.
pub(crate) fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\0' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// JSON inside a script element: characters that could end the element, or begin a comment or
/// another element, occur only in strings and are written as escapes.
pub(crate) fn json_in_script(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(escaped, "\\u{:04x}", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_a_megabyte_is_cut_between_two_characters_and_says_so() {
        let long = "熊".repeat(350_000);
        let shown = shown(&long);
        assert_eq!(
            shown,
            format!("{}… (cut: 350000 characters in all)", "熊".repeat(1_000))
        );
    }

    #[test]
    fn json_in_a_script_element_cannot_end_it_and_stays_the_same_json() {
        let text = "</script><!--<script>&\u{2028}\u{2029}\"";
        let json = json_in_script(&serde_json::json!({ text: [text] }).to_string());
        assert!(
            !json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']),
            "{json}"
        );
        let read: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(read, serde_json::json!({ text: [text] }));
    }
}
