//! The arguments of `tune`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use policy_host::GameKind;

use super::LengthName;
use super::numbers::{at_least_one, number};

/// The arguments of `tune`.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// The bot to tune; the search starts from its current values
    pub config: PathBuf,
    /// The game (default: the one that the configs play)
    #[arg(long, value_parser = super::names::game())]
    pub game: Option<GameKind>,
    /// The opponent
    #[arg(long, value_name = "CONFIG")]
    pub against: PathBuf,
    /// Number of games of the search, at least 240; the tournament at the end takes another quarter
    /// of that
    #[arg(long, value_name = "N", value_parser = number::<u64>(240..=u64::MAX))]
    pub games: u64,
    /// Tune only this parameter; may be repeated (default: all tunable parameters)
    #[arg(long = "param", value_name = "NAME")]
    pub params: Vec<String>,
    /// Seed of walls, policies and search; the same seed takes the same path
    #[arg(long, value_parser = number::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Simultaneous games (default: one per core)
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub jobs: Option<NonZeroUsize>,
    /// Players at a riichi table, 4 or 3 (default: as the configs say, or 4)
    #[arg(long, value_parser = number::<u8>(3..=4))]
    pub players: Option<u8>,
    /// Length of riichi games (default: half)
    #[arg(long, value_enum)]
    pub length: Option<LengthName>,
    /// The file name of the new config, in the same folder (default: the config's name with
    /// .tuned.toml)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
