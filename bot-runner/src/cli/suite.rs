//! `suite`: positions, and the policies that are tested with them.

use std::path::PathBuf;

use clap::Args;

/// The options of `suite`.
#[derive(Debug, Args)]
pub struct SuiteArgs {
    /// Files of positions, a JSON object a line, for example of `review --save-positions`
    #[arg(value_name = "POSITIONS", required = true)]
    pub positions: Vec<PathBuf>,
    /// A config whose policy is tested; may be given several times
    #[arg(long = "policy", value_name = "CONFIG", required = true)]
    pub policies: Vec<PathBuf>,
    /// JSON output: an object for each policy
    #[arg(long)]
    pub json: bool,
}
