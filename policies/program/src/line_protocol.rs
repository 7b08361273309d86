//! The protocol of a program.

use std::marker::PhantomData;

use policy_process::{
    DecisionTime, Dialogue, ProgramFault, ProgramProtocol, ProgramTable, ProgramTrial, as_json,
};
use policy_sdk::{Answer, Game, ProgramIdentity};
use protocol::Introduction;
use riichi::rules::Length;

use crate::answer::ProgramAnswer;
use crate::lines::LineGame;

/// The protocol of a program: a line for each decision, independent of earlier ones.
#[derive(Debug)]
pub(crate) struct LineProtocol<G> {
    /// Number of legal actions in the trial question.
    trial_actions: usize,
    game: PhantomData<G>,
}

impl<G: LineGame> ProgramProtocol for LineProtocol<G> {
    type Game = G;

    const NOUN: &'static str = "program";

    const TRIAL_HINT: &'static str = "";

    const LENGTH: Option<Length> = G::LENGTH;

    type Config = ();

    fn form((): &()) -> String {
        String::new()
    }

    fn is_answer(_: &str) -> bool {
        true
    }

    fn begin((): &(), table: &ProgramTable, dialogue: &mut Dialogue) -> Self {
        let trial = G::trial(table.players);
        dialogue.put(trial, 1);
        Self {
            trial_actions: legal_actions(trial),
            game: PhantomData,
        }
    }

    fn check_trial(&mut self, line: &str, _: u32) -> Result<ProgramTrial, ProgramFault> {
        ProgramAnswer::parse(line, self.trial_actions).map(|_| ProgramTrial::Right)
    }

    fn identity(first_line: &str, warnings: &mut Vec<String>) -> ProgramIdentity {
        let Introduction { name, version } = Introduction::parse(&as_json(first_line), warnings);
        ProgramIdentity::new(name, version)
    }

    fn choose(
        &mut self,
        dialogue: &mut Dialogue,
        view: &<G as Game>::View<'_>,
        time: &DecisionTime<'_>,
        answer: &mut Answer,
    ) -> Result<usize, ProgramFault> {
        // An answer could not be assigned to one of two lines.
        if dialogue.owes() {
            dialogue.hear_last(time)?;
        }
        if time.is_over() {
            return Err(ProgramFault::late());
        }
        let line = G::line(view).map_err(ProgramFault::View)?;
        dialogue.put(&line, 1);
        let line = dialogue.hear_last(time)?;
        let given = ProgramAnswer::parse(&line, G::actions(view))?;
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

fn legal_actions(line: &str) -> usize {
    let line: serde_json::Value = serde_json::from_str(line).expect("it was written as JSON");
    line["legal"].as_array().map_or(0, Vec::len)
}
