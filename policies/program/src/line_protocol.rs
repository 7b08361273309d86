//! The protocol of a program.

use std::marker::PhantomData;
use std::num::NonZeroUsize;

use policy_process::{
    DecisionTime, Dialogue, ProgramFault, ProgramProtocol, ProgramTable, ProgramTrial,
    SharedProtocol, as_json,
};
use policy_sdk::{Answer, Game, ProgramIdentity};
use protocol::Introduction;
use riichi::rules::Length;

use crate::answer::{ProgramAnswer, max_batch};
use crate::lines::LineGame;

/// The protocol of a program: a line for each decision, independent of earlier ones.
#[derive(Debug)]
pub(crate) struct LineProtocol<G> {
    trial: QuestionLine,
    /// Maximum number of views that the program takes in one line; `None` until its first answer.
    max_batch: Option<NonZeroUsize>,
    /// Whether it is asked for several decisions, the second trial question.
    tries_several: bool,
    game: PhantomData<fn() -> G>,
}

/// A decision as a program reads it.
#[derive(Debug)]
pub(crate) struct QuestionLine {
    /// With its line break.
    line: String,
    /// Number of legal actions.
    actions: usize,
}

/// Several decisions as one line.
fn as_list(questions: &[&QuestionLine]) -> String {
    let views: Vec<&str> = questions
        .iter()
        .map(|asked| asked.line.trim_end())
        .collect();
    format!("[{}]\n", views.join(","))
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
        let line = G::trial(table.players);
        dialogue.put(line, 1);
        Self {
            trial: QuestionLine {
                line: line.to_owned(),
                actions: legal_actions(line),
            },
            max_batch: None,
            tries_several: false,
            game: PhantomData,
        }
    }

    fn check_trial(&mut self, line: &str, _: u32) -> Result<ProgramTrial, ProgramFault> {
        if self.tries_several {
            let answers = ProgramAnswer::parse_all(line, &[self.trial.actions; 2])?;
            answers.into_iter().collect::<Result<Vec<_>, _>>()?;
        } else {
            ProgramAnswer::parse(line, self.trial.actions)?;
            self.max_batch = Some(max_batch(line)?);
        }
        Ok(ProgramTrial::Right)
    }

    fn next_trial(&mut self) -> Option<String> {
        let takes_several = self.max_batch().get() > 1;
        let is_next = takes_several && !std::mem::replace(&mut self.tries_several, true);
        is_next.then(|| as_list(&[&self.trial; 2]))
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
        let question = Self::question(view)?;
        let reply = self
            .choose_all(dialogue, &[&question], time)?
            .swap_remove(0)?;
        Ok(Self::take(reply, answer))
    }
}

impl<G: LineGame> SharedProtocol for LineProtocol<G> {
    type Question = QuestionLine;
    type Reply = ProgramAnswer;

    fn max_batch(&self) -> NonZeroUsize {
        self.max_batch.unwrap_or(NonZeroUsize::MIN)
    }

    fn question(view: &<G as Game>::View<'_>) -> Result<QuestionLine, ProgramFault> {
        Ok(QuestionLine {
            line: G::line(view).map_err(ProgramFault::View)?,
            actions: G::actions(view),
        })
    }

    fn choose_all(
        &mut self,
        dialogue: &mut Dialogue,
        questions: &[&QuestionLine],
        time: &DecisionTime<'_>,
    ) -> Result<Vec<Result<ProgramAnswer, ProgramFault>>, ProgramFault> {
        // An answer could not be assigned to one of two lines.
        if dialogue.owes() {
            dialogue.hear_last(time)?;
        }
        if time.is_over() {
            return Err(ProgramFault::late());
        }
        match questions {
            [one] => {
                dialogue.put(&one.line, 1);
                let reply = dialogue.hear_last(time)?;
                Ok(vec![ProgramAnswer::parse(&reply, one.actions)])
            }
            several => {
                dialogue.put(&as_list(several), 1);
                let reply = dialogue.hear_last(time)?;
                let actions: Vec<usize> = several.iter().map(|asked| asked.actions).collect();
                ProgramAnswer::parse_all(&reply, &actions)
            }
        }
    }

    fn take(given: ProgramAnswer, answer: &mut Answer) -> usize {
        for (index, value) in given.values.into_iter().enumerate() {
            if let Some(value) = value {
                answer.value(index, value);
            }
        }
        if let Some(reason) = given.reason {
            answer.reason(format_args!("{reason}"));
        }
        given.index
    }
}

fn legal_actions(line: &str) -> usize {
    let line: serde_json::Value = serde_json::from_str(line).expect("it was written as JSON");
    line["legal"].as_array().map_or(0, Vec::len)
}
