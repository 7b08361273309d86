//! The differences between kinds of programs.

use std::fmt::Debug;

use policy_sdk::{Answer, Game, ProgramIdentity};
use riichi::rules::Length;

use crate::command::ProgramTable;
use crate::decision_time::DecisionTime;
use crate::dialogue::Dialogue;
use crate::fault::ProgramFault;

/// The meaning of an answer to a trial question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramTrial {
    /// It is right.
    Right,
    /// It is the answer to an earlier line, if this many more answers follow it at once; otherwise
    /// it is wrong.
    Early { more: u32, otherwise: ProgramFault },
}

/// The protocol of a kind of program, one for each process.
pub trait ProgramProtocol: Debug + Sized {
    type Game: Game;

    /// The word for such a program in messages, for instance `engine`.
    const NOUN: &'static str;

    /// What to look at when a program fails its trial although it has read the question, as the end
    /// of a message.
    const TRIAL_HINT: &'static str;

    /// The length of the games that a program is started for, unless a decision has shown another;
    /// `None` in games that have none.
    const LENGTH: Option<Length>;

    /// All that is the same for every process of a policy.
    type Config: Debug;

    /// The words for such a config, if a policy tries several.
    fn form(config: &Self::Config) -> String;

    /// Whether a line of its standard output is an answer; all others go to the log.
    fn is_answer(line: &str) -> bool;

    /// Asks the trial question of a program that has just been started for a table; its last answer
    /// shows that it is ready.
    fn begin(config: &Self::Config, table: &ProgramTable, dialogue: &mut Dialogue) -> Self;

    /// Checks an answer to the trial question, after which this many are still expected.
    ///
    /// # Errors
    /// The problem of the answer, or why the program cannot decide now, through no fault of its
    /// own.
    fn check_trial(&mut self, line: &str, owed: u32) -> Result<ProgramTrial, ProgramFault>;

    /// Another trial question, one line that expects one answer, once all answers so far are right.
    fn next_trial(&mut self) -> Option<String> {
        None
    }

    /// The name and version that a program's first line gives; what is wrong with them is added to
    /// `warnings`.
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
