//! `run`: its bots and limits.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::PageArgs;
use super::numbers::{at_least_one, number, rating, time};

/// The options of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Configs, or folders whose *.toml files are configs
    #[arg(required = true, value_name = "PATH")]
    pub configs: Vec<PathBuf>,
    /// Quit when each bot has played this many games (default: play until stopped)
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=u32::MAX))]
    pub games: Option<u32>,
    /// Let each bot leave when the arena's ladder shows at least this rating; needs [ladder]
    #[arg(long, value_name = "RATING", value_parser = rating)]
    pub until_rating: Option<f64>,
    /// Let each bot leave when the arena's ladder shows less than this rating; needs [ladder]
    #[arg(long, value_name = "RATING", value_parser = rating)]
    pub stop_below: Option<f64>,
    /// Finish the games in progress and quit after this time, for example 90s, 45m, 8h or 2d
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub duration: Option<Duration>,
    /// Finish the games in progress and quit when this file appears
    #[arg(long, value_name = "FILE")]
    pub stop_file: Option<PathBuf>,
    /// Seconds between status lines; 0 for none
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = number::<u64>(0..=86_400))]
    pub status_every: u64,
    /// Maximum number of simultaneous games; bots take turns (default: no limit)
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub games_at_once: Option<NonZeroUsize>,
    /// Interval of checks for changed files, in milliseconds
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 500, value_parser = number::<u64>(10..=3_600_000))]
    pub watch_ms: u64,
    /// Let `takeover` seat people in place of bots at arenas on other machines, too; only if the
    /// arena lets people play there
    #[arg(long, requires = "address")]
    pub allow_takeover: bool,
    /// The page that shows how it goes.
    #[command(flatten)]
    pub page: PageArgs,
}
