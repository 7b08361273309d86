//! mjai-engine: an existing mjai program as a policy.
//!
//! It starts the program and keeps it running, sends it the round from the own seat's point of
//! view, one event after another in mjai's spelling, and maps its answers to legal actions. This
//! policy is a bridge to a wire, so it knows one, unlike all others.
//!
//! - The engine receives the events since its last decision. If the log does not continue from
//!   there (another round, a decision that the host made itself after the engine had wanted riichi,
//!   an engine just started), it receives the round from its start: after an `end_kyoku`, and also
//!   after a `start_game` unless it is simply the next round. It receives the end of a round before
//!   the next one, unless it reads lists, like bots for mjai.app, which does not send ends;
//!   `end_game` is never sent, since many programs end at it. In a round that was not seen from its
//!   start the engine is not asked, and the policy reports that it cannot decide through no fault
//!   of its own.
//! - Riichi takes two steps, as engines expect: the engine that wants it receives its `reach` and
//!   then answers with the discard. akochan answers with both at once, which is accepted as well.
//!
//! `policy_process` starts, watches, restarts and ends the program.
//!
//! - Games of three are written in three slots or in four, and a North has one of two names:
//!   without `slots` and `north` the trial round is begun in each form until the engine decides.
//!
//! Parameters: `command`, `folder`, `replies`, `slots`, `north` and `start_ms`; see
//! [`MjaiEngine::DESCRIPTOR`].
#![forbid(unsafe_code)]

mod answer;
mod engine;
mod questions;
mod replies;
mod spelling;
#[cfg(test)]
mod tests;
mod trial;

use std::ffi::c_void;
use std::ptr::NonNull;

use policy_process::{Programs, SeatTurn};
use policy_sdk::{
    Answer, Choice, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View,
    abi,
};
use protocol::NorthName;

use crate::engine::{EngineForm, EngineProtocol};
use crate::replies::Replies;
use crate::spelling::Spelling;

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("mjai-engine ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<MjaiEngine>()],
);

/// The value of a parameter that the trial round finds out.
const AUTO: &str = "auto";

const SLOTS: &[Choice] = &[Choice::new(AUTO), Choice::new("three"), Choice::new("four")];

const NORTHS: &[Choice] = &[
    Choice::new(AUTO),
    Choice::new("kita"),
    Choice::new("nukidora"),
];

/// The spellings to try with three players, the likeliest first.
fn spellings(slots: &str, north: &str) -> Vec<Spelling> {
    // RiichiLab's, that of libriichi3p in four slots and in three, and Akagi's.
    let all = [
        (false, NorthName::Kita),
        (true, NorthName::Nukidora),
        (true, NorthName::Kita),
        (false, NorthName::Nukidora),
    ];
    let spellings = all
        .into_iter()
        .map(|(four_slots, north)| Spelling { four_slots, north });
    let fits = |spelling: &Spelling| {
        let own_slots = if spelling.four_slots { "four" } else { "three" };
        [AUTO, own_slots].contains(&slots) && [AUTO, spelling.north.name()].contains(&north)
    };
    spellings.filter(fits).collect()
}

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
        games: Games::Both,
        params: &[
            Param::required_text(
                "command",
                "The program and its arguments; a program with a slash lies in `folder`. {seat} becomes the own seat's \
                 number, and one engine is started for each seat; {players} the number of players; {length} the length \
                 of the games: half, east or single.",
            ),
            policy_process::FOLDER,
            Param::choice(
                "replies",
                "when-asked",
                Replies::CHOICES,
                "To what it replies: when-asked (one event a line, a reply where it can act), every-line (one event a \
                 line, a reply to each), every-batch (a list of events a line, a reply to each).",
            ),
            Param::choice(
                "slots",
                AUTO,
                SLOTS,
                "With three players: in how many slots hands and points are written, three, or four with an empty one \
                 (Mortal's family, Akagi); auto finds it out.",
            ),
            Param::choice(
                "north",
                AUTO,
                NORTHS,
                "With three players: the name of the event in which a North is set aside; auto finds it out.",
            ),
            policy_process::START_MS,
        ],
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let replies = Replies::named(params.choice("replies")?);
        let spellings = match env.players() {
            3 => spellings(params.choice("slots")?, params.choice("north")?),
            _ => vec![Spelling::default()],
        };
        Programs::create(
            params,
            env,
            spellings
                .into_iter()
                .map(|spelling| EngineForm { replies, spelling }),
        )
        .map(Self)
    }

    fn decide(
        &mut self,
        view: &View<'_>,
        env: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let turn = SeatTurn {
            game: view.game(),
            seat: view.seat(),
            length: Some(view.rules().length),
            budget: view.time().budget,
        };
        self.0.decide(view, turn, env, answer)
    }

    fn extension(&self, name: &str) -> Option<NonNull<c_void>> {
        self.0.extension(name)
    }
}
