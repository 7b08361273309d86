//! The sections of a bot's config, read key by key, so that every mistake in them is found; and the
//! `[policy]` section, which the runner and `bot-env` read.
#![forbid(unsafe_code)]

mod command;
mod policy;
mod reader;

pub use command::{ProgramAndArguments, split_command};
pub use policy::{read_policy, written_policy};
pub use reader::{Section, complete_folder_of, folder_of, is_secret};
