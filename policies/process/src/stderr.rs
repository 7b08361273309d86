//! A program's output besides its answers, kept for the log.

use std::collections::VecDeque;

/// Maximum number of lines kept until they are taken.
const MAX_LINES: usize = 100;
/// Maximum number of characters of a line.
const MAX_CHARACTERS: usize = 400;
/// Maximum number of lines that are its last words: with the place of an error in a Python
/// traceback.
const LAST_LINES: usize = 6;
/// Maximum number of characters of its last words, which a host may cut after a thousand bytes with
/// all around them.
const LAST_CHARACTERS: usize = 700;

/// A program's output besides its answers: its standard error, and lines of its standard output
/// that are not answers.
#[derive(Debug, Default)]
pub(crate) struct StderrBuffer {
    waiting: VecDeque<String>,
    left_out: usize,
    /// The newest lines there ever were, oldest first.
    last: VecDeque<String>,
}

impl StderrBuffer {
    /// When too many wait, the oldest is dropped.
    pub(crate) fn add(&mut self, line: &str) {
        let line: String = line.chars().take(MAX_CHARACTERS).collect();
        if self.waiting.len() == MAX_LINES {
            self.waiting.pop_front();
            self.left_out += 1;
        }
        if self.last.len() == LAST_LINES {
            self.last.pop_front();
        }
        self.last.push_back(line.clone());
        self.waiting.push_back(line);
    }

    /// The lines since the last time, oldest first.
    pub(crate) fn take(&mut self) -> Vec<String> {
        let left_out = std::mem::take(&mut self.left_out);
        let note = (left_out > 0).then(|| format!("({left_out} lines before these are left out)"));
        note.into_iter().chain(self.waiting.drain(..)).collect()
    }

    /// The newest lines there ever were, in one; `None` if there was none.
    pub(crate) fn last_words(&self) -> Option<String> {
        let mut left = LAST_CHARACTERS;
        let fits = |line: &&String| {
            let room = left.checked_sub(line.chars().count());
            left = room.unwrap_or(0);
            room.is_some()
        };
        let mut lines: Vec<&str> = self
            .last
            .iter()
            .rev()
            .take_while(fits)
            .map(String::as_str)
            .collect();
        lines.reverse();
        (!lines.is_empty()).then(|| lines.join(" | "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_lines_are_counted_and_the_newest_kept() {
        let mut stderr = StderrBuffer::default();
        for number in 0..MAX_LINES + 3 {
            stderr.add(&number.to_string());
        }
        let taken = stderr.take();
        assert_eq!(taken.len(), MAX_LINES + 1);
        assert_eq!(
            (taken[0].as_str(), taken[1].as_str()),
            ("(3 lines before these are left out)", "3")
        );
        assert_eq!(stderr.take(), [""; 0]);
        assert_eq!(
            stderr.last_words().as_deref(),
            Some("97 | 98 | 99 | 100 | 101 | 102")
        );
    }

    #[test]
    fn a_long_line_is_cut_and_the_last_words_are_as_many_whole_lines_as_fit() {
        let mut stderr = StderrBuffer::default();
        assert_eq!(stderr.last_words(), None);
        for letter in ["a", "é"] {
            stderr.add(&letter.repeat(1_000));
        }
        stderr.add("b");
        assert_eq!(
            stderr.last_words(),
            Some(format!("{} | b", "é".repeat(MAX_CHARACTERS)))
        );
    }
}
