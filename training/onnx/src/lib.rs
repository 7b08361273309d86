//! onnx: a network in an ONNX file as a policy of riichi mahjong, for four players and for three.
//!
//! It encodes the view ([`encoding`]), runs the model on the CPU, and plays the legal action with
//! the highest output, or one drawn by `temperature`. The model has two inputs and one output, all
//! of `float32`, with a batch of one:
//!
//! | name | shape | |
//! |---|---|---|
//! | `planes` | 1, [`BASE_PLANES`](encoding::BASE_PLANES) or all of [`PLANES`](encoding::PLANES), 34 | input |
//! | `scalars` | 1, one for each of [`SCALARS`](encoding::SCALARS) | input |
//! | `actions` | 1, [`ACTIONS`](encoding::ACTIONS) | output |
//!
//! Its metadata say `encoding` = [`VERSION`](encoding::VERSION).
//!
//! The runtime keeps threads for its work as long as the process lives, so the config needs
//! `isolation = "process"`.
//!
//! Parameters: `model`, `temperature`. The value of an action is the model's output for it.

mod model;
mod operators;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use encoding::{ACTIONS, Choices, PLANES, SCALARS, encode};
use policy_sdk::mahjong::tile::KINDS;
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, RiichiMahjong,
    Rng, View, abi,
};

pub use model::{Model, ModelError};
pub use operators::operators;

pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("onnx ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<Onnx>()],
);

policy_sdk::export!(ENTRY);

const PARAMS: [Param; 2] = [
    Param::path(
        "model",
        "The ONNX file of the network; `watch` it to swap to a new one.",
    ),
    Param::number(
        "temperature",
        0.0,
        0.0,
        1000.0,
        "0 plays the highest output; above it an action is drawn by the exponential of its output over this.",
    ),
];

/// A network as a policy.
pub struct Onnx {
    model: Arc<Model>,
    temperature: f32,
    planes: [f32; PLANES.len() * KINDS],
    scalars: [f32; SCALARS.len()],
}

impl Policy for Onnx {
    type Game = RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "onnx",
        name: "ONNX",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Plays by a network in an ONNX file.",
        games: Games::Both,
        params: &PARAMS,
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let path = params.path("model")?;
        let path = path.ok_or_else(|| {
            CreateError::Failed(
                "`model` is missing; it names the ONNX file, such as model = \"model.onnx\""
                    .to_owned(),
            )
        })?;
        let model = if env.plays_together() {
            shared(path)
        } else {
            Model::load(path).map(Arc::new)
        }
        .map_err(|error| CreateError::Failed(format!("model {}: {error}", path.display())))?;
        let temperature = params.number("temperature")? as f32;
        let (planes, scalars) = ([0.0; PLANES.len() * KINDS], [0.0; SCALARS.len()]);
        Ok(Self {
            model,
            temperature,
            planes,
            scalars,
        })
    }

    fn decide(
        &mut self,
        view: &View<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let Self {
            model,
            temperature,
            planes,
            scalars,
        } = self;
        let planes = &mut planes[..model.planes().numbers()];
        encode(view, model.planes(), planes, scalars);
        let outputs = model
            .run(planes, scalars)
            .map_err(|error| DecideError::Failed(error.to_string()))?;
        let choices = Choices::of(view.legal());
        for (code, place) in choices.iter() {
            if !outputs[code].is_finite() {
                return Err(DecideError::Failed(format!(
                    "the model's output for action {code} is {}",
                    outputs[code]
                )));
            }
            answer.value(place, outputs[code]);
        }
        let (place, output) = chosen(&choices, &outputs, *temperature, &mut view.rng())
            .ok_or_else(|| DecideError::Failed("no action is legal".to_owned()))?;
        let others = choices
            .iter()
            .filter(|&(_, other)| other != place)
            .map(|(code, _)| outputs[code]);
        match others.max_by(f32::total_cmp) {
            Some(next) => {
                answer.reason(format_args!("output {output:.3}, the best other {next:.3}"))
            }
            None => answer.reason(format_args!("output {output:.3}, the only choice")),
        }
        Ok(place)
    }
}

/// The model of a file, loaded once for the instances that play together on this thread.
fn shared(path: &Path) -> Result<Arc<Model>, ModelError> {
    thread_local! {
        static LOADED: RefCell<Option<(PathBuf, Arc<Model>)>> = const { RefCell::new(None) };
    }
    LOADED.with_borrow_mut(|loaded| match loaded {
        Some((known, model)) if known == path => Ok(Arc::clone(model)),
        _ => {
            let model = Arc::new(Model::load(path)?.on_one_thread());
            *loaded = Some((path.to_owned(), Arc::clone(&model)));
            Ok(model)
        }
    })
}

/// The index of the chosen legal action, with its output.
fn chosen(
    choices: &Choices,
    outputs: &[f32; ACTIONS],
    temperature: f32,
    rng: &mut Rng,
) -> Option<(usize, f32)> {
    let best =
        |one: &(usize, usize), other: &(usize, usize)| outputs[one.0].total_cmp(&outputs[other.0]);
    // Of equal outputs the first is played.
    let (code, place) = choices
        .iter()
        .max_by(|one, other| best(one, other).then(Ordering::Greater))?;
    if temperature == 0.0 {
        return Some((place, outputs[code]));
    }
    let weight = |of: usize| f64::from((outputs[of] - outputs[code]) / temperature).exp();
    let mut left = rng.unit() * choices.iter().map(|(code, _)| weight(code)).sum::<f64>();
    let drawn = choices.iter().find(|&(code, _)| {
        left -= weight(code);
        left < 0.0
    });
    drawn
        .map(|(code, place)| (place, outputs[code]))
        .or(Some((place, outputs[code])))
}
