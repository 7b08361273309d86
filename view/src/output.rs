//! Lines for users on standard output.
//!
//! The result of a command is written at once, and a failure is an error. When games are played in the process, another
//! thread writes them: a reader that stops reading, or goes away, neither delays nor ends a game.

use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use foreign_text::escaped_json;
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};

use crate::screen::{self, Stream};

/// The writing thread, in a process that plays games.
static BACKGROUND: OnceLock<NonBlocking> = OnceLock::new();

/// The error after which lines are no longer written, in a process that plays no games.
static BROKEN: Mutex<Option<io::Error>> = Mutex::new(None);

/// Passes all lines from now on to a thread, because games are played in this process. The guard is for [`finish`].
pub fn never_wait() -> WorkerGuard {
    let (background, guard) = NonBlockingBuilder::default().thread_name("output").finish(BackgroundOutput::default());
    BACKGROUND.get_or_init(|| background);
    guard
}

/// Writes lines for users: at once, or soon if games are played. Controls in them are escaped, and a terminal gets no
/// broken words.
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
    let mut broken = BROKEN.lock().unwrap_or_else(PoisonError::into_inner);
    if broken.is_none() {
        *broken = write_now(line.as_bytes()).err();
    }
}

/// Waits until all lines have been written; if games were played, it does not wait for a reader that has stopped
/// reading.
///
/// # Errors
///
/// If lines of a command's result could not be written. A reader that closes the pipe early is not an error.
pub fn finish(background: Option<WorkerGuard>) -> io::Result<()> {
    if let Some(guard) = background {
        let lost = BACKGROUND.get().map_or(0, |background| background.error_counter().dropped_lines());
        if lost > 0 {
            tracing::warn!("standard output is not read: {lost} lines are lost");
            // It would write an error to standard output, and wait there for the reader.
            std::mem::forget(guard);
        }
        return Ok(());
    }
    match BROKEN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) if !has_seen_enough(&error) => Err(error),
        _ => Ok(()),
    }
}

/// Standard output for the thread: the first error is reported, and further output is lost.
#[derive(Debug, Default)]
struct BackgroundOutput {
    broken: bool,
}

impl Write for BackgroundOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.broken
            && let Err(error) = write_now(bytes)
        {
            self.broken = true;
            if !has_seen_enough(&error) {
                tracing::warn!("standard output cannot be written any more: {error}");
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_now(bytes: &[u8]) -> io::Result<()> {
    screen::write(Stream::Out, bytes)
}

/// Whether the reader has closed the pipe, as `head` does.
fn has_seen_enough(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}
