//! The arguments of `tournament`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lab::part::Shard;
use lab::tournament::{Format, Ruleset, TournamentLength};
use policy_host::GameKind;

use super::{GameLength, PageArgs};

/// The arguments of `tournament`.
#[derive(Debug, Args)]
pub struct TournamentArgs {
    /// The bots. The same one twice plays against itself: each wall is played in all seatings, so that a policy without
    /// randomness of its own takes exactly the middle place
    #[arg(required_unless_present = "merge")]
    pub configs: Vec<PathBuf>,
    /// Which game; riichi is compared by average places, the others by average points of a seat in a game
    #[arg(long, default_value_t = GameKind::Riichi, value_parser = super::names::game(), conflicts_with_all = ["merge"])]
    pub game: GameKind,
    /// How many games, rounded up to whole walls (of riichi 6 games for two configs, 4 for four)
    #[arg(long, value_name = "N", required_unless_present = "merge", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// How the bots are seated (default: by their number)
    #[arg(long, value_enum)]
    pub format: Option<TournamentFormat>,
    /// Seat this bot against each of the others in turn
    #[arg(long, value_name = "CONFIG", conflicts_with = "format")]
    pub gauntlet: Option<PathBuf>,
    /// How many sit at a table of riichi, 4 or 3 (default: as the configs say, or 4)
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=4))]
    pub players: Option<u8>,
    /// Whose rules of riichi hold where they differ (default: tenhou)
    #[arg(long, value_enum)]
    pub rules: Option<RulesName>,
    /// How long games of riichi last (default: half)
    #[arg(long, value_enum)]
    pub length: Option<GameLength>,
    /// What the places of riichi are worth at your arena, from the first to the last, for instance 90,45,0,-135; the table then
    /// has their average
    #[arg(long, value_name = "WORTHS", value_delimiter = ',', allow_hyphen_values = true, value_parser = finite)]
    pub uma: Option<Vec<f64>>,
    /// Walls and the policies' randomness; wall number n is that of game n of `play` with the same seed
    #[arg(long)]
    pub seed: Option<u64>,
    /// How many games are played at the same time (default: one for each core)
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Write the results as JSON into this file, wall by wall; the same command goes on where it was cut
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Play part K of N of the walls, K from 0 to N-1; --merge puts the parts together
    #[arg(long, value_name = "K/N", requires = "out", conflicts_with = "until_clear")]
    pub shard: Option<Shard>,
    /// Put the results of all shards together to those of the whole tournament; nothing is played
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["configs", "games", "gauntlet", "shard", "seed", "until_clear"])]
    pub merge: Vec<PathBuf>,
    /// Write every game into this database too, sqlite:FILE or postgres://USER@HOST/DATABASE, where the shards of a
    /// tournament meet; `stats --tournaments` asks it
    #[arg(long, value_name = "DB", conflicts_with = "merge")]
    pub results: Option<String>,
    /// The environment variable with the database's password
    #[arg(long, value_name = "NAME", requires = "results", conflicts_with = "password_file")]
    pub password_env: Option<String>,
    /// A file with the database's password, which only you can read (mode 0600)
    #[arg(long, value_name = "FILE", requires = "results")]
    pub password_file: Option<PathBuf>,
    /// The time that each decision has; what comes later counts as late, and the safe answer is played
    ///
    /// A policy that hangs goes on in a process that is killed when it hangs again. Results then depend on how fast the
    /// machine is, and on what else it does: have fewer --jobs than cores.
    #[arg(long, value_name = "MILLISECONDS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub think_ms: Option<u64>,
    /// Stop as soon as it is clear which config is best; --games is then the most that is played
    ///
    /// The test is a betting martingale on the walls' mean places or points (Ville's inequality). It may look after every wall and
    /// still names a config that is not the best in at most 5 % of tournaments. Of points a wall's difference counts up to a bound,
    /// which the results name.
    #[arg(long)]
    pub until_clear: bool,
    /// Stop also when it is clear that no two differ by so much in average place, or in average points; that is wrong in at most
    /// 5 % of tournaments in which they do
    #[arg(long, value_name = "DIFFERENCE", requires = "until_clear", value_parser = positive)]
    pub by: Option<f64>,
    /// The page that shows how it goes.
    #[command(flatten)]
    pub page: PageArgs,
}

/// A number that is finite.
fn finite(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("found {text:?}; a number is needed"))
}

/// A finite number above 0.
fn positive(text: &str) -> Result<f64, String> {
    finite(text)
        .ok()
        .filter(|&number| number > 0.0)
        .ok_or_else(|| format!("found {text:?}; a number above 0 is needed"))
}

/// How bots are seated in a tournament.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum TournamentFormat {
    /// Two bots, two seats each
    TwoAgainstTwo,
    /// Two bots, one seat against three, both ways
    OneAgainstThree,
    /// The same at tables of three players
    OneAgainstTwo,
    /// As many bots as sit at a table, in all rotations
    Rotations,
    /// Two bots or more, up to as many as sit at a table, in every order, each as often as any other
    AllOrders,
    /// Any number of bots, everybody against everybody, two at a table
    RoundRobin,
}

impl From<TournamentFormat> for Format {
    fn from(format: TournamentFormat) -> Self {
        match format {
            TournamentFormat::TwoAgainstTwo => Self::TwoAgainstTwo,
            TournamentFormat::OneAgainstThree => Self::OneAgainstThree,
            TournamentFormat::OneAgainstTwo => Self::OneAgainstTwo,
            TournamentFormat::Rotations => Self::Rotations,
            TournamentFormat::AllOrders => Self::AllOrders,
            TournamentFormat::RoundRobin => Self::RoundRobin,
        }
    }
}

/// Whose rules hold.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum RulesName {
    /// Tenhou's
    Tenhou,
    /// Mahjong Soul's
    MahjongSoul,
}

impl From<RulesName> for Ruleset {
    fn from(name: RulesName) -> Self {
        match name {
            RulesName::Tenhou => Self::Tenhou,
            RulesName::MahjongSoul => Self::MahjongSoul,
        }
    }
}

impl From<GameLength> for TournamentLength {
    fn from(length: GameLength) -> Self {
        match length {
            GameLength::East => Self::East,
            GameLength::Half => Self::Half,
        }
    }
}
