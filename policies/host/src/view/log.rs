//! The events of a game, as a policy sees them.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

/// Events of the boundary, oldest first.
#[derive(Debug)]
pub struct EventLog<E> {
    /// Tells this log from every other of the process. Under one number events are only ever added.
    number: NonZeroU64,
    events: Vec<E>,
    most: usize,
}

/// A copy has another number, so that it may continue differently.
impl<E: Clone> Clone for EventLog<E> {
    fn clone(&self) -> Self {
        Self {
            number: next_number(),
            events: self.events.clone(),
            most: self.most,
        }
    }
}

impl<E> EventLog<E> {
    /// A log for at most this many events. No game can reach the bounds.
    pub fn new(most: u32) -> Self {
        Self {
            number: next_number(),
            events: Vec::new(),
            most: most as usize,
        }
    }

    /// Adds an event.
    pub fn push(&mut self, event: E) {
        if self.events.len() < self.most {
            self.events.push(event);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.keep_from(self.events.len());
    }

    /// Starts again with the last events, from this one on.
    pub(crate) fn keep_from(&mut self, first: usize) {
        self.events.drain(..first);
        self.number = next_number();
    }

    pub(crate) const fn number(&self) -> NonZeroU64 {
        self.number
    }

    pub(crate) fn events(&self) -> &[E] {
        &self.events
    }
}

fn next_number() -> NonZeroU64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    NonZeroU64::MIN.saturating_add(LAST.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_a_log_has_its_events_and_its_own_number() {
        let mut log = EventLog::new(10);
        log.push(1);
        let mut copy = log.clone();
        log.push(2);
        copy.push(3);
        assert_eq!((log.events(), copy.events()), (&[1, 2][..], &[1, 3][..]));
        assert_ne!(log.number(), copy.number());
    }
}
