//! Long text on one line of ours.

use std::borrow::Cow;

/// A text of at most so many characters. A longer one loses its middle: its end often says what to
/// do.
pub fn without_middle(text: &str, most: usize) -> Cow<'_, str> {
    if text.char_indices().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let kept = most.saturating_sub(1);
    let (first, last) = (kept.div_ceil(2), kept / 2);
    let head: String = text.chars().take(first).collect();
    let tail = text
        .char_indices()
        .rev()
        .take(last)
        .last()
        .map_or("", |(start, _)| &text[start..]);
    Cow::Owned(format!("{head}…{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        for (text, most, shown) in [
            ("one two", 7, "one two"),
            ("one, two", 7, "one…two"),
            ("くまくま", 3, "く…ま"),
            ("kuma", 1, "…"),
        ] {
            assert_eq!(without_middle(text, most), shown);
        }
    }
}
