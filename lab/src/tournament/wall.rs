//! The results of the configs on one wall, and their places against each other.

use arrayvec::ArrayVec;
use lab_stats::SeatCounts;
use policy_host::Measure;
use riichi::MAX_PLAYERS;
use serde::{Deserialize, Serialize};

use super::seating::Schedule;
use crate::game::SeatValues;
use crate::game::luck::PARTS;

/// The results of the configs on one wall, in all its seatings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WallResult {
    /// The end of each game, seating by seating.
    pub games: Vec<SeatValues>,
    /// The luck of each seat in each game, in [parts](crate::game::luck::PARTS); empty if it was
    /// not taken down.
    pub luck: Vec<SeatValues>,
    /// The counts of each config.
    pub counts: Vec<SeatCounts>,
    /// The first decision that failed: its config, and the fault.
    pub first_fault: Option<(usize, String)>,
}

/// A wall in a results file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct WallLine {
    /// Its number, from 1.
    pub(super) wall: u64,
    /// The places of the seats, as digits for each seating, or their points with spaces between.
    games: Vec<String>,
    /// The luck of the seats in parts, with spaces between, for each seating.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    luck: Vec<String>,
    /// [`SeatCounts::numbers`] of each config that the game [counts](SeatCounts::counted).
    counts: Vec<Vec<i64>>,
    /// The first decision that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<(usize, String)>,
}

impl WallLine {
    pub(super) fn of(wall: u64, result: &WallResult, measure: Measure) -> Self {
        let between = match measure {
            Measure::Places => "",
            Measure::Points { .. } => " ",
        };
        let joined = |values: &SeatValues, between: &str| {
            values
                .iter()
                .map(ToString::to_string)
                .collect::<ArrayVec<_, MAX_PLAYERS>>()
                .join(between)
        };
        Self {
            wall,
            games: result
                .games
                .iter()
                .map(|values| joined(values, between))
                .collect(),
            luck: result.luck.iter().map(|luck| joined(luck, " ")).collect(),
            counts: result
                .counts
                .iter()
                .map(|counts| counts.numbers(SeatCounts::counted(measure)))
                .collect(),
            fault: result.first_fault.clone(),
        }
    }

    /// The first decision that failed, in words.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_ref().map(|(_, fault)| fault.as_str())
    }

    /// The result; `None` if it cannot be a wall of this schedule.
    pub(super) fn read(&self, schedule: &Schedule) -> Option<WallResult> {
        let (measure, players) = (schedule.measure(), usize::from(schedule.players()));
        let numbers = |text: &String| -> Option<Vec<i32>> {
            text.split(' ').map(|number| number.parse().ok()).collect()
        };
        let values = |text: &String| -> Option<SeatValues> {
            let values: Vec<i32> = match measure {
                Measure::Places => text
                    .chars()
                    .map(|digit| Some(digit.to_digit(10)? as i32))
                    .collect::<Option<_>>()?,
                Measure::Points { .. } => numbers(text)?,
            };
            let all = measure != Measure::Places
                || (1..=players as i32).all(|place| values.contains(&place));
            (all && values.len() == players).then(|| values.into_iter().collect())
        };
        let games: Vec<SeatValues> = self.games.iter().map(values).collect::<Option<_>>()?;
        let luck = |text: &String| -> Option<SeatValues> {
            let luck = numbers(text).filter(|luck| luck.len() == players)?;
            Some(luck.into_iter().collect())
        };
        let luck: Vec<SeatValues> = self.luck.iter().map(luck).collect::<Option<_>>()?;
        if !luck.is_empty() && luck.len() != games.len() {
            return None;
        }
        let counts: Vec<SeatCounts> = self
            .counts
            .iter()
            .map(|numbers| SeatCounts::of_numbers(SeatCounts::counted(measure), numbers))
            .collect::<Option<_>>()?;
        if games.len() != schedule.seatings().len() || counts.len() != schedule.configs() {
            return None;
        }
        // The measure is stored twice, and must agree.
        let mut places = vec![[0; MAX_PLAYERS]; schedule.configs()];
        let mut sums = vec![(0, 0); schedule.configs()];
        for (seating, values) in schedule.seatings().iter().zip(&games) {
            for (&config, &value) in seating.iter().zip(values) {
                sums[config].0 += 1;
                sums[config].1 += i64::from(value);
                if measure == Measure::Places {
                    places[config][value as usize - 1] += 1;
                }
            }
        }
        let is_same = |(config, counts): (usize, &SeatCounts)| {
            counts.places == places[config]
                && (counts.seats(measure), counts.sum(measure)) == sums[config]
        };
        let agree = counts.iter().enumerate().all(is_same);
        let known = self
            .fault
            .as_ref()
            .is_none_or(|(config, _)| *config < schedule.configs());
        (agree && known).then(|| WallResult {
            games,
            luck,
            counts,
            first_fault: self.fault.clone(),
        })
    }
}

/// The results of pairs of configs at shared tables.
#[derive(Debug, Clone)]
pub struct Meetings {
    configs: usize,
    measure: Measure,
    pairs: Vec<Meeting>,
}

/// The results of a config at the tables that it shared with another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Meeting {
    /// Its seats at these tables.
    pub seats: u64,
    /// Sum of their places or points.
    pub sum: i64,
    /// Sum of their luck, in [parts](crate::game::luck::PARTS).
    pub luck: i64,
    /// Pairs of one of its own seats and one of the other's.
    pub pairs: u64,
    /// Number of pairs in which its own seat was better.
    pub ahead: u64,
}

impl Meetings {
    /// The results before the first game of a schedule.
    pub fn new(schedule: &Schedule) -> Self {
        let configs = schedule.configs();
        Self {
            configs,
            measure: schedule.measure(),
            pairs: vec![Meeting::default(); configs * configs],
        }
    }

    pub fn add(&mut self, schedule: &Schedule, wall: &WallResult) {
        for (number, (seating, values)) in schedule.seatings().iter().zip(&wall.games).enumerate() {
            let luck = wall.luck.get(number);
            for (seat, (&config, &value)) in seating.iter().zip(values).enumerate() {
                for (other_seat, (&other, &other_value)) in seating.iter().zip(values).enumerate() {
                    if config == other {
                        continue;
                    }
                    let meeting = &mut self.pairs[config * self.configs + other];
                    meeting.pairs += 1;
                    meeting.ahead += u64::from(self.measure.is_better(value, other_value));
                    // Once for each seat, however many seats the other config has.
                    if seating[..other_seat].iter().all(|&before| before != other) {
                        debug_assert_ne!(seat, other_seat);
                        meeting.seats += 1;
                        meeting.sum += i64::from(value);
                        meeting.luck += luck.map_or(0, |luck| luck[seat].into());
                    }
                }
            }
        }
    }

    /// The results of one config at the tables that it shared with the other.
    pub fn of(&self, one: usize, other: usize) -> &Meeting {
        &self.pairs[one * self.configs + other]
    }

    /// The share of pairs of a seat of the one and a seat of the other in which the one was better,
    /// half of it where both were equal; `None` if they have not met.
    pub fn score(&self, one: usize, other: usize) -> Option<f64> {
        let (own, theirs) = (self.of(one, other), self.of(other, one));
        let pairs = own.pairs as f64;
        (own.pairs > 0).then(|| (pairs + own.ahead as f64 - theirs.ahead as f64) / (2.0 * pairs))
    }

    /// The average advantage of the first over the second, in places or points; `None` if they have
    /// not met.
    pub fn difference(&self, one: usize, other: usize) -> Option<f64> {
        self.difference_of(one, other, |meeting| meeting.sum as f64)
    }

    /// The same without the part that is luck, which has the same expectation.
    pub fn adjusted_difference(&self, one: usize, other: usize) -> Option<f64> {
        self.difference_of(one, other, |meeting| {
            meeting.sum as f64 - meeting.luck as f64 / f64::from(PARTS)
        })
    }

    fn difference_of(
        &self,
        one: usize,
        other: usize,
        sum: impl Fn(&Meeting) -> f64,
    ) -> Option<f64> {
        let mean = |meeting: &Meeting| sum(meeting) / meeting.seats as f64;
        let (own, theirs) = (self.of(one, other), self.of(other, one));
        (own.seats > 0).then(|| self.measure.better_by(mean(own), mean(theirs)))
    }
}

#[cfg(test)]
mod tests {
    use policy_host::GameKind;

    use super::*;
    use crate::tournament::Format;
    use crate::tournament::tests::wall;

    fn schedule(format: Format, configs: usize) -> Schedule {
        Schedule::new(GameKind::Riichi, format, configs, 4).expect("it suits them")
    }

    /// Lower configs place better, earlier seats among equals.
    fn by_number(seating: &[usize]) -> Vec<i32> {
        let mut seats: Vec<usize> = (0..seating.len()).collect();
        seats.sort_by_key(|&seat| seating[seat]);
        let mut places = vec![0; seating.len()];
        seats
            .iter()
            .zip(1..)
            .for_each(|(&seat, place)| places[seat] = place);
        places
    }

    #[test]
    fn the_difference_of_two_is_that_of_their_mean_places_at_shared_tables() {
        let schedule = schedule(Format::RoundRobin, 3);
        let mut meetings = Meetings::new(&schedule);
        meetings.add(&schedule, &wall(&schedule, by_number));
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            assert_eq!(
                meetings.difference(one, other),
                Some(2.0),
                "first and second against third and fourth"
            );
            assert_eq!(meetings.difference(other, one), Some(-2.0));
            let Meeting {
                seats,
                sum,
                pairs,
                ahead,
                ..
            } = *meetings.of(one, other);
            assert_eq!((seats, sum, pairs, ahead), (12, 18, 24, 24));
            assert_eq!(
                (meetings.score(one, other), meetings.score(other, one)),
                (Some(1.0), Some(0.0))
            );
        }
    }

    #[test]
    fn for_one_against_three_every_seat_counts_the_same() {
        let schedule = schedule(Format::OneAgainstThree, 2);
        let mut meetings = Meetings::new(&schedule);
        meetings.add(&schedule, &wall(&schedule, by_number));
        assert_eq!(meetings.difference(0, 1), schedule.widest(0, 1));
    }

    #[test]
    fn a_line_gives_the_wall_back() {
        let schedule = schedule(Format::TwoAgainstTwo, 2);
        let mut result = wall(&schedule, by_number);
        result.first_fault = Some((1, "it panicked".to_owned()));
        let line = serde_json::to_string(&WallLine::of(7, &result, schedule.measure()))
            .expect("it has a JSON form");
        let read: WallLine = serde_json::from_str(&line).expect("a line");
        assert_eq!((read.wall, read.read(&schedule)), (7, Some(result)));
    }

    /// A wall of Dou Dizhu with two configs on which the landlord, seat 0, wins 12.
    fn points(schedule: &Schedule) -> WallResult {
        let mut counts = vec![SeatCounts::default(); 2];
        let mut games = Vec::new();
        for seating in schedule.seatings() {
            let values = SeatValues::from_iter([12, -6, -6]);
            for (seat, (&config, &value)) in seating.iter().zip(&values).enumerate() {
                let won = u64::from(seat == 0);
                counts[config].add(&SeatCounts {
                    points: value.into(),
                    rounds: 1,
                    wins: won,
                    ..SeatCounts::default()
                });
            }
            games.push(values);
        }
        WallResult {
            games,
            luck: Vec::new(),
            counts,
            first_fault: None,
        }
    }

    #[test]
    fn a_line_has_the_luck_of_each_seat_and_the_difference_is_adjusted_by_it() {
        let schedule = schedule(Format::TwoAgainstTwo, 2);
        let mut result = wall(&schedule, by_number);
        // Each seat of the second config had the luck of a quarter of a place, each of the first
        // as much bad luck.
        let luck = |config: &usize| if *config == 0 { 250 } else { -250 };
        let seatings = schedule.seatings().iter();
        result.luck = seatings
            .map(|seating| seating.iter().map(luck).collect())
            .collect();
        let mut meetings = Meetings::new(&schedule);
        meetings.add(&schedule, &result);
        assert_eq!(meetings.difference(0, 1), Some(2.0));
        assert_eq!(meetings.adjusted_difference(0, 1), Some(2.5));
        assert_eq!(meetings.adjusted_difference(1, 0), Some(-2.5));
        let line = serde_json::to_string(&WallLine::of(1, &result, schedule.measure()))
            .expect("it has a JSON form");
        let read = |line: &str| {
            serde_json::from_str::<WallLine>(line)
                .expect("a line")
                .read(&schedule)
        };
        assert_eq!(read(&line), Some(result));
        for changed in [
            line.replacen("250 250", "250", 1),
            line.replacen("250 250", "250 x", 1),
            line.replacen("\"luck\":[", "\"luck\":[\"1 2 3 4\",", 1),
        ] {
            assert_ne!(changed, line);
            assert_eq!(read(&changed), None, "{changed}");
        }
    }

    #[test]
    fn a_line_of_points_gives_the_wall_back_and_one_with_other_points_is_refused() {
        let schedule =
            Schedule::new(GameKind::DouDizhu, Format::AllOrders, 2, 3).expect("it suits them");
        let result = points(&schedule);
        let line = serde_json::to_string(&WallLine::of(1, &result, schedule.measure()))
            .expect("it has a JSON form");
        let read = |line: &str| {
            serde_json::from_str::<WallLine>(line)
                .expect("a line")
                .read(&schedule)
        };
        assert!(
            line.contains("\"12 -6 -6\"") && line.contains("[0,9,3,0,0,0,0]"),
            "{line}"
        );
        // A file from before failed decisions were counted apart.
        assert_eq!(
            read(&line.replace("[0,9,3,0,0,0,0]", "[0,9,3,0,0,0]")),
            Some(result.clone())
        );
        assert_eq!(read(&line), Some(result));
        for changed in [
            line.replacen("12 -6 -6", "13 -6 -6", 1),
            line.replacen("12 -6 -6", "12 -6", 1),
            line.replacen("12 -6 -6", "12 -6 x", 1),
            line.replacen("[0,9,", "[0,8,", 1),
        ] {
            assert_ne!(changed, line);
            assert_eq!(read(&changed), None, "{changed}");
        }
    }

    #[test]
    fn of_points_the_more_are_the_better() {
        let schedule =
            Schedule::new(GameKind::DouDizhu, Format::AllOrders, 2, 3).expect("it suits them");
        let mut result = points(&schedule);
        let mut meetings = Meetings::new(&schedule);
        meetings.add(&schedule, &result);
        assert_eq!(
            meetings.difference(0, 1),
            Some(0.0),
            "each is the landlord equally often"
        );
        // The first config has one more point in each game in which it is the landlord.
        for (seating, values) in schedule.seatings().iter().zip(&mut result.games) {
            values[0] += i32::from(seating[0] == 0);
        }
        let mut meetings = Meetings::new(&schedule);
        meetings.add(&schedule, &result);
        assert_eq!(meetings.difference(0, 1), Some(3.0 / 9.0));
        assert_eq!(meetings.of(0, 1).ahead, 4);
        // Of 12 pairs of seats the others are 4 defeats and 4 of two peasants that score alike.
        assert_eq!(meetings.score(0, 1), Some(0.5));
    }

    #[test]
    fn a_line_whose_numbers_cannot_be_is_refused() {
        let two = schedule(Format::TwoAgainstTwo, 2);
        let line = serde_json::to_string(&WallLine::of(1, &wall(&two, by_number), two.measure()))
            .expect("it has a JSON form");
        let read = |line: &str, schedule| {
            serde_json::from_str::<WallLine>(line)
                .expect("a line")
                .read(schedule)
        };
        assert!(read(&line, &two).is_some());
        for changed in [
            line.replacen("1234", "1134", 1),
            line.replacen("1234", "123", 1),
            line.replacen("1234", "2134", 1).replacen("[6,", "[5,", 1),
            line.replacen("\"1234\",", "", 1),
        ] {
            assert_ne!(changed, line);
            assert_eq!(read(&changed, &two), None, "{changed}");
        }
        assert_eq!(read(&line, &schedule(Format::RoundRobin, 3)), None);
    }
}
