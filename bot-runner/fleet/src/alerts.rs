//! Alerts: a program of the user's is run when something happens to a bot, with one line of JSON on
//! its standard input. No bot waits for it.

use std::collections::HashMap;
use std::io;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use client::board::{AlertKind, AlertReceiver, Board, BotAlert};
use config::AlertsConfig;
use foreign_text::escaped_json;
use policy_host::Launch;
use serde::Serialize;
use time::OffsetDateTime;
use time::serde::rfc3339;

use crate::user_program::{KeptOutput, LOOK_EVERY, UserProgram};

/// Maximum number of programs that run at once.
const MAX_RUNNING: usize = 4;
/// Maximum number of alerts that wait for a program to end; further ones are dropped.
const MAX_WAITING: usize = 64;
/// Maximum time for a program, which is then killed with everything in its process group.
const ALERT_TIMEOUT: Duration = Duration::from_secs(30);
/// The same once all bots have ended.
const END_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval of looks at whether the runner ends.
const LOOK_IDLE_EVERY: Duration = Duration::from_millis(200);
/// Maximum length of a line in bytes: a pipe takes it at once.
const MAX_LINE: usize = 4096;
/// Maximum length of what is kept of a program's errors, in bytes.
const MAX_ERRORS: usize = 4 << 10;

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
    name: String,
    program: UserProgram,
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
                    .for_each(|program| program.kill("was killed: the runner ends"));
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
        let name = command.program.display().to_string();
        match start(&command, &self.launch) {
            Ok(mut program) => {
                program.write(&line(alert, self.receiver.take_dropped()));
                let bot = alert.bot.clone();
                self.running.push(RunningAlert { bot, name, program });
            }
            Err(error) => {
                tracing::warn!(
                    bot = alert.bot,
                    "an alert is lost: {name} cannot be started: {error}"
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
) -> io::Result<UserProgram> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped());
    launch.hide_secrets(&mut command);
    UserProgram::start(command, KeptOutput::Errors(MAX_ERRORS), ALERT_TIMEOUT)
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
        let Some(end) = self.program.end() else {
            return false;
        };
        if let Err(why) = end {
            let said = self.program.said();
            let said = said.map_or_else(String::new, |said| format!(": {said}"));
            self.warn(&format!("{why}{said}"));
        }
        true
    }

    fn kill(&mut self, why: &str) {
        self.warn(why);
        self.program.kill();
    }

    fn warn(&self, why: &str) {
        let bot = self.bot.as_str();
        tracing::warn!(bot, "an alert may be lost: {} {why}", self.name);
    }
}
