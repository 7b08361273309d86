//! When it is clear which config is best: a sequential test that may look after every wall and keeps its error rate.
//!
//! For each pair of configs and each of the two directions somebody bets on every wall that the one places better: with
//! the difference of their mean places, scaled to lie in -1..=1, as the stake's return. Betting a fixed share `s` of the
//! capital multiplies it by `1 + s * difference`; the capital is spread over several shares at the start, since nobody
//! knows the best one. If the two are equally good this is a fair game, and the chance that the capital ever exceeds `c`
//! times what it was is at most `1 / c` (Ville's inequality), however often one looks. No distribution is assumed, only
//! that walls are independent. See Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting (2024).

/// What the test is called.
pub const TEST: &str = "betting martingale, Ville's inequality";

/// The chance that the test ever names a config that is not the best, all pairs and directions together.
pub const ERROR_RATE: f64 = 0.05;

/// The shares of the capital that are bet, each with the same part of it.
const SHARES: [f64; 6] = [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125];

/// One bet: that one config places better than another.
#[derive(Debug, Clone)]
struct Bet {
    capitals: [f64; SHARES.len()],
    won: bool,
}

impl Bet {
    const fn new() -> Self {
        Self { capitals: [1.0; SHARES.len()], won: false }
    }

    /// Takes in a wall's difference, positive in favour of the bet; won once the capital reaches `goal` times its start.
    fn add(&mut self, difference: f64, goal: f64) {
        if self.won {
            return;
        }
        for (capital, share) in self.capitals.iter_mut().zip(SHARES) {
            *capital *= 1.0 + share * difference;
        }
        self.won = self.evidence() >= goal;
    }

    /// By how much the capital has grown.
    fn evidence(&self) -> f64 {
        self.capitals.iter().sum::<f64>() / SHARES.len() as f64
    }
}

/// What has become clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// The config that places better than every other.
    pub best: usize,
    /// After how many walls it was clear.
    pub walls: u64,
}

/// The test, fed wall by wall.
#[derive(Debug, Clone)]
pub struct Watch {
    entrants: usize,
    /// The bet that the first of a pair places better than the second, in rows of the first.
    bets: Vec<Bet>,
    walls: u64,
}

impl Watch {
    /// A test of so many configs before the first wall.
    #[must_use]
    pub fn new(entrants: usize) -> Self {
        Self { entrants, bets: vec![Bet::new(); entrants * entrants], walls: 0 }
    }

    /// Takes in the mean place of each config on a wall; a verdict once there is one.
    pub fn add(&mut self, mean_places: &[f64]) -> Option<Verdict> {
        self.walls += 1;
        let bets = self.entrants * (self.entrants - 1);
        let goal = bets as f64 / ERROR_RATE;
        // Two configs share the four places, so each has a mean of 1.5 at best; of four each can have all to itself.
        let widest = if self.entrants == 2 { 2.0 } else { 3.0 };
        for (one, &place) in mean_places.iter().enumerate() {
            for (other, &other_place) in mean_places.iter().enumerate() {
                if one != other {
                    self.bets[one * self.entrants + other].add((other_place - place) / widest, goal);
                }
            }
        }
        let beats = |one: usize, other: usize| one == other || self.bets[one * self.entrants + other].won;
        let best = (0..self.entrants).find(|&one| (0..self.entrants).all(|other| beats(one, other)))?;
        Some(Verdict { best, walls: self.walls })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Format;

    /// Mean places on a wall when each of its games is won by strength and luck: `edge` is added to the luck of config 0.
    fn wall(random: &mut fastrand::Rng, format: Format, edge: f64) -> Vec<f64> {
        let seatings = format.seatings();
        let mut sums = vec![0.0; format.entrants()];
        for seating in seatings {
            let luck = seating.map(|config| random.f64() + if config == 0 { edge } else { 0.0 });
            for (seat, &config) in seating.iter().enumerate() {
                sums[config] += 1.0 + luck.iter().filter(|&&other| other > luck[seat]).count() as f64;
            }
        }
        let seats = (seatings.len() * 4 / format.entrants()) as f64;
        sums.into_iter().map(|sum| sum / seats).collect()
    }

    /// In how many of 1,000 tournaments of at most 400 walls each config is named the best, and after how many walls on
    /// average.
    fn named(format: Format, edge: f64) -> (Vec<u32>, f64) {
        let mut random = fastrand::Rng::with_seed(7);
        let mut named = vec![0; format.entrants()];
        let mut walls = 0;
        for _ in 0..1000 {
            let mut watch = Watch::new(format.entrants());
            if let Some(verdict) = (0..400).find_map(|_| watch.add(&wall(&mut random, format, edge))) {
                named[verdict.best] += 1;
                walls += verdict.walls;
            }
        }
        let average = walls as f64 / f64::from(named.iter().sum::<u32>().max(1));
        (named, average)
    }

    #[test]
    fn of_equal_configs_one_is_named_in_at_most_the_error_rate_of_tournaments() {
        for format in [Format::TwoAgainstTwo, Format::Rotations] {
            let (named, _) = named(format, 0.0);
            let wrong = f64::from(named.iter().sum::<u32>()) / 1000.0;
            assert!(wrong <= ERROR_RATE, "{format:?}: {wrong}");
        }
    }

    #[test]
    fn a_better_config_is_named_and_sooner_the_better_it_is() {
        let (much, soon) = named(Format::TwoAgainstTwo, 0.3);
        assert_eq!(much, [1000, 0]);
        let (little, late) = named(Format::TwoAgainstTwo, 0.05);
        assert!(little[0] > 950 && little[1] == 0, "{little:?}");
        assert!(soon < 30.0 && late > 2.0 * soon, "{soon} and {late} walls");
        let (four, _) = named(Format::Rotations, 0.3);
        assert_eq!(four, [1000, 0, 0, 0]);
    }

    #[test]
    fn two_configs_are_told_apart_when_the_capital_has_grown_forty_times() {
        let mut watch = Watch::new(2);
        let walls = (1..).find(|_| watch.add(&[1.5, 3.5]).is_some());
        // The difference is as wide as can be, 1 when scaled, so each share's capital grows by 1 + share a wall. After 7
        // (128 + 17.09 + 4.77 + 2.28 + 1.53 + 1.24) / 6 = 25.8, after 8 the first share alone gives 256 / 6 = 42.7.
        assert_eq!(walls, Some(8));
        assert_eq!(watch.add(&[1.5, 3.5]), Some(Verdict { best: 0, walls: 9 }));
    }
}
