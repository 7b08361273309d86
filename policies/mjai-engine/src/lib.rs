//! mjai-engine: an existing mjai program as a policy.
//!
//! It starts the program and keeps it at work, tells it the round as the own seat sees it, one event after another in
//! mjai's spelling, and takes from its answers which legal action it means. This policy is a bridge to a wire, so it
//! knows one, unlike all others.
//!
//! - It is told what is new since its last decision. Where the log does not go on from there (another round, a decision
//!   that the host made itself after the engine had wanted riichi, an engine just started), it is told the round from its
//!   start: after an `end_kyoku`, and also after a `start_game` unless it is simply the next round. How a round ended it
//!   does not hear, and `end_game` is never sent, since many programs end at it. In a round that was not seen from its
//!   start it is not asked, and the safe answer is given.
//! - Riichi is asked for in two steps, as engines have it: the engine that wants it is told its `reach` and then says the
//!   discard. akochan says both at once, which is taken as well.
//!
//! How the program is started, watched, started again and ended is in `policy_process`.
//!
//! Parameters: `command`, `folder`, `replies` and `start_ms`; see [`MjaiEngine::DESCRIPTOR`].
#![forbid(unsafe_code)]

mod answer;
mod engine;
mod replies;
mod spelling;
#[cfg(test)]
mod tests;

use std::time::Duration;

use policy_process::{CommandLine, Programs, Setup, Speech};
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View, abi};

use crate::engine::EngineSpeech;
use crate::replies::Replies;

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry =
    policy_sdk::entry(concat!("mjai-engine ", env!("CARGO_PKG_VERSION")), &[policy_sdk::policy::<MjaiEngine>()]);

/// An existing mjai program as a policy.
#[derive(Debug)]
pub struct MjaiEngine(Programs<EngineSpeech>);

impl Policy for MjaiEngine {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "mjai-engine",
        name: "mjai engine",
        version: env!("CARGO_PKG_VERSION"),
        summary: "An existing mjai program decides.",
        games: Games::FourPlayers,
        params: &[
            Param::required_text(
                "command",
                "The program and its arguments; a program with a slash lies in `folder`, and {seat} becomes the own \
                 seat's number, for which one engine is started for each seat.",
            ),
            Param::path("folder", "The folder the program works in; by default the config's."),
            Param::choice(
                "replies",
                "when-asked",
                Replies::CHOICES,
                "To what it replies: when-asked (one event a line, a reply where it can act), every-line (one event a \
                 line, a reply to each), every-batch (a list of events a line, a reply to each).",
            ),
            Param::integer("start_ms", 50_000, 100, 55_000, "How long it may take until it decides, milliseconds."),
        ],
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let folder = params.path("folder")?.unwrap_or_else(|| env.config_folder());
        let setup = Setup {
            command: CommandLine::parse(params.text("command")?, folder)?,
            manner: Replies::named(params.choice("replies")?),
            start_within: Duration::from_millis(params.integer("start_ms")?.unsigned_abs()),
        };
        Programs::start(setup, env)
            .map(Self)
            .map_err(|fault| CreateError::Failed(fault.told(EngineSpeech::NOUN).to_string()))
    }

    fn decide(&mut self, view: &View<'_>, env: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        self.0.decide(view, env, answer).map_err(|fault| fault.told(EngineSpeech::NOUN))
    }
}
