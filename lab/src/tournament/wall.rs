//! What the configs did on one wall, and how they placed against each other.

use arrayvec::ArrayVec;
use mahjong::seat::MAX_PLAYERS;
use serde::{Deserialize, Serialize};

use super::seating::Schedule;
use crate::game::SeatCounts;

/// The place of each seat at the end of a game, from 1.
pub type Placing = ArrayVec<u8, MAX_PLAYERS>;

/// What the configs did on one wall, in all its seatings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WallResult {
    /// How each game ended, seating by seating.
    pub games: Vec<Placing>,
    /// The counts of each config.
    pub counts: Vec<SeatCounts>,
    /// The first decision that failed: which config's, and what was wrong with it.
    pub first_fault: Option<(usize, String)>,
}

impl WallResult {
    /// The mean place of each config.
    #[must_use]
    pub fn mean_places(&self) -> Vec<f64> {
        self.counts.iter().map(|counts| counts.place_sum() as f64 / counts.seats() as f64).collect()
    }
}

/// A wall in a results file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WallLine {
    /// Its number, from 1.
    pub wall: u64,
    /// The places of the seats, a text for each seating.
    games: Vec<String>,
    /// [`SeatCounts::numbers`] of each config.
    counts: Vec<Vec<i64>>,
    /// The first decision that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<(usize, String)>,
}

impl WallLine {
    /// The line of a wall.
    #[must_use]
    pub fn of(wall: u64, result: &WallResult) -> Self {
        let text = |placing: &Placing| placing.iter().map(|place| char::from(b'0' + place)).collect();
        Self {
            wall,
            games: result.games.iter().map(text).collect(),
            counts: result.counts.iter().map(SeatCounts::numbers).collect(),
            fault: result.first_fault.clone(),
        }
    }

    /// What it says; `None` when that cannot be of a wall of this schedule.
    #[must_use]
    pub fn read(&self, schedule: &Schedule) -> Option<WallResult> {
        let placing = |text: &String| -> Option<Placing> {
            let places: Placing = text
                .bytes()
                .map(|digit| digit.checked_sub(b'0'))
                .collect::<Option<Vec<_>>>()?
                .as_slice()
                .try_into()
                .ok()?;
            let all = (1..=schedule.players()).all(|place| places.contains(&place));
            (all && places.len() == usize::from(schedule.players())).then_some(places)
        };
        let games: Vec<Placing> = self.games.iter().map(placing).collect::<Option<_>>()?;
        let counts: Vec<SeatCounts> =
            self.counts.iter().map(|numbers| SeatCounts::of_numbers(numbers)).collect::<Option<_>>()?;
        if games.len() != schedule.seatings().len() || counts.len() != schedule.configs() {
            return None;
        }
        // The places are there twice.
        let mut places = vec![[0; MAX_PLAYERS]; schedule.configs()];
        for (seating, placing) in schedule.seatings().iter().zip(&games) {
            for (&config, &place) in seating.iter().zip(placing) {
                places[config][usize::from(place) - 1] += 1;
            }
        }
        let agree = counts.iter().zip(&places).all(|(counts, places)| counts.places == *places);
        let known = self.fault.as_ref().is_none_or(|(config, _)| *config < schedule.configs());
        (agree && known).then(|| WallResult { games, counts, first_fault: self.fault.clone() })
    }
}

/// How pairs of configs placed at the tables that they shared.
#[derive(Debug, Clone)]
pub struct Meetings {
    configs: usize,
    pairs: Vec<Meeting>,
}

/// How one config placed at the tables that it shared with another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Meeting {
    /// Its seats at these tables.
    pub seats: u64,
    /// Sum of their places.
    pub places: u64,
    /// Pairs of a seat of its own and one of the other's.
    pub pairs: u64,
    /// Those of them in which its own placed better.
    pub ahead: u64,
}

impl Meetings {
    /// Nobody has met.
    #[must_use]
    pub fn new(configs: usize) -> Self {
        Self { configs, pairs: vec![Meeting::default(); configs * configs] }
    }

    /// Adds the games of a wall.
    pub fn add(&mut self, schedule: &Schedule, wall: &WallResult) {
        for (seating, placing) in schedule.seatings().iter().zip(&wall.games) {
            for (seat, (&config, &place)) in seating.iter().zip(placing).enumerate() {
                for (other_seat, (&other, &other_place)) in seating.iter().zip(placing).enumerate() {
                    if config == other {
                        continue;
                    }
                    let meeting = &mut self.pairs[config * self.configs + other];
                    meeting.pairs += 1;
                    meeting.ahead += u64::from(place < other_place);
                    // Once for each seat, however many the other has.
                    if seating[..other_seat].iter().all(|&before| before != other) {
                        debug_assert_ne!(seat, other_seat);
                        meeting.seats += 1;
                        meeting.places += u64::from(place);
                    }
                }
            }
        }
    }

    /// How one placed at the tables that it shared with the other.
    #[must_use]
    pub fn of(&self, one: usize, other: usize) -> &Meeting {
        &self.pairs[one * self.configs + other]
    }

    /// By how much the one placed better than the other on average, in places; `None` when they have not met.
    #[must_use]
    pub fn difference(&self, one: usize, other: usize) -> Option<f64> {
        let mean = |meeting: &Meeting| meeting.places as f64 / meeting.seats as f64;
        let (own, theirs) = (self.of(one, other), self.of(other, one));
        (own.seats > 0).then(|| mean(theirs) - mean(own))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tournament::Format;

    /// A wall on which the seats of a config placed as this says, and nothing else was counted.
    pub(in super::super) fn wall(schedule: &Schedule, mut placing: impl FnMut(&[usize]) -> Vec<u8>) -> WallResult {
        let mut counts = vec![SeatCounts::default(); schedule.configs()];
        let mut games = Vec::new();
        for seating in schedule.seatings() {
            let places: Placing = placing(seating).into_iter().collect();
            for (&config, &place) in seating.iter().zip(&places) {
                counts[config].places[usize::from(place) - 1] += 1;
            }
            games.push(places);
        }
        WallResult { games, counts, first_fault: None }
    }

    fn schedule(format: Format, configs: usize) -> Schedule {
        Schedule::new(format, configs, 4).expect("it suits them")
    }

    /// Lower configs place better, earlier seats among equals.
    fn by_number(seating: &[usize]) -> Vec<u8> {
        let mut seats: Vec<usize> = (0..seating.len()).collect();
        seats.sort_by_key(|&seat| seating[seat]);
        let mut places = vec![0; seating.len()];
        seats.iter().zip(1..).for_each(|(&seat, place)| places[seat] = place);
        places
    }

    #[test]
    fn the_difference_of_two_is_that_of_their_mean_places_at_shared_tables() {
        let schedule = schedule(Format::RoundRobin, 3);
        let mut meetings = Meetings::new(3);
        meetings.add(&schedule, &wall(&schedule, by_number));
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            assert_eq!(meetings.difference(one, other), Some(2.0), "first and second against third and fourth");
            assert_eq!(meetings.difference(other, one), Some(-2.0));
            let Meeting { seats, places, pairs, ahead } = *meetings.of(one, other);
            assert_eq!((seats, places, pairs, ahead), (12, 18, 24, 24));
        }
    }

    #[test]
    fn for_one_against_three_every_seat_counts_the_same() {
        let schedule = schedule(Format::OneAgainstThree, 2);
        let mut meetings = Meetings::new(2);
        meetings.add(&schedule, &wall(&schedule, by_number));
        assert_eq!(meetings.difference(0, 1), schedule.widest(0, 1));
    }

    #[test]
    fn a_line_gives_the_wall_back() {
        let schedule = schedule(Format::TwoAgainstTwo, 2);
        let mut result = wall(&schedule, by_number);
        result.first_fault = Some((1, "it panicked".to_owned()));
        let line = serde_json::to_string(&WallLine::of(7, &result)).expect("it has a JSON form");
        let read: WallLine = serde_json::from_str(&line).expect("a line");
        assert_eq!((read.wall, read.read(&schedule)), (7, Some(result)));
    }

    #[test]
    fn a_line_whose_numbers_cannot_be_is_refused() {
        let two = schedule(Format::TwoAgainstTwo, 2);
        let line = serde_json::to_string(&WallLine::of(1, &wall(&two, by_number))).expect("it has a JSON form");
        let read = |line: &str, schedule| serde_json::from_str::<WallLine>(line).expect("a line").read(schedule);
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
