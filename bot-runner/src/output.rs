//! Lines for people on standard output.
//!
//! Where they are the result of a command, they are written at once, and what cannot be written is an error. Where games are
//! played beside them, a thread of their own writes them: a reader that stops reading, or goes away, neither delays nor ends
//! a game.

use std::io::{self, ErrorKind, Write};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// Longest wait for the last lines to be taken when a program that plays games ends.
const FINISH_WITHIN: Duration = Duration::from_secs(5);

enum Message {
    Line(String),
    /// Answered when everything before it has been written.
    Written(SyncSender<()>),
}

/// The thread that writes, in a process that plays games.
static WRITER: OnceLock<Sender<Message>> = OnceLock::new();

/// Why lines are not written any more, in a process that plays none.
static BROKEN: Mutex<Option<io::Error>> = Mutex::new(None);

/// Leaves the lines from now on to a thread, for games are played in this process.
pub fn never_wait() {
    WRITER.get_or_init(|| {
        let (lines, inbox) = mpsc::channel();
        // Without a thread the lines are lost, which is no reason not to play.
        let _ = thread::Builder::new().name("output".to_owned()).spawn(move || write_lines(&inbox));
        lines
    });
}

/// Writes a line: at once, or soon where games are played.
pub fn say(line: impl Into<String>) {
    if let Some(writer) = WRITER.get() {
        let _ = writer.send(Message::Line(line.into()));
        return;
    }
    let mut broken = BROKEN.lock().unwrap_or_else(PoisonError::into_inner);
    if broken.is_none() {
        *broken = write_line(&line.into()).err();
    }
}

/// Waits until all lines have been written, though where games were played not for a reader that takes none.
///
/// # Errors
///
/// When lines could not be written that are the result of a command. A reader that has seen enough is no error.
pub fn finish() -> io::Result<()> {
    if let Some(writer) = WRITER.get() {
        let (written, done) = mpsc::sync_channel(1);
        if writer.send(Message::Written(written)).is_ok() {
            let _ = done.recv_timeout(FINISH_WITHIN);
        }
        return Ok(());
    }
    match BROKEN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) if !has_seen_enough(&error) => Err(error),
        _ => Ok(()),
    }
}

fn write_lines(inbox: &Receiver<Message>) {
    let mut broken = false;
    while let Ok(message) = inbox.recv() {
        match message {
            Message::Line(line) if !broken => {
                if let Err(error) = write_line(&line) {
                    broken = true;
                    if !has_seen_enough(&error) {
                        tracing::warn!("standard output cannot be written any more: {error}");
                    }
                }
            }
            Message::Line(_) => {}
            Message::Written(written) => {
                let _ = written.send(());
            }
        }
    }
}

fn write_line(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Whether the reader has gone away, as `head` does in this way.
fn has_seen_enough(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}
