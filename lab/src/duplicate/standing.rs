//! How the bots stand after many walls.

use super::run::WallScores;
use crate::tournament::{Estimate, estimate};

/// How one bot stands.
#[derive(Debug, Clone, PartialEq)]
pub struct BotStanding {
    /// Its average score of a seat in a game, over walls.
    pub score: Estimate,
    /// How many seats it took.
    pub seats: u64,
    /// The share of them that won.
    pub won: f64,
    /// Decisions that its policy was asked for.
    pub decisions: u64,
    /// How many of them it did not make.
    pub faults: u64,
}

/// By how much one bot is ahead of another.
#[derive(Debug, Clone, PartialEq)]
pub struct PairStanding {
    /// The one.
    pub one: usize,
    /// The other.
    pub other: usize,
    /// By how many points of a seat and game, over walls.
    pub ahead: Estimate,
}

/// Each bot's standing, in their order; none without a wall.
#[must_use]
pub fn standings(walls: &[WallScores]) -> Vec<BotStanding> {
    let configs = walls.first().map_or(0, |wall| wall.scores.len());
    let sum = |of: fn(&WallScores) -> &Vec<u64>, config: usize| walls.iter().map(|wall| of(wall)[config]).sum::<u64>();
    let standing = |config: usize| {
        let scores: Vec<f64> = walls.iter().map(|wall| wall.scores[config]).collect();
        let seats = sum(|wall| &wall.seats, config);
        Some(BotStanding {
            score: estimate(&scores)?,
            seats,
            won: sum(|wall| &wall.wins, config) as f64 / seats as f64,
            decisions: sum(|wall| &wall.decisions, config),
            faults: sum(|wall| &wall.faults, config),
        })
    };
    (0..configs).filter_map(standing).collect()
}

/// Each two bots compared on the same walls.
#[must_use]
pub fn pairs(walls: &[WallScores]) -> Vec<PairStanding> {
    let configs = walls.first().map_or(0, |wall| wall.scores.len());
    let compared = |one: usize, other: usize| {
        let differences: Vec<f64> = walls.iter().map(|wall| wall.scores[one] - wall.scores[other]).collect();
        estimate(&differences).map(|ahead| PairStanding { one, other, ahead })
    };
    (0..configs).flat_map(|one| (one + 1..configs).filter_map(move |other| compared(one, other))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(number: u64, scores: [f64; 2]) -> WallScores {
        WallScores {
            wall: number,
            scores: scores.to_vec(),
            seats: vec![12, 12],
            wins: vec![6, 3],
            decisions: vec![100, 90],
            faults: vec![0, 1],
            first_fault: None,
        }
    }

    #[test]
    fn bots_are_compared_wall_by_wall() {
        let walls = [wall(1, [3.0, 1.0]), wall(2, [-1.0, -3.0]), wall(3, [8.0, 6.0])];
        let stand = standings(&walls);
        assert!((stand[0].score.mean - 10.0 / 3.0).abs() < 1e-9 && (stand[0].won - 0.5).abs() < 1e-9);
        assert_eq!((stand[1].seats, stand[1].faults), (36, 3));
        let [pair] = pairs(&walls).try_into().expect("two bots are one pair");
        // Two points on each wall, whatever the walls were worth.
        let spread = pair.ahead.spread.expect("three walls have one");
        assert!((pair.ahead.mean - 2.0).abs() < 1e-9 && spread.standard_error < 1e-9);
    }
}
