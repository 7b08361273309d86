//! learned: a policy whose values are corrected by weights learned in self-play.
//!
//! It judges like defensive-fold, by the same [`judge`]: the choices of a decision, each with its
//! estimated gain in places. To each of them it adds a learned correction, a weighted sum of the
//! [features](judge::features) of the choice with weights for each situation, and takes the best.
//! Without [weights] it plays as defensive-fold, game for game.
//!
//! The weights are the result of the trainer (docs/training.md): games of the policy against itself
//! with a little chance in its choices, and a regression of the places that each choice gained or
//! lost.
//!
//! Parameters: `weights`, a file of weights in place of the built-in ones, and the parameters of
//! defensive-fold. The value of an action is the expected gain in places over the current state of
//! the game.
#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;
pub mod weights;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use judge::features::DescribedDecision;
use judge::{Best, JudgeOptions};
use policy_common::{Habits, Strategy};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View, abi,
};

use weights::{MAX_WEIGHTS_BYTES, Weights};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("learned ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<Learned>()],
);

const BUILT_IN: [&str; 2] = [
    include_str!("../weights/four-players.txt"),
    include_str!("../weights/three-players.txt"),
];

const PARAMS: [Param; 5] = {
    let [riichi, calls, kan, kyushu] = judge::PARAMS;
    let weights = Param::path(
        "weights",
        "A file of weights to play by, in place of the built-in ones; `watch` it to swap to a new one.",
    );
    [weights, riichi, calls, kan, kyushu]
};

/// The policy with learned corrections.
#[derive(Debug)]
pub struct Learned {
    options: JudgeOptions,
    weights: Weights,
    decision: DescribedDecision,
    corrections: Vec<f32>,
}

impl Policy for Learned {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "learned",
        name: "Learned",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Judges like defensive-fold, and corrects that by what it learned from games against itself.",
        games: Games::Both,
        params: &PARAMS,
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let players = env.players();
        let weights = match params.path("weights")? {
            Some(path) => read(path).and_then(|weights| of_players(weights, players)),
            None => built_in(players),
        };
        Ok(Self {
            options: JudgeOptions::read(params)?,
            weights: weights.map_err(CreateError::Failed)?,
            decision: DescribedDecision::default(),
            corrections: Vec::new(),
        })
    }

    fn decide(
        &mut self,
        view: &View<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        policy_common::decide(self, view, answer)
    }
}

impl Strategy for Learned {
    fn habits(&self) -> &Habits {
        &self.options.habits
    }

    fn claim(&mut self, view: &View<'_>, pass: usize, answer: &mut Answer) -> usize {
        self.best(view, answer).choose(answer).unwrap_or(pass)
    }

    fn own_turn(&mut self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError> {
        let best = self.best(view, answer).choose(answer);
        best.ok_or_else(|| DecideError::Failed(format!("no discard among {:?}", view.legal())))
    }
}

impl Learned {
    /// The choice of the highest value; leaves all values in the answer.
    fn best(&mut self, view: &View<'_>, answer: &mut Answer) -> Best {
        let Self {
            options,
            weights,
            decision,
            corrections,
        } = self;
        decision.describe(view, &options.judge(view), *options, !weights.is_none());
        weights.corrections(decision, corrections);
        let mut best = Best::default();
        for (choice, &learned) in decision.choices.iter().zip(corrections.iter()) {
            let judged = choice.judged.corrected(learned);
            answer.value(judged.index, judged.value);
            best.add(judged);
        }
        best
    }
}

/// The built-in weights for tables with this many players.
///
/// # Errors
///
/// If they do not fit this program's features, which is a fault of the build.
pub fn built_in(players: u8) -> Result<Weights, String> {
    let text = BUILT_IN[usize::from(players == 3)];
    text.parse()
        .map_err(|error| format!("the built-in weights for {players} players: {error}"))
}

fn read(path: &Path) -> Result<Weights, String> {
    let wrong = |what: String| format!("weights {}: {what}", path.display());
    // Before it is opened: a pipe would wait for its writer.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(wrong("it is not a regular file".to_owned()));
    }
    let mut text = String::new();
    let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
    file.take(MAX_WEIGHTS_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(|error| wrong(error.to_string()))?;
    if text.len() as u64 > MAX_WEIGHTS_BYTES {
        return Err(wrong(format!(
            "the file is larger than {} MiB, the most that is read",
            MAX_WEIGHTS_BYTES >> 20
        )));
    }
    text.parse()
        .map_err(|error: weights::WeightsError| wrong(error.to_string()))
}

fn of_players(weights: Weights, players: u8) -> Result<Weights, String> {
    match weights.players {
        of if of == players => Ok(weights),
        of => Err(format!(
            "these weights are for tables of {of} players, and the config plays at tables of {players}"
        )),
    }
}
