//! Alerts: a program of the user's is run when something happens to a bot, with one line of JSON on
//! its standard input. No bot waits for it.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use client::board::{AlertKind, AlertReceiver, Board, BotAlert};
use config::AlertsConfig;
use foreign_text::{ForeignText, escaped_json};
use policy_host::{Launch, ProcessEnd};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Serialize;
use time::OffsetDateTime;
use time::serde::rfc3339;

/// Maximum number of programs that run at once.
const MAX_RUNNING: usize = 4;
/// Maximum number of alerts that wait for a program to end; further ones are dropped.
const MAX_WAITING: usize = 64;
/// Maximum time for a program, which is then killed with everything in its process group.
const ALERT_TIMEOUT: Duration = Duration::from_secs(30);
/// The same once all bots have ended.
const END_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval of looks at programs that run, and at whether the runner ends.
const LOOK_EVERY: Duration = Duration::from_millis(20);
const LOOK_IDLE_EVERY: Duration = Duration::from_millis(200);
/// Maximum length of a line in bytes: a pipe takes it at once.
const MAX_LINE: usize = 4096;
/// Maximum length of what is kept of a program's errors, in bytes.
const MAX_ERRORS: usize = 4 << 10;
/// Maximum number of reads of a program's errors at each look.
const MAX_READS: usize = 16;

/// Runs the programs of the bots' `[alerts]` sections. Clones share the same bots.
#[derive(Debug, Clone)]
pub struct Alerts {
    board: Board,
    launch: Launch,
    commands: Arc<Mutex<HashMap<String, AlertsConfig>>>,
    is_ending: Arc<AtomicBool>,
    /// There once a bot has a program.
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Alerts {
    /// Will run programs for the alerts of a board, without the environment variables that this
    /// keeps from processes.
    pub fn new(board: Board, launch: Launch) -> Self {
        Self {
            board,
            launch,
            commands: Arc::default(),
            is_ending: Arc::default(),
            thread: Arc::default(),
        }
    }

    /// Sets the program for a bot; `None`: its alerts are dropped.
    pub(crate) fn set(&self, bot: &str, program: Option<AlertsConfig>) {
        let Some(program) = program else {
            locked(&self.commands).remove(bot);
            return;
        };
        locked(&self.commands).insert(bot.to_owned(), program);
        let mut thread = locked(&self.thread);
        if thread.is_none() {
            let programs = AlertPrograms {
                commands: Arc::clone(&self.commands),
                is_ending: Arc::clone(&self.is_ending),
                receiver: self.board.alerts(MAX_WAITING),
                launch: self.launch.clone(),
                running: Vec::new(),
            };
            match thread::Builder::new()
                .name("alerts".to_owned())
                .spawn(move || programs.work())
            {
                Ok(started) => *thread = Some(started),
                Err(error) => {
                    tracing::warn!(bot, "it plays without alerts: no thread for them: {error}")
                }
            }
        }
    }

    /// Waits until all alerts so far are delivered, but no longer than some seconds. Blocks.
    pub(crate) fn finish(&self) {
        self.is_ending.store(true, Ordering::Release);
        if let Some(thread) = locked(&self.thread).take() {
            let _ = thread.join();
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread that runs the programs.
struct AlertPrograms {
    commands: Arc<Mutex<HashMap<String, AlertsConfig>>>,
    is_ending: Arc<AtomicBool>,
    receiver: AlertReceiver,
    launch: Launch,
    running: Vec<RunningAlert>,
}

struct RunningAlert {
    bot: String,
    /// The program's name.
    program: String,
    child: Child,
    /// The beginning of what it has written to standard error.
    errors: Vec<u8>,
    until: Instant,
}

/// The line on a program's standard input.
#[derive(Serialize)]
struct AlertLine<'a> {
    #[serde(with = "rfc3339")]
    time: OffsetDateTime,
    event: AlertKind,
    bot: &'a str,
    reason: String,
    #[serde(with = "rfc3339::option")]
    until: Option<OffsetDateTime>,
    /// Number of alerts of all bots that were dropped before this one.
    dropped: u64,
}

impl AlertPrograms {
    fn work(mut self) {
        let mut end = None;
        loop {
            self.running.retain_mut(|program| !program.has_ended());
            let is_ending = self.is_ending.load(Ordering::Acquire);
            let has_room = self.running.len() < MAX_RUNNING;
            let within = if self.running.is_empty() && !is_ending {
                LOOK_IDLE_EVERY
            } else {
                LOOK_EVERY
            };
            match has_room.then(|| self.receiver.next(within)) {
                Some(Some(alert)) => self.run(&alert),
                Some(None) if is_ending && self.running.is_empty() => return,
                Some(None) => {}
                None => thread::sleep(LOOK_EVERY),
            }
            if is_ending
                && Instant::now() >= *end.get_or_insert_with(|| Instant::now() + END_TIMEOUT)
            {
                self.running
                    .iter_mut()
                    .for_each(|program| program.kill("the runner ends"));
                while let Some(alert) = self.receiver.next(Duration::ZERO) {
                    tracing::warn!(
                        bot = alert.bot,
                        "an alert is lost: the runner ends before its program could start"
                    );
                }
                return;
            }
        }
    }

    fn run(&mut self, alert: &BotAlert) {
        let Some(command) = locked(&self.commands).get(&alert.bot).cloned() else {
            return;
        };
        let program = command.program.display().to_string();
        let started = start(&command, &self.launch).and_then(|mut child| {
            let line = line(alert, self.receiver.take_dropped());
            let written = child
                .stdin
                .take()
                .map(|mut input| input.write_all(line.as_bytes()));
            // It need not read it.
            drop(written);
            if let Some(errors) = &child.stderr {
                ioctl_fionbio(errors, true)?;
            }
            Ok(child)
        });
        match started {
            Ok(child) => {
                let (bot, until) = (alert.bot.clone(), Instant::now() + ALERT_TIMEOUT);
                self.running.push(RunningAlert {
                    bot,
                    program,
                    child,
                    errors: Vec::new(),
                    until,
                });
            }
            Err(error) => {
                tracing::warn!(
                    bot = alert.bot,
                    "an alert is lost: {program} cannot be started: {error}"
                );
            }
        }
    }
}

fn start(
    AlertsConfig {
        program,
        arguments,
        folder,
    }: &AlertsConfig,
    launch: &Launch,
) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    launch.hide_secrets(&mut command);
    // Its own group: Ctrl-C is for the runner.
    command.process_group(0);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
}

fn line(
    BotAlert {
        time,
        bot,
        kind,
        why,
        until,
    }: &BotAlert,
    dropped: u64,
) -> String {
    let mut why = why.as_str();
    let until = until
        .and_then(|until| OffsetDateTime::from_unix_timestamp(i64::try_from(until).ok()?).ok());
    let time = OffsetDateTime::from(*time).truncate_to_second();
    loop {
        let reason = why.to_owned();
        let line = AlertLine {
            time,
            event: *kind,
            bot,
            reason,
            until,
            dropped,
        };
        let line = serde_json::to_string(&line).unwrap_or_default();
        let line = escaped_json(&line).into_owned() + "\n";
        if line.len() <= MAX_LINE || why.is_empty() {
            return line;
        }
        // The beginning says the most.
        let mut end = why.len() / 2;
        while !why.is_char_boundary(end) {
            end -= 1;
        }
        why = &why[..end];
    }
}

impl RunningAlert {
    /// Whether it has ended; one whose time is over is killed.
    fn has_ended(&mut self) -> bool {
        let end = self.child.try_wait();
        self.read_errors();
        match end {
            Ok(None) if Instant::now() < self.until => false,
            Ok(None) => {
                self.kill(&format!(
                    "it did not end within {} s",
                    ALERT_TIMEOUT.as_secs()
                ));
                true
            }
            Ok(Some(status)) => {
                self.report(status);
                true
            }
            Err(_) => true,
        }
    }

    /// Reads what it has written to standard error, so that it need not wait for that.
    fn read_errors(&mut self) {
        let Some(stderr) = &mut self.child.stderr else {
            return;
        };
        let mut part = [0; 4096];
        for _ in 0..MAX_READS {
            let Ok(length @ 1..) = stderr.read(&mut part) else {
                return;
            };
            let room = MAX_ERRORS - self.errors.len();
            self.errors.extend_from_slice(&part[..length.min(room)]);
        }
    }

    fn report(&self, status: ExitStatus) {
        if status.success() {
            return;
        }
        let Self {
            bot,
            program,
            errors,
            ..
        } = self;
        let errors = String::from_utf8_lossy(errors);
        let errors = match errors.trim() {
            "" => String::new(),
            errors => format!(": {}", ForeignText::new(errors, None)),
        };
        tracing::warn!(
            bot = bot.as_str(),
            "an alert may be lost: {program} {}{errors}",
            ProcessEnd::from(status)
        );
    }

    fn kill(&mut self, why: &str) {
        let Self {
            bot,
            program,
            child,
            ..
        } = self;
        tracing::warn!(
            bot = bot.as_str(),
            "an alert may be lost: {program} was killed: {why}"
        );
        // It has not been reaped, so its number is its own.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
        let _ = child.wait();
    }
}
