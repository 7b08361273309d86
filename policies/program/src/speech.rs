//! How a program is asked.

use mahjong::Seat;
use policy_process::{DecisionTime, Dialogue, ProgramFault, Speech};
use policy_sdk::{Answer, View};

use crate::answer::ProgramAnswer;
use crate::riichi::RiichiView;

/// The first decision of a game, for the trial question.
const TRIALS: [&str; 2] = [include_str!("../schema/example-4.json"), include_str!("../schema/example-3.json")];

/// How a program is asked: a line for each decision, whatever came before.
#[derive(Debug)]
pub(crate) struct ProgramSpeech {
    /// How many legal actions the trial question has.
    trial_actions: usize,
}

impl Speech for ProgramSpeech {
    const NOUN: &'static str = "program";

    /// Players at the table.
    type Manner = u8;

    fn is_answer(_: &str) -> bool {
        true
    }

    fn begin(players: &u8, _: Seat, dialogue: &mut Dialogue) -> Self {
        let trial = TRIALS[usize::from(*players == 3)];
        dialogue.put(trial, 1);
        Self { trial_actions: legal_actions(trial) }
    }

    fn check_trial(&self, line: &str) -> Result<(), String> {
        ProgramAnswer::parse(line, self.trial_actions).map(drop)
    }

    fn choose(
        &mut self,
        dialogue: &mut Dialogue,
        view: &View<'_>,
        time: &DecisionTime<'_>,
        answer: &mut Answer,
    ) -> Result<usize, ProgramFault> {
        // Nobody could say to which of two lines an answer belongs.
        if dialogue.owes() {
            dialogue.hear_last(time)?;
        }
        if time.is_over() {
            return Err(ProgramFault::late());
        }
        let line = RiichiView::of(view).map_err(ProgramFault::View)?.line();
        dialogue.put(&line, 1);
        let line = dialogue.hear_last(time)?;
        let given = ProgramAnswer::parse(&line, view.legal().len()).map_err(ProgramFault::Useless)?;
        for (index, value) in given.values.into_iter().enumerate() {
            if let Some(value) = value {
                answer.value(index, value);
            }
        }
        if let Some(reason) = given.reason {
            answer.reason(format_args!("{reason}"));
        }
        Ok(given.index)
    }
}

/// How many legal actions a line has.
fn legal_actions(line: &str) -> usize {
    let line: serde_json::Value = serde_json::from_str(line).expect("it was written as JSON");
    line["legal"].as_array().map_or(0, Vec::len)
}
