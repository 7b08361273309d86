//! Ratings by the places of games.
//!
//! The model is Bradley and Terry's with full pairs, by the Bayesian approximation of Weng and Lin
//! (JMLR 12, 2011, Algorithm 1; OpenSkill's family): every player of a game is a team of its own.

use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// The rating of a bot without games.
const START: f64 = 1500.0;
/// Points of a rating for a unit of `mu`.
const SCALE: f64 = 60.0;
/// `mu` and `sigma` of a bot without games.
const START_MU: f64 = 25.0;
const START_SIGMA: f64 = START_MU / 3.0;
/// The deviation of a single game's performance (`beta`), and the least factor that a game leaves
/// of `sigma` squared (`kappa`).
const MODEL: WengLinConfig = WengLinConfig {
    beta: START_MU / 6.0,
    uncertainty_tolerance: 0.000_001,
};

/// The estimated strength of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    pub mu: f64,
    /// The uncertainty of `mu`.
    pub sigma: f64,
}

impl Default for Skill {
    /// That of a bot without games.
    fn default() -> Self {
        Self {
            mu: START_MU,
            sigma: START_SIGMA,
        }
    }
}

impl Skill {
    /// In points, to the hundredth: 1500 + 60 (mu - 25).
    pub fn rating(&self) -> f64 {
        ((START + SCALE * (self.mu - START_MU)) * 100.0).round() / 100.0
    }
}

/// The strengths after a game, of the players with these strengths and places.
pub(super) fn rated(players: &[(Skill, u8)]) -> Vec<Skill> {
    let before: Vec<[WengLinRating; 1]> = players
        .iter()
        .map(|(skill, _)| {
            [WengLinRating {
                rating: skill.mu,
                uncertainty: skill.sigma,
            }]
        })
        .collect();
    let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
        .iter()
        .zip(players)
        .map(|(rating, (_, place))| (&rating[..], MultiTeamOutcome::new((*place).into())))
        .collect();
    weng_lin_multi_team(&teams, &MODEL)
        .into_iter()
        .flatten()
        .map(|after| Skill {
            mu: rounded(after.rating),
            sigma: rounded(after.uncertainty),
        })
        .collect()
}

/// To nine decimals, so that a file gives the number back as it was.
fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_game_of_four_moves_the_ratings_as_the_formula_says() {
        let players: Vec<(Skill, u8)> = (1..=4).map(|place| (Skill::default(), place)).collect();
        // Among equals each comparison moves mu by sigma² / c times a half, c² = 2 sigma² + 2
        // beta².
        let (beta, sigma): (f64, f64) = (25.0 / 6.0, 25.0 / 3.0);
        let step = sigma.powi(2) / (2.0 * sigma.powi(2) + 2.0 * beta.powi(2)).sqrt() / 2.0;
        for (after, won_less_lost) in rated(&players).iter().zip([3.0, 1.0, -1.0, -3.0]) {
            let expected = 25.0 + won_less_lost * step;
            assert!((after.mu - expected).abs() < 1e-8, "{after:?}");
            assert!(after.sigma < sigma);
        }
    }

    #[test]
    fn an_upset_moves_more_than_the_expected_result() {
        let (strong, weak) = (
            Skill {
                mu: 30.0,
                sigma: 2.0,
            },
            Skill {
                mu: 20.0,
                sigma: 2.0,
            },
        );
        let gain = |winner: Skill, loser: Skill| {
            rated(&[(winner, 1), (loser, 2), (loser, 3)])[0].mu - winner.mu
        };
        assert!(gain(weak, strong) > 2.0 * gain(strong, weak));
    }

    #[test]
    fn a_rating_begins_at_1500_and_has_two_decimals() {
        assert_eq!(Skill::default().rating(), 1500.0);
        let skill = Skill {
            mu: 25.123_456,
            sigma: 1.0,
        };
        assert_eq!(skill.rating(), 1507.41);
    }
}
