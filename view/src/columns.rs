//! Texts in the columns of a terminal: their width, and lines that end between words.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The number of columns that a text takes; letters of Chinese, Japanese and Korean take two.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// A text of at most this many columns. What does not fit is taken out of its middle, because names that are alike
/// often differ at the end.
#[must_use]
pub fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    let end: String = {
        let letters: Vec<char> = within(text.chars().rev(), room / 3).collect();
        letters.into_iter().rev().collect()
    };
    let start: String = within(text.chars(), room - width(&end)).collect();
    format!("{start}…{end}")
}

/// The first letters of a text, as many as take at most this many columns.
fn within(letters: impl Iterator<Item = char>, columns: usize) -> impl Iterator<Item = char> {
    letters.scan(columns, |left, letter| {
        *left = left.checked_sub(letter.width().unwrap_or(0))?;
        Some(letter)
    })
}

/// A line as several of at most this many columns, broken between words; all but the first are indented like the
/// first and by `indent` columns more. A word that is longer than a line stays whole.
#[must_use]
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
    fn lines_are_broken_between_words() {
        let line = "  kuma: it is not shown which is better";
        assert_eq!(wrapped(line, 80, 2), [line]);
        assert_eq!(wrapped(line, 20, 2), ["  kuma: it is not", "    shown which is", "    better"]);
        assert_eq!(wrapped("one verylongword two", 8, 0), ["one", "verylongword", "two"]);
        assert_eq!(wrapped("くま くま", 6, 0), ["くま", "くま"]);
    }
}
