//! The figures of a bot, which other tasks read while it plays.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use policy_host::PolicyIdentity;

use super::shown_match::LiveRound;
use crate::latency::Latency;

/// The outcomes of a bot's finished games.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GameTotals {
    /// Number of times the bot took each place, from first to fourth.
    pub places: [u32; 4],
    /// Sum of its points in games that are compared by points; `None` without one.
    points: Option<f64>,
}

impl GameTotals {
    /// Adds a game with this place, from 1, and these points if games are compared by points.
    pub fn add(&mut self, place: u8, points: Option<f64>) {
        if let Some(times) = self.places.get_mut(usize::from(place).wrapping_sub(1)) {
            *times += 1;
        }
        if let Some(points) = points {
            *self.points.get_or_insert(0.0) += points;
        }
    }

    pub fn games(&self) -> u32 {
        self.places.iter().sum()
    }

    /// Average place; `None` without a game.
    pub fn average_place(&self) -> Option<f64> {
        let sum: u32 = (1..)
            .zip(self.places)
            .map(|(place, times)| place * times)
            .sum();
        (self.games() > 0).then(|| f64::from(sum) / f64::from(self.games()))
    }

    /// Average points of a game; `None` if games are not compared by points.
    pub fn average_points(&self) -> Option<f64> {
        Some(self.points? / f64::from(self.games()))
    }
}

/// A bot's figures at one moment.
#[derive(Debug, Clone, Default)]
pub struct BotFigures {
    /// The outcomes of games played to their end.
    pub totals: GameTotals,
    /// Decisions that the policies made.
    pub decisions: u32,
    pub safe_answers: u32,
    pub faults: u32,
    /// Differences between our picture of the games and the arena's.
    pub desyncs: u32,
    /// Reply times; the readers of the figures compute the quantiles.
    pub latency: Latency,
    /// The arena's time limit for a reply, if it states one.
    pub limit: Option<Duration>,
    /// The policy that decided last.
    pub policy: Option<Arc<PolicyIdentity>>,
}

/// The published figures of a bot. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct LiveFigures {
    figures: Arc<Mutex<BotFigures>>,
    /// The round shown on a page, if there is one.
    pub round: Option<LiveRound>,
    /// The round as the seat sees it, for a person who takes the seat over; the same at an arena,
    /// which shows no more.
    pub seat_round: Option<LiveRound>,
}

impl LiveFigures {
    /// Changes the figures, unless they are being read at the moment: a bot in a game does not
    /// wait, and the next change includes this one.
    pub(super) fn offer(&self, change: impl FnOnce(&mut BotFigures)) {
        if let Ok(mut figures) = self.figures.try_lock() {
            change(&mut figures);
        }
    }

    pub fn put(&self, change: impl FnOnce(&mut BotFigures)) {
        change(&mut self.figures.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub fn read(&self) -> BotFigures {
        self.figures
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_that_offers_figures_does_not_wait_for_a_reader() {
        let live = LiveFigures::default();
        let seen = live.figures.lock().expect("no thread has panicked");
        live.offer(|figures| figures.decisions = 1);
        assert_eq!(seen.decisions, 0);
        drop(seen);
        live.offer(|figures| figures.decisions = 2);
        assert_eq!(live.read().decisions, 2);
    }

    #[test]
    fn places_are_counted_and_averaged_and_no_game_has_no_average() {
        let mut totals = GameTotals::default();
        assert_eq!((totals.games(), totals.average_place()), (0, None));
        [1, 4, 1, 2]
            .into_iter()
            .for_each(|place| totals.add(place, None));
        assert_eq!(
            (totals.places, totals.games(), totals.average_place()),
            ([2, 1, 0, 1], 4, Some(2.0))
        );
        assert_eq!(totals.average_points(), None);
    }

    #[test]
    fn points_are_averaged_where_games_are_compared_by_them() {
        let mut totals = GameTotals::default();
        [(1, 4.5), (2, -1.0)]
            .into_iter()
            .for_each(|(place, points)| totals.add(place, Some(points)));
        assert_eq!(
            (totals.average_place(), totals.average_points()),
            (Some(1.5), Some(1.75))
        );
    }
}
