//! The test which of two Elo differences is more likely, on the walls of a tournament of two
//! configs.
//!
//! A wall's score is the share of pairs of a seat of the first config and a seat of the second in
//! which the first was better, equal ones as half. Games on a wall share its luck; walls do not, so
//! the test counts walls. Where the luck of a wall's games is known and places are measured, the
//! score is without it: the share follows from the difference of the mean places.

use lab_stats::{Sprt, SprtDecision};
use policy_host::Measure;

use super::clear::{Clear, ClearAfter};
use super::seating::Schedule;
use super::wall::{Meetings, WallResult};

/// The test, to which walls are added one by one.
#[derive(Debug, Clone)]
pub(super) struct SprtWatch {
    schedule: Schedule,
    test: Sprt,
    walls: u64,
}

impl SprtWatch {
    /// A test before the first wall, between two differences in Elo of the first config over the
    /// second.
    pub(super) fn new(schedule: &Schedule, elo: [f64; 2]) -> Self {
        Self {
            schedule: schedule.clone(),
            test: Sprt::new(elo),
            walls: 0,
        }
    }

    pub(super) fn add(&mut self, wall: &WallResult) -> Option<ClearAfter> {
        self.walls += 1;
        let mut meetings = Meetings::new(&self.schedule);
        meetings.add(&self.schedule, wall);
        self.test.add(self.score(&meetings, wall)?);
        let clear = match self.test.decision()? {
            SprtDecision::Lower => Clear::LowerElo,
            SprtDecision::Higher => Clear::HigherElo,
        };
        Some(ClearAfter {
            clear,
            walls: self.walls,
        })
    }

    fn score(&self, meetings: &Meetings, wall: &WallResult) -> Option<f64> {
        if wall.luck.is_empty() || self.schedule.measure() != Measure::Places {
            return meetings.score(0, 1);
        }
        let adjusted = meetings.adjusted_difference(0, 1)?;
        Some(0.5 + 0.5 * adjusted / self.schedule.widest(0, 1)?)
    }

    pub(super) const fn test(&self) -> &Sprt {
        &self.test
    }
}

#[cfg(test)]
mod tests {
    use policy_host::GameKind;

    use super::*;
    use crate::tournament::Format;
    use crate::tournament::tests::wall;

    /// Walls on which the first config places better or worse in all games.
    fn decided(first_is_better: bool) -> Option<ClearAfter> {
        let schedule =
            Schedule::new(GameKind::Riichi, Format::TwoAgainstTwo, 2, 4).expect("it suits them");
        let best = wall(&schedule, |seating| {
            let mut places = [[1, 2].into_iter(), [3, 4].into_iter()];
            let mut place = |config: usize| places[config].next().expect("two seats each");
            seating
                .iter()
                .map(|&config| place(if first_is_better { config } else { 1 - config }))
                .collect()
        });
        let mut watch = SprtWatch::new(&schedule, [0.0, 10.0]);
        (0..100).find_map(|_| watch.add(&best))
    }

    #[test]
    fn a_score_without_luck_is_that_of_the_places_where_there_was_none() {
        for format in [Format::TwoAgainstTwo, Format::OneAgainstThree] {
            let schedule = Schedule::new(GameKind::Riichi, format, 2, 4).expect("it suits them");
            let mut random = fastrand::Rng::with_seed(1);
            for _ in 0..20 {
                let mut played = wall(&schedule, |_| {
                    let mut places = vec![1, 2, 3, 4];
                    random.shuffle(&mut places);
                    places
                });
                let watch = SprtWatch::new(&schedule, [0.0, 10.0]);
                let mut meetings = Meetings::new(&schedule);
                meetings.add(&schedule, &played);
                let plain = watch.score(&meetings, &played).expect("they met");
                let none = crate::game::SeatValues::from_iter([0; 4]);
                played.luck = vec![none; schedule.seatings().len()];
                let adjusted = watch.score(&meetings, &played).expect("they met");
                assert!((plain - adjusted).abs() < 1e-9, "{plain} {adjusted}");
            }
        }
    }

    #[test]
    fn the_better_config_is_found_in_either_place() {
        assert_eq!(
            decided(true).map(|verdict| verdict.clear),
            Some(Clear::HigherElo)
        );
        assert_eq!(
            decided(false).map(|verdict| verdict.clear),
            Some(Clear::LowerElo)
        );
        // Scores of 1 have the prior's squares of 0.5 alone: n² · 0.014387 · 0.985613 reaches 2.944
        // at n = 14.4.
        assert_eq!(decided(true).map(|verdict| verdict.walls), Some(15));
    }
}
