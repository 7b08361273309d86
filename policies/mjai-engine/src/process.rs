//! An engine's process: lines in, lines out, and an end in every case.

use std::process::Child;
use std::sync::mpsc::RecvTimeoutError;
use std::thread::sleep;
use std::time::{Duration, Instant};

use mahjong::Seat;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::command::CommandLine;
use crate::patience::Patience;
use crate::pipes::Pipes;

/// How long an engine may take to end by itself once its input is closed.
const END_WITHIN: Duration = Duration::from_millis(500);
/// How long an engine whose output has ended may take to end too, and its last words to come.
pub(crate) const LAST_WORDS_WITHIN: Duration = Duration::from_millis(200);
/// Between two looks at whether something has happened.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A running engine. Dropped, it is ended and reaped, and so is what it has started.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    pipes: Pipes,
    /// How it ended, once it is reaped.
    ended: Option<String>,
}

/// What came of waiting for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Heard {
    /// A line.
    Line(String),
    /// None within the time.
    Nothing,
    /// None ever again.
    End,
}

impl Process {
    /// Starts the program for a seat.
    pub(crate) fn start(command: &CommandLine, seat: Seat) -> Result<Self, String> {
        let mut child = command.start(seat)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { return Err("it has no pipes".to_owned()) };
        match Pipes::serve(stdin, stdout, stderr) {
            Ok(pipes) => Ok(Self { child, pipes, ended: None }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(format!("no thread for its pipes: {error}"))
            }
        }
    }

    /// Sends whole lines to the engine; never waits.
    pub(crate) fn write(&self, lines: &str) {
        self.pipes.write(lines);
    }

    /// The next answer.
    pub(crate) fn hear(&self, patience: &Patience<'_>) -> Heard {
        loop {
            match self.pipes.answers.recv_timeout(patience.turn()) {
                Ok(line) => return Heard::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
                Err(RecvTimeoutError::Timeout) if patience.is_over() => return Heard::Nothing,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Drops the answers that have come and that nobody waits for.
    pub(crate) fn forget_answers(&self) {
        while self.pipes.answers.try_recv().is_ok() {}
    }

    /// What it wrote besides its answers since the last time.
    pub(crate) fn complaints(&self) -> Vec<String> {
        self.pipes.complaints().take()
    }

    /// Lets it end: its input is closed.
    pub(crate) fn end_input(&self) {
        self.pipes.end_input();
    }

    /// Ends it, with all that it has started, after it has had so long to end by itself; gives back how it ended, with the
    /// last thing it wrote.
    pub(crate) fn end(&mut self, within: Duration) -> String {
        if let Some(ended) = &self.ended {
            return ended.clone();
        }
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        wait_until(within, || group.is_none_or(has_ended));
        // Until it is reaped its number cannot pass to another.
        if let Some(group) = group {
            let _ = kill_process_group(group, Signal::KILL);
        }
        // It may have left its group.
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        wait_until(LAST_WORDS_WITHIN, || self.pipes.are_drained());
        let ended = match self.pipes.complaints().last() {
            Some(last) => format!("{status}; the last it wrote was: {last}"),
            None => format!("{status}; it wrote nothing else"),
        };
        self.ended.insert(ended).clone()
    }
}

/// Whether a child has ended; it is not reaped by that.
fn has_ended(child: Pid) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(child), look), Ok(None))
}

/// Waits for something, though no longer than this.
fn wait_until(within: Duration, happened: impl Fn() -> bool) {
    let until = Instant::now() + within;
    while !happened() && Instant::now() < until {
        sleep(LOOK_EVERY);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end_input();
        self.end(END_WITHIN);
    }
}
