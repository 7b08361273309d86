//! `analyze`: a hand that is typed, or a moment of a record.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use policy_host::GameKind;
use riichi::{Seat, Wind};

use super::numbers::number;

/// The hand or position to analyze.
#[derive(Debug, Args)]
pub struct AnalyzeArgs {
    /// The closed tiles, for example 123m406p789s1122z5z; with --at, a record file
    #[arg(value_name = "HAND|RECORD")]
    pub hand: String,
    /// A decision of a record: the number of the round and of the seat's decision in it, each from
    /// 1, for example 3.7
    #[arg(long, value_name = "ROUND.DECISION", conflicts_with_all = ["melds", "dora", "river", "round", "players", "scores", "honba", "turn", "river_of", "melds_of"])]
    pub at: Option<DecisionNumber>,
    /// The game. Chinese Standard mahjong takes --melds, --seat, --round, --json and the options of
    /// a win; 13 tiles, a + and the winning tile are a win, and every fan is listed:
    /// 123m456m789m11p55s+5s. Dou Dizhu takes --json only; its cards are 3 to 9, T, J, Q, K, A, 2,
    /// and x and X for the jokers: 34567789TJQKA2xX
    #[arg(long, default_value_t = GameKind::Riichi, value_parser = super::names::game())]
    pub game: GameKind,
    /// Melds, separated by commas: 123m a run, 555p a triplet, 7777s a kan, c7777s a closed kan
    #[arg(
        long,
        value_name = "MELDS",
        default_value = "",
        hide_default_value = true
    )]
    pub melds: String,
    /// Dora indicators (the dora is the next tile)
    #[arg(
        long,
        value_name = "TILES",
        default_value = "",
        hide_default_value = true
    )]
    pub dora: String,
    /// Your own discards; a wait among them makes furiten. Without any it is the first turn
    #[arg(
        long,
        value_name = "TILES",
        default_value = "",
        hide_default_value = true
    )]
    pub river: String,
    /// Your wind (east, south, west, north; default: south); for a record the seat by mjai's
    /// number, 0 to 3 (default: the seat whose tiles it shows)
    #[arg(long, value_name = "WIND|SEAT")]
    pub seat: Option<SeatName>,
    /// The wind of the round, with its number if it matters, for example south-3
    #[arg(long, value_name = "WIND[-NUMBER]", default_value = "east")]
    pub round: RoundName,
    /// Number of players, 4 or 3; a record contains it
    #[arg(long, default_value_t = 4, value_parser = number::<u8>(3..=4))]
    pub players: u8,
    /// Show what the policy of this config would do with 14 tiles, and why
    #[arg(long, value_name = "CONFIG")]
    pub policy: Option<PathBuf>,
    /// JSON output
    #[arg(long)]
    pub json: bool,
    /// The circumstances of the win.
    #[command(flatten)]
    pub win: WinArgs,
    /// Simulate every action to the end of the round: this many times in total, or for this long
    /// (20000, 5s)
    #[arg(long, value_name = "N|TIME", help_heading = SIMULATION)]
    pub simulate: Option<SimulationLimit>,
    /// Score of each seat, the dealer's first, then in turn order
    #[arg(long, value_name = "POINTS,…", value_delimiter = ',', requires = "simulate", help_heading = SIMULATION)]
    pub scores: Vec<i32>,
    /// Honba
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u8>(0..=u8::MAX), help_heading = SIMULATION)]
    pub honba: u8,
    /// The number of your turn, from 1; missing earlier discards are drawn at random
    #[arg(long, value_name = "N", value_parser = number::<u8>(1..=24), requires = "simulate", help_heading = SIMULATION)]
    pub turn: Option<u8>,
    /// Discards of another seat, with a * after the riichi discard: west=19m2z4p*6s
    #[arg(long, value_name = "WIND=TILES", requires = "simulate", help_heading = SIMULATION)]
    pub river_of: Vec<OfWind>,
    /// Melds of another seat: west=555z,123m
    #[arg(long, value_name = "WIND=MELDS", requires = "simulate", help_heading = SIMULATION)]
    pub melds_of: Vec<OfWind>,
    /// Seed of the simulation; the same seed and number give the same figures
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX), requires = "simulate", help_heading = SIMULATION)]
    pub seed: u64,
}

const SIMULATION: &str = "Simulation";
const WIN: &str = "The circumstances of a win";

/// The circumstances of a win, besides its tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Args)]
pub struct WinArgs {
    /// The winning tile is the last of the wall, or the discard after it: haitei, houtei; in
    /// Chinese Standard mahjong Last Tile Draw, Last Tile Claim
    #[arg(long, help_heading = WIN)]
    pub last_tile: bool,
    /// The other three of the tile are visible in discards and melds: Last Tile (Chinese Standard
    /// mahjong only)
    #[arg(long, help_heading = WIN)]
    pub fourth_tile: bool,
    /// The tile is a replacement after a kan, or the tile that another seat adds to its pon:
    /// rinshan, chankan; in Chinese Standard mahjong Out with Replacement Tile, Robbing The Kong
    #[arg(long, help_heading = WIN)]
    pub kong: bool,
    /// Number of flowers: one fan each, in addition to the eight that a win needs (Chinese Standard
    /// mahjong only)
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = number::<u8>(0..=8), help_heading = WIN)]
    pub flowers: u8,
}

impl WinArgs {
    /// The first of them that is given.
    pub fn given(&self) -> Option<&'static str> {
        let of_mahjong = [("--last-tile", self.last_tile), ("--kong", self.kong)];
        of_mahjong
            .into_iter()
            .find_map(|(option, given)| given.then_some(option))
            .or_else(|| self.of_mcr())
    }

    /// The first of those that only Chinese Standard mahjong has.
    pub fn of_mcr(&self) -> Option<&'static str> {
        let options = [
            ("--fourth-tile", self.fourth_tile),
            ("--flowers", self.flowers > 0),
        ];
        options
            .into_iter()
            .find_map(|(option, given)| given.then_some(option))
    }
}

/// A wind or a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeatName {
    /// By its wind.
    Wind(Wind),
    /// By its number.
    Seat(Seat),
}

impl FromStr for SeatName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse().ok().and_then(Seat::new) {
            Some(seat) => Ok(Self::Seat(seat)),
            None => wind(text)
                .map(Self::Wind)
                .map_err(|error| format!("{error}, or of a record a seat, 0 to 3")),
        }
    }
}

/// A round by its wind and its number, 1 by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundName {
    pub wind: Wind,
    /// The number, from 1.
    pub kyoku: u8,
}

impl FromStr for RoundName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, number) = text.split_once('-').unwrap_or((text, "1"));
        let kyoku = number
            .parse()
            .ok()
            .filter(|number| (1..=4).contains(number));
        let kyoku =
            kyoku.ok_or_else(|| format!("{number:?} is not the number of a round, 1 to 4"))?;
        Ok(Self {
            wind: wind(name)?,
            kyoku,
        })
    }
}

fn wind(text: &str) -> Result<Wind, String> {
    let wind = Wind::ALL
        .into_iter()
        .find(|wind| wind.name().to_ascii_lowercase() == text);
    wind.ok_or_else(|| format!("{text:?} is not a wind; allowed are east, south, west, north"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimulationLimit {
    Number(NonZeroU64),
    Time(Duration),
}

impl FromStr for SimulationLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(number) = text.parse() {
            return Ok(Self::Number(number));
        }
        let time = humantime::parse_duration(text)
            .ok()
            .filter(|time| !time.is_zero());
        time.map(Self::Time).ok_or_else(|| {
            format!("{text:?} is neither a number of simulations nor a time such as 5s")
        })
    }
}

/// A decision of a seat in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecisionNumber {
    /// The round, from 1.
    pub round: u64,
    /// The decision in it, from 1.
    pub decision: u64,
}

impl FromStr for DecisionNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.parse().ok().filter(|number| *number > 0);
        let numbers = text
            .split_once('.')
            .and_then(|(round, decision)| Some((number(round)?, number(decision)?)));
        let (round, decision) = numbers.ok_or_else(|| {
            format!("{text:?} is not a round and a decision in it, each from 1, such as 3.7")
        })?;
        Ok(Self { round, decision })
    }
}

/// Something of the seat with a wind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfWind {
    pub wind: Wind,
    /// The text of the argument, unparsed.
    pub text: String,
}

impl FromStr for OfWind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, rest) = text
            .split_once('=')
            .ok_or_else(|| format!("{text:?} lacks a =, as in west=19m"))?;
        Ok(Self {
            wind: wind(name)?,
            text: rest.to_owned(),
        })
    }
}
