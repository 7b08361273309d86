//! What a bot has done so far, to be read by other tasks while it plays.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use policy_host::PolicyIdentity;

use super::shown_round::LiveRound;
use crate::latency::ReplyTimes;

/// A bot's figures at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figures {
    /// Games played to their end.
    pub games: u32,
    /// Average place over them; `None` without one.
    pub average_place: Option<f64>,
    /// How often each place was taken, from the first to the fourth.
    pub places: [u32; 4],
    /// Decisions that the policies made.
    pub decisions: u32,
    /// Requests answered with the safe answer.
    pub safe_answers: u32,
    /// What the policies did wrong, all in all.
    pub faults: u32,
    /// Differences between our picture of the games and the arena's.
    pub desyncs: u32,
    /// The time that half of the replies did not exceed.
    pub p50: Duration,
    /// The time that 99 % of the replies did not exceed.
    pub p99: Duration,
    /// The time that none exceeded.
    pub slowest: Duration,
    /// What the arena leaves for a reply, where it says so.
    pub limit: Option<Duration>,
    /// How long replies took.
    pub replies: ReplyTimes,
    /// The policy that decided last.
    pub policy: Option<Arc<PolicyIdentity>>,
}

/// Where a bot puts its figures. What is cloned is the same place.
#[derive(Debug, Clone, Default)]
pub struct LiveFigures {
    figures: Arc<Mutex<Figures>>,
    /// Where it shows its round, if somebody may look.
    pub round: Option<LiveRound>,
}

impl LiveFigures {
    /// Puts figures there, unless they are being read at this moment: a bot in a game does not wait, and the next figures
    /// include these.
    pub(super) fn offer(&self, figures: Figures) {
        if let Ok(mut place) = self.figures.try_lock() {
            *place = figures;
        }
    }

    /// Puts figures there.
    pub fn put(&self, figures: Figures) {
        *self.figures.lock().unwrap_or_else(PoisonError::into_inner) = figures;
    }

    /// The figures that were put there last.
    #[must_use]
    pub fn read(&self) -> Figures {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_that_offers_figures_does_not_wait_for_a_reader() {
        let live = LiveFigures::default();
        let seen = live.figures.lock().expect("nobody has panicked");
        live.offer(Figures { decisions: 1, ..Figures::default() });
        assert_eq!(seen.decisions, 0);
        drop(seen);
        live.offer(Figures { decisions: 2, ..Figures::default() });
        assert_eq!(live.read().decisions, 2);
    }
}
