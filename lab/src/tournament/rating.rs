//! A rating list from all placements, by the model of Plackett and Luce: the first place of a game
//! goes to each of its seats with a chance proportional to its config's strength, the second place
//! so among the seats that are left, and so on.
//!
//! The strengths are the maximum-likelihood ones, found by the iteration of Hunter, MM algorithms
//! for generalized Bradley-Terry models (2004). Each config has half a win and half a loss against
//! a hypothetical opponent of average strength, so that one which always wins keeps a finite rating
//! (Turner, van Etten, Firth and Kosmidis, Modelling rankings in R: the PlackettLuce package,
//! 2020). The uncertainty comes from a jackknife over groups of walls, since the games of a wall
//! share its luck. (The crate `skillratings` rates online and by Bradley and Terry: its ratings
//! depend on the order of games, and its uncertainty takes them for independent.)

use std::collections::BTreeMap;

use arrayvec::ArrayVec;
use lab_stats::{Spread, spread_of};
use riichi::MAX_PLAYERS;

use super::run::Walls;
use super::seating::Schedule;

/// The rating of the average config.
const AVERAGE: f64 = 1500.0;
/// Points of the scale for a factor of e in strength: 400 points are a factor of 10, as in Elo's.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// Maximum number of groups of walls for the errors; each is omitted once.
const GROUPS: u64 = 20;
/// Wins and losses of each config against the hypothetical opponent.
const PSEUDO: f64 = 0.5;
/// The strengths have converged when none changes by more than this share.
const STILL: f64 = 1e-8;
/// They converge much earlier.
const MAX_ROUNDS: usize = 10_000;

/// The degrees of freedom of the intervals of ratings from so many walls.
pub fn rating_degrees(walls: u64) -> f64 {
    GROUPS.min(walls) as f64 - 1.0
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rating {
    /// Points; a difference of 400 is a factor of 10 in strength, and the configs' average is 1500.
    pub(super) points: f64,
    /// Its uncertainty; `None` for a single wall, or if all walls give the same rating.
    pub(super) spread: Option<Spread>,
}

/// Configs by place, with the number of games that ended so.
type Rankings = BTreeMap<ArrayVec<usize, MAX_PLAYERS>, f64>;

/// Rates configs by the places in all games on these walls.
pub(super) fn rate(schedule: &Schedule, walls: &Walls) -> Vec<Rating> {
    let groups = GROUPS.min(walls.len() as u64);
    let mut by_group: Vec<Rankings> = vec![Rankings::new(); groups as usize];
    for (place, result) in walls.values().enumerate() {
        let group = &mut by_group[place % groups as usize];
        for (seating, placing) in schedule.seatings().iter().zip(&result.games) {
            let mut seats: ArrayVec<(i32, usize), MAX_PLAYERS> = placing
                .iter()
                .copied()
                .zip(seating.iter().copied())
                .collect();
            seats.sort_unstable();
            *group
                .entry(seats.into_iter().map(|(_, config)| config).collect())
                .or_default() += 1.0;
        }
    }
    let without = |left_out: Option<usize>| {
        let mut all = Rankings::new();
        for (_, group) in by_group
            .iter()
            .enumerate()
            .filter(|(group, _)| Some(*group) != left_out)
        {
            for (ranking, times) in group {
                *all.entry(ranking.clone()).or_default() += times;
            }
        }
        all
    };
    let all = strengths(
        schedule.configs(),
        &without(None),
        &vec![1.0; schedule.configs()],
    );
    let points = |strengths: &[f64]| -> Vec<f64> {
        let logs: Vec<f64> = strengths.iter().map(|strength| strength.ln()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        logs.into_iter()
            .map(|log| AVERAGE + SCALE * (log - mean))
            .collect()
    };
    let left_out: Vec<Vec<f64>> = if groups < 2 {
        Vec::new()
    } else {
        (0..by_group.len())
            .map(|group| points(&strengths(schedule.configs(), &without(Some(group)), &all)))
            .collect()
    };
    points(&all)
        .into_iter()
        .enumerate()
        .map(|(config, points)| {
            let n = left_out.len() as f64;
            let mean = left_out.iter().map(|of| of[config]).sum::<f64>() / n;
            let squares = left_out
                .iter()
                .map(|of| (of[config] - mean).powi(2))
                .sum::<f64>();
            let spread = spread_of(points, ((n - 1.0) / n * squares).sqrt(), n - 1.0);
            Rating {
                points,
                spread: spread.filter(|spread| spread.standard_error > 0.0),
            }
        })
        .collect()
}

/// The maximum-likelihood strengths of these rankings, starting from the given ones.
fn strengths(configs: usize, rankings: &Rankings, begin: &[f64]) -> Vec<f64> {
    let mut strengths = begin.to_vec();
    // How often a seat of each was chosen.
    let mut chosen = vec![PSEUDO; configs];
    for (ranking, times) in rankings {
        for &config in &ranking[..ranking.len() - 1] {
            chosen[config] += times;
        }
    }
    for _ in 0..MAX_ROUNDS {
        let mut shares: Vec<f64> = strengths
            .iter()
            .map(|strength| 2.0 * PSEUDO / (strength + 1.0))
            .collect();
        for (ranking, times) in rankings {
            let mut left = strengths[ranking[ranking.len() - 1]];
            for place in (0..ranking.len() - 1).rev() {
                left += strengths[ranking[place]];
                for &config in &ranking[place..] {
                    shares[config] += times / left;
                }
            }
        }
        let better: Vec<f64> = chosen
            .iter()
            .zip(&shares)
            .map(|(chosen, shares)| chosen / shares)
            .collect();
        // Only ratios are meaningful: the average is kept equal to the hypothetical opponent.
        let average =
            (better.iter().map(|strength| strength.ln()).sum::<f64>() / better.len() as f64).exp();
        let mut change: f64 = 0.0;
        for (strength, better) in strengths.iter_mut().zip(better) {
            change = change.max((better / average / *strength - 1.0).abs());
            *strength = better / average;
        }
        if change < STILL {
            break;
        }
    }
    strengths
}

#[cfg(test)]
mod tests {
    use policy_host::GameKind;

    use super::*;
    use crate::tournament::Format;
    use crate::tournament::tests::wall;

    /// Walls whose games are drawn from the model with these strengths.
    fn drawn(schedule: &Schedule, strengths: &[f64], walls: u64, seed: u64) -> Walls {
        let mut random = fastrand::Rng::with_seed(seed);
        let placing = |random: &mut fastrand::Rng, seating: &[usize]| {
            // Of exponential times the shortest comes first with a chance proportional to its rate.
            let times: Vec<f64> = seating
                .iter()
                .map(|&config| -(1.0 - random.f64()).ln() / strengths[config])
                .collect();
            times
                .iter()
                .map(|own| 1 + times.iter().filter(|&other| other < own).count() as i32)
                .collect()
        };
        (1..=walls)
            .map(|number| {
                (
                    number,
                    wall(schedule, |seating| placing(&mut random, seating)),
                )
            })
            .collect()
    }

    #[test]
    fn two_games_of_two_have_the_strengths_computed_by_hand() {
        // Config 0 wins 3 of 4: with half a win and half a loss each against strength 1, the
        // average, the likelihood's equations are 3.5 = 4 a / (a + b) + a / (a + 1) and 1.5 = 4 b /
        // (a + b) + b / (b + 1).
        let rankings: Rankings = [([0, 1], 3.0), ([1, 0], 1.0)]
            .map(|(ranking, times)| (ranking.into_iter().collect(), times))
            .into();
        let found = strengths(2, &rankings, &[1.0, 1.0]);
        let (a, b) = (found[0], found[1]);
        assert!(
            (4.0 * a / (a + b) + a / (a + 1.0) - 3.5).abs() < 1e-5,
            "{found:?}"
        );
        assert!(
            (4.0 * b / (a + b) + b / (b + 1.0) - 1.5).abs() < 1e-5,
            "{found:?}"
        );
    }

    #[test]
    fn ratings_find_the_strengths_that_games_were_drawn_from_within_their_intervals() {
        let strengths = [2.0, 1.0, 0.5, 1.0];
        for format in [Format::Rotations, Format::RoundRobin] {
            let schedule = Schedule::new(GameKind::Riichi, format, 4, 4).expect("it suits them");
            let (mut inside, mut of) = (0, 0);
            for seed in 0..10 {
                let ratings = rate(&schedule, &drawn(&schedule, &strengths, 40, seed));
                for (rating, strength) in ratings.iter().zip(strengths) {
                    // The mean of the logarithms is 0.
                    let truth: f64 = 1500.0 + 400.0 * f64::log10(strength);
                    let spread = rating.spread.expect("there are several walls");
                    inside += u32::from((spread.low..=spread.high).contains(&truth));
                    of += 1;
                }
            }
            // 95 % of 40 are 38; fewer than 33 come with a chance below 1 in 100.
            assert!(
                inside >= 33,
                "{format:?}: {inside} of {of} intervals hold the truth"
            );
        }
    }

    #[test]
    fn one_that_always_wins_keeps_a_finite_rating() {
        let schedule =
            Schedule::new(GameKind::Riichi, Format::TwoAgainstTwo, 2, 4).expect("it suits them");
        let ratings = rate(&schedule, &drawn(&schedule, &[1e30, 1e-30], 3, 1));
        assert!(
            ratings[0].points.is_finite() && ratings[0].points > ratings[1].points + 400.0,
            "{ratings:?}"
        );
        assert!(
            (ratings[0].points + ratings[1].points - 3000.0).abs() < 1e-6,
            "the average is 1500"
        );
    }

    #[test]
    fn a_single_wall_has_no_interval() {
        let schedule =
            Schedule::new(GameKind::Riichi, Format::Rotations, 4, 4).expect("it suits them");
        let ratings = rate(&schedule, &drawn(&schedule, &[1.0; 4], 1, 1));
        assert!(
            ratings
                .iter()
                .all(|rating| rating.spread.is_none() && rating.points.is_finite()),
            "{ratings:?}"
        );
    }
}
