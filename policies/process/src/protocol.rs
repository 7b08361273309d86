//! The differences between kinds of programs.

use std::fmt::Debug;

use policy_sdk::{Answer, Game, ProgramIdentity};
use riichi::Seat;

use crate::decision_time::DecisionTime;
use crate::dialogue::Dialogue;
use crate::fault::ProgramFault;

/// The protocol of a kind of program, one for each process.
pub trait ProgramProtocol: Debug + Sized {
    type Game: Game;

    /// The word for such a program in messages, for instance `engine`.
    const NOUN: &'static str;

    /// What to look at when a program fails its trial, as the end of a message.
    const TRIAL_HINT: &'static str;

    /// All that is the same for every process of a policy.
    type Config: Debug;

    /// Whether a line of its standard output is an answer; all others go to the log.
    fn is_answer(line: &str) -> bool;

    /// Asks the trial question of a program that has just been started for a seat; its last answer shows that it is
    /// ready.
    fn begin(config: &Self::Config, seat: Seat, dialogue: &mut Dialogue) -> Self;

    /// Whether the answer to the trial question is one.
    ///
    /// # Errors
    /// The problem of the answer, or why the program cannot decide now, through no fault of its own.
    fn check_trial(&self, line: &str) -> Result<(), ProgramFault>;

    /// The name and version that a program's first line gives; what is wrong with them is added to `warnings`.
    fn identity(first_line: &str, warnings: &mut Vec<String>) -> ProgramIdentity;

    /// Asks for a decision: the index of a legal action.
    ///
    /// # Errors
    /// Why there is none.
    fn choose(
        &mut self,
        dialogue: &mut Dialogue,
        view: &<Self::Game as Game>::View<'_>,
        time: &DecisionTime<'_>,
        answer: &mut Answer,
    ) -> Result<usize, ProgramFault>;
}
