//! Lines for users on standard output.
//!
//! The result of a command is written at once, and a failure is an error. When games are played in
//! the process, another thread writes them: a reader that stops reading, or goes away, neither
//! delays nor ends a game.

use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use foreign_text::escaped_json;
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};

use crate::screen::{self, Stream};

/// The writing thread, in a process that plays games.
static BACKGROUND: OnceLock<NonBlocking> = OnceLock::new();

/// The error of the last line. In a process that plays no games no more lines are written after it.
static BROKEN: Mutex<Option<io::Error>> = Mutex::new(None);

/// Passes all lines from now on to a thread, because games are played in this process. The guard is
/// for [`finish`].
pub fn never_wait() -> WorkerGuard {
    let (background, guard) = NonBlockingBuilder::default()
        .thread_name("output")
        .finish(BackgroundOutput::new(StandardOutput));
    BACKGROUND.get_or_init(|| background);
    guard
}

/// Writes lines for users: at once, or soon if games are played. Controls in them are escaped, and
/// a terminal gets no broken words.
pub fn say(lines: impl AsRef<str>) {
    write_line(screen::for_users(Stream::Out, lines.as_ref()));
}

/// Writes data for programs: JSON, or text without controls.
pub fn say_data(json: impl AsRef<str>) {
    write_line(escaped_json(json.as_ref()).into_owned());
}

fn write_line(mut line: String) {
    line.push('\n');
    if let Some(background) = BACKGROUND.get() {
        // It accepts everything, and counts lines that do not fit.
        let _ = background.clone().write_all(line.as_bytes());
        return;
    }
    let mut broken = broken();
    if broken.is_none() {
        *broken = screen::write(Stream::Out, line.as_bytes()).err();
    }
}

/// Waits until all lines have been written; if games were played, it does not wait for a reader
/// that has stopped reading.
///
/// # Errors
///
/// If the last lines could not be written. A reader that closes the pipe early is not an error.
pub fn finish(background: Option<WorkerGuard>) -> io::Result<()> {
    if let Some(guard) = background {
        let lost = BACKGROUND
            .get()
            .map_or(0, |background| background.error_counter().dropped_lines());
        if lost > 0 {
            tracing::warn!("standard output is not read: {lost} lines are lost");
            // It would write an error to standard output, and wait there for the reader.
            std::mem::forget(guard);
        }
    }
    match broken().take() {
        Some(error) if !has_seen_enough(&error) => Err(error),
        _ => Ok(()),
    }
}

fn broken() -> MutexGuard<'static, Option<io::Error>> {
    BROKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Standard output for the thread. While it cannot be written, lines are lost, and their number is
/// written before the next one that is not.
#[derive(Debug)]
struct BackgroundOutput<W> {
    out: W,
    lost: u64,
    /// Whether a part of a line was written.
    is_torn: bool,
    /// Whether the reader has gone.
    is_closed: bool,
}

impl<W: WriteSome> BackgroundOutput<W> {
    const fn new(out: W) -> Self {
        Self {
            out,
            lost: 0,
            is_torn: false,
            is_closed: false,
        }
    }

    fn line(&mut self, bytes: &[u8]) {
        if self.is_closed {
            return;
        }
        let mut text = Vec::new();
        if self.is_torn {
            text.push(b'\n');
        }
        if self.lost > 0 {
            let lines = if self.lost == 1 {
                "line is"
            } else {
                "lines are"
            };
            text.extend_from_slice(
                format!("({} {lines} lost: this could not be written)\n", self.lost).as_bytes(),
            );
        }
        let before = text.len();
        text.extend_from_slice(bytes);
        let (written, result) = self.out.write_some(&text);
        if written > 0 {
            self.is_torn = text[written - 1] != b'\n';
        }
        if written >= before && self.lost > 0 {
            tracing::info!("standard output is written again; lost: {}", self.lost);
            self.lost = 0;
        }
        match result {
            Ok(()) => *broken() = None,
            Err(error) if has_seen_enough(&error) => {
                self.is_closed = true;
                *broken() = None;
            }
            Err(error) => {
                if self.lost == 0 {
                    tracing::warn!(
                        "standard output cannot be written: {error}; lines are lost until it can"
                    );
                }
                self.lost += text[written.max(before)..]
                    .iter()
                    .filter(|byte| **byte == b'\n')
                    .count() as u64;
                *broken() = Some(error);
            }
        }
    }
}

impl<W: WriteSome> Write for BackgroundOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes what can be written.
trait WriteSome {
    /// Writes bytes up to an error; returns the number of those that are written too.
    fn write_some(&mut self, bytes: &[u8]) -> (usize, io::Result<()>);
}

/// The standard output of this process.
struct StandardOutput;

impl WriteSome for StandardOutput {
    fn write_some(&mut self, bytes: &[u8]) -> (usize, io::Result<()>) {
        screen::write_some(Stream::Out, bytes)
    }
}

/// Whether the reader has closed the pipe, as `head` does.
fn has_seen_enough(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with so much room, and what was written to it.
    #[derive(Default)]
    struct Disk {
        room: usize,
        text: String,
    }

    impl WriteSome for &mut Disk {
        fn write_some(&mut self, bytes: &[u8]) -> (usize, io::Result<()>) {
            let written = bytes.len().min(self.room);
            self.room -= written;
            self.text
                .push_str(str::from_utf8(&bytes[..written]).expect("ASCII"));
            (
                written,
                if written == bytes.len() {
                    Ok(())
                } else {
                    Err(ErrorKind::StorageFull.into())
                },
            )
        }
    }

    #[test]
    fn after_a_full_disk_lines_are_written_again_and_the_lost_ones_are_counted_in_their_place() {
        let mut disk = Disk {
            room: 8,
            ..Disk::default()
        };
        let mut out = BackgroundOutput::new(&mut disk);
        for line in ["one\n", "two, too long\n", "three\nand more\n"] {
            out.line(line.as_bytes());
        }
        assert_eq!(out.lost, 3);
        out.out.room = 1000;
        out.line(b"four\n");
        out.line(b"five\n");
        assert_eq!(
            disk.text,
            "one\ntwo,\n(3 lines are lost: this could not be written)\nfour\nfive\n"
        );
    }
}
