//! `review`: logs, the policies that review them, and the output.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use view::page::PageLanguage;

use super::LengthName;
use super::numbers::{at_least_one, share, time};

/// The options of `review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Logs of any form: files, folders, archives (.zip, .tar, .tar.gz), or - for standard input
    #[arg(value_name = "LOG", required = true)]
    pub logs: Vec<PathBuf>,
    /// A config whose policy reviews; may be given several times
    #[arg(
        long = "policy",
        value_name = "CONFIG",
        required_unless_present_any = ["old", "new"]
    )]
    pub policies: Vec<PathBuf>,
    /// Whose decisions: a player's name, a seat from 0, or all
    #[arg(long, value_name = "NAME", default_value = "all")]
    pub player: String,
    /// Only the last so many files, by the time of their games
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub last: Option<NonZeroUsize>,
    /// The length of games of riichi whose rounds do not show it (default: half)
    #[arg(long, value_name = "LENGTH")]
    pub length: Option<LengthName>,
    /// Logs of other games, such as the policy's own: the loss of each kind is shown beside theirs;
    /// may be given several times
    #[arg(long, value_name = "LOG", conflicts_with = "new")]
    pub baseline: Vec<PathBuf>,
    /// With --new: compare two versions of a policy; the config of the old one
    #[arg(
        long,
        value_name = "CONFIG",
        requires = "new",
        conflicts_with = "policies"
    )]
    pub old: Option<PathBuf>,
    /// The config of the new version
    #[arg(long, value_name = "CONFIG", requires = "old")]
    pub new: Option<PathBuf>,
    /// Fail if the new version changes a greater share of the decisions, such as 5%
    #[arg(long, value_name = "SHARE", requires = "new", value_parser = share)]
    pub max_change: Option<f64>,
    /// Fail if the new version is late, or does not decide
    #[arg(long, requires = "new")]
    pub no_fault: bool,
    /// Begin no further log after this time, such as 10m
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub limit: Option<Duration>,
    /// Keep the state of the review in this file, and continue there
    #[arg(long, value_name = "FILE", conflicts_with = "new")]
    pub resume: Option<PathBuf>,
    /// JSON output: an object for each policy
    #[arg(long)]
    pub json: bool,
    /// Also write each decision into this file, which must not exist yet, as CSV
    #[arg(long, value_name = "FILE", conflicts_with = "new")]
    pub csv: Option<PathBuf>,
    /// Also write a page for each game, and an index, into this folder; of one policy
    #[arg(long, value_name = "FOLDER", conflicts_with = "new")]
    pub pages: Option<PathBuf>,
    /// The language of the pages (default: English)
    #[arg(long, requires = "pages", value_parser = super::names::language())]
    pub language: Option<PageLanguage>,
    /// Also write the costliest decisions into this file, which must not exist yet, as positions for
    /// `suite`
    #[arg(long, value_name = "FILE", conflicts_with = "new")]
    pub save_positions: Option<PathBuf>,
    /// Number of threads (default: one for each core)
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub jobs: Option<NonZeroUsize>,
}
