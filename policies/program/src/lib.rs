//! program: a program in any language as a policy, shown each decision as one line of JSON.
//!
//! It starts the program and keeps it at work, writes the whole view of each decision to its standard input as one line,
//! and reads one line with the index of the legal action that it chooses. A line says all there is to know, so that the
//! program keeps nothing between two of them and knows no protocol. [`SCHEMA`] says what stands in a line and in an
//! answer.
//!
//! - Every line of the program's standard output is an answer; what it has to say otherwise belongs to its standard error,
//!   which goes to the log.
//! - While it owes an answer, however late, it is asked nothing else.
//!
//! How the program is started, watched, started again and ended is in `policy_process`.
//!
//! Parameters: `command`, `folder` and `start_ms`; see [`Program::DESCRIPTOR`].
#![forbid(unsafe_code)]

mod answer;
mod names;
mod outlook;
mod riichi;
mod speech;
#[cfg(test)]
mod tests;

use std::time::Duration;

use policy_process::{CommandLine, Programs, Setup, Speech};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, RiichiMahjong, View, abi,
};

use crate::speech::ProgramSpeech;

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry =
    policy_sdk::entry(concat!("program ", env!("CARGO_PKG_VERSION")), &[policy_sdk::policy::<Program>()]);

/// The JSON Schema of the lines that a program reads; its `$defs.Answer` is that of the lines it writes.
pub const SCHEMA: &str = include_str!("../schema/view-1.json");

/// Version of the schema: another one when a key is removed or means something else. Keys are added without one.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// A program in any language as a policy.
#[derive(Debug)]
pub struct Program(Programs<ProgramSpeech>);

impl Policy for Program {
    type Game = RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "program",
        name: "Program",
        version: env!("CARGO_PKG_VERSION"),
        summary: "A program in any language decides by a line of JSON.",
        games: Games::Both,
        params: &[
            Param::required_text(
                "command",
                "The program and its arguments; a program with a slash lies in `folder`, and {seat} becomes the own \
                 seat's number, for which one program is started for each seat.",
            ),
            Param::path("folder", "The folder the program works in; by default the config's."),
            Param::integer("start_ms", 50_000, 100, 55_000, "How long it may take until it decides, milliseconds."),
        ],
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let folder = params.path("folder")?.unwrap_or_else(|| env.config_folder());
        let setup = Setup {
            command: CommandLine::parse(params.text("command")?, folder)?,
            manner: env.players(),
            start_within: Duration::from_millis(params.integer("start_ms")?.unsigned_abs()),
        };
        Programs::start(setup, env)
            .map(Self)
            .map_err(|fault| CreateError::Failed(fault.told(ProgramSpeech::NOUN).to_string()))
    }

    fn decide(&mut self, view: &View<'_>, env: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        self.0.decide(view, env, answer).map_err(|fault| fault.told(ProgramSpeech::NOUN))
    }
}
