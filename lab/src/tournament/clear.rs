//! Sequential tests that decide which config is best, or that none is much better. They may be
//! checked after every wall and keep their error rates.
//!
//! For each pair of configs and each of the two directions there is a bet on every wall that the
//! one is better at the tables that both share: with the difference of their mean places or points,
//! scaled to lie in -1..=1, as the stake's return. Places are bounded; of a difference in points no
//! more than a cap counts ([`Measure::bounded`](policy_host::Measure::bounded)), and of one that is
//! adjusted for luck no more than places can differ, or than that cap. Betting a fixed
//! share `s` of the capital multiplies it by `1 + s * difference`; the capital is spread over
//! several shares at the start, since the best one is unknown. If the two are equally good this is
//! a fair game, and the probability that the capital ever exceeds `c` times its initial value is at
//! most `1 / c` (Ville's inequality), however often one looks. No distribution is assumed, only
//! that walls are independent. See Waudby-Smith and Ramdas, Estimating means of bounded random
//! variables by betting (2024).
//!
//! That a difference is below a bound is bet on in the same way: with the bound less the difference
//! as the return, the game is fair or worse for as long as the difference is not below the bound.
//! For all pairs and both directions to be won although some difference is not below it, the bet on
//! that one has to be won wrongly, so each needs no more than the whole error rate.

use lab_stats::Verdict;

use super::seating::Schedule;
use super::wall::{Meetings, WallResult};

/// The name of the test.
pub const TEST: &str = "betting martingale, Ville's inequality";

/// The probability that the test ever names a config that is not the best, over all pairs and
/// directions.
pub const ERROR_RATE: f64 = 0.05;

/// The probability that the test ever reports that all differences are below the bound although one
/// is not.
pub const CLOSE_ERROR_RATE: f64 = 0.05;

/// The shares of the capital that are bet, each on the same part of it.
const SHARES: [f64; 6] = [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125];

/// A bet that one config is better than another.
#[derive(Debug, Clone)]
struct Bet {
    capitals: [f64; SHARES.len()],
    won: bool,
}

impl Bet {
    const fn new() -> Self {
        Self {
            capitals: [1.0; SHARES.len()],
            won: false,
        }
    }

    /// Adds a wall's difference, positive in favour of the bet; the bet is won when the capital
    /// reaches `goal` times its start.
    fn add(&mut self, difference: f64, goal: f64) {
        if self.won {
            return;
        }
        for (capital, share) in self.capitals.iter_mut().zip(SHARES) {
            *capital *= 1.0 + share * difference;
        }
        self.won = self.evidence() >= goal;
    }

    /// The factor by which the capital has grown.
    fn evidence(&self) -> f64 {
        self.capitals.iter().sum::<f64>() / SHARES.len() as f64
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClearAfter {
    pub clear: Clear,
    /// The number of walls after which it was clear.
    pub walls: u64,
}

/// What can become clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clear {
    /// This config is better than every other.
    Best(usize),
    /// Of each two configs that meet, one is better.
    EachPair,
    /// No two configs differ by as much as the bound.
    Close,
    /// The lower of two Elo differences is more likely.
    LowerElo,
    HigherElo,
}

/// A pair of configs that share tables, in one direction.
#[derive(Debug, Clone)]
struct Direction {
    one: usize,
    other: usize,
    /// The maximum advantage of the first config on a wall.
    widest: f64,
    better: Bet,
    /// The bet that it is not better by as much as the bound.
    close: Bet,
}

/// The test, to which walls are added one by one.
#[derive(Debug, Clone)]
pub struct Watch {
    schedule: Schedule,
    directions: Vec<Direction>,
    /// The bound for differences in the measure, if one is requested.
    by: Option<f64>,
    /// Whether the differences are adjusted for luck.
    is_adjusted: bool,
    walls: u64,
}

impl Watch {
    /// A test before the first wall; with `by` it also tests whether all differences are below it.
    pub fn new(schedule: &Schedule, by: Option<f64>) -> Self {
        let configs = schedule.configs();
        let pairs = (0..configs).flat_map(|one| (0..configs).map(move |other| (one, other)));
        let directions = pairs.filter_map(|(one, other)| {
            let widest = schedule.widest(one, other)?;
            Some(Direction {
                one,
                other,
                widest,
                better: Bet::new(),
                close: Bet::new(),
            })
        });
        Self {
            directions: directions.collect(),
            schedule: schedule.clone(),
            by,
            is_adjusted: false,
            walls: 0,
        }
    }

    /// The same test on differences without the [luck](crate::game::luck) that is taken down.
    #[must_use]
    pub fn adjusted(self) -> Self {
        Self {
            is_adjusted: true,
            ..self
        }
    }

    pub fn add(&mut self, wall: &WallResult) -> Option<ClearAfter> {
        self.walls += 1;
        let mut meetings = Meetings::new(&self.schedule);
        meetings.add(&self.schedule, wall);
        let goal = self.directions.len() as f64 / ERROR_RATE;
        for Direction {
            one,
            other,
            widest,
            better,
            close,
        } in &mut self.directions
        {
            let difference = match self.is_adjusted {
                true => meetings.adjusted_difference(*one, *other),
                false => meetings.difference(*one, *other),
            };
            let Some(difference) = difference else {
                continue;
            };
            let difference = difference.clamp(-*widest, *widest);
            better.add(difference / *widest, goal);
            if let Some(by) = self.by {
                // Scaled to be greater than -1 and at most 1.
                close.add((by - difference) / (by + *widest), 1.0 / CLOSE_ERROR_RATE);
            }
        }
        let configs = self.schedule.configs();
        // Whether a config shares tables with all others, and is better than all of them.
        let is_best =
            |one: &usize| (0..configs).all(|other| *one == other || self.beats(*one, other));
        let best = (0..configs).find(is_best).map(Clear::Best);
        let each = self
            .directions
            .iter()
            .all(|of| of.better.won || self.beats(of.other, of.one));
        let close = self.by.is_some() && self.directions.iter().all(|of| of.close.won);
        let clear = best
            .or(each.then_some(Clear::EachPair))
            .or(close.then_some(Clear::Close))?;
        Some(ClearAfter {
            clear,
            walls: self.walls,
        })
    }

    /// Which of two configs is better, as far as it is clear. The probability that any of these
    /// verdicts is ever false is at most [`ERROR_RATE`].
    pub(super) fn verdict(&self, one: usize, other: usize) -> Verdict {
        match (self.beats(one, other), self.beats(other, one)) {
            (true, false) => Verdict::Better,
            (false, true) => Verdict::Worse,
            _ => Verdict::NotShown,
        }
    }

    fn beats(&self, one: usize, other: usize) -> bool {
        self.directions
            .iter()
            .any(|of| (of.one, of.other, of.better.won) == (one, other, true))
    }
}

#[cfg(test)]
mod tests {
    use policy_host::GameKind;

    use super::*;
    use crate::game::luck::PARTS;
    use crate::tournament::Format;
    use crate::tournament::tests::wall;

    fn schedule(format: Format) -> Schedule {
        let configs = if matches!(format, Format::TwoAgainstTwo) {
            2
        } else {
            4
        };
        Schedule::new(GameKind::Riichi, format, configs, 4).expect("it suits them")
    }

    /// A wall on which each game is won by strength and luck: `edge` is added to the luck of config
    /// 0.
    fn random_wall(random: &mut fastrand::Rng, schedule: &Schedule, edge: f64) -> WallResult {
        wall(schedule, |seating| {
            let luck: Vec<f64> = seating
                .iter()
                .map(|&config| random.f64() + if config == 0 { edge } else { 0.0 })
                .collect();
            luck.iter()
                .map(|own| 1 + luck.iter().filter(|&other| other > own).count() as i32)
                .collect()
        })
    }

    /// The verdicts in this many tournaments of at most this many walls, and the average number of
    /// walls to a verdict: how often each config was named, and how often all were close.
    fn verdicts(
        format: Format,
        edge: f64,
        by: Option<f64>,
        (tournaments, walls): (u32, u32),
    ) -> (Vec<u32>, u32, f64) {
        let schedule = schedule(format);
        let mut random = fastrand::Rng::with_seed(7);
        let (mut named, mut close, mut sum) = (vec![0; schedule.configs()], 0, 0);
        for _ in 0..tournaments {
            let mut watch = Watch::new(&schedule, by);
            let verdict =
                (0..walls).find_map(|_| watch.add(&random_wall(&mut random, &schedule, edge)));
            match verdict.map(|verdict| verdict.clear) {
                Some(Clear::Best(best)) => named[best] += 1,
                Some(Clear::Close) => close += 1,
                _ => {}
            }
            sum += verdict.map_or(0, |verdict| verdict.walls);
        }
        let clear = (named.iter().sum::<u32>() + close).max(1);
        (named, close, sum as f64 / f64::from(clear))
    }

    #[test]
    fn of_equal_configs_one_is_named_in_at_most_the_error_rate_of_tournaments() {
        for format in [Format::TwoAgainstTwo, Format::Rotations] {
            let (named, ..) = verdicts(format, 0.0, None, (300, 200));
            let wrong = f64::from(named.iter().sum::<u32>()) / 300.0;
            assert!(wrong <= ERROR_RATE, "{format:?}: {wrong}");
        }
    }

    #[test]
    fn a_better_config_is_named_and_sooner_the_better_it_is() {
        let (much, _, soon) = verdicts(Format::TwoAgainstTwo, 0.3, None, (100, 400));
        assert_eq!(much, [100, 0]);
        let (little, _, late) = verdicts(Format::TwoAgainstTwo, 0.05, None, (100, 400));
        assert!(little[0] > 95 && little[1] == 0, "{little:?}");
        assert!(soon < 30.0 && late > 2.0 * soon, "{soon} and {late} walls");
        let (four, ..) = verdicts(Format::Rotations, 0.3, None, (40, 400));
        assert_eq!(four, [40, 0, 0, 0]);
        let (gauntlet, ..) = verdicts(Format::Gauntlet, 0.3, None, (40, 400));
        assert_eq!(gauntlet, [40, 0, 0, 0], "the first meets all others");
    }

    #[test]
    fn equal_configs_are_shown_to_be_close_and_sooner_the_wider_the_bound() {
        let (named, close, late) = verdicts(Format::TwoAgainstTwo, 0.0, Some(0.1), (20, 3000));
        assert!(close >= 18, "{close} close, {named:?} named");
        let (_, close, soon) = verdicts(Format::TwoAgainstTwo, 0.0, Some(0.3), (20, 3000));
        assert!(
            close >= 18 && 2.0 * soon < late,
            "{close} close after {soon} and {late} walls"
        );
    }

    #[test]
    fn configs_that_differ_by_more_than_the_bound_are_hardly_ever_shown_to_be_close() {
        // An edge of 0.05 is about 0.2 places.
        let (named, close, _) = verdicts(Format::TwoAgainstTwo, 0.05, Some(0.15), (100, 400));
        assert!(
            f64::from(close) / 100.0 <= CLOSE_ERROR_RATE,
            "{close} close, {named:?} named"
        );
        assert!(named[0] > 75, "{named:?}");
    }

    #[test]
    fn of_points_the_config_that_scores_more_is_named_and_no_wall_counts_more_than_the_cap() {
        let schedule =
            Schedule::new(GameKind::DouDizhu, Format::AllOrders, 2, 3).expect("it suits them");
        let wall = |points: i32| {
            let value = |config: &usize| if *config == 0 { points } else { 0 };
            let games = schedule
                .seatings()
                .iter()
                .map(|seating| seating.iter().map(value).collect())
                .collect();
            WallResult {
                games,
                luck: Vec::new(),
                counts: Vec::new(),
                first_fault: None,
            }
        };
        let verdict = |points: i32| {
            let mut watch = Watch::new(&schedule, None);
            (0..1000)
                .find_map(|_| watch.add(&wall(points)))
                .map(|ClearAfter { clear, walls }| (clear, walls))
        };
        // The same number of walls as with the maximum difference in places.
        assert_eq!(
            (verdict(24), verdict(1_000_000)),
            (Some((Clear::Best(0), 8)), Some((Clear::Best(0), 8)))
        );
        assert_eq!(verdict(-24), Some((Clear::Best(1), 8)));
        assert!(verdict(3).is_some_and(|(clear, walls)| clear == Clear::Best(0) && walls > 16));
        assert_eq!(verdict(0), None);
    }

    /// Walls whose luck is worth 9 of 10 parts of what makes the difference.
    fn adjusted_verdict(edge: f64, seed: u64, watch: Watch) -> Option<ClearAfter> {
        let schedule =
            Schedule::new(GameKind::Mcr, Format::AllOrders, 2, 4).expect("it suits them");
        let mut random = fastrand::Rng::with_seed(seed);
        let mut watch = watch;
        (0..400).find_map(|_| {
            let mut played = WallResult {
                games: Vec::new(),
                luck: Vec::new(),
                counts: Vec::new(),
                first_fault: None,
            };
            for seating in schedule.seatings() {
                let mut values = |config: usize| {
                    let (luck, other) = (40.0 * (random.f64() - 0.5), 4.0 * (random.f64() - 0.5));
                    let own = if config == 0 { edge } else { 0.0 };
                    let parts = (luck * f64::from(PARTS)) as i32;
                    ((luck + other + own).round() as i32, parts)
                };
                let both = seating.iter().map(|&config| values(config));
                let (points, luck): (Vec<i32>, Vec<i32>) = both.unzip();
                played.games.push(points.into_iter().collect());
                played.luck.push(luck.into_iter().collect());
            }
            watch.add(&played)
        })
    }

    #[test]
    fn without_luck_a_better_config_is_named_sooner_and_of_equal_ones_hardly_ever_one() {
        let schedule =
            Schedule::new(GameKind::Mcr, Format::AllOrders, 2, 4).expect("it suits them");
        let raw = || Watch::new(&schedule, None);
        let (mut sooner, mut wrong) = (0, 0);
        for seed in 0..100 {
            let named = |edge: f64, watch: Watch| {
                let clear = adjusted_verdict(edge, seed, watch);
                clear.map_or((None, u64::MAX), |after| (Some(after.clear), after.walls))
            };
            let (with, without) = (named(3.0, raw()), named(3.0, raw().adjusted()));
            assert_eq!(without.0, Some(Clear::Best(0)), "seed {seed}");
            sooner += u32::from(without.1 < with.1);
            wrong += u32::from(named(0.0, raw().adjusted()).0.is_some());
        }
        assert!(sooner > 50, "sooner in {sooner} of 100");
        assert!(f64::from(wrong) / 100.0 <= ERROR_RATE, "{wrong}");
    }

    #[test]
    fn two_configs_are_distinguished_when_the_capital_has_grown_forty_times() {
        let schedule = schedule(Format::TwoAgainstTwo);
        let best = wall(&schedule, |seating| {
            let mut places = [[1, 2].into_iter(), [3, 4].into_iter()];
            seating
                .iter()
                .map(|&config| places[config].next().expect("two seats each"))
                .collect()
        });
        let mut watch = Watch::new(&schedule, None);
        let walls = (1..).find(|_| watch.add(&best).is_some());
        // The difference is as wide as can be, 1 when scaled, so each share's capital grows by 1 +
        // share a wall. After 7 (128 + 17.09 + 4.77 + 2.28 + 1.53 + 1.24) / 6 = 25.8, after 8 the
        // first share alone gives 256 / 6 = 42.7.
        assert_eq!(walls, Some(8));
        assert_eq!(
            watch.add(&best),
            Some(ClearAfter {
                clear: Clear::Best(0),
                walls: 9
            })
        );
    }
}
