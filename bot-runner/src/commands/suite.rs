//! `suite`: positions with their right actions, as tests of policies.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use foreign_text::{shown, shown_path};
use lab::advisor::{Advisor, NoAdvice};
use lab::suite::{SuiteAnswer, SuiteError, SuitePosition};
use policy_host::GameKind;
use say::output::{say, say_data};
use serde_json::json;

use super::entrants::entrant_of;
use super::success;
use super::table::TextTable;
use crate::cli::SuiteArgs;

/// Asks each policy at each position, and prints what passes.
///
/// # Errors
///
/// If a file cannot be read, a line is no position, or a policy cannot be started.
pub fn suite(args: SuiteArgs) -> anyhow::Result<ExitCode> {
    let positions = args
        .positions
        .iter()
        .map(|file| read(file))
        .collect::<anyhow::Result<Vec<_>>>()?
        .concat();
    if positions.is_empty() {
        bail!("there is no position in the files");
    }
    let mut answers = Vec::new();
    for config in &args.policies {
        answers.push(answers_of(config, &positions)?);
    }
    let passed = |of_policy: &PolicyAnswers| {
        of_policy
            .answers
            .iter()
            .filter(|answer| answer.passes)
            .count()
    };
    if args.json {
        for of_policy in &answers {
            let each: Vec<_> = positions
                .iter()
                .zip(&of_policy.answers)
                .map(|((_, position), answer)| json!({"position": position.name, "answer": answer}))
                .collect();
            let line = json!({
                "policy": of_policy.name, "positions": positions.len(), "passed": passed(of_policy),
                "answers": each,
            });
            say_data(line.to_string());
        }
    } else {
        say(table_of(&positions, &answers));
        for of_policy in &answers {
            say(format!(
                "{}: {} of {} positions pass",
                shown(&of_policy.name),
                passed(of_policy),
                positions.len()
            ));
        }
    }
    Ok(success(
        answers
            .iter()
            .all(|of_policy| passed(of_policy) == positions.len()),
    ))
}

/// The answers to each position, one below the other.
fn table_of(positions: &[(String, SuitePosition)], answers: &[PolicyAnswers]) -> String {
    let mut table = TextTable::new(
        ["position", "policy", "", "action", "right", "why"],
        [true, true, true, true, true, true],
    )
    .keyed_by(2);
    for (place, (_, position)) in positions.iter().enumerate() {
        let right = match (position.right.is_empty(), position.wrong.is_empty()) {
            (false, _) => position.right.join(" or "),
            (_, false) => format!("not {}", position.wrong.join(" or ")),
            _ => "the best value".to_owned(),
        };
        for of_policy in answers {
            let answer = &of_policy.answers[place];
            let action = answer.action.clone();
            table.row([
                shown(&position.name),
                shown(&of_policy.name),
                if answer.passes { "passes" } else { "FAILS" }.to_owned(),
                action.unwrap_or_else(|| format!("none: {}", shown(&answer.reason))),
                shown(&right),
                if answer.passes {
                    String::new()
                } else {
                    shown(&position.reason)
                },
            ]);
        }
    }
    if answers.len() == 1 {
        table.hide("policy");
    }
    table.for_output()
}

/// The positions of a file, each with its place.
fn read(file: &Path) -> anyhow::Result<Vec<(String, SuitePosition)>> {
    let name = shown_path(file);
    let text = fs::read_to_string(file).with_context(|| format!("{name} cannot be read"))?;
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let place = format!("{name}, line {}", number + 1);
        let position = SuitePosition::read(line).with_context(|| place.clone())?;
        positions.push((place, position));
    }
    Ok(positions)
}

struct PolicyAnswers {
    name: String,
    answers: Vec<SuiteAnswer>,
}

fn answers_of(
    config: &Path,
    positions: &[(String, SuitePosition)],
) -> anyhow::Result<PolicyAnswers> {
    let mut by_kind: BTreeMap<(String, u8), (GameKind, Vec<usize>)> = BTreeMap::new();
    for (number, (place, position)) in positions.iter().enumerate() {
        let (game, players) = position.kind().with_context(|| place.clone())?;
        let key = (game.name().to_owned(), players);
        by_kind
            .entry(key)
            .or_insert_with(|| (game, Vec::new()))
            .1
            .push(number);
    }
    let mut answers: Vec<Option<SuiteAnswer>> = vec![None; positions.len()];
    let mut name = String::new();
    for ((_, players), (game, numbers)) in by_kind {
        let (entrant, bot) = entrant_of(PathBuf::from(config), game, players)?;
        name = bot;
        let found = Advisor::with(&entrant, |advisor| -> Result<_, NoAdvice> {
            let mut found = Vec::new();
            for &number in &numbers {
                let answer = match positions[number].1.ask(advisor) {
                    Err(SuiteError::Policy(why)) => return Err(why),
                    other => other,
                };
                found.push((number, answer));
            }
            Ok(found)
        })?;
        for (number, answer) in found {
            answers[number] = Some(answer.with_context(|| positions[number].0.clone())?);
        }
    }
    Ok(PolicyAnswers {
        name,
        answers: answers.into_iter().flatten().collect(),
    })
}
