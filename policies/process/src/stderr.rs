//! A program's output besides its answers, kept for the log.

use std::collections::VecDeque;

/// Maximum number of lines kept until they are taken.
const MAX_LINES: usize = 100;
/// Maximum number of characters of a line.
const MAX_CHARACTERS: usize = 400;

/// A program's output besides its answers: its standard error, and lines of its standard output that are not answers.
#[derive(Debug, Default)]
pub(crate) struct StderrBuffer {
    waiting: VecDeque<String>,
    left_out: usize,
    last: Option<String>,
}

impl StderrBuffer {
    /// Adds a line. When too many wait, the oldest is dropped.
    pub(crate) fn add(&mut self, line: &str) {
        let line: String = line.chars().take(MAX_CHARACTERS).collect();
        if self.waiting.len() == MAX_LINES {
            self.waiting.pop_front();
            self.left_out += 1;
        }
        self.last = Some(line.clone());
        self.waiting.push_back(line);
    }

    /// The lines since the last time, oldest first.
    pub(crate) fn take(&mut self) -> Vec<String> {
        let left_out = std::mem::take(&mut self.left_out);
        let note = (left_out > 0).then(|| format!("({left_out} lines before these are left out)"));
        note.into_iter().chain(self.waiting.drain(..)).collect()
    }

    /// The newest line there ever was.
    pub(crate) fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_lines_are_counted_and_the_newest_kept() {
        let mut complaints = StderrBuffer::default();
        for number in 0..MAX_LINES + 3 {
            complaints.add(&number.to_string());
        }
        let taken = complaints.take();
        assert_eq!(taken.len(), MAX_LINES + 1);
        assert_eq!((taken[0].as_str(), taken[1].as_str()), ("(3 lines before these are left out)", "3"));
        assert_eq!(complaints.take(), [""; 0]);
        assert_eq!(complaints.last(), Some("102"));
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut complaints = StderrBuffer::default();
        complaints.add(&"é".repeat(1_000));
        assert_eq!(complaints.last().map(|line| line.chars().count()), Some(MAX_CHARACTERS));
    }
}
