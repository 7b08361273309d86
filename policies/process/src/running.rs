//! A program at work.

use std::time::{Duration, Instant};

use policy_sdk::{Answer, Game, Level, ProgramIdentity};
use policy_together::PoolLog;

use crate::command::{CommandLine, ProgramTable};
use crate::decision_time::DecisionTime;
use crate::dialogue::Dialogue;
use crate::fault::ProgramFault;
use crate::process::ProgramProcess;
use crate::protocol::{ProgramProtocol, ProgramTrial};

/// Maximum time in which an answer has to follow another one.
const FOLLOWS_WITHIN: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(crate) struct RunningProgram<S> {
    dialogue: Dialogue,
    protocol: S,
    started: Instant,
    /// How long it may take until it decides.
    start_within: Duration,
    /// It has answered the trial question.
    ready: bool,
    /// If its answer may have been to an earlier line: until when the next one shows that, and the
    /// fault if none does.
    early: Option<(Instant, ProgramFault)>,
    /// Whether it said nothing throughout the last decision, which it let pass.
    was_silent: bool,
}

impl<S: ProgramProtocol> RunningProgram<S> {
    /// Starts the program, for this table alone as far as the command names it, and asks the trial
    /// question.
    pub(crate) fn start(
        command: &CommandLine,
        config: &S::Config,
        table: &ProgramTable,
        start_within: Duration,
    ) -> Result<Self, ProgramFault> {
        let mut dialogue = Dialogue::with(
            ProgramProcess::start(command, table, S::is_answer).map_err(ProgramFault::Gone)?,
        );
        let protocol = S::begin(config, table, &mut dialogue);
        Ok(Self {
            dialogue,
            protocol,
            started: Instant::now(),
            start_within,
            ready: false,
            early: None,
            was_silent: false,
        })
    }

    pub(crate) const fn protocol(&self) -> &S {
        &self.protocol
    }

    /// Logs its output besides its answers since the last call.
    pub(crate) fn log_stderr(&self, log: PoolLog<'_>) {
        for line in self.dialogue.process.stderr() {
            log(Level::Debug, &format!("{}: {line}", S::NOUN));
        }
    }

    /// The name and version that its first line gives.
    pub(crate) fn identity(&self, warnings: &mut Vec<String>) -> ProgramIdentity {
        S::identity(&self.dialogue.first_line, warnings)
    }

    /// Whether it has read nothing of what it was sent.
    pub(crate) fn has_read_nothing(&self) -> bool {
        self.dialogue.process.has_read_nothing()
    }

    /// Its process, to be ended together with others.
    pub(crate) const fn process_mut(&mut self) -> &mut ProgramProcess {
        &mut self.dialogue.process
    }

    /// Waits until it has answered the trial question. If it may not go on starting beyond this
    /// time, it is ended.
    pub(crate) fn await_ready(
        &mut self,
        time: &DecisionTime<'_>,
        may_go_on: bool,
    ) -> Result<(), ProgramFault> {
        if self.ready {
            return Ok(());
        }
        match self.hear_trial(time) {
            Ok(checked) => {
                // The missing resource may be there at the next decision, and the program owes no
                // answer.
                self.ready = matches!(checked, Ok(()) | Err(ProgramFault::Unavailable(_)));
                checked.map_err(|fault| match fault {
                    ProgramFault::Useless(why) => {
                        self.dialogue.process.end(Duration::ZERO);
                        ProgramFault::Gone(why)
                    }
                    other => other,
                })
            }
            Err(ProgramFault::Late(_))
                if may_go_on && self.started.elapsed() < self.start_within =>
            {
                Err(ProgramFault::Late(format!(
                    "it is still starting ({})",
                    self.dialogue.balance()
                )))
            }
            Err(ProgramFault::Late(_)) => {
                let (balance, within) = (self.dialogue.balance(), self.start_within.as_millis());
                let ended = self.dialogue.process.end(Duration::ZERO);
                Err(ProgramFault::Gone(format!(
                    "it did not decide a trial round within {within} ms ({balance}; {ended}); `start_ms` sets how long it \
                     has"
                )))
            }
            Err(fault) => Err(fault),
        }
    }

    /// Waits for the answers to the trial question, and checks them.
    fn hear_trial(
        &mut self,
        time: &DecisionTime<'_>,
    ) -> Result<Result<(), ProgramFault>, ProgramFault> {
        loop {
            let heard = match &self.early {
                Some((until, _)) => self.dialogue.hear(&time.until(*until)),
                None => self.dialogue.hear(time),
            };
            let line = match (heard, &self.early) {
                (Err(ProgramFault::Late(_)), Some((until, otherwise)))
                    if Instant::now() >= *until =>
                {
                    return Ok(Err(otherwise.clone()));
                }
                (heard, _) => heard?,
            };
            match self.protocol.check_trial(&line, self.dialogue.owed()) {
                Err(fault) => return Ok(Err(fault)),
                Ok(ProgramTrial::Right) if self.dialogue.owes() => {}
                Ok(ProgramTrial::Right) => match self.protocol.next_trial() {
                    Some(question) => self.dialogue.put(&question, 1),
                    None => return Ok(Ok(())),
                },
                Ok(ProgramTrial::Early { more, otherwise }) => {
                    self.dialogue.expect(more);
                    let within = FOLLOWS_WITHIN.min(self.start_within / 2);
                    self.early = Some((Instant::now() + within, otherwise));
                }
            }
        }
    }

    /// The legal action it chooses.
    pub(crate) fn decide(
        &mut self,
        view: &<S::Game as Game>::View<'_>,
        time: &DecisionTime<'_>,
        answer: &mut Answer,
    ) -> Result<usize, ProgramFault> {
        self.ask(time, |protocol, dialogue| {
            protocol.choose(dialogue, view, time, answer)
        })
    }

    /// What it answers in this time.
    pub(crate) fn ask<T>(
        &mut self,
        time: &DecisionTime<'_>,
        ask: impl FnOnce(&mut S, &mut Dialogue) -> Result<T, ProgramFault>,
    ) -> Result<T, ProgramFault> {
        self.dialogue.heard = false;
        let decided = self
            .await_ready(time, true)
            .and_then(|()| ask(&mut self.protocol, &mut self.dialogue));
        let late = matches!(decided, Err(ProgramFault::Late(_))) && time.has_run_out();
        let silent = late && self.ready && !self.dialogue.heard;
        if std::mem::replace(&mut self.was_silent, silent) && silent {
            let ended = self.dialogue.process.end(Duration::ZERO);
            return Err(ProgramFault::Gone(format!(
                "it said nothing throughout two decisions ({ended})"
            )));
        }
        decided
    }
}
