//! Texts in the columns of a terminal: their width, and lines that end between words.

use unicode_width::UnicodeWidthChar;

/// Maximum number of letters for each column of a shortened text: marks on letters take no column
/// of their own.
const MAX_LETTERS: usize = 4;

/// The number of columns that a text takes; letters of Chinese, Japanese and Korean take two. It is
/// the sum over its letters, as terminals move their cursor, so a part of a text never takes more
/// than the whole.
pub fn width(text: &str) -> usize {
    text.chars().map(|letter| letter.width().unwrap_or(0)).sum()
}

/// A text of at most this many columns. What does not fit is taken out of its middle, because names
/// that are alike often differ at the end.
pub fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns && text.chars().count() <= MAX_LETTERS.saturating_mul(columns) {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else {
        return String::new();
    };
    let end: String = {
        let letters: Vec<char> = within(text.chars().rev(), room / 3).collect();
        letters.into_iter().rev().collect()
    };
    let start: String = within(text.chars(), room - width(&end)).collect();
    format!("{start}…{end}")
}

/// The first letters of a text, as many as take at most this many columns.
fn within(letters: impl Iterator<Item = char>, columns: usize) -> impl Iterator<Item = char> {
    let fitting = letters.scan(columns, |left, letter| {
        *left = left.checked_sub(letter.width().unwrap_or(0))?;
        Some(letter)
    });
    fitting.take(MAX_LETTERS.saturating_mul(columns))
}

/// A line as several of at most this many columns, broken between words; all but the first are
/// indented like the first and by `indent` columns more. A word that is longer than a line stays
/// whole.
pub fn wrapped(line: &str, columns: usize, indent: usize) -> Vec<String> {
    if width(line) <= columns {
        return vec![line.to_owned()];
    }
    let own = line.len() - line.trim_start_matches(' ').len();
    let indent = " ".repeat((own + indent).min(columns / 2));
    let mut lines = vec![line[..own].to_owned()];
    let mut is_empty = true;
    for word in line[own..].split(' ') {
        let last = lines.last_mut().expect("there is a first line");
        if !is_empty && width(last) + 1 + width(word) > columns {
            lines.push(indent.clone() + word);
            continue;
        }
        if !is_empty {
            last.push(' ');
        }
        last.push_str(word);
        is_empty = false;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_loses_its_middle_and_keeps_its_end() {
        assert_eq!(shortened("doudizhu-split-2", 16), "doudizhu-split-2");
        assert_eq!(shortened("doudizhu-split-2", 10), "doudiz…t-2");
        assert_eq!(shortened("熊熊熊熊熊熊", 8), "熊熊…熊");
        assert_eq!(shortened("kuma", 0), "");
    }

    #[test]
    fn no_text_takes_more_columns_than_it_may() {
        let (marks, ligatures) = ("a\u{301}".repeat(9), "\u{644}\u{627}".repeat(9));
        let emoji = "\u{263a}\u{fe0f}\u{1f468}\u{200d}\u{1f469}\u{1f44d}\u{1f3fd}".repeat(4);
        for text in [
            &marks,
            &ligatures,
            &emoji,
            &"\u{301}".repeat(100_000),
            &"\u{fe0f}x".repeat(9),
        ] {
            for columns in 0..40 {
                let short = shortened(text, columns);
                assert!(width(&short) <= columns, "{short:?}: {columns}");
                assert!(
                    short.chars().count() <= 2 * MAX_LETTERS * columns,
                    "{columns}"
                );
            }
        }
    }

    #[test]
    fn lines_are_broken_between_words() {
        let line = "  kuma: it is not shown which is better";
        assert_eq!(wrapped(line, 80, 2), [line]);
        assert_eq!(
            wrapped(line, 20, 2),
            ["  kuma: it is not", "    shown which is", "    better"]
        );
        assert_eq!(
            wrapped("one verylongword two", 8, 0),
            ["one", "verylongword", "two"]
        );
        assert_eq!(wrapped("くま くま", 6, 0), ["くま", "くま"]);
    }
}
