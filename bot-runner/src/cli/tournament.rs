//! The arguments of `tournament`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lab::part::Shard;
use lab::tournament::{Format, MAX_GAMES, Ruleset, TournamentLength};
use policy_host::GameKind;

use super::numbers::{at_least_one, number};
use super::{LengthName, PageArgs};

/// The arguments of `tournament`.
#[derive(Debug, Args)]
pub struct TournamentArgs {
    /// The bots' configs. The same config twice plays against itself: a policy without randomness
    /// then gets exactly the middle place
    #[arg(required_unless_present = "merge")]
    pub configs: Vec<PathBuf>,
    /// The game (default: the one that the configs play); riichi is compared by average place,
    /// other games by average points per seat and game
    #[arg(long, value_parser = super::names::game())]
    pub game: Option<GameKind>,
    /// Number of games, rounded up to whole walls (riichi: 6 games per wall for two configs, 4 for
    /// four)
    #[arg(long, value_name = "N", required_unless_present = "merge", value_parser = number(1..=MAX_GAMES))]
    pub games: Option<u64>,
    /// The seatings (default: by the number of configs)
    #[arg(long, value_enum)]
    pub format: Option<TournamentFormat>,
    /// Play this bot against each of the others in turn
    #[arg(long, value_name = "CONFIG", conflicts_with = "format")]
    pub gauntlet: Option<PathBuf>,
    /// Players at a riichi table, 4 or 3 (default: as the configs say, or 4)
    #[arg(long, value_parser = number::<u8>(3..=4))]
    pub players: Option<u8>,
    /// The riichi rules (default: tenhou)
    #[arg(long, value_enum)]
    pub rules: Option<RulesName>,
    /// Length of riichi games (default: half)
    #[arg(long, value_enum)]
    pub length: Option<LengthName>,
    /// The value of each riichi place at your arena, from first to last, for example 3,1,-1,-3; the
    /// table shows the average (default with four players: 90,45,0,-135)
    #[arg(long, value_name = "WORTHS", value_delimiter = ',', allow_hyphen_values = true, value_parser = finite)]
    pub uma: Option<Vec<f64>>,
    /// Show ratings beside those of the built-in policies in docs/policies.md; one of the configs
    /// must be such a policy with the parameters of configs/
    #[arg(long, conflicts_with = "merge")]
    pub anchor: bool,
    /// Seed of walls and the policies' randomness; wall n is the wall of game n of `play` with the
    /// same seed
    #[arg(long, value_parser = number::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Simultaneous games (default: one per core)
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub jobs: Option<NonZeroUsize>,
    /// Write the results as JSON into this file, wall by wall; run the same command again to resume
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// With two configs: write where they parted into this folder
    ///
    /// Two games on a wall in which the configs have exchanged their seats are the same up to the
    /// first decision on which they differ. The folder gets the records of both, and a line of
    /// differences.jsonl with the decision as `analyze --at` and `view` show it.
    #[arg(long, value_name = "DIR", conflicts_with = "merge")]
    pub record_differences: Option<PathBuf>,
    /// Play part K of N of the walls, K from 0 to N-1; combine the parts with --merge
    #[arg(
        long,
        value_name = "K/N",
        requires = "out",
        conflicts_with = "until_clear"
    )]
    pub shard: Option<Shard>,
    /// Combine the results of all shards; plays nothing
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["configs", "games", "format", "gauntlet", "players", "rules", "length", "uma", "shard", "seed", "jobs", "think_ms", "until_clear", "address"])]
    pub merge: Vec<PathBuf>,
    /// Also write every game into this database, sqlite:FILE or postgres://USER@HOST/DATABASE;
    /// shards may share it; query it with `stats --tournaments`
    #[arg(long, value_name = "DB", conflicts_with = "merge")]
    pub results: Option<String>,
    /// The environment variable with the database's password
    #[arg(
        long,
        value_name = "NAME",
        requires = "results",
        conflicts_with = "password_file"
    )]
    pub password_env: Option<String>,
    /// A file (mode 0600) with the database's password
    #[arg(long, value_name = "FILE", requires = "results")]
    pub password_file: Option<PathBuf>,
    /// Time limit of each decision; a later answer counts as late, and the safe answer is played
    ///
    /// A policy that hangs moves to its own process, which is killed if it hangs again. Results
    /// then depend on the speed and the load of the machine: use fewer --jobs than cores.
    #[arg(long, value_name = "MILLISECONDS", value_parser = number::<u64>(1..=3_600_000))]
    pub think_ms: Option<u64>,
    /// Stop as soon as the best config is clear; --games is then the maximum
    ///
    /// The test is a betting martingale on the walls' mean places or points (Ville's inequality).
    /// It checks after every wall and names a wrong config in at most 5 % of tournaments. A wall's
    /// difference in points counts up to a bound, which the results name.
    #[arg(long)]
    pub until_clear: bool,
    /// Also stop when no two configs differ by this much in average place or points; wrong in at
    /// most 5 % of tournaments in which they do
    #[arg(long, value_name = "DIFFERENCE", requires = "until_clear", value_parser = positive)]
    pub by: Option<f64>,
    /// With two configs: stop as soon as the test shows which of two Elo differences (first against
    /// second) is more likely, for instance 0,10; --games is then the maximum
    ///
    /// The test is a generalized sequential probability ratio test on the walls' scores, in its
    /// normal approximation. It decides wrongly in about 5 % of tournaments in which one of the two
    /// is the true difference. A seat scores against each of the other config's when it is better,
    /// and half when both are equal; 400 Elo are odds of ten to one.
    #[arg(long, value_name = "ELO,ELO", allow_hyphen_values = true, conflicts_with_all = ["until_clear", "shard", "merge"], value_parser = elo_bounds)]
    pub sprt: Option<[f64; 2]>,
    /// The options of the page.
    #[command(flatten)]
    pub page: PageArgs,
}

/// Parses a finite number.
fn finite(text: &str) -> Result<f64, String> {
    let number = text
        .trim()
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("found {text:?}; a number is needed"))
}

/// Parses a finite number above 0.
fn positive(text: &str) -> Result<f64, String> {
    finite(text)
        .ok()
        .filter(|&number| number > 0.0)
        .ok_or_else(|| format!("found {text:?}; a number above 0 is needed"))
}

/// Parses two differences in Elo, the lower one first.
pub(super) fn elo_bounds(text: &str) -> Result<[f64; 2], String> {
    let numbers: Vec<f64> = text.split(',').map(finite).collect::<Result<_, _>>()?;
    match numbers[..] {
        [lower, higher] if lower < higher => Ok([lower, higher]),
        _ => Err(format!(
            "found {text:?}; two numbers are needed, the lower one first, for instance 0,10"
        )),
    }
}

/// The format of a tournament.
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
    /// Two bots or more, up to the number of seats, in every order, each equally often
    AllOrders,
    /// Any number of bots, each against each, two at a table
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

/// The rules of riichi.
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

impl From<LengthName> for TournamentLength {
    fn from(length: LengthName) -> Self {
        match length {
            LengthName::East => Self::East,
            LengthName::Half => Self::Half,
            LengthName::Single => Self::Single,
        }
    }
}
