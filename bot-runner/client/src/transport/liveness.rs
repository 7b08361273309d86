//! Whether a connection is still alive, based on when data arrived.

use std::time::{Duration, Instant};

use super::Limits;

/// The times of one connection.
#[derive(Debug)]
pub struct Liveness {
    limits: Limits,
    next_ping: Instant,
    /// The time of the oldest unanswered ping.
    unanswered: Option<Instant>,
    last_frame: Instant,
}

/// The reason why a connection counts as dead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Dead {
    #[error("no answer to a ping for {0:?}")]
    NoPong(Duration),
    /// No data arrives although a game is in progress.
    #[error("nothing heard for {0:?} in a game")]
    Silent(Duration),
    /// The other side does not read our data.
    #[error("the arena reads nothing for {0:?}")]
    NotReading(Duration),
}

impl Liveness {
    pub fn new(limits: Limits, now: Instant) -> Self {
        Self {
            limits,
            next_ping: now + limits.ping_every,
            unanswered: None,
            last_frame: now,
        }
    }

    pub fn on_pong(&mut self) {
        self.unanswered = None;
    }

    /// Notes a frame with content.
    pub fn on_frame(&mut self, now: Instant) {
        self.last_frame = now;
    }

    /// Whether a ping is due now; it then counts as sent.
    pub fn ping_due(&mut self, now: Instant) -> bool {
        if now < self.next_ping {
            return false;
        }
        self.next_ping = now + self.limits.ping_every;
        self.unanswered.get_or_insert(now);
        true
    }

    pub fn next_check(&self, in_game: bool) -> Instant {
        let mut next = self.next_ping;
        if let Some(sent) = self.unanswered {
            next = next.min(sent + self.limits.pong);
        }
        if in_game {
            next = next.min(self.last_frame + self.limits.frame);
        }
        next
    }

    pub fn dead(&self, now: Instant, in_game: bool) -> Option<Dead> {
        let Limits { pong, frame, .. } = self.limits;
        if self.unanswered.is_some_and(|sent| now >= sent + pong) {
            return Some(Dead::NoPong(pong));
        }
        (in_game && now >= self.last_frame + frame).then_some(Dead::Silent(frame))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn a_ping_is_due_every_20_seconds_and_40_without_a_pong_are_the_end() {
        let start = Instant::now();
        let mut live = Liveness::new(Limits::default(), start);
        assert!(!live.ping_due(after(start, 19)));
        assert!(live.ping_due(after(start, 20)));
        assert!(!live.ping_due(after(start, 21)));
        assert!(
            live.ping_due(after(start, 40)),
            "an unanswered ping does not stop the next"
        );
        assert_eq!(live.dead(after(start, 59), false), None);
        assert_eq!(
            live.dead(after(start, 60), false),
            Some(Dead::NoPong(Duration::from_secs(40)))
        );
        live.on_pong();
        assert_eq!(live.dead(after(start, 60), false), None);
    }

    #[test]
    fn two_minutes_of_silence_are_the_end_in_a_game_and_nothing_in_the_queue() {
        let start = Instant::now();
        let mut live = Liveness::new(Limits::default(), start);
        live.on_frame(after(start, 10));
        assert_eq!(live.dead(after(start, 129), true), None);
        assert_eq!(
            live.dead(after(start, 130), true),
            Some(Dead::Silent(Duration::from_secs(120)))
        );
        assert_eq!(live.dead(after(start, 1000), false), None);
        assert_eq!(live.next_check(true), after(start, 20));
    }
}
