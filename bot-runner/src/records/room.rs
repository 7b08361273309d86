//! How much may wait for the disk, in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What may wait of all bots of the process, bytes: when a disk is stuck it takes no more than that, however many play.
static OF_ALL: Tally = Tally::up_to(64 << 20);

/// What may wait of one bot, bytes: several games, or two of the largest frames.
const OF_A_BOT: usize = 8 << 20;

#[derive(Debug)]
struct Tally {
    most: usize,
    taken: AtomicUsize,
}

impl Tally {
    const fn up_to(most: usize) -> Self {
        Self { most, taken: AtomicUsize::new(0) }
    }

    fn take(&self, bytes: usize) -> bool {
        let more = |taken: usize| taken.checked_add(bytes).filter(|&sum| sum <= self.most);
        self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    fn give_back(&self, bytes: usize) {
        self.taken.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The room for what waits of one bot, which is a part of that for all.
#[derive(Debug, Clone)]
pub(super) struct Room {
    own: Arc<Tally>,
    all: &'static Tally,
}

/// Room that is taken, until this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    room: Room,
    bytes: usize,
}

impl Room {
    /// For another bot.
    pub(super) fn of_a_bot() -> Self {
        Self { own: Arc::new(Tally::up_to(OF_A_BOT)), all: &OF_ALL }
    }

    /// Takes so much room, if there is that much.
    pub(super) fn take(&self, bytes: usize) -> Option<Place> {
        if !self.own.take(bytes) {
            return None;
        }
        if !self.all.take(bytes) {
            self.own.give_back(bytes);
            return None;
        }
        Some(Place { room: self.clone(), bytes })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.room.own.give_back(self.bytes);
        self.room.all.give_back(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_share_the_room_of_the_process_and_each_has_a_limit_of_its_own() {
        static ALL: Tally = Tally::up_to(10);
        let [one, other] = [(); 2].map(|()| Room { own: Arc::new(Tally::up_to(6)), all: &ALL });
        let first = one.take(6).expect("there is room");
        assert!(one.take(1).is_none(), "its own room is full");
        let second = other.take(4).expect("there is room");
        assert!(other.take(1).is_none(), "the room of all is full");
        drop(first);
        assert!(one.take(6).is_some() && other.take(2).is_some() && other.take(3).is_none());
        drop(second);
        assert_eq!(ALL.taken.load(Ordering::Relaxed), 0);
        assert!(other.take(usize::MAX).is_none());
    }
}
