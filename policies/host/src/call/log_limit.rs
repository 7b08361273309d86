//! The limit on log lines from an arena, a policy or an engine.

use std::time::Instant;

use foreign_text::escaped;

/// Maximum length, before escaping, of a text that becomes a line, in bytes; the rest is omitted.
const MAX_TEXT_BYTES: usize = 4 << 10;
/// Maximum number of bytes in a burst.
const BURST: u64 = 64 << 10;
/// Maximum rate in the long run, bytes a second: below 100 MB a day.
const PER_SECOND: u64 = 1 << 10;
/// The size of a line besides its text: time, level, the bot's name.
const BESIDES: u64 = 64;

/// Text of others on one line of the log: escaped, and cut after some thousand bytes.
pub fn log_text(text: &[u8]) -> String {
    match text.get(..MAX_TEXT_BYTES) {
        Some(start) if start.len() < text.len() => {
            // Not in the middle of a character.
            let end = (MAX_TEXT_BYTES - 3..=MAX_TEXT_BYTES)
                .rev()
                .find(|&end| !is_continuation(text[end]));
            escaped(&text[..end.unwrap_or(MAX_TEXT_BYTES)]) + "…"
        }
        _ => escaped(text),
    }
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The remaining allowance of one source for the log. Lines beyond that are counted.
#[derive(Debug, Default)]
pub struct LogLimit {
    /// Bytes written, less those that the passed time has made up for.
    written: u64,
    last: Option<Instant>,
    left_out: LeftOut,
}

/// Lines that were not logged.
#[derive(Debug, Default, Clone, Copy)]
struct LeftOut {
    lines: u64,
    bytes: u64,
}

impl LogLimit {
    /// A source that has written nothing yet.
    pub const fn new() -> Self {
        Self {
            written: 0,
            last: None,
            left_out: LeftOut { lines: 0, bytes: 0 },
        }
    }

    /// A text for the log, preceded by a note of omitted lines; `None` if too much was written.
    pub fn line(&mut self, text: &[u8]) -> Option<String> {
        self.line_at(text, Instant::now())
    }

    /// The same at this moment, which is not before an earlier one.
    pub fn line_at(&mut self, text: &[u8], now: Instant) -> Option<String> {
        let passed = self
            .last
            .replace(now)
            .map_or(0, |last| now.saturating_duration_since(last).as_millis());
        // The rest of a millisecond is lost, which is harmless.
        let forgiven = u64::try_from(passed)
            .unwrap_or(u64::MAX)
            .saturating_mul(PER_SECOND)
            / 1000;
        self.written = self.written.saturating_sub(forgiven);
        // A text that is left out is not escaped first, which may take long.
        if self.written >= BURST {
            self.leave_out(text);
            return None;
        }
        let line = log_text(text);
        let takes = line.len() as u64 + BESIDES;
        if self.written + takes > BURST {
            self.leave_out(text);
            return None;
        }
        self.written += takes;
        match self.take_left_out() {
            Some(left_out) => Some(format!("{line} ({left_out} before this)")),
            None => Some(line),
        }
    }

    /// Counts a text that is not logged.
    pub(crate) fn leave_out(&mut self, text: &[u8]) {
        self.left_out.lines += 1;
        self.left_out.bytes += text.len() as u64;
    }

    /// The note of lines omitted since the last one, for the end of the source.
    pub fn take_left_out(&mut self) -> Option<String> {
        let LeftOut { lines, bytes } = std::mem::take(&mut self.left_out);
        (lines > 0)
            .then(|| format!("too much for the log: {lines} lines of {bytes} bytes were left out"))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Number of bytes logged for a source that writes lines of this length, this many in each of
    /// this many seconds.
    fn logged(length: usize, lines: usize, seconds: u64) -> usize {
        let (mut limit, start) = (LogLimit::new(), Instant::now());
        let text = vec![b'x'; length];
        let in_second = |second| (0..lines).map(move |_| start + Duration::from_secs(second));
        (0..seconds)
            .flat_map(in_second)
            .filter_map(|now| limit.line_at(&text, now))
            .map(|line| line.len())
            .sum()
    }

    #[test]
    fn a_flood_of_lines_of_any_length_is_limited_in_bytes() {
        for (length, lines) in [(1, 100_000), (100, 10_000), (4_000, 1_000), (5_000_000, 10)] {
            let logged = logged(length, lines, 8);
            assert!(logged < 80 << 10, "{logged} bytes of lines of {length}");
        }
        assert!(logged(1_000, 1_000, 1) > 32 << 10, "some of it is logged");
    }

    #[test]
    fn a_few_lines_a_second_are_all_logged() {
        assert_eq!(logged(100, 5, 3_600), 100 * 5 * 3_600);
    }

    #[test]
    fn omitted_lines_are_counted_and_reported_with_the_next_line_or_at_the_end() {
        let (mut limit, start) = (LogLimit::new(), Instant::now());
        let text = [b'x'; 4_000];
        let logged = (0..100)
            .filter(|_| limit.line_at(&text, start).is_some())
            .count() as u64;
        let left_out = 100 - logged;
        let line = limit
            .line_at(b"later", start + Duration::from_secs(10))
            .expect("there is time for it");
        let bytes = left_out * 4_000;
        assert_eq!(
            line,
            format!(
                "later (too much for the log: {left_out} lines of {bytes} bytes were left out before this)"
            )
        );
        assert_eq!(limit.take_left_out(), None);
    }

    #[test]
    fn a_text_is_escaped_and_cut_between_two_characters() {
        assert_eq!(log_text(b"a\nb\x1b"), "a\\nb\\u{1b}");
        let long = "熊".repeat(2_000);
        assert_eq!(
            log_text(long.as_bytes()),
            "熊".repeat(MAX_TEXT_BYTES / 3) + "…"
        );
    }
}
