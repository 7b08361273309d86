//! The standard error of a policy's process, and its library's standard output: lines in the
//! runner's log.

use std::io::{self, PipeReader, PipeWriter, Read};
use std::process::ChildStderr;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::ioctl_fionbio;

use crate::call::log_limit::LogLimit;

const MAX_LINE_BYTES: usize = 500;

/// The thread that logs a process's lines. It ends with this.
#[derive(Debug)]
pub(super) struct StderrLog {
    thread: Option<JoinHandle<()>>,
    /// Closed to end the thread, because a process that this one started may hold the other pipe
    /// open.
    end: Option<PipeWriter>,
}

impl StderrLog {
    pub(super) fn start(stderr: ChildStderr, bot: &str) -> io::Result<Self> {
        ioctl_fionbio(&stderr, true)?;
        let (ended, end) = io::pipe()?;
        let lines = StderrLines::new(bot);
        let log = tracing::dispatcher::get_default(Clone::clone);
        let thread = thread::Builder::new()
            .name(format!("stderr {bot}"))
            .spawn(move || {
                tracing::dispatcher::with_default(&log, || run(stderr, &ended, lines))
            })?;
        Ok(Self {
            thread: Some(thread),
            end: Some(end),
        })
    }
}

impl Drop for StderrLog {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(mut stderr: ChildStderr, ended: &PipeReader, mut lines: StderrLines) {
    let mut bytes = [0; 4096];
    // Maximum number of bytes read after the process has exited: the capacity of a pipe.
    let mut left = 64 * 1024;
    while left > 0 {
        let mut pipes = [
            PollFd::new(&stderr, PollFlags::IN),
            PollFd::new(ended, PollFlags::IN),
        ];
        let _ = poll(&mut pipes, None);
        let (written, is_over) = (
            !pipes[0].revents().is_empty(),
            !pipes[1].revents().is_empty(),
        );
        if !written && is_over {
            break;
        }
        match stderr.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => {
                lines.push(&bytes[..count], Instant::now());
                left -= if is_over { count.min(left) } else { 0 };
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock
                ) => {}
            Err(_) => break,
        }
    }
    lines.end();
}

/// Splits bytes into lines, with limits on their length and number.
struct StderrLines {
    bot: String,
    line: Vec<u8>,
    cut: bool,
    limit: LogLimit,
}

impl StderrLines {
    fn new(bot: &str) -> Self {
        Self {
            bot: bot.to_owned(),
            line: Vec::new(),
            cut: false,
            limit: LogLimit::new(),
        }
    }

    fn push(&mut self, bytes: &[u8], now: Instant) {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, ends) = match part.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (part, false),
            };
            let kept = text.len().min(MAX_LINE_BYTES - self.line.len());
            self.line.extend_from_slice(&text[..kept]);
            self.cut |= kept < text.len();
            if ends {
                self.end_line(now);
            }
        }
    }

    fn end_line(&mut self, now: Instant) {
        if std::mem::take(&mut self.cut) {
            self.line.extend_from_slice("…".as_bytes());
        }
        if let Some(line) = self.limit.line_at(&self.line, now) {
            tracing::info!(target: "policy", bot = self.bot, "stderr: {line}");
        }
        self.line.clear();
    }

    fn end(mut self) {
        if !self.line.is_empty() {
            self.end_line(Instant::now());
        }
        if let Some(left_out) = self.limit.take_left_out() {
            tracing::info!(target: "policy", bot = self.bot, "stderr: {left_out}");
        }
    }
}

#[cfg(test)]
mod tests;
