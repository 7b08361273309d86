//! The arguments of `tune`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use policy_host::GameKind;

use super::GameLength;

/// The arguments of `tune`.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// The bot whose values are searched; the search begins at those it has
    pub config: PathBuf,
    /// Which game
    #[arg(long, default_value_t = GameKind::Riichi, value_parser = super::names::game())]
    pub game: GameKind,
    /// The bot that they play against
    #[arg(long, value_name = "CONFIG")]
    pub against: PathBuf,
    /// How many games the search takes, at least 240; the tournament at the end takes a quarter as many more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(240..))]
    pub games: u64,
    /// Search this parameter only; may be given several times (default: all that are tunable)
    #[arg(long = "param", value_name = "NAME")]
    pub params: Vec<String>,
    /// Walls, the policies' randomness and the search's; the same seed takes the same path
    #[arg(long)]
    pub seed: Option<u64>,
    /// How many games are played at the same time (default: one for each core)
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// How many sit at a table of riichi, 4 or 3 (default: as the configs say, or 4)
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=4))]
    pub players: Option<u8>,
    /// How long games of riichi last (default: half)
    #[arg(long, value_enum)]
    pub length: Option<GameLength>,
    /// Where to write the config with the values found, in the same folder (default: the config's name and .tuned.toml)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
