//! The commands for policy authors.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use policy_host::GameKind;

/// The subcommands for libraries.
#[derive(Debug, Subcommand)]
pub enum PluginCommand {
    /// List the libraries found, their policies, and why a library cannot be used
    ///
    /// A separate process loads each library, so a faulty one cannot crash the runner.
    List {
        /// Folders, libraries or configs (default: the runner's folder, the current folder and the
        /// built-in policies)
        paths: Vec<PathBuf>,
    },
    /// Show a library's build, sha256, boundary version, policies and parameters
    Inspect {
        /// A file, the name of a library next to the runner or in the current folder, or the id of
        /// a built-in policy
        #[arg(value_name = "LIB", value_parser = super::names::PolicyId, hide_possible_values = true)]
        library: String,
    },
    /// Test a policy: scripted situations and 20 games, every answer checked; exit code 0: passed,
    /// 1: failed
    ///
    /// The policy runs in its own process and plays its game, always with the same seed: hanchan
    /// against three bots that discard the drawn tile, or Chinese Standard mahjong or Dou Dizhu
    /// against bots that play a random legal action.
    Test(TestArgs),
    /// Create a policy project: a folder that builds and passes `plugin test` unchanged
    New {
        /// The policy's id and the name of the folder: a-z, 0-9 and -, starting with a letter
        name: String,
        /// The language
        #[arg(long, value_enum, default_value_t = Language::Rust)]
        lang: Language,
        /// The game: riichi, chinese-standard or doudizhu
        #[arg(long, default_value_t = GameKind::Riichi, value_parser = super::names::game())]
        game: GameKind,
        /// The folder policies/sdk of a release archive or a checkout (default: the one next to the
        /// runner, else the one of the checkout it was built from)
        #[arg(long, value_name = "DIR")]
        sdk: Option<PathBuf>,
    },
    /// Print the JSON Schema of the lines that `program`, `cs-program` and `doudizhu-program` send
    /// to a program
    ///
    /// Each line is one decision with all that the seat may know. `$defs.Answer` in it is the
    /// schema of the line that the program answers with.
    Schema {
        /// Print a line instead, as a program gets it
        #[arg(long)]
        example: bool,
        /// The game of the line: riichi, chinese-standard or doudizhu
        #[arg(long, default_value_t = GameKind::Riichi, value_parser = super::names::game(), requires = "example")]
        game: GameKind,
    },
}

/// The options of `plugin test`.
#[derive(Debug, Args)]
pub struct TestArgs {
    /// A file, the name of a library next to the runner or in the current folder, the id of a
    /// built-in policy, or a bot's config, for its policy
    #[arg(value_name = "LIB", value_parser = super::names::PolicyId, hide_possible_values = true)]
    pub library: String,
    /// The policy in the library; optional if it contains only one
    #[arg(long, value_name = "ID", value_parser = super::names::PolicyId, hide_possible_values = true)]
    pub policy: Option<String>,
    /// Use the parameters and time of this bot's config (default: the policy's defaults)
    #[arg(long, value_name = "CONFIG")]
    pub config: Option<PathBuf>,
}

/// A language that policies are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust with the SDK
    Rust,
    /// C with the header only
    C,
    /// Python with its standard library only
    Python,
}
