//! The user's terminal: lines, and below them a table that is redrawn while work is in progress.
//!
//! All lines are written through [`write()`], so that the table makes room for them. The table has
//! its own thread, which draws the current state: a terminal that accepts no output (Ctrl-S) stops
//! that thread and the threads that write lines, but no others.

use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use foreign_text::escaped_lines;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::termios::tcgetwinsize;
use unicode_width::UnicodeWidthChar;

use crate::columns::wrapped;

/// Interval between two drawings of the table.
const EVERY: Duration = Duration::from_millis(500);
/// How long its thread may take to end.
const END_TIMEOUT: Duration = Duration::from_secs(1);
/// The size of a terminal that does not say it.
pub const COLUMNS: usize = 80;
/// Lines are not broken into shorter ones.
const MIN_COLUMNS: usize = 20;
const ROWS: usize = 24;

/// The lines of the table that are now on the terminal.
static TABLE: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[derive(Debug, Clone, Copy)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Writes whole lines, above the table if there is one. Blocks as long as the underlying stream
/// does.
pub fn write(stream: Stream, bytes: &[u8]) -> io::Result<()> {
    write_some(stream, bytes).1
}

/// The same; returns the number of bytes that are written too, which with an error may be a part.
pub(crate) fn write_some(stream: Stream, bytes: &[u8]) -> (usize, io::Result<()>) {
    if matches!(stream, Stream::Out) && !io::stdout().is_terminal() {
        // A reader of lines does not wait for the table's terminal.
        return to(stream, bytes);
    }
    let table = table();
    if table.is_empty() {
        return to(stream, bytes);
    }
    // A problem with the terminal is found when the line is written.
    let _ = to_terminal(erased(table.len()).as_bytes());
    let written = to(stream, bytes);
    let _ = to_terminal(drawn_lines(&table).as_bytes());
    written
}

/// Prints lines for users on standard error.
pub fn note(lines: impl AsRef<str>) {
    // There is no other place to report the error.
    let _ = write(
        Stream::Err,
        (for_users(Stream::Err, lines.as_ref()) + "\n").as_bytes(),
    );
}

/// Lines in the form in which users see them: without controls, and on a terminal broken between
/// words.
pub(crate) fn for_users(stream: Stream, lines: &str) -> String {
    let lines = escaped_lines(lines);
    let Some(columns) = columns(stream) else {
        return lines.into_owned();
    };
    let lines: Vec<String> = lines
        .split('\n')
        .flat_map(|line| wrapped(line, columns, 2))
        .collect();
    lines.join("\n")
}

/// The number of columns of the terminal behind a stream; `None` where it is no terminal.
pub fn columns(stream: Stream) -> Option<usize> {
    let (size, is_terminal) = match stream {
        Stream::Out => (tcgetwinsize(io::stdout()), io::stdout().is_terminal()),
        Stream::Err => (tcgetwinsize(io::stderr()), io::stderr().is_terminal()),
    };
    is_terminal
        .then(|| size.map_or(0, |size| usize::from(size.ws_col)))
        .map(|columns| match columns {
            0 => COLUMNS,
            columns => columns.max(MIN_COLUMNS),
        })
}

/// Writes without the lock of the stream, and without its buffer, which would write a part of a
/// line later: a message that must not wait does not wait for a terminal that is stopped here.
fn to(stream: Stream, bytes: &[u8]) -> (usize, io::Result<()>) {
    let (out, err) = (io::stdout(), io::stderr());
    let stream = match stream {
        Stream::Out => out.as_fd(),
        Stream::Err => err.as_fd(),
    };
    let mut written = 0;
    while written < bytes.len() {
        match rustix::io::write(stream, &bytes[written..]) {
            Ok(0) => return (written, Err(io::ErrorKind::WriteZero.into())),
            Ok(more) => written += more,
            Err(Errno::INTR) => {}
            // Another process has it not wait.
            Err(Errno::AGAIN) => drop(poll(&mut [PollFd::new(&stream, PollFlags::OUT)], None)),
            Err(error) => return (written, Err(error.into())),
        }
    }
    (written, Ok(()))
}

fn to_terminal(bytes: &[u8]) -> io::Result<()> {
    to(Stream::Err, bytes).1
}

/// A way for those who write streams of bytes.
#[derive(Debug, Clone, Copy)]
pub struct StreamWriter(pub Stream);

impl Write for StreamWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write(self.0, bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug, Clone, Copy)]
pub struct ScreenSize {
    pub columns: usize,
    pub rows: usize,
}

impl ScreenSize {
    fn now() -> Self {
        let size = tcgetwinsize(io::stderr())
            .ok()
            .filter(|size| size.ws_col > 0 && size.ws_row > 0);
        size.map_or(
            Self {
                columns: COLUMNS,
                rows: ROWS,
            },
            |size| Self {
                columns: size.ws_col.into(),
                rows: size.ws_row.into(),
            },
        )
    }
}

/// A table that is kept on standard error, until this is dropped.
#[must_use]
#[derive(Debug)]
pub struct LiveTable {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LiveTable {
    /// Keeps a table there whose lines are asked for twice a second; `None` where standard error is
    /// not a terminal that can show one.
    pub fn start(
        mut lines: impl FnMut(ScreenSize) -> Vec<String> + Send + 'static,
    ) -> Option<Self> {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        if is_dumb || !io::stderr().is_terminal() {
            return None;
        }
        let (end, ended) = channel();
        let work = move || {
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                let size = ScreenSize::now();
                let mut lines = lines(size);
                lines.truncate(size.rows.saturating_sub(1));
                // One column is left free: some terminals begin a new line behind the last one.
                replace(
                    lines
                        .iter()
                        .map(|line| fitted(line, size.columns.saturating_sub(1)))
                        .collect(),
                );
            }
            replace(Vec::new());
        };
        let thread = thread::Builder::new()
            .name("live-table".to_owned())
            .spawn(work)
            .ok()?;
        Some(Self {
            end: Some(end),
            thread: Some(thread),
        })
    }
}

/// The table is removed when this returns, unless the terminal accepts no output.
impl Drop for LiveTable {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let until = Instant::now() + END_TIMEOUT;
            while !thread.is_finished() && Instant::now() < until {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Puts other lines in the table's place.
fn replace(lines: Vec<String>) {
    let mut table = table();
    let mut text = if table.is_empty() {
        String::new()
    } else {
        erased(table.len())
    };
    text.push_str(&drawn_lines(&lines));
    *table = lines;
    let _ = to_terminal(text.as_bytes());
}

fn table() -> MutexGuard<'static, Vec<String>> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The escape sequence that removes this many lines above the cursor.
fn erased(lines: usize) -> String {
    format!("\x1b[{lines}A\r\x1b[J")
}

fn drawn_lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn fitted(line: &str, columns: usize) -> String {
    let mut left = columns;
    let mut text = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        if letter == '\x1b' {
            // A colour takes no room and is never cut.
            text.push(letter);
            for part in letters.by_ref() {
                text.push(part);
                if part.is_ascii_alphabetic() {
                    break;
                }
            }
            continue;
        }
        let Some(rest) = left.checked_sub(width(letter)) else {
            break;
        };
        left = rest;
        text.push(letter);
    }
    if line.contains('\x1b') {
        text.push_str("\x1b[0m");
    }
    text
}

/// An upper bound for the columns of a letter: those that are wide in some terminals count as wide.
fn width(letter: char) -> usize {
    match letter {
        // Bars, lines and dots of ours among them.
        '\u{2000}'..='\u{2bff}' => letter.width(),
        _ => letter.width_cjk(),
    }
    .unwrap_or(0)
}

/// The places of games as small bars, from the first place to the last.
pub fn place_bars(places: &[u64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = places.iter().copied().max().unwrap_or(0);
    let bar = |&times: &u64| match most {
        0 => ' ',
        _ => BARS[(times * (BARS.len() as u64 - 1)).div_ceil(most) as usize],
    };
    places.iter().map(bar).collect()
}

/// A text that something is wrong, in red unless the user wants no colours.
pub fn alarming(text: &str) -> String {
    if has_colours() {
        format!("\x1b[31m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

/// Whether colours are wanted on standard error: it is a terminal, and the user has not said
/// `NO_COLOR`.
pub fn has_colours() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The progress of a task: its share of the whole, its speed, and the remaining time. `earlier` of
/// what is done was done before this time.
pub fn progress(done: u64, earlier: u64, of: u64, what: &str, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    let rate = if seconds > 0.0 {
        (done - earlier) as f64 / seconds
    } else {
        0.0
    };
    let fast = if rate >= 1.0 {
        format!("{rate:.1} a second")
    } else {
        format!("{:.1} a minute", rate * 60.0)
    };
    let percent = if of > 0 {
        done as f64 / of as f64 * 100.0
    } else {
        100.0
    };
    let left = if rate > 0.0 {
        left_words((of.saturating_sub(done)) as f64 / rate)
    } else {
        String::new()
    };
    let what = if of == 1 {
        what.trim_end_matches('s')
    } else {
        what
    };
    format!("{done} of {of} {what} ({percent:.0} %), {fast}{left}")
}

/// The remaining time, as a phrase that follows other words.
pub fn left_words(seconds: f64) -> String {
    // Far times are not known to the second.
    let whole = match seconds {
        far if far >= 3600.0 => (far / 60.0).round() * 60.0,
        near => near.round(),
    };
    let time = Duration::try_from_secs_f64(whole).unwrap_or(Duration::MAX);
    format!(", {} left", humantime::format_duration(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_to_the_columns_there_are_and_colours_are_not() {
        assert_eq!(fitted("kuma plays", 4), "kuma");
        assert_eq!(fitted("くま", 3), "く");
        assert_eq!(fitted("▁▇", 2), "▁▇");
        assert_eq!(
            fitted("\x1b[31mfault\x1b[0m!", 5),
            "\x1b[31mfault\x1b[0m\x1b[0m"
        );
        assert_eq!(fitted("\x1b[31mfault", 2), "\x1b[31mfa\x1b[0m");
    }

    #[test]
    fn places_are_bars_of_which_the_most_frequent_is_the_highest() {
        assert_eq!(place_bars(&[10, 5, 0, 1]), "█▅▁▂");
        assert_eq!(place_bars(&[0, 0, 0]), "   ");
    }

    #[test]
    fn progress_has_its_share_its_rate_and_the_time_that_is_left() {
        assert_eq!(
            progress(30, 0, 120, "games", Duration::from_secs(60)),
            "30 of 120 games (25 %), 30.0 a minute, 3m left"
        );
        assert_eq!(
            progress(200, 0, 400, "games", Duration::from_secs(100)),
            "200 of 400 games (50 %), 2.0 a second, 1m 40s left"
        );
        assert_eq!(
            progress(300, 100, 400, "games", Duration::from_secs(100)),
            "300 of 400 games (75 %), 2.0 a second, 50s left"
        );
        assert_eq!(
            progress(0, 0, 4, "games", Duration::ZERO),
            "0 of 4 games (0 %), 0.0 a minute"
        );
        assert_eq!(
            progress(0, 0, 1, "games", Duration::ZERO),
            "0 of 1 game (0 %), 0.0 a minute"
        );
    }
}
