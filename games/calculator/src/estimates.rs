//! Quick estimates of the value of hands and points, shared by simulations and strategies.
//!
//! An origin *estimate* means that the author chose the value and did not measure it separately;
//! `bot-runner tournament` shows the value of all of them together, and docs/experiments.md lists
//! the measured changes.

use riichi::rules::Length;
use riichi::{Rules, Wind};

/// Minimum probability of being tenpai for an opponent to be a threat. Estimate.
pub const THREATENS_FROM: f32 = 0.1;
/// Copies that hands accept on average, by steps to tenpai; a tenpai hand's are its waits.
/// Estimate.
pub const USUAL_TILES: [f32; 7] = [5.0, 14.0, 22.0, 30.0, 40.0, 50.0, 60.0];
/// The factor by which calls speed up an open hand before tenpai. Estimate.
pub const CALLS_HELP: f32 = 1.8;
/// The same for a closed hand that would keep a yaku if it called. Estimate.
pub const CALLS_MAY_HELP: f32 = 1.25;
/// Han that a riichi brings besides its own, on average: ippatsu, self-draw, ura dora, pinfu.
/// Estimate.
pub const RIICHI_LUCK: f32 = 0.9;
/// Han for a pair of a value honour before it is a triplet. Estimate.
pub const VALUE_PAIR: f32 = 0.35;
/// Han for simples, with this many other tiles in the hand. Estimate.
pub const SIMPLES: [f32; 3] = [1.0, 0.5, 0.2];
/// The part of its han that one suit counts for, with this many other tiles in the hand. Estimate.
pub const ONE_SUIT: [f32; 3] = [1.0, 0.6, 0.3];
/// Points of a win by han, without honba, of a seat that does not deal. The rules: up to 3 han
/// about the mean of 30 and 40 fu, for 4 han those of 30 fu.
pub const POINTS: [f32; 14] = [
    0.0, 1_200.0, 2_300.0, 4_500.0, 7_700.0, 8_000.0, 12_000.0, 12_000.0, 16_000.0, 16_000.0,
    16_000.0, 24_000.0, 24_000.0, 32_000.0,
];
/// The weight of the last round when it is over: repeats may follow it. Estimate.
const LAST_ROUND: f32 = 0.08;

/// Estimates that depend on the number of players. Those for three are measured as a whole:
/// docs/experiments.md, "three players".
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayersEstimates {
    /// The probability that a tenpai opponent wins within a go-round, by others' discards and its
    /// own draw. Estimate.
    pub wins_when_tenpai: f32,
    /// The standard deviation of the change of the difference between two seats in a round, in
    /// points. Estimate.
    round_swing: f32,
    /// For a copy that a tenpai hand would draw in a go-round, how many it wins on by others'
    /// discards, closed and open, as long as its waits are not known. Estimate.
    pub ron_for_tsumo: [f32; 2],
}

static FOUR_PLAYERS: PlayersEstimates = PlayersEstimates {
    wins_when_tenpai: 0.13,
    round_swing: 7_500.0,
    ron_for_tsumo: [1.7, 2.2],
};

static THREE_PLAYERS: PlayersEstimates = PlayersEstimates {
    wins_when_tenpai: 0.17,
    round_swing: 11_000.0,
    ron_for_tsumo: [1.2, 1.5],
};

impl PlayersEstimates {
    pub const fn of(players: u8) -> &'static Self {
        if players == 3 {
            &THREE_PLAYERS
        } else {
            &FOUR_PLAYERS
        }
    }
}

/// Regular rounds after this one; repeats and extra rounds are not counted.
pub fn rounds_left(rules: &Rules, bakaze: Wind, kyoku: u8) -> u8 {
    let players = rules.players;
    let all = match rules.length {
        Length::Single => 1,
        Length::East => players,
        Length::Half => 2 * players,
    };
    all.saturating_sub(players * bakaze as u8 + kyoku)
}

/// The value of points in places, at a table of this many players with this many rounds to come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaceValue {
    steepness: f32,
}

impl PlaceValue {
    /// With this many regular rounds after this one.
    pub fn new(players: u8, rounds_left: u8) -> Self {
        let left = f32::from(rounds_left) + LAST_ROUND;
        // The logistic curve with 1.7 over the deviation is the normal one within a hundredth.
        Self {
            steepness: 1.7 / (PlayersEstimates::of(players).round_swing * left.sqrt()),
        }
    }

    /// The expected number of others ahead at the end of the game.
    pub fn ahead(self, own: i32, others: impl Iterator<Item = i32>) -> f32 {
        others.map(|points| self.is_ahead(own, points)).sum()
    }

    /// The probability that another seat with these points is ahead at the end of the game.
    pub fn is_ahead(self, own: i32, other: i32) -> f32 {
        1.0 / (1.0 + (-((other - own) as f32) * self.steepness).exp())
    }
}
