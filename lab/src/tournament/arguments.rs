//! The arguments that determine the results of a tournament, as stored in its file.

use std::num::NonZeroUsize;
use std::path::Path;

use policy_host::{GameKind, Measure};
use riichi::Rules;
use riichi::rules::{Length, Preset};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::game::TakenDown;
use super::run::{Plan, UntilClear};
use super::seating::{CannotSeat, Format, Schedule};
use crate::game::GameRules;
use crate::part::Shard;

/// What the places of four players pay where no other values are given: the unit in which others
/// report results.
const USUAL_PAYOFF: [f64; 4] = [90.0, 45.0, 0.0, -135.0];

/// Maximum number of games, far more than anyone plays.
pub const MAX_GAMES: u64 = 100_000_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruleset {
    Tenhou,
    MahjongSoul,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentLength {
    /// East only.
    East,
    /// East and South.
    Half,
    /// One round.
    Single,
}

impl From<TournamentLength> for Length {
    fn from(length: TournamentLength) -> Self {
        match length {
            TournamentLength::East => Self::East,
            TournamentLength::Half => Self::Half,
            TournamentLength::Single => Self::Single,
        }
    }
}

impl From<Length> for TournamentLength {
    fn from(length: Length) -> Self {
        match length {
            Length::East => Self::East,
            Length::Half => Self::Half,
            Length::Single => Self::Single,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Competitor {
    pub name: String,
    pub config: String,
    /// The policy's id.
    pub policy: String,
    /// The policy's version.
    pub version: String,
    /// Content of the policy's library; `None` for a built-in policy.
    pub sha256: Option<String>,
    /// The parameters that the config sets.
    pub params: Value,
    /// Content of the files that the parameters name, for instance weights; `None` if they name
    /// none, and in files from before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// The config's `think_ms`, which the policy sees as its time, if it sets one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_think_ms: Option<u64>,
}

impl Competitor {
    /// Whether both have the same policy and parameters, so that only luck can make a difference.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let what = |who: &Self| {
            let Self {
                policy,
                version,
                sha256,
                params,
                files,
                config_think_ms,
                ..
            } = who.clone();
            // The paths in a config belong to its folder.
            let folder = Path::new(&who.config).parent().map(Path::to_owned);
            (
                folder,
                policy,
                version,
                sha256,
                params,
                files,
                config_think_ms,
            )
        };
        self.config == other.config || what(self) == what(other)
    }
}

/// All arguments that determine the results of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arguments {
    /// The program, by version and content, because its built-in policies matter as well.
    pub program: String,
    /// Files from before this field existed are of riichi.
    #[serde(default, with = "game_name", skip_serializing_if = "is_riichi")]
    pub game: GameKind,
    pub seed: u64,
    pub format: Format,
    pub players: u8,
    /// The rules of riichi.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Ruleset>,
    /// The length of games of riichi.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<TournamentLength>,
    /// Maximum number of games.
    pub games: u64,
    /// The value of each place.
    pub uma: Option<Vec<f64>>,
    /// The rule for stopping before that.
    pub until_clear: Option<UntilClear>,
    /// Two Elo differences of the first config to the second, the lower one first; the test shows
    /// which one is more likely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<[f64; 2]>,
    /// The version of the [luck](crate::game::luck) that adjusts the results; `None` if none does,
    /// and in files from before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<String>,
    /// The time limit of a decision in milliseconds; `None`: no limit.
    pub think_ms: Option<u64>,
    pub configs: Vec<Competitor>,
}

fn is_riichi(game: &GameKind) -> bool {
    *game == GameKind::Riichi
}

/// A game by its name in configs.
mod game_name {
    use policy_host::GameKind;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(
        game: &GameKind,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(game.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<GameKind, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

impl Arguments {
    pub const fn measure(&self) -> Measure {
        self.game.measure()
    }

    /// What each place pays, first to last: the given values, else with four players of riichi
    /// the usual ones. Files from before luck was known keep their results to the byte, and have
    /// only the given values.
    pub fn payoff(&self) -> Option<Vec<f64>> {
        let usual = self.luck.is_some()
            && self.game == GameKind::Riichi
            && usize::from(self.players) == USUAL_PAYOFF.len();
        self.uma
            .clone()
            .or_else(|| usual.then(|| USUAL_PAYOFF.to_vec()))
    }

    /// The rules of its games.
    pub fn game_rules(&self) -> GameRules {
        if self.game != GameKind::Riichi {
            return GameRules::usual(self.game, self.players);
        }
        let preset = match self.rules {
            Some(Ruleset::MahjongSoul) => Preset::MahjongSoul,
            Some(Ruleset::Tenhou) | None => Preset::Tenhou,
        };
        let length = self.length.map_or(Length::Half, Length::from);
        GameRules::Riichi(Rules::with_length(
            preset.rules().with_players(self.players),
            length,
        ))
    }

    /// The games to play.
    ///
    /// # Errors
    ///
    /// If the format does not fit the number of configs.
    pub fn plan(&self, shard: Shard, jobs: NonZeroUsize) -> Result<Plan, CannotSeat> {
        let schedule = Schedule::new(self.game, self.format, self.configs.len(), self.players)?;
        Ok(Plan {
            seed: self.seed,
            walls: schedule.walls(self.games),
            schedule,
            shard,
            rules: self.game_rules(),
            jobs,
            until_clear: self.until_clear,
            sprt: self.sprt,
            taken_down: TakenDown {
                luck: self.luck.is_some(),
                ..TakenDown::default()
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments() -> Arguments {
        let competitor = Competitor {
            name: String::new(),
            config: String::new(),
            policy: String::new(),
            version: String::new(),
            sha256: None,
            params: Value::Null,
            files: None,
            config_think_ms: None,
        };
        Arguments {
            program: String::new(),
            game: GameKind::Riichi,
            seed: 1,
            format: Format::RoundRobin,
            players: 3,
            rules: Some(Ruleset::MahjongSoul),
            length: Some(TournamentLength::East),
            games: 6,
            uma: None,
            until_clear: None,
            sprt: None,
            luck: None,
            think_ms: None,
            configs: vec![competitor; 2],
        }
    }

    #[test]
    fn rules_players_and_length_are_those_that_are_asked_for() {
        let arguments = arguments();
        let rules = |arguments: Arguments| match arguments
            .plan(Shard::WHOLE, NonZeroUsize::MIN)
            .expect("they can be seated")
            .rules
        {
            GameRules::Riichi(rules) => rules,
            other => panic!("{other:?}"),
        };
        let three = Rules::MAHJONG_SOUL_HALF
            .with_players(3)
            .with_length(Length::East);
        assert_eq!(rules(arguments.clone()), three);
        let four = Arguments {
            players: 4,
            rules: Some(Ruleset::Tenhou),
            length: Some(TournamentLength::Half),
            ..arguments
        };
        assert_eq!(rules(four), Rules::TENHOU_HALF);
    }

    #[test]
    fn places_pay_the_usual_only_in_riichi_of_four_whose_luck_is_known() {
        let payoff = |game: GameKind, players: u8, luck: Option<&str>| {
            let mut arguments = arguments();
            (arguments.game, arguments.players) = (game, players);
            arguments.luck = luck.map(str::to_owned);
            arguments.payoff()
        };
        let luck = Some("a version");
        assert_eq!(
            payoff(GameKind::Riichi, 4, luck),
            Some(USUAL_PAYOFF.to_vec())
        );
        assert_eq!(payoff(GameKind::Riichi, 4, None), None);
        assert_eq!(payoff(GameKind::Riichi, 3, luck), None);
        assert_eq!(payoff(GameKind::Mcr, 4, luck), None);
    }
}
