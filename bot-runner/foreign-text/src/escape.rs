//! Text of others on one line of ours.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes what could move a terminal's cursor, begin another line or turn the direction of the
/// text. Bytes that are not UTF-8 are escaped too.
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

/// The same for lines of ours, which may quote others: the line breaks stay.
pub fn escaped_lines(text: &str) -> Cow<'_, str> {
    let is_plain = |character| character == '\n' || !disturbs(character);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| escaped(line.as_bytes()))
        .collect();
    Cow::Owned(lines.join("\n"))
}

/// The same for a JSON document, which stays one with the same meaning: only its texts can hold
/// such characters.
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    let is_plain = |character| matches!(character, '\n' | '\t') || !disturbs(character);
    if json.chars().all(is_plain) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if is_plain(character) {
            text.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(text, "\\u{unit:04x}");
        }
    }
    Cow::Owned(text)
}

fn disturbs(character: char) -> bool {
    is_unseen(character) || (character.is_control() && character != '\t')
}

/// Whether a character changes the direction or the look of others without being seen.
pub const fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{13430}'..='\u{13455}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_neither_begins_a_line_nor_disturbs_the_terminal() {
        assert_eq!(
            escaped("no\r\n\u{1b}[31mkuma: passed\u{9b}".as_bytes()),
            "no\\r\\n\\u{1b}[31mkuma: passed\\u{9b}"
        );
        assert_eq!(
            escaped("a\u{202e}b\u{2028}c".as_bytes()),
            "a\\u{202e}b\\u{2028}c"
        );
        assert_eq!(
            escaped("Bot \"熊\"\tis inactive".as_bytes()),
            "Bot \"熊\"\tis inactive"
        );
        for unseen in [
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200d}',
            '\u{200f}',
            '\u{2060}',
            '\u{2069}',
            '\u{feff}',
            '\u{e0041}',
        ] {
            assert_eq!(
                escaped(unseen.to_string().as_bytes()),
                format!("\\u{{{:x}}}", u32::from(unseen))
            );
        }
        assert_eq!(escaped(b"\xff\x00"), "\\xff\\u{0}");
    }

    #[test]
    fn all_controls_and_marks_of_direction_are_escaped() {
        let controls = (0..0x20)
            .chain(0x7f..0xa0)
            .filter(|&code| code != u32::from('\t'));
        let marks = [0x61c, 0x200e, 0x200f, 0x2028, 0x2029]
            .into_iter()
            .chain(0x202a..=0x202e)
            .chain(0x2066..=0x2069);
        for character in controls.chain(marks).filter_map(char::from_u32) {
            let text = format!("a{character}b");
            assert!(
                !escaped(text.as_bytes()).contains(character),
                "{character:?}"
            );
            assert_eq!(
                escaped_lines(&text).contains(character),
                character == '\n',
                "{character:?}"
            );
        }
    }

    #[test]
    fn lines_keep_their_breaks_and_nothing_else() {
        assert_eq!(escaped_lines("one\ntwo\n"), "one\ntwo\n");
        assert_eq!(
            escaped_lines("one\r\n\u{1b}[2Jtwo"),
            "one\\r\n\\u{1b}[2Jtwo"
        );
    }

    #[test]
    fn json_keeps_its_meaning() {
        let json = "{\n\t\"a\u{202e}\": \"\u{9b}\u{e0041}熊\"\n}";
        let escaped = escaped_json(json);
        assert_eq!(escaped, "{\n\t\"a\\u202e\": \"\\u009b\\udb40\\udc41熊\"\n}");
    }
}
