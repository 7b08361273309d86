//! The three pipes of a program, served by one thread.
//!
//! Neither a full pipe nor a silent program can block the decision: lines to the program are
//! queued, and its lines wait in a channel. The thread ends on request, even if another process
//! that the program started keeps a pipe open.

use std::collections::VecDeque;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::ioctl_fionread;

use crate::lines::LineSplitter;
use crate::stderr::StderrBuffer;

/// Maximum number of answers waiting to be read. Even a program that answers every line of a
/// round's replay stays below.
const MAX_WAITING: usize = 2_048;

/// Maximum wait for the thread to look how much the program has read.
const LOOK_TIMEOUT: Duration = Duration::from_millis(50);

/// The pipes of a program.
#[derive(Debug)]
pub(crate) struct Pipes {
    shared: Arc<SharedPipe>,
    /// Answers as they come; disconnected when there will be no more.
    pub(crate) answers: Receiver<String>,
    /// A byte wakes the thread, and being closed ends it.
    wake: Option<PipeWriter>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct SharedPipe {
    outbox: Mutex<Outbox>,
    stderr: Mutex<StderrBuffer>,
    /// Number of bytes written to the program, and of those that it had not read at the last look.
    written: AtomicUsize,
    unread: AtomicUsize,
    /// Number of looks.
    looks: AtomicU64,
}

/// The data to be written to the program.
#[derive(Debug, Default)]
struct Outbox {
    bytes: VecDeque<u8>,
    /// No more input follows; close it.
    ends: bool,
}

/// A panic of one side does not invalidate the data in the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pipes {
    /// Serves these pipes on its own thread.
    pub(crate) fn serve(
        stdin: ChildStdin,
        stdout: ChildStdout,
        stderr: ChildStderr,
        is_answer: fn(&str) -> bool,
    ) -> io::Result<Self> {
        let (woken, wake) = io::pipe()?;
        for pipe in [&stdin as &dyn rustix::fd::AsFd, &stdout, &stderr, &woken] {
            rustix::io::ioctl_fionbio(pipe.as_fd(), true)?;
        }
        let shared = Arc::<SharedPipe>::default();
        let (answer, answers) = sync_channel(MAX_WAITING);
        let pump = Pump {
            woken,
            stdin: Some(stdin),
            stdout: Some((stdout, answer)),
            stderr: Some(stderr),
            is_answer,
            said: LineSplitter::default(),
            stderr_lines: LineSplitter::default(),
            shared: Arc::clone(&shared),
        };
        let thread = thread::Builder::new()
            .name("policy-program".to_owned())
            .spawn(move || pump.run())?;
        Ok(Self {
            shared,
            answers,
            wake: Some(wake),
            thread: Some(thread),
        })
    }

    /// Queues text for the program.
    pub(crate) fn write(&self, text: &str) {
        lock(&self.shared.outbox).bytes.extend(text.as_bytes());
        self.wake();
    }

    /// Closes the program's input, once the queue has been written.
    pub(crate) fn end_input(&self) {
        lock(&self.shared.outbox).ends = true;
        self.wake();
    }

    /// The program's output besides its answers.
    pub(crate) fn stderr(&self) -> MutexGuard<'_, StderrBuffer> {
        lock(&self.shared.stderr)
    }

    /// Whether the program has read nothing so far, or had not when its pipes were last served.
    pub(crate) fn have_nothing_read(&self) -> bool {
        let looks = || self.shared.looks.load(Ordering::Acquire);
        let (before, until) = (looks(), Instant::now() + LOOK_TIMEOUT);
        self.wake();
        while looks() == before && !self.are_drained() && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        self.shared.written.load(Ordering::Acquire) == self.shared.unread.load(Ordering::Acquire)
    }

    /// Whether everything that the program wrote has been read.
    pub(crate) fn are_drained(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn wake(&self) {
        if let Some(mut wake) = self.wake.as_ref() {
            // If the thread has ended, there is nothing to wake.
            let _ = wake.write(&[0]);
        }
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread's side.
struct Pump {
    woken: PipeReader,
    stdin: Option<ChildStdin>,
    stdout: Option<(ChildStdout, SyncSender<String>)>,
    stderr: Option<ChildStderr>,
    is_answer: fn(&str) -> bool,
    said: LineSplitter,
    stderr_lines: LineSplitter,
    shared: Arc<SharedPipe>,
}

/// The work found by polling the pipes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    Wake,
    Write,
    Answers,
    Stderr,
}

impl Pump {
    fn run(mut self) {
        while self.stdout.is_some() || self.stderr.is_some() {
            let Ok(due) = self.wait() else { return };
            for due in due {
                match due {
                    Due::Wake if self.was_dismissed() => return,
                    Due::Wake => {}
                    Due::Write => self.write(),
                    Due::Answers => self.read_answers(),
                    Due::Stderr => self.read_stderr(),
                }
            }
            self.look();
        }
    }

    /// Looks how much of its input the program has not read.
    fn look(&self) {
        if let Some(unread) = self
            .stdin
            .as_ref()
            .and_then(|stdin| ioctl_fionread(stdin).ok())
        {
            self.shared.unread.store(unread as usize, Ordering::Release);
        }
        self.shared.looks.fetch_add(1, Ordering::Release);
    }

    /// Waits until there is something to do.
    fn wait(&self) -> io::Result<Vec<Due>> {
        let mut due = vec![Due::Wake];
        let mut polled = vec![PollFd::new(&self.woken, PollFlags::IN)];
        if let Some((stdout, _)) = &self.stdout {
            due.push(Due::Answers);
            polled.push(PollFd::new(stdout, PollFlags::IN));
        }
        if let Some(stderr) = &self.stderr {
            due.push(Due::Stderr);
            polled.push(PollFd::new(stderr, PollFlags::IN));
        }
        let outbox = lock(&self.shared.outbox);
        if let Some(stdin) = self
            .stdin
            .as_ref()
            .filter(|_| outbox.ends || !outbox.bytes.is_empty())
        {
            due.push(Due::Write);
            polled.push(PollFd::new(stdin, PollFlags::OUT));
        }
        drop(outbox);
        match poll(&mut polled, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
        // An end and an error of a pipe show when it is read or written.
        Ok(due
            .into_iter()
            .zip(polled)
            .filter(|(_, fd)| !fd.revents().is_empty())
            .map(|(due, _)| due)
            .collect())
    }

    /// Takes the wake-up calls away; whether there will be no more.
    fn was_dismissed(&mut self) -> bool {
        matches!(self.woken.read(&mut [0; 64]), Ok(0))
    }

    fn write(&mut self) {
        // What is unread shows only while the pipe is open.
        self.look();
        let Some(stdin) = &mut self.stdin else { return };
        let mut outbox = lock(&self.shared.outbox);
        while !outbox.bytes.is_empty() {
            match stdin.write(outbox.bytes.as_slices().0) {
                Ok(written) => {
                    drop(outbox.bytes.drain(..written));
                    // Until the next look.
                    self.shared.unread.fetch_add(written, Ordering::Release);
                    self.shared.written.fetch_add(written, Ordering::Release);
                }
                Err(error) if is_passing(&error) => return,
                // Its input is closed; that it ends shows at its output.
                Err(_) => {
                    outbox.ends = true;
                    break;
                }
            }
        }
        if outbox.ends {
            outbox.bytes.clear();
            self.stdin = None;
        }
    }

    fn read_answers(&mut self) {
        let Self {
            stdout,
            said,
            shared,
            is_answer,
            ..
        } = self;
        let Some((pipe, answer)) = stdout else { return };
        let mut room = [0; 8192];
        let mut ends = false;
        let keep = |line: String| {
            if !is_answer(&line) {
                lock(&shared.stderr).add(&line);
            } else if matches!(answer.try_send(line), Err(TrySendError::Full(_))) {
                lock(&shared.stderr).add("(it floods its standard output)");
                ends = true;
            }
        };
        match pipe.read(&mut room) {
            Err(error) if is_passing(&error) => return,
            Ok(0) | Err(_) => {
                said.end(keep);
                ends = true;
            }
            Ok(read) => said.take(&room[..read], keep),
        }
        if ends {
            *stdout = None;
        }
    }

    fn read_stderr(&mut self) {
        let Some(stderr) = &mut self.stderr else {
            return;
        };
        let mut room = [0; 8192];
        let keep = |line: String| lock(&self.shared.stderr).add(&line);
        match stderr.read(&mut room) {
            Err(error) if is_passing(&error) => {}
            Ok(0) | Err(_) => {
                self.stderr_lines.end(keep);
                self.stderr = None;
            }
            Ok(read) => self.stderr_lines.take(&room[..read], keep),
        }
    }
}

/// Whether it is worth trying again.
fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}
