//! Lines over standard input and output, which are reserved for the host's protocol.
//!
//! Both block, so each has its own thread. The program does not wait for them: a host that neither
//! writes nor closes its end does not keep the process alive.

use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::thread;
use std::time::Duration;

use protocol::MAX_FRAME;
use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::{dup2_stdout, stderr, stdout};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::Closed;
use super::tcp::text;

/// Number of lines that are read ahead.
const READ_AHEAD: usize = 64;

/// Time limit for writing a line. A host that does not read counts as dead.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

type WriteDone = oneshot::Sender<io::Result<()>>;

pub struct StdioConnection {
    lines: mpsc::Receiver<Result<String, Closed>>,
    /// A line that has been read, and is to be read again.
    put_back: Option<String>,
    out: std::sync::mpsc::Sender<(String, WriteDone)>,
    /// The reason why a line was not sent completely: then no more lines can be sent.
    broken: Option<Closed>,
}

impl StdioConnection {
    /// Takes over standard input and output. From now on, everything else in this process that
    /// prints to standard output, such as a policy's library, writes to standard error.
    ///
    /// # Errors
    ///
    /// If they are closed, or threads cannot be started.
    pub fn take() -> io::Result<Self> {
        // Not inherited by programs that this one starts, such as engines.
        let out = File::from(fcntl_dupfd_cloexec(stdout(), 3)?);
        dup2_stdout(stderr())?;
        let (reader, lines) = mpsc::channel(READ_AHEAD);
        thread::Builder::new()
            .name("stdin".to_owned())
            .spawn(move || read_lines(&reader))?;
        let (sender, replies) = std::sync::mpsc::channel();
        thread::Builder::new()
            .name("stdout".to_owned())
            .spawn(move || write_lines(out, &replies))?;
        Ok(Self {
            lines,
            put_back: None,
            out: sender,
            broken: None,
        })
    }

    /// The next line without its end.
    ///
    /// Dropping the future loses nothing.
    ///
    /// # Errors
    ///
    /// If there are no more lines, or one of ours could not be written.
    pub async fn next(&mut self) -> Result<String, Closed> {
        if let Some(closed) = &self.broken {
            return Err(closed.clone());
        }
        if let Some(line) = self.put_back.take() {
            return Ok(line);
        }
        self.lines.recv().await.unwrap_or(Err(Closed::ByPeer))
    }

    /// Lets a line be the next one.
    pub fn put_back(&mut self, line: String) {
        self.put_back = Some(line);
    }

    /// Writes and flushes a line.
    ///
    /// # Errors
    ///
    /// If the host does not read it.
    pub async fn send(&mut self, line: String) -> Result<(), Closed> {
        if let Some(closed) = &self.broken {
            return Err(closed.clone());
        }
        self.write(line)
            .await
            .inspect_err(|closed| self.broken = Some(closed.clone()))
    }

    async fn write(&self, mut line: String) -> Result<(), Closed> {
        line.push('\n');
        let (written, done) = oneshot::channel();
        if self.out.send((line, written)).is_err() {
            return Err(Closed::ByPeer);
        }
        match timeout(WRITE_TIMEOUT, done).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(error))) => Err(Closed::Broken(error.to_string())),
            Ok(Err(_gone)) => Err(Closed::ByPeer),
            Err(_elapsed) => Err(Closed::Broken(format!(
                "the host reads nothing for {} s",
                WRITE_TIMEOUT.as_secs()
            ))),
        }
    }
}

fn read_lines(reader: &mpsc::Sender<Result<String, Closed>>) {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        // One more byte than allowed, to distinguish a line that is too long from one that just
        // fits.
        let read = input
            .by_ref()
            .take(MAX_FRAME as u64 + 1)
            .read_until(b'\n', &mut line);
        let line = match read {
            Ok(0) => return,
            Ok(_) if line.len() > MAX_FRAME => Err(Closed::Broken(format!(
                "a line is longer than {MAX_FRAME} bytes"
            ))),
            Ok(_) => Ok(text(line)),
            Err(error) => Err(Closed::Broken(error.to_string())),
        };
        let last = line.is_err();
        if reader.blocking_send(line).is_err() || last {
            return;
        }
    }
}

fn write_lines(mut out: File, replies: &std::sync::mpsc::Receiver<(String, WriteDone)>) {
    while let Ok((line, written)) = replies.recv() {
        let _ = written.send(out.write_all(line.as_bytes()).and_then(|()| out.flush()));
    }
}
