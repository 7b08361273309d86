//! mjai-engine: an existing mjai program as a policy.
//!
//! It starts the program and keeps it running, sends it the round from the own seat's point of view, one event after
//! another in mjai's spelling, and maps its answers to legal actions. This policy is a bridge to a wire, so it knows
//! one, unlike all others.
//!
//! - The engine receives the events since its last decision. If the log does not continue from there (another round, a
//!   decision that the host made itself after the engine had wanted riichi, an engine just started), it receives the
//!   round from its start: after an `end_kyoku`, and also after a `start_game` unless it is simply the next round. It
//!   receives the end of a round before the next one, unless it reads lists, like bots for mjai.app, which does not
//!   send ends; `end_game` is never sent, since many programs end at it. In a round that was not seen from its start
//!   the engine is not asked, and the policy reports that it cannot decide through no fault of its own.
//! - Riichi takes two steps, as engines expect: the engine that wants it receives its `reach` and then answers with the
//!   discard. akochan answers with both at once, which is accepted as well.
//!
//! `policy_process` starts, watches, restarts and ends the program.
//!
//! Parameters: `command`, `folder`, `replies` and `start_ms`; see [`MjaiEngine::DESCRIPTOR`].
#![forbid(unsafe_code)]

mod answer;
mod engine;
mod replies;
mod spelling;
#[cfg(test)]
mod tests;

use std::ffi::c_void;
use std::ptr::NonNull;

use policy_process::{Programs, SeatTurn};
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View, abi};

use crate::engine::EngineProtocol;
use crate::replies::Replies;

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry =
    policy_sdk::entry(concat!("mjai-engine ", env!("CARGO_PKG_VERSION")), &[policy_sdk::policy::<MjaiEngine>()]);

/// An existing mjai program as a policy.
#[derive(Debug)]
pub struct MjaiEngine(Programs<EngineProtocol>);

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
            policy_process::FOLDER,
            Param::choice(
                "replies",
                "when-asked",
                Replies::CHOICES,
                "To what it replies: when-asked (one event a line, a reply where it can act), every-line (one event a \
                 line, a reply to each), every-batch (a list of events a line, a reply to each).",
            ),
            policy_process::START_MS,
        ],
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        Programs::create(params, env, Replies::named(params.choice("replies")?)).map(Self)
    }

    fn decide(&mut self, view: &View<'_>, env: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        let turn = SeatTurn { game: view.game(), seat: view.seat(), budget: view.time().budget };
        self.0.decide(view, turn, env, answer)
    }

    fn extension(&self, name: &str) -> Option<NonNull<c_void>> {
        self.0.extension(name)
    }
}
