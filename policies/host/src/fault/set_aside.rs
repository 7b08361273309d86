//! Policies that failed again and again: they are not asked for a while, and then tried again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// Number of good games after which earlier failures are forgotten.
pub const GOOD_GAMES: u32 = 10;

/// The pauses before a policy is tried again: each time the next one, and in the end always the
/// last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPauses(pub [Duration; 4]);

impl Default for RetryPauses {
    fn default() -> Self {
        Self([60, 5 * 60, 30 * 60, 60 * 60].map(Duration::from_secs))
    }
}

impl RetryPauses {
    /// The pause after this many failures in a row, at least 1.
    pub fn after(&self, failures: usize) -> Duration {
        self.0[failures.clamp(1, self.0.len()) - 1]
    }
}

/// Why a policy is not asked any more, and when it is tried again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    pub why: String,
    pub retry_at: Instant,
}

/// The condition of the policy at a seat. Clones share it.
#[derive(Debug, Clone)]
pub struct SeatCondition {
    state: Arc<watch::Sender<ConditionState>>,
    pauses: RetryPauses,
}

#[derive(Debug, Clone, Default)]
struct ConditionState {
    set_aside: Option<SetAside>,
    /// Number of pauses so far.
    pauses: usize,
    /// Good games since the last one.
    good_games: u32,
}

impl SeatCondition {
    pub(crate) fn new(pauses: RetryPauses) -> Self {
        Self {
            state: Arc::default(),
            pauses,
        }
    }

    pub fn set_aside(&self) -> Option<SetAside> {
        self.state.borrow().set_aside.clone()
    }

    /// Sets the policy aside, or leaves it so for longer: until it is tried again.
    pub fn pause(&self, why: String) {
        self.state.send_modify(|state| {
            state.pauses += 1;
            state.set_aside = Some(SetAside {
                why,
                retry_at: Instant::now() + self.pauses.after(state.pauses),
            });
            state.good_games = 0;
        });
    }

    /// A policy decides again: the one that was set aside, or another one.
    pub(crate) fn resume(&self, is_another: bool) {
        self.state.send_if_modified(|state| {
            if is_another {
                state.pauses = 0;
                state.good_games = 0;
            }
            state.set_aside.take().is_some()
        });
    }

    pub(crate) fn count_good_game(&self) {
        self.state.send_if_modified(|state| {
            state.good_games += 1;
            if state.good_games >= GOOD_GAMES {
                state.pauses = 0;
            }
            false
        });
    }

    /// Ready at each change.
    ///
    /// Dropping the future loses nothing.
    pub fn changes(&self) -> ConditionChanges {
        ConditionChanges(self.state.subscribe())
    }
}

/// The changes of a seat's condition.
#[derive(Debug)]
pub struct ConditionChanges(watch::Receiver<ConditionState>);

impl ConditionChanges {
    /// Waits for the next change; returns what it leads to. Never ready when the seat is empty.
    ///
    /// Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<SetAside> {
        if self.0.changed().await.is_err() {
            return std::future::pending().await;
        }
        self.0.borrow_and_update().set_aside.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pause_of(condition: &SeatCondition) -> u64 {
        condition.pause("it failed".to_owned());
        let set_aside = condition.set_aside().expect("it is set aside");
        condition.resume(false);
        // Some of it has passed.
        set_aside.retry_at.duration_since(Instant::now()).as_secs() + 1
    }

    #[test]
    fn pauses_grow_to_an_hour() {
        let condition = SeatCondition::new(RetryPauses::default());
        let pauses = [(); 6].map(|()| pause_of(&condition));
        assert_eq!(pauses, [60, 300, 1800, 3600, 3600, 3600]);
    }

    #[test]
    fn pauses_begin_again_after_ten_good_games_or_with_another_policy() {
        let condition = SeatCondition::new(RetryPauses::default());
        assert_eq!([pause_of(&condition), pause_of(&condition)], [60, 300]);
        (1..GOOD_GAMES).for_each(|_| condition.count_good_game());
        assert_eq!(pause_of(&condition), 1800);
        (0..GOOD_GAMES).for_each(|_| condition.count_good_game());
        assert_eq!([pause_of(&condition), pause_of(&condition)], [60, 300]);
        condition.resume(true);
        assert_eq!(pause_of(&condition), 60);
    }

    #[tokio::test]
    async fn each_pause_and_each_return_is_a_change() {
        let condition = SeatCondition::new(RetryPauses::default());
        let mut changes = condition.changes();
        condition.count_good_game();
        condition.resume(false);
        condition.pause("it failed".to_owned());
        assert_eq!(
            changes.next().await.map(|set_aside| set_aside.why),
            Some("it failed".to_owned())
        );
        condition.resume(false);
        assert_eq!(changes.next().await, None);
    }
}
