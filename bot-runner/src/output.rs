//! Lines for people on standard output.
//!
//! They are written by a thread of their own: a reader that stops reading, or goes away, neither delays nor ends a game.

use std::io::{self, Write};
use std::sync::LazyLock;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;
use std::time::Duration;

/// Longest wait for the last lines to be taken when the program ends.
const FINISH_WITHIN: Duration = Duration::from_secs(5);

enum Message {
    Line(String),
    /// Answered when everything before it has been written.
    Written(SyncSender<()>),
}

static WRITER: LazyLock<Sender<Message>> = LazyLock::new(|| {
    let (lines, inbox) = mpsc::channel();
    // Without a thread the lines are lost, which is no reason not to play.
    let _ = thread::Builder::new().name("output".to_owned()).spawn(move || write_lines(&inbox));
    lines
});

/// Writes a line, soon.
pub fn say(line: impl Into<String>) {
    let _ = WRITER.send(Message::Line(line.into()));
}

/// Waits until all lines have been written, though not for a reader that takes none.
pub fn finish() {
    let (written, done) = mpsc::sync_channel(1);
    if WRITER.send(Message::Written(written)).is_ok() {
        let _ = done.recv_timeout(FINISH_WITHIN);
    }
}

fn write_lines(inbox: &Receiver<Message>) {
    let mut broken = false;
    while let Ok(message) = inbox.recv() {
        match message {
            Message::Line(line) if !broken => {
                if let Err(error) = writeln!(io::stdout(), "{line}").and_then(|()| io::stdout().flush()) {
                    broken = true;
                    // A reader like `head` has seen enough and says so in this way.
                    if error.kind() != io::ErrorKind::BrokenPipe {
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
