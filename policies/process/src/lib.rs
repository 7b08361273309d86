//! Programs that decide for policies: started, asked in lines, watched, started again, ended.
//!
//! A [`ProgramProtocol`] defines questions and answers; [`Programs`] does the rest.
//!
//! - A program is started when its policy is, and has to answer a trial question first: a wrong
//!   command, or files that are missing, show before anything is played.
//! - An answer that comes too late is counted and skipped. A program that ends, or stays silent
//!   during two decisions, is restarted, at most five times in a game.
//! - Nothing of it outlives the policy: its input is closed, and half a second later it is killed
//!   with all that it has started.
//! - Instances that play together ([`Env::plays_together`](policy_sdk::Env::plays_together)) may
//!   share programs, if questions do not depend on each other: [`SharedPrograms`]. These end with
//!   the threads that play.
//! - Its standard error goes to the log, together with all lines of its standard output that are
//!   not answers.
#![forbid(unsafe_code)]

mod command;
mod decision_time;
mod dialogue;
mod fault;
mod json;
mod lines;
mod pipes;
mod process;
mod programs;
mod protocol;
mod running;
mod shared;
mod stderr;

pub use command::ProgramTable;
pub use decision_time::DecisionTime;
pub use dialogue::Dialogue;
pub use fault::ProgramFault;
pub use json::as_json;
pub use programs::{FOLDER, MAX_RESTARTS, Programs, START_MS, SeatTurn};
pub use protocol::{ProgramProtocol, ProgramTrial};
pub use shared::{SharedPrograms, SharedProtocol};
