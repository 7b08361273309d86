//! The commands for those who write policies.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use policy_host::GameKind;

/// What to do with libraries.
#[derive(Debug, Subcommand)]
pub enum PluginCommand {
    /// Show which libraries are found where, what they hold, and why one cannot be used
    ///
    /// Each is described by a process of its own, so that none can hurt the runner.
    List {
        /// Folders, libraries or configs (default: the runner's folder, the current folder, and what is built in)
        paths: Vec<PathBuf>,
    },
    /// Show what a library is and holds: build, sha256, version of the boundary, policies, parameters
    Inspect {
        /// A file, the name of a library beside the runner or in the current folder, or the id of a built-in policy
        #[arg(value_name = "LIB", value_parser = super::names::PolicyId, hide_possible_values = true)]
        library: String,
    },
    /// Try a policy out: scripted situations and 20 games, every answer checked; exit code 0: passed, 1: failed
    ///
    /// The policy runs in a process of its own and is tried out in its own game, always with the same seed: hanchan against three
    /// bots that discard what they draw, or hands of Chinese Standard mahjong or games of Dou Dizhu against bots that do at random
    /// what is allowed.
    Test {
        /// A file, the name of a library beside the runner or in the current folder, the id of a built-in policy, or the
        /// config of a bot, whose policy it is then
        #[arg(value_name = "LIB", value_parser = super::names::PolicyId, hide_possible_values = true)]
        library: String,
        /// Which policy of the library; may be left out when it holds one
        #[arg(long, value_name = "ID", value_parser = super::names::PolicyId, hide_possible_values = true)]
        policy: Option<String>,
        /// Take parameters and time from this bot's config (default: the policy's defaults)
        #[arg(long, value_name = "CONFIG")]
        config: Option<PathBuf>,
    },
    /// Begin a policy: a folder of this name that builds and passes `plugin test` as it is
    New {
        /// The policy's id and the folder: a-z, 0-9 and -, beginning with a letter
        name: String,
        /// The language
        #[arg(long, value_enum, default_value_t = Language::Rust)]
        lang: Language,
        /// The game: riichi, chinese-standard or doudizhu
        #[arg(long, default_value_t = GameKind::Riichi, value_parser = super::names::game())]
        game: GameKind,
        /// The folder policies/sdk of the release archive or of a checkout (default: beside the runner, else of the checkout
        /// that it was built from)
        #[arg(long, value_name = "DIR")]
        sdk: Option<PathBuf>,
    },
    /// Print the JSON Schema of the lines by which the policies `program`, `cs-program` and `doudizhu-program` ask a program
    ///
    /// Each line is one decision with all that the seat may know. `$defs.Answer` in it is the schema of the line that the
    /// program answers with.
    Schema,
}

/// A language that policies are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust, with the SDK
    Rust,
    /// C, with the header alone
    C,
    /// Python, with its standard library alone
    Python,
}
