//! A policy in a process of its own: a child of the runner's own binary that loads the library, so that whatever the
//! library does to its process touches no other bot.
//!
//! The two speak in frames over pipes ([`frame`]): an order in JSON at the start, then for each decision the view's plain
//! bytes there and the choice back. What the child's side does stands in [`serve`], the runner's in [`policy`].

mod callbacks;
mod ended;
mod error;
mod frame;
mod launch;
mod order;
mod policy;
mod probe;
mod process;
mod questions;
mod serve;
mod stderr;
mod words;

pub use ended::Ended;
pub use error::{ChildError, Doing};
pub use frame::Garbled;
pub use launch::{COMMAND, Launch, TokenVariables};
pub use order::ChildLibrary;
pub use policy::{ChildPolicy, ChildSpec, describe};
pub use probe::{ProbeError, probe};
pub use serve::serve;
pub use words::{Said, Sayings};
