//! program: a program in any language as a policy, shown each decision as one line of JSON.
//!
//! It starts the program and keeps it at work, writes the whole view of each decision to its
//! standard input as one line, and reads one line with the index of the legal action that it
//! chooses. Each line is complete, so the program keeps no state between lines and knows no
//! protocol. [`SCHEMA`] describes lines and answers.
//!
//! - Every line of the program's standard output is an answer; what it has to say otherwise belongs
//!   to its standard error, which goes to the log.
//! - While it owes an answer, however late, it is asked nothing else.
//!
//! `policy_process` starts, watches, restarts and ends the program.
//!
//! Parameters: `command`, `folder` and `start_ms`; see [`Program::DESCRIPTOR`].
#![forbid(unsafe_code)]

mod answer;
mod doudizhu;
mod json;
mod line_protocol;
mod lines;
mod mcr;
mod names;
mod outlook;
mod riichi;
mod round_end;
#[cfg(test)]
mod tests;

use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ptr::NonNull;
use std::thread;

use policy_process::{Programs, SharedPrograms};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, DouDizhu, Env, Mcr, Param, Params, Policy,
    RiichiMahjong, abi,
};

use crate::line_protocol::LineProtocol;
pub use crate::lines::LineGame;

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("program ", env!("CARGO_PKG_VERSION")),
    &[
        policy_sdk::policy::<Program>(),
        policy_sdk::policy::<McrProgram>(),
        policy_sdk::policy::<DouDizhuProgram>(),
    ],
);

/// The JSON Schema of the lines that a program reads; its `$defs.Answer` describes the lines it
/// writes.
pub const SCHEMA: &str = include_str!("../schema/view-1.json");

/// A line of each game, by the game's name.
pub const EXAMPLES: [(&str, &str); 3] = [
    ("riichi", include_str!("../schema/example-4.json")),
    (
        "chinese-standard",
        include_str!("../schema/example-chinese-standard.json"),
    ),
    ("doudizhu", include_str!("../schema/example-doudizhu.json")),
];

/// Version of the schema: another one when a key is removed or means something else. Keys are added
/// without one.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// A program in any language as a policy, in riichi mahjong unless another game is named.
#[derive(Debug)]
pub struct Program<G: LineGame = RiichiMahjong>(Deciders<G>);

#[derive(Debug)]
enum Deciders<G: LineGame> {
    Own(Programs<LineProtocol<G>>),
    Shared(SharedPrograms<LineProtocol<G>>),
}

/// A program as a policy of Chinese Standard mahjong.
pub type McrProgram = Program<Mcr>;

/// A program as a policy of Dou Dizhu.
pub type DouDizhuProgram = Program<DouDizhu>;

const SUMMARY: &str = "A program in any language decides by a line of JSON.";

const PARAMS: &[Param] = &[
    Param::required_text(
        "command",
        "The program and its arguments; a program with a slash lies in `folder`. {seat} becomes the own seat's number, \
         and one program is started for each seat; {players} the number of players; {length} the length of riichi \
         games: half, east or single.",
    ),
    policy_process::FOLDER,
    policy_process::START_MS,
    Param::integer(
        "processes",
        0,
        0,
        MAX_PROCESSES,
        "How many of the program decide for all games of a tournament; 0: one for each core.",
    ),
];

const MAX_PROCESSES: i64 = 256;

impl<G: LineGame> Policy for Program<G> {
    type Game = G;

    const DESCRIPTOR: Descriptor = G::DESCRIPTOR;

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let most = match usize::try_from(params.integer("processes")?) {
            Ok(most) if most > 0 => NonZeroUsize::new(most),
            _ => thread::available_parallelism().ok(),
        };
        let most = most.unwrap_or(NonZeroUsize::MIN);
        Ok(Self(match SharedPrograms::create(params, env, most)? {
            Some(shared) => Deciders::Shared(shared),
            None => Deciders::Own(Programs::create(params, env, [()])?),
        }))
    }

    fn decide(
        &mut self,
        view: &G::View<'_>,
        env: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let turn = G::turn(view);
        match &mut self.0 {
            Deciders::Own(programs) => programs.decide(view, turn, env, answer),
            Deciders::Shared(programs) => programs.decide(view, turn, env, answer),
        }
    }

    fn extension(&self, name: &str) -> Option<NonNull<c_void>> {
        match &self.0 {
            Deciders::Own(programs) => programs.extension(name),
            Deciders::Shared(programs) => programs.extension(name),
        }
    }
}
