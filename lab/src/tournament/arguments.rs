//! What decides the results of a tournament, as its file has it.

use std::num::NonZeroUsize;

use riichi::Rules;
use riichi::rules::{Length, Preset};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::run::{Plan, UntilClear};
use super::seating::{CannotSeat, Format, Schedule};
use crate::part::Shard;

/// Whose rules a tournament is played by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruleset {
    /// Tenhou's.
    Tenhou,
    /// Mahjong Soul's.
    MahjongSoul,
}

/// How long the games of a tournament last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentLength {
    /// East only.
    East,
    /// East and South.
    Half,
}

/// Who competes, and by what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Competitor {
    /// The bot's name.
    pub name: String,
    /// Its config.
    pub config: String,
    /// The policy's id.
    pub policy: String,
    /// The policy's version.
    pub version: String,
    /// Content of the policy's library; `None` for one that is built in.
    pub sha256: Option<String>,
    /// The parameters that the config sets.
    pub params: Value,
}

/// Everything that decides the results of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arguments {
    /// The program, by version and content: what it links in decides too.
    pub program: String,
    /// The seed.
    pub seed: u64,
    /// How configs are seated.
    pub format: Format,
    /// How many sit at a table.
    pub players: u8,
    /// Whose rules hold.
    pub rules: Ruleset,
    /// How long games last.
    pub length: TournamentLength,
    /// How many games at most.
    pub games: u64,
    /// What each place is worth.
    pub uma: Option<Vec<f64>>,
    /// When to stop before that.
    pub until_clear: Option<UntilClear>,
    /// The time that a decision has, milliseconds; `None`: as long as it takes.
    pub think_ms: Option<u64>,
    /// Who competes.
    pub configs: Vec<Competitor>,
}

impl Arguments {
    /// What is to be played.
    ///
    /// # Errors
    ///
    /// When the format does not suit the configs.
    pub fn plan(&self, shard: Shard, jobs: NonZeroUsize) -> Result<Plan, CannotSeat> {
        let schedule = Schedule::new(self.format, self.configs.len(), self.players)?;
        let preset = match self.rules {
            Ruleset::Tenhou => Preset::Tenhou,
            Ruleset::MahjongSoul => Preset::MahjongSoul,
        };
        let length = match self.length {
            TournamentLength::East => Length::East,
            TournamentLength::Half => Length::Half,
        };
        Ok(Plan {
            seed: self.seed,
            walls: schedule.walls(self.games),
            schedule,
            shard,
            rules: Rules::with_length(preset.rules().with_players(self.players), length),
            jobs,
            until_clear: self.until_clear,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_players_and_length_are_those_that_are_asked_for() {
        let competitor = Competitor {
            name: String::new(),
            config: String::new(),
            policy: String::new(),
            version: String::new(),
            sha256: None,
            params: Value::Null,
        };
        let arguments = Arguments {
            program: String::new(),
            seed: 1,
            format: Format::RoundRobin,
            players: 3,
            rules: Ruleset::MahjongSoul,
            length: TournamentLength::East,
            games: 6,
            uma: None,
            until_clear: None,
            think_ms: None,
            configs: vec![competitor; 2],
        };
        let rules =
            |arguments: Arguments| arguments.plan(Shard::WHOLE, NonZeroUsize::MIN).expect("they can be seated").rules;
        let three = Rules::MAHJONG_SOUL_HALF.with_players(3).with_length(Length::East);
        assert_eq!(rules(arguments.clone()), three);
        let four = Arguments { players: 4, rules: Ruleset::Tenhou, length: TournamentLength::Half, ..arguments };
        assert_eq!(rules(four), Rules::TENHOU_HALF);
    }
}
