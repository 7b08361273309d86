//! `review`: logs, the policies that review them, and the output.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::numbers::at_least_one;

/// The options of `review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Logs of any form: files, folders, archives (.zip, .tar, .tar.gz), or - for standard input
    #[arg(value_name = "LOG", required = true)]
    pub logs: Vec<PathBuf>,
    /// A config whose policy reviews; may be given several times
    #[arg(long = "policy", value_name = "CONFIG", required = true)]
    pub policies: Vec<PathBuf>,
    /// Whose decisions: a player's name, a seat from 0, or all
    #[arg(long, value_name = "NAME", default_value = "all")]
    pub player: String,
    /// JSON output: an object for each policy
    #[arg(long)]
    pub json: bool,
    /// Also write each decision into this file, which must not exist yet, as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Also write the costliest decisions into this file, which must not exist yet, as positions for
    /// `suite`
    #[arg(long, value_name = "FILE")]
    pub save_positions: Option<PathBuf>,
    /// Number of threads (default: one for each core)
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub jobs: Option<NonZeroUsize>,
}
