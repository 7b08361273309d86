//! The runner's side of a policy's process: its pipes, and its end.

use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::process::{Child, ChildStdin, ChildStdout};
use std::thread;
use std::time::{Duration, Instant};

use policy_abi::host::LOG_ERROR;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};

use super::reply::{ChildReplies, ChildReply};
use super::stderr::StderrLog;
use crate::call::log_limit::log_text;
use crate::call::policy_log::PolicyLog;
use crate::child::launch::Launch;
use crate::fault::BadFrame;
use crate::fault::own_time::{OwnTimeLimit, PolicyRoot};
use crate::fault::process_end::ProcessEnd;
use crate::limits::POLLED_FOR;

/// Maximum time for a process to exit after its pipe has closed.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum wait for a guard that kills everything. It continues for as long as it takes.
const KILL_TIMEOUT: Duration = Duration::from_millis(1500);

/// Interval for checking that the process is still there while waiting for a pipe: a process that
/// it started may hold the pipe open.
const LOOKED_AFTER: Duration = Duration::from_millis(50);

/// The reason why a process, which has then ended, sends nothing more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lost {
    Died(ProcessEnd),
    Late,
    BadFrame(BadFrame),
}

/// The process does not outlive this.
#[derive(Debug)]
pub(super) struct ChildProcess {
    child: Child,
    /// Its standard input; closed to let it end.
    input: Option<ChildStdin>,
    output: ChildStdout,
    replies: ChildReplies,
    /// The bot's name, for the log.
    bot: String,
    log: PolicyLog,
    /// The first error that it has logged since it was last asked for it.
    logged_error: Option<String>,
    /// Whether its guard is responsible for it.
    is_left: bool,
    /// The limit of its memory.
    memory_mib: Option<u32>,
    _stderr: StderrLog,
}

impl ChildProcess {
    pub(super) fn spawn(launch: &Launch, bot: &str, memory_mib: Option<u32>) -> io::Result<Self> {
        let mut child = launch.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(stderr)) = pipes else {
            unreachable!("all three are piped")
        };
        let made = || {
            ioctl_fionbio(&input, true)?;
            ioctl_fionbio(&output, true)?;
            StderrLog::start(stderr, bot)
        };
        match made() {
            Ok(stderr) => {
                let (input, replies) = (Some(input), ChildReplies::default());
                let (bot, log) = (bot.to_owned(), PolicyLog::new(bot));
                Ok(Self {
                    child,
                    input,
                    output,
                    replies,
                    bot,
                    log,
                    logged_error: None,
                    is_left: false,
                    memory_mib,
                    _stderr: stderr,
                })
            }
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    pub(super) fn send(&mut self, mut frame: &[u8], limit: &mut OwnTimeLimit) -> Result<(), Lost> {
        while let (Some(input), false) = (&mut self.input, frame.is_empty()) {
            match input.write(frame) {
                Ok(written) => frame = &frame[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let ready = wait(&*input, PollFlags::OUT, limit.next_look());
                    if !ready && limit.is_over(self.root()) {
                        return Err(self.lose(Lost::Late));
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // It has ended, and may have reported why.
                Err(_) => self.input = None,
            }
        }
        Ok(())
    }

    /// Its next reply; its lines for the log are logged.
    pub(super) fn receive(&mut self, limit: &mut OwnTimeLimit) -> Result<ChildReply, Lost> {
        self.next_reply(limit, EXIT_TIMEOUT)
    }

    /// The same for a process that may take this long to exit after its pipe has closed.
    fn next_reply(
        &mut self,
        limit: &mut OwnTimeLimit,
        exit_timeout: Duration,
    ) -> Result<ChildReply, Lost> {
        let start = Instant::now();
        loop {
            match self.replies.next_reply() {
                Ok(Some(ChildReply::Logged(level, text))) => {
                    self.log.line(level, &text);
                    if level == LOG_ERROR {
                        self.logged_error
                            .get_or_insert_with(|| log_text(text.as_bytes()));
                    }
                    // A process that never stops logging is late too.
                    if limit.is_over(self.root()) {
                        return Err(self.lose(Lost::Late));
                    }
                    continue;
                }
                Ok(Some(reply)) => return Ok(reply),
                Ok(None) => {}
                Err(frame) => return Err(self.lose(Lost::BadFrame(frame))),
            }
            match self.replies.fill(&mut self.output) {
                Ok(0) => return Err(self.died(exit_timeout)),
                Ok(_) => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return Err(self.died(exit_timeout)),
            }
            if limit.is_over(self.root()) {
                return Err(self.lose(Lost::Late));
            }
            let now = Instant::now();
            if now - start < POLLED_FOR {
                thread::yield_now();
            } else if !wait(
                &self.output,
                PollFlags::IN,
                limit.next_look().min(now + LOOKED_AFTER),
            ) && self.is_gone()
            {
                // Its last reply may have arrived in between.
                return match self.replies.fill(&mut self.output) {
                    Ok(1..) => continue,
                    _ => Err(self.died(exit_timeout)),
                };
            }
        }
    }

    /// The first error that it has logged since the last call.
    pub(super) const fn take_logged_error(&mut self) -> Option<String> {
        self.logged_error.take()
    }

    /// Asks it to end, and waits up to `within` for that or for a last reply, and then for its
    /// exit.
    pub(super) fn end_with_a_word(
        &mut self,
        within: Duration,
        exit_timeout: Duration,
    ) -> Result<ChildReply, Lost> {
        self.input = None;
        self.next_reply(
            &mut OwnTimeLimit::of_clock(Instant::now(), within),
            exit_timeout,
        )
    }

    /// Asks it to end, and waits up to `within` for that, and as long again for its exit.
    pub(super) fn end(&mut self, within: Duration) {
        // It may now send only lines for the log.
        let lost = match self.end_with_a_word(within, within) {
            Err(lost) => lost,
            Ok(reply) => self.lose(Lost::BadFrame(reply.unexpected())),
        };
        let bot = &self.bot;
        match lost {
            Lost::Died(ProcessEnd::Exit(0)) => {}
            Lost::Died(end) => {
                tracing::warn!(bot, "a policy failed while ending: its process {end}")
            }
            Lost::Late => tracing::warn!(
                bot,
                "a policy did not end within {} s: killed",
                within.as_secs()
            ),
            Lost::BadFrame(frame) => tracing::warn!(
                bot,
                "a policy failed while ending: its process sent {frame}"
            ),
        }
    }

    /// Whether it has ended; does not record how.
    fn is_gone(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.pid()), options), Ok(None))
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(super) fn root(&self) -> PolicyRoot {
        PolicyRoot::Process(self.pid().as_raw_nonzero().get())
    }

    /// The way it ended after its pipe was closed.
    fn died(&mut self, exit_timeout: Duration) -> Lost {
        let start = Instant::now();
        while !self.is_gone() {
            if start.elapsed() > exit_timeout {
                return self.lose(Lost::Died(ProcessEnd::Silent));
            }
            thread::sleep(Duration::from_millis(1));
        }
        // It has ended, so the kill does not change its exit status.
        Lost::Died(
            self.kill()
                .unwrap_or(ProcessEnd::Silent)
                .with_memory(self.memory_mib),
        )
    }

    fn lose(&mut self, lost: Lost) -> Lost {
        self.kill();
        lost
    }

    /// Kills it with everything that it has started; returns how it ended. `None` if its guard
    /// still has processes to kill, which takes as long as it takes, or if this was called before.
    fn kill(&mut self) -> Option<ProcessEnd> {
        if self.is_left {
            return None;
        }
        // Its end has not been reaped yet, so its number is still its own.
        if cfg!(target_os = "linux") {
            // Its guard kills everything, and ends.
            let _ = kill_process(self.pid(), Signal::TERM);
            let _ = kill_process(self.pid(), Signal::CONT);
            let start = Instant::now();
            while !self.is_gone() {
                if start.elapsed() > KILL_TIMEOUT {
                    self.leave();
                    return None;
                }
                thread::sleep(Duration::from_millis(1));
            }
        } else {
            let _ = kill_process_group(self.pid(), Signal::KILL);
            // It may have left its group.
            let _ = kill_process(self.pid(), Signal::KILL);
        }
        self.child.wait().ok().map(ProcessEnd::from)
    }

    /// Leaves it to its guard, whose end a thread records.
    fn leave(&mut self) {
        self.is_left = true;
        let (pid, bot) = (self.pid(), &self.bot);
        tracing::warn!(
            bot,
            "killing a policy's processes takes long; the games continue meanwhile"
        );
        let reap = move || {
            let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED);
        };
        // Without the thread it stays in the list of processes until the runner ends.
        let _ = thread::Builder::new().name("reaper".to_owned()).spawn(reap);
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // There is nothing to kill at a second end.
        if !self.is_left && matches!(self.child.try_wait(), Ok(None)) {
            self.kill();
        }
    }
}

/// Waits until a pipe is ready; `false` if it is not ready in time.
fn wait(pipe: &impl AsFd, flags: PollFlags, until: Instant) -> bool {
    let left = until.saturating_duration_since(Instant::now());
    let Ok(left) = Timespec::try_from(left) else {
        return false;
    };
    !matches!(poll(&mut [PollFd::new(pipe, flags)], Some(&left)), Ok(0))
}
