//! Questions in a terminal.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, bail};
use clap::ValueEnum;
use say::screen::note;
use secrecy::SecretString;

use super::interruption::Interruption;

/// A terminal for questions.
pub(super) struct Asker {
    interruption: Interruption,
}

impl Asker {
    /// The terminal on standard input, whose settings an interruption restores; `None` if it is not
    /// a terminal.
    pub(super) fn on_terminal(interruption: &Interruption) -> Option<Self> {
        io::stdin().is_terminal().then(|| Self {
            interruption: interruption.clone(),
        })
    }

    /// Asks until the answer is valid; an empty one is the default, if there is one.
    pub(super) fn text<T>(
        &self,
        question: &str,
        default: Option<&str>,
        mut take: impl FnMut(&str) -> Result<T, String>,
    ) -> anyhow::Result<T> {
        loop {
            let shown = default.map_or_else(String::new, |default| format!(" [{default}]"));
            eprint!("{question}{shown}: ");
            let line = line()?;
            let answer = if line.trim().is_empty() {
                default.unwrap_or("")
            } else {
                line.trim()
            };
            match take(answer) {
                Ok(taken) => return Ok(taken),
                Err(why) => note(why),
            }
        }
    }

    /// Asks for one of these, by name or number; the first is the default.
    pub(super) fn one_of<T: ValueEnum + Copy>(
        &self,
        question: &str,
        choices: &[T],
    ) -> anyhow::Result<T> {
        let values: Vec<_> = choices
            .iter()
            .filter_map(ValueEnum::to_possible_value)
            .collect();
        let named: Vec<(&str, String)> = values
            .iter()
            .map(|value| {
                (
                    value.get_name(),
                    value
                        .get_help()
                        .map(ToString::to_string)
                        .unwrap_or_default(),
                )
            })
            .collect();
        Self::list(&named);
        let allowed = named
            .iter()
            .map(|(name, _)| *name)
            .collect::<Vec<_>>()
            .join(", ");
        self.text(question, named.first().map(|(name, _)| *name), |answer| {
            let place = named
                .iter()
                .zip(1_usize..)
                .position(|((name, _), number)| *name == answer || answer.parse() == Ok(number));
            place
                .map(|place| choices[place])
                .ok_or_else(|| format!("found {answer:?}; allowed are {allowed}"))
        })
    }

    /// Shows choices with their numbers, from 1.
    pub(super) fn list(choices: &[(&str, String)]) {
        for (number, (name, help)) in (1..).zip(choices) {
            note(format!("  {number:<2} {name:<18} {help}"));
        }
    }

    /// Asks for a secret without echo.
    pub(super) fn secret(&self, question: &str) -> anyhow::Result<SecretString> {
        eprint!("{question}: ");
        self.interruption
            .hide_echo()
            .context("the terminal cannot hide its input")?;
        let typed = line().map(SecretString::from);
        self.interruption.show_echo();
        eprintln!();
        typed
    }
}

fn line() -> anyhow::Result<String> {
    io::stderr()
        .flush()
        .context("the question cannot be written")?;
    let mut line = String::new();
    if io::stdin()
        .read_line(&mut line)
        .context("the answer cannot be read")?
        == 0
    {
        bail!("the input ended before all questions were answered; nothing was written");
    }
    Ok(line)
}
