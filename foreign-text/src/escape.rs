//! Text of others on one line of ours.

/// Escapes what could move a terminal's cursor, begin another line or turn the direction of the text. Bytes that are
/// not UTF-8 are escaped too.
#[must_use]
pub fn escaped(text: &[u8]) -> String {
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

/// Controls, and characters that change the direction or the look of others without being seen.
fn disturbs(character: char) -> bool {
    let is_unseen = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    );
    is_unseen || (character.is_control() && character != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_neither_begins_a_line_nor_disturbs_the_terminal() {
        assert_eq!(escaped("no\r\n\u{1b}[31mkuma: passed\u{9b}".as_bytes()), "no\\r\\n\\u{1b}[31mkuma: passed\\u{9b}");
        assert_eq!(escaped("a\u{202e}b\u{2028}c".as_bytes()), "a\\u{202e}b\\u{2028}c");
        assert_eq!(escaped("Bot \"熊\"\tis inactive".as_bytes()), "Bot \"熊\"\tis inactive");
        for unseen in
            ['\u{ad}', '\u{61c}', '\u{200b}', '\u{200d}', '\u{200f}', '\u{2060}', '\u{2069}', '\u{feff}', '\u{e0041}']
        {
            assert_eq!(escaped(unseen.to_string().as_bytes()), format!("\\u{{{:x}}}", u32::from(unseen)));
        }
        assert_eq!(escaped(b"\xff\x00"), "\\xff\\u{0}");
    }
}
