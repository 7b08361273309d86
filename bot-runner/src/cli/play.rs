//! The arguments of `play`.

use std::path::PathBuf;

use clap::Args;
use policy_host::GameKind;

use super::numbers::number;
use super::{LengthName, PageArgs};

/// The name of a person, unless it is set.
pub(crate) const DEFAULT_NAME: &str = "person";

/// The options of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// Configs, at most one per seat; without any, demo bots play (with --fill at a riichi table,
    /// one)
    pub configs: Vec<PathBuf>,
    /// The game (default: the one that the configs play; without configs, riichi)
    #[arg(long, value_parser = super::names::game())]
    pub game: Option<GameKind>,
    /// Players at a riichi table, 4 or 3 (default: 4)
    #[arg(long, value_parser = number::<u8>(3..=4))]
    pub players: Option<u8>,
    /// Length of riichi games (default: half)
    #[arg(long, value_enum)]
    pub length: Option<LengthName>,
    /// Dou Dizhu without bidding: seat 0 is the landlord
    #[arg(long)]
    pub no_bidding: bool,
    /// The policy that plays on empty seats, or none: then they discard the drawn tile, or take the
    /// safe action (default: greedy-tenpai, cs-eight-step or doudizhu-split)
    #[arg(long, value_name = "POLICY", value_parser = super::names::PolicyId, hide_possible_values = true)]
    pub fill: Option<String>,
    /// Number of games
    #[arg(long, default_value_t = 1, value_parser = number::<u32>(1..=u32::MAX))]
    pub games: u32,
    /// Seed of walls, seats and the bots' randomness; the same seed gives the same games
    #[arg(long, value_parser = number::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Write a record of each game into this folder (riichi: an mjai record)
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Interval of checks for changed files, in milliseconds (default: 500)
    #[arg(long, value_name = "MILLISECONDS", value_parser = number::<u64>(10..=3_600_000))]
    pub watch_ms: Option<u64>,
    /// Minimum time between two events in milliseconds, like a table of humans (default: 0; with a
    /// person 400)
    #[arg(long, value_name = "MS", value_parser = number::<u64>(0..=u64::MAX))]
    pub pace_ms: Option<u64>,
    /// A person plays one of the seats, in the browser that opens the printed link first
    #[arg(long)]
    pub person: bool,
    /// The person's seat in the first game, from 0 (default: riichi: by the seed; other games: 0)
    #[arg(long, requires = "person", value_parser = number::<u8>(0..=3))]
    pub seat: Option<u8>,
    /// The person's name
    #[arg(long, requires = "person", default_value = DEFAULT_NAME)]
    pub name: String,
    /// The person's time for a decision, in milliseconds; then the safe action is played (default:
    /// 60000)
    #[arg(long, requires = "person", value_name = "MS", value_parser = number::<u64>(1..=86_400_000))]
    pub think_ms: Option<u64>,
    /// A config whose policy advises the person: its values and its reason on demand, and where it
    /// would have decided otherwise
    #[arg(long, requires = "person", value_name = "CONFIG")]
    pub adviser: Option<PathBuf>,
    /// The options of the page.
    #[command(flatten)]
    pub page: PageArgs,
}
