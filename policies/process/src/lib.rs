//! Programs that decide for policies: started, asked in lines, watched, started again, ended.
//!
//! What is asked and how an answer reads is a [`ProgramProtocol`]; [`Programs`] does the rest.
//!
//! - A program is started when its policy is, and has to answer a trial question first: a wrong command, or files that are
//!   missing, show before anything is played.
//! - An answer that comes too late is counted and skipped. A program that ends, or says nothing at all throughout two
//!   decisions, is started again, five times in a game at most.
//! - Nothing of it outlives the policy: its input is closed, and half a second later it is killed with all that it has
//!   started.
//! - Its standard error goes to the log, and so does what is no answer on its standard output.
#![forbid(unsafe_code)]

mod command;
mod decision_time;
mod dialogue;
mod fault;
mod lines;
mod pipes;
mod process;
mod programs;
mod running;
mod speech;
mod stderr;

pub use decision_time::DecisionTime;
pub use dialogue::Dialogue;
pub use fault::ProgramFault;
pub use programs::{FOLDER, MAX_RESTARTS, Programs, START_MS, SeatTurn};
pub use speech::ProgramProtocol;
