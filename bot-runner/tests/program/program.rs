//! The built program as a child process.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::common::libraries::PROGRAM;

/// Longer than any command here takes; what has not ended by then hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// The runtime folder of these tests' runners.
static RUNTIME: LazyLock<TempDir> = LazyLock::new(|| {
    let only_ours = Permissions::from_mode(0o700);
    tempfile::Builder::new()
        .permissions(only_ours)
        .tempdir()
        .expect("a folder can be made")
});

/// A command of the program, to be run.
pub(crate) struct Runner(Command);

impl Runner {
    pub(crate) fn new<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Self {
        Self::of(Path::new(PROGRAM), args)
    }

    /// The same with a copy of the program.
    pub(crate) fn of<S: AsRef<OsStr>>(program: &Path, args: impl IntoIterator<Item = S>) -> Self {
        let mut command = Command::new(program);
        command
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.env("XDG_RUNTIME_DIR", RUNTIME.path());
        command
            .env_remove("BOT_RUNNER_LOG")
            .env_remove("RUST_BACKTRACE")
            .env("NO_COLOR", "1");
        Self(command)
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.0.env(name, value);
        self
    }

    pub(crate) fn in_folder(mut self, folder: &Path) -> Self {
        self.0.current_dir(folder);
        self
    }

    /// Has it read this on standard input.
    pub(crate) fn input(mut self, text: &str) -> Self {
        let mut file = tempfile::tempfile().expect("a file can be made");
        file.write_all(text.as_bytes())
            .and_then(|()| file.rewind())
            .expect("it can be written");
        self.0.stdin(file);
        self
    }

    pub(crate) fn input_from(mut self, file: Stdio) -> Self {
        self.0.stdin(file);
        self
    }

    pub(crate) fn errors_to(mut self, file: Stdio) -> Self {
        self.0.stderr(file);
        self
    }

    pub(crate) fn output_to(mut self, file: Stdio) -> Self {
        self.0.stdout(file);
        self
    }

    pub(crate) fn start(mut self) -> Running {
        let mut child = self.0.spawn().expect("the program starts");
        // It would keep the file open that standard error was redirected to.
        drop(std::mem::replace(&mut self.0, Command::new(PROGRAM)));
        let out = child.stdout.take();
        let log = child.stderr.take();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in out
                .into_iter()
                .flat_map(|out| BufReader::new(out).lines())
                .map_while(Result::ok)
            {
                let _ = sender.send(line);
            }
        });
        let err = Arc::new(Mutex::new(String::new()));
        let err_reader = thread::spawn({
            let err = Arc::clone(&err);
            move || {
                for line in log
                    .into_iter()
                    .flat_map(|log| BufReader::new(log).lines())
                    .map_while(Result::ok)
                {
                    let mut err = err.lock().expect("no other thread panics while holding it");
                    err.push_str(&line);
                    err.push('\n');
                }
            }
        });
        Running {
            child,
            lines,
            out: String::new(),
            err,
            err_seen: 0,
            err_reader: Some(err_reader),
        }
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Finished {
        self.start().finish()
    }
}

/// The program at work. Killed when the test is over.
pub(crate) struct Running {
    child: Child,
    lines: Receiver<String>,
    out: String,
    err: Arc<Mutex<String>>,
    /// The length of the part already searched.
    err_seen: usize,
    err_reader: Option<JoinHandle<()>>,
}

impl Running {
    /// Waits for a line with this text on standard output.
    #[track_caller]
    pub(crate) fn line_with(&mut self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            match self
                .lines
                .recv_timeout(until.saturating_duration_since(Instant::now()))
            {
                Ok(line) => {
                    self.out.push_str(&line);
                    self.out.push('\n');
                    if line.contains(text) {
                        return line;
                    }
                }
                Err(_) => {
                    let err = self
                        .err
                        .lock()
                        .expect("no other thread panics while holding it");
                    panic!(
                        "no line with {text:?} comes; there was {}, and on standard error {err}",
                        self.out
                    )
                }
            }
        }
    }

    /// Waits for a line with this text on standard error, after those waited for before.
    #[track_caller]
    pub(crate) fn error_with(&mut self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let err = self
                .err
                .lock()
                .expect("no other thread panics while holding it")
                .clone();
            let news = &err[self.err_seen..];
            let mut read = 0;
            for line in news.split_inclusive('\n') {
                read += line.len();
                if line.contains(text) {
                    self.err_seen += read;
                    return line.to_owned();
                }
            }
            assert!(
                Instant::now() < until,
                "no line with {text:?} comes on standard error; there was {err}"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Its process number.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn children(&self) -> Vec<i32> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.process()))
            .expect("it runs")
            .flatten();
        let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        let children = |list: String| {
            list.split_whitespace()
                .map(|id| id.parse().expect("a number"))
                .collect::<Vec<_>>()
        };
        lists.flat_map(children).collect()
    }

    /// Presses Ctrl-C.
    pub(crate) fn interrupt(&self) {
        self.signal(Signal::INT);
    }

    /// Stops it now, unless it has already ended.
    #[track_caller]
    pub(crate) fn stop(mut self) -> Finished {
        self.interrupt();
        let until = Instant::now() + PATIENCE;
        // A second one while the first one is under way would be the same to the system. `run` says
        // on standard output that it has heard, and what plays in its own process on standard
        // error.
        let heard = "Ctrl-C again stops ";
        while Instant::now() < until {
            match self.lines.recv_timeout(Duration::from_millis(10)) {
                Ok(line) => {
                    self.out.push_str(&line);
                    self.out.push('\n');
                    if line.contains(heard) {
                        break;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return self.finish(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let err = self.err.lock();
            if err.is_ok_and(|err| err.contains(heard)) {
                break;
            }
        }
        self.interrupt();
        self.finish()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let id =
            Pid::from_raw(self.child.id().try_into().expect("a process id")).expect("it is not 0");
        kill_process(id, signal).expect("it can be signalled");
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn finish(mut self) -> Finished {
        let until = Instant::now() + PATIENCE;
        loop {
            match self
                .lines
                .recv_timeout(until.saturating_duration_since(Instant::now()))
            {
                Ok(line) => {
                    self.out.push_str(&line);
                    self.out.push('\n');
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let err = self
                        .err
                        .lock()
                        .expect("no other thread panics while holding it");
                    panic!(
                        "it does not end; there was {}, and on standard error {err}",
                        self.out
                    )
                }
            }
        }
        let status = self.child.wait().expect("it was started");
        let _ = self.err_reader.take().map(JoinHandle::join);
        let err = std::mem::take(
            &mut *self
                .err
                .lock()
                .expect("no other thread panics while holding it"),
        );
        Finished {
            status,
            out: std::mem::take(&mut self.out),
            err,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Finished {
    /// Its standard output, after the exit code has been checked.
    #[track_caller]
    pub(crate) fn exited(&self, code: i32) -> &str {
        assert_eq!(
            self.status.code(),
            Some(code),
            "stdout: {}\nstderr: {}",
            self.out,
            self.err
        );
        &self.out
    }

    /// Everything it printed.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// The rows of the last table in a text, each cell after its heading. A table that is too wide for
/// a terminal goes on in further tables below it, with the same first column.
pub(crate) fn table(text: &str) -> Vec<Vec<(String, String)>> {
    let is_heading = |line: &str| line.contains("  bot  ") || line.starts_with("bot  ");
    let headings: Vec<usize> = text
        .lines()
        .zip(0..)
        .filter(|(line, _)| is_heading(line))
        .map(|(_, at)| at)
        .collect();
    let parts: Vec<_> = headings.iter().map(|&at| part_of_table(text, at)).collect();
    let (last, before) = parts.split_last().expect("a table");
    let bots = |part: &[Vec<(String, String)>]| {
        part.iter().map(|row| row[0].1.clone()).collect::<Vec<_>>()
    };
    let same = before
        .iter()
        .rev()
        .take_while(|part| bots(part) == bots(last))
        .count();
    let mut rows = parts[parts.len() - 1 - same].clone();
    for part in &parts[parts.len() - same..] {
        rows.iter_mut()
            .zip(part)
            .for_each(|(row, more)| row.extend_from_slice(&more[1..]));
    }
    rows
}

/// The rows of the table whose heading is in this line.
fn part_of_table(text: &str, start: usize) -> Vec<Vec<(String, String)>> {
    let cells = |line: &str| -> Vec<String> {
        line.split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let lines: Vec<&str> = text.lines().collect();
    let heading = cells(lines[start]);
    lines[start + 1..]
        .iter()
        .map(|line| cells(line))
        .take_while(|row| row.len() == heading.len())
        .map(|row| heading.iter().cloned().zip(row).collect())
        .collect()
}

#[track_caller]
pub(crate) fn cell<'r>(row: &'r [(String, String)], heading: &str) -> &'r str {
    match row.iter().find(|(name, _)| name == heading) {
        Some((_, value)) => value,
        None => panic!("no column {heading:?} in {row:?}"),
    }
}
