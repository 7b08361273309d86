//! A program at work.

use std::time::{Duration, Instant};

use policy_sdk::{Answer, Game, ProgramIdentity};
use riichi::Seat;

use crate::command::CommandLine;
use crate::decision_time::DecisionTime;
use crate::dialogue::Dialogue;
use crate::fault::ProgramFault;
use crate::process::ProgramProcess;
use crate::protocol::ProgramProtocol;

#[derive(Debug)]
pub(crate) struct RunningProgram<S> {
    dialogue: Dialogue,
    protocol: S,
    started: Instant,
    /// It has answered the trial question.
    ready: bool,
    /// Whether it said nothing throughout the last decision, which it let pass.
    was_silent: bool,
}

impl<S: ProgramProtocol> RunningProgram<S> {
    /// Starts the program, for this seat alone if the command names the seat, and asks the trial question.
    pub(crate) fn start(command: &CommandLine, config: &S::Config, seat: Seat) -> Result<Self, ProgramFault> {
        let mut dialogue =
            Dialogue::with(ProgramProcess::start(command, seat, S::is_answer).map_err(ProgramFault::Gone)?);
        let protocol = S::begin(config, seat, &mut dialogue);
        Ok(Self { dialogue, protocol, started: Instant::now(), ready: false, was_silent: false })
    }

    /// Its output besides its answers since the last call.
    pub(crate) fn stderr(&self) -> Vec<String> {
        self.dialogue.process.stderr()
    }

    /// The name and version that its first line gives.
    pub(crate) fn identity(&self, warnings: &mut Vec<String>) -> ProgramIdentity {
        S::identity(&self.dialogue.first_line, warnings)
    }

    /// Its process, to be ended together with others.
    pub(crate) const fn process_mut(&mut self) -> &mut ProgramProcess {
        &mut self.dialogue.process
    }

    /// Waits until it has answered the trial question.
    pub(crate) fn await_ready(&mut self, time: &DecisionTime<'_>, start_within: Duration) -> Result<(), ProgramFault> {
        if self.ready {
            return Ok(());
        }
        match self.dialogue.hear_last(time) {
            Ok(line) => {
                let checked = self.protocol.check_trial(&line);
                // The missing resource may be there at the next decision, and the program owes no answer.
                self.ready = matches!(checked, Ok(()) | Err(ProgramFault::Unavailable(_)));
                checked.map_err(|fault| match fault {
                    ProgramFault::Useless(why) => {
                        self.dialogue.process.end(Duration::ZERO);
                        ProgramFault::Gone(why)
                    }
                    other => other,
                })
            }
            Err(ProgramFault::Late(_)) if self.started.elapsed() < start_within => {
                Err(ProgramFault::Late(format!("it is still starting ({})", self.dialogue.balance())))
            }
            Err(ProgramFault::Late(_)) => {
                let (balance, ended) = (self.dialogue.balance(), self.dialogue.process.end(Duration::ZERO));
                Err(ProgramFault::Gone(format!(
                    "it did not decide a trial round in time ({balance}; {ended}); `start_ms` sets how long it has"
                )))
            }
            Err(fault) => Err(fault),
        }
    }

    /// The legal action it chooses.
    pub(crate) fn decide(
        &mut self,
        view: &<S::Game as Game>::View<'_>,
        time: &DecisionTime<'_>,
        start_within: Duration,
        answer: &mut Answer,
    ) -> Result<usize, ProgramFault> {
        self.dialogue.heard = false;
        let decided = self
            .await_ready(time, start_within)
            .and_then(|()| self.protocol.choose(&mut self.dialogue, view, time, answer));
        let late = matches!(decided, Err(ProgramFault::Late(_))) && time.has_run_out();
        let silent = late && self.ready && !self.dialogue.heard;
        if std::mem::replace(&mut self.was_silent, silent) && silent {
            let ended = self.dialogue.process.end(Duration::ZERO);
            return Err(ProgramFault::Gone(format!("it said nothing throughout two decisions ({ended})")));
        }
        decided
    }
}
