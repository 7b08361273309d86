//! Lines to a program, and the answers that it owes.

use crate::decision_time::DecisionTime;
use crate::fault::ProgramFault;
use crate::process::{Heard, LAST_WORDS_TIMEOUT, ProgramProcess};

/// Lines to a program, and the answers that it owes.
#[derive(Debug)]
pub struct Dialogue {
    pub(crate) process: ProgramProcess,
    /// Number of lines that were sent.
    sent: usize,
    /// Number of answers to them, with those still to come.
    expected: u32,
    /// Number of answers still to come.
    owed: u32,
    /// Whether anything came from it in this decision.
    pub(crate) heard: bool,
    /// Its first line; empty until it comes.
    pub(crate) first_line: String,
}

impl Dialogue {
    pub(crate) const fn with(process: ProgramProcess) -> Self {
        Self {
            process,
            sent: 0,
            expected: 0,
            owed: 0,
            heard: false,
            first_line: String::new(),
        }
    }

    /// Sends whole lines that expect this many answers; never waits.
    pub fn put(&mut self, lines: &str, answers: u32) {
        if self.owed == 0 {
            self.process.forget_answers();
        }
        self.sent += lines.lines().count();
        self.expected += answers;
        self.owed += answers;
        self.process.write(lines);
    }

    /// Expects this many more answers to the lines that were sent.
    pub(crate) fn expect(&mut self, answers: u32) {
        self.expected += answers;
        self.owed += answers;
    }

    /// Whether it has yet to answer something that it was asked before.
    pub const fn owes(&self) -> bool {
        self.owed > 0
    }

    /// Number of answers still to come.
    pub(crate) const fn owed(&self) -> u32 {
        self.owed
    }

    /// How many lines were sent, and how many answers came, for users.
    pub(crate) fn balance(&self) -> String {
        let unread = if self.process.has_read_nothing() {
            " (none read)"
        } else {
            ""
        };
        format!(
            "lines sent: {}{unread}, answers: {} of {}",
            self.sent,
            self.expected - self.owed,
            self.expected
        )
    }

    /// The last of the answers that it owes.
    ///
    /// # Errors
    /// When the time is over before, or the program ends.
    pub fn hear_last(&mut self, time: &DecisionTime<'_>) -> Result<String, ProgramFault> {
        loop {
            let line = self.hear(time)?;
            if self.owed == 0 {
                return Ok(line);
            }
        }
    }

    /// The next answer, whether it is owed or not.
    ///
    /// # Errors
    /// When the time is over before, or the program ends.
    pub fn hear(&mut self, time: &DecisionTime<'_>) -> Result<String, ProgramFault> {
        match self.process.hear(time) {
            Heard::Line(line) => {
                self.heard = true;
                if self.first_line.is_empty() {
                    self.first_line.clone_from(&line);
                }
                self.owed = self.owed.saturating_sub(1);
                Ok(line)
            }
            Heard::Nothing => Err(ProgramFault::late()),
            Heard::End => Err(ProgramFault::Gone(format!(
                "it ended ({})",
                self.process.end(LAST_WORDS_TIMEOUT)
            ))),
        }
    }
}

impl ProgramFault {
    pub fn late() -> Self {
        Self::Late("it did not answer in time; `think_ms` sets how long it has".to_owned())
    }
}
