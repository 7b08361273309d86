//! A program that the runner starts for its user, with everything that it starts in one process
//! group.

use std::io::{self, PipeReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use foreign_text::ForeignText;
use policy_host::ProcessEnd;
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process_group};

/// Interval of looks at a program that runs.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Maximum number of reads of its output at each look.
const MAX_READS: usize = 64;

/// What is kept of a program's output, of so many bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeptOutput {
    /// The beginning of its standard error; standard output is dropped.
    Errors(usize),
    /// The end of both.
    Last(usize),
}

/// A program that has been started. It is read from at each look, so that it need not wait.
#[derive(Debug)]
pub(crate) struct UserProgram {
    child: Child,
    output: PipeReader,
    kept: KeptOutput,
    said: Vec<u8>,
    within: Duration,
    until: Instant,
}

impl UserProgram {
    /// Starts it in a process group of its own: Ctrl-C is for the runner. It has so much time.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub(crate) fn start(
        mut command: Command,
        kept: KeptOutput,
        within: Duration,
    ) -> io::Result<Self> {
        let (output, writer) = io::pipe()?;
        ioctl_fionbio(&output, true)?;
        match kept {
            KeptOutput::Errors(_) => command.stdout(Stdio::null()),
            KeptOutput::Last(_) => command.stdout(writer.try_clone()?),
        };
        let child = command.stderr(writer).process_group(0).spawn()?;
        Ok(Self {
            child,
            output,
            kept,
            said: Vec::new(),
            within,
            until: Instant::now() + within,
        })
    }

    /// Writes to its standard input, which ends then. It need not read it.
    pub(crate) fn write(&mut self, text: &str) {
        if let Some(mut input) = self.child.stdin.take() {
            let _ = input.write_all(text.as_bytes());
        }
    }

    /// How it has ended; `None` while it runs. A program whose time is over is killed, and the error
    /// says so.
    pub(crate) fn end(&mut self) -> Option<Result<(), String>> {
        let end = self.child.try_wait();
        self.read();
        match end {
            Ok(Some(status)) if status.success() => Some(Ok(())),
            Ok(Some(status)) => Some(Err(ProcessEnd::from(status).to_string())),
            Ok(None) if Instant::now() < self.until => None,
            Ok(None) => {
                self.kill();
                let seconds = self.within.as_secs();
                Some(Err(format!("did not end within {seconds} s")))
            }
            Err(error) => Some(Err(format!("cannot be waited for: {error}"))),
        }
    }

    /// Kills it, and everything in its process group.
    pub(crate) fn kill(&mut self) {
        // It has not been reaped, so its number is its own.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }

    /// What is kept of its output, in one line; `None` if it has written nothing.
    pub(crate) fn said(&self) -> Option<String> {
        let said = String::from_utf8_lossy(&self.said);
        let said = match self.kept {
            KeptOutput::Errors(_) => said.trim(),
            KeptOutput::Last(_) => said.trim().lines().next_back().unwrap_or_default(),
        };
        (!said.is_empty()).then(|| ForeignText::new(said, None).to_string())
    }

    fn read(&mut self) {
        let mut part = [0; 4096];
        for _ in 0..MAX_READS {
            let Ok(length @ 1..) = self.output.read(&mut part) else {
                return;
            };
            self.said.extend_from_slice(&part[..length]);
            match self.kept {
                KeptOutput::Errors(most) => self.said.truncate(most),
                KeptOutput::Last(most) => {
                    self.said.drain(..self.said.len().saturating_sub(most));
                }
            }
        }
    }
}
