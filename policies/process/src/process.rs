//! A program's process: lines in, lines out, and an end in every case.

use std::process::Child;
use std::sync::mpsc::RecvTimeoutError;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::command::{CommandLine, ProgramTable};
use crate::decision_time::DecisionTime;
use crate::pipes::Pipes;

/// How long a program may take to end once its input is closed.
const END_TIMEOUT: Duration = Duration::from_millis(500);
/// How long a program whose output has ended may take to end too, and for its last words to arrive.
pub(crate) const LAST_WORDS_TIMEOUT: Duration = Duration::from_millis(200);
/// Between two looks at whether something has happened.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A running program. When dropped, it is ended and reaped, with all processes that it has started.
#[derive(Debug)]
pub(crate) struct ProgramProcess {
    child: Child,
    pipes: Pipes,
    /// How it ended, once it is reaped.
    ended: Option<String>,
}

/// The result of waiting for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Heard {
    Line(String),
    /// None within the time.
    Nothing,
    /// None ever again.
    End,
}

impl ProgramProcess {
    pub(crate) fn start(
        command: &CommandLine,
        table: &ProgramTable,
        is_answer: fn(&str) -> bool,
    ) -> Result<Self, String> {
        let mut child = command.start(table)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err("it has no pipes".to_owned());
        };
        match Pipes::serve(stdin, stdout, stderr, is_answer) {
            Ok(pipes) => Ok(Self {
                child,
                pipes,
                ended: None,
            }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(format!("no thread for its pipes: {error}"))
            }
        }
    }

    /// Sends whole lines to the program; never waits.
    pub(crate) fn write(&self, lines: &str) {
        self.pipes.write(lines);
    }

    pub(crate) fn hear(&self, time: &DecisionTime<'_>) -> Heard {
        loop {
            match self.pipes.answers.recv_timeout(time.turn()) {
                Ok(line) => return Heard::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
                Err(RecvTimeoutError::Timeout) if time.is_over() => return Heard::Nothing,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether it has read nothing of what it was sent, so that no line can be to blame for what it
    /// does.
    pub(crate) fn has_read_nothing(&self) -> bool {
        self.pipes.have_nothing_read()
    }

    /// Drops answers that have arrived but are no longer awaited.
    pub(crate) fn forget_answers(&self) {
        while self.pipes.answers.try_recv().is_ok() {}
    }

    /// Its output besides its answers since the last call.
    pub(crate) fn stderr(&self) -> Vec<String> {
        self.pipes.stderr().take()
    }

    /// Ends it, with all processes that it has started, after it has had this long to end on its
    /// own; returns how it ended, with its last output.
    pub(crate) fn end(&mut self, within: Duration) -> String {
        if let Some(ended) = &self.ended {
            return ended.clone();
        }
        wait_until(within, || self.has_exited());
        self.kill();
        let status = self
            .child
            .wait()
            .map_or_else(|error| error.to_string(), |status| status.to_string());
        wait_until(LAST_WORDS_TIMEOUT, || self.pipes.are_drained());
        let ended = match self.pipes.stderr().last_words() {
            Some(last) => format!("{status}; the last it wrote was: {last}"),
            None => format!("{status}; it wrote nothing else"),
        };
        self.ended.insert(ended).clone()
    }

    /// Its process id, which is also the id of its process group.
    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }

    /// Whether it has exited; it is not reaped by that.
    fn has_exited(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.ended.is_some()
            || self
                .pid()
                .is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), look), Ok(None)))
    }

    /// Kills it and its process group, unless it has been reaped: its id may belong to another
    /// process then.
    fn kill(&mut self) {
        if self.ended.is_some() {
            return;
        }
        if let Some(group) = self.pid() {
            let _ = kill_process_group(group, Signal::KILL);
        }
        // It may have left its group.
        let _ = self.child.kill();
    }
}

/// Ends several programs at once: all inputs are closed, the programs share one wait, and those
/// still running are killed before any of them is reaped. The host gives a policy two seconds to
/// end.
pub(crate) fn end_together(processes: &mut [&mut ProgramProcess]) {
    for process in &*processes {
        process.pipes.end_input();
    }
    wait_until(END_TIMEOUT, || {
        processes.iter().all(|process| process.has_exited())
    });
    for process in &mut *processes {
        process.kill();
    }
    for process in processes {
        process.end(Duration::ZERO);
    }
}

/// Waits for something, though no longer than this.
fn wait_until(within: Duration, happened: impl Fn() -> bool) {
    let until = Instant::now() + within;
    while !happened() && Instant::now() < until {
        sleep(LOOK_EVERY);
    }
}

impl Drop for ProgramProcess {
    fn drop(&mut self) {
        end_together(&mut [self]);
    }
}
