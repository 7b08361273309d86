//! Words of others on lines of ours: nothing in them disturbs a terminal or passes for a line of its own.

/// Most characters of an arena's words on one line. Those that are known are far shorter.
const MOST: usize = 200;

/// A text in which nothing can disturb a terminal, or pass for another line.
pub(crate) fn escaped(text: &[u8]) -> String {
    let mut line = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            if disturbs(character) {
                line.extend(character.escape_default());
            } else {
                line.push(character);
            }
        }
        line.extend(chunk.invalid().escape_ascii().map(char::from));
    }
    line
}

/// Whether it moves the cursor, ends a line, or turns the direction of what follows.
fn disturbs(character: char) -> bool {
    let turns = matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (character.is_control() && character != '\t')
}

/// The same, cut after what anybody would read of an arena's words. A token has to be out of them before, for a part of one
/// is no longer found.
pub(crate) fn cut(words: &str) -> String {
    match words.char_indices().nth(MOST) {
        Some((end, _)) => escaped(&words.as_bytes()[..end]) + "…",
        None => escaped(words.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_neither_begin_a_line_nor_disturb_the_terminal() {
        assert_eq!(cut("no\r\n\u{1b}[31mkuma: passed\u{9b}"), "no\\r\\n\\u{1b}[31mkuma: passed\\u{9b}");
        assert_eq!(cut("a\u{202e}b\u{2028}c"), "a\\u{202e}b\\u{2028}c");
        assert_eq!(cut("Bot \"熊\"\tis inactive"), "Bot \"熊\"\tis inactive");
        assert_eq!(escaped(b"\xff\x00"), "\\xff\\u{0}");
    }

    #[test]
    fn words_without_end_are_cut() {
        assert_eq!(cut(&"熊".repeat(MOST)), "熊".repeat(MOST));
        assert_eq!(cut(&"熊".repeat(3 << 20)), "熊".repeat(MOST) + "…");
    }
}
