//! JSON as programs write it.

use std::borrow::Cow;

/// A line of a program as JSON: what its language writes and JSON does not know is `null`. That is
/// NaN and the infinities, which Python writes, and numbers that are too large for any float. Half
/// a letter of UTF-16 in a text, which Python writes too, becomes U+FFFD. A line that is no JSON
/// otherwise remains none.
pub fn as_json(line: &str) -> Cow<'_, str> {
    let mut json = JsonLine {
        line,
        copied: 0,
        text: String::new(),
    };
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = match byte {
            b'"' => json.end_of_text(at),
            b'-' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => end_of_word(bytes, at),
            _ => at + 1,
        };
        let word = line.get(at..end).unwrap_or_default();
        let is_number = word
            .trim_start_matches('-')
            .starts_with(|digit: char| digit.is_ascii_digit());
        if matches!(word, "NaN" | "-NaN" | "Infinity" | "-Infinity")
            || (is_number && word.parse().is_ok_and(f64::is_infinite))
        {
            json.replace(at, end, "null");
        }
        at = end;
    }
    json.finish()
}

/// The end of a number or a word that begins here.
fn end_of_word(bytes: &[u8], at: usize) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
    at + bytes[at..].iter().take_while(|byte| is_part(byte)).count()
}

/// A line of which parts are replaced.
struct JsonLine<'l> {
    line: &'l str,
    /// The bytes of the line that are in the text, or replaced there.
    copied: usize,
    text: String,
}

impl<'l> JsonLine<'l> {
    fn replace(&mut self, start: usize, end: usize, with: &str) {
        self.text
            .push_str(self.line.get(self.copied..start).unwrap_or_default());
        self.text.push_str(with);
        self.copied = end;
    }

    /// The end of a text that begins here. Halves of letters in it are replaced.
    fn end_of_text(&mut self, start: usize) -> usize {
        let bytes = self.line.as_bytes();
        let unit = |at: usize| {
            let escape = self.line.get(at..at + 6)?.strip_prefix("\\u")?;
            u16::from_str_radix(escape, 16)
                .ok()
                .filter(|unit| (0xd800..0xe000).contains(unit))
        };
        let (mut at, mut halves) = (start + 1, Vec::new());
        while let Some(&byte) = bytes.get(at) {
            at += match byte {
                b'"' => {
                    at += 1;
                    break;
                }
                b'\\' => match (unit(at), unit(at + 6)) {
                    (Some(..0xdc00), Some(0xdc00..)) => 12,
                    (Some(_), _) => {
                        halves.push(at);
                        6
                    }
                    (None, _) => 2,
                },
                _ => 1,
            };
        }
        for half in halves {
            self.replace(half, half + 6, "\\ufffd");
        }
        at.min(bytes.len())
    }

    fn finish(mut self) -> Cow<'l, str> {
        if self.copied == 0 {
            return Cow::Borrowed(self.line);
        }
        self.replace(self.line.len(), self.line.len(), "");
        Cow::Owned(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_json_does_not_know_is_null() {
        for (line, json) in [
            (
                r#"{"index": 1, "values": [NaN, -Infinity, Infinity, 1.5]}"#,
                r#"{"index": 1, "values": [null, null, null, 1.5]}"#,
            ),
            ("[1e999,-1e999,1e308]", "[null,null,1e308]"),
            (
                r#"{"NaN":"Infinity, NaN \" NaN","a":NaN}"#,
                r#"{"NaN":"Infinity, NaN \" NaN","a":null}"#,
            ),
            (
                r#"{"meta":{"q":[-Infinity,{"x":NaN}]}}"#,
                r#"{"meta":{"q":[null,{"x":null}]}}"#,
            ),
            (
                r#""\ud83d\ude00 \ud83d \ude00\ud83d\\ud83d""#,
                r#""\ud83d\ude00 \ufffd \ufffd\ufffd\\ud83d""#,
            ),
        ] {
            assert_eq!(as_json(line), json);
        }
        let huge = "9".repeat(400);
        assert_eq!(as_json(&format!("[{huge},-{huge}.5]")), "[null,null]");
    }

    #[test]
    fn other_lines_stay_as_they_are() {
        for line in [
            "",
            "thinking",
            "NaNs Infinity2 nan inf -inf -infinity -",
            r#"{"index": 0, "reason": "熊 \u00e9 \"", "values": [null, 1, -2.5e-3, true]}"#,
            "{\"index\": \"",
            "\"\\",
            "\"\\u",
            "\"\\ud8",
            "\"\\ud800",
            "\"\\\"",
        ] {
            let json = as_json(line);
            assert!(json == line || line.ends_with("d800"), "{line}: {json}");
        }
    }
}
