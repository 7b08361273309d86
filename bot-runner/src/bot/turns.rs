//! Whose turn it is to queue.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use super::arena::Arena;

/// Which bots of this process may queue when: one at a time at each arena where they must not meet. Three and four players
/// never do.
#[derive(Debug, Default)]
pub struct QueueTurns(Mutex<HashMap<(String, u8), Arc<Semaphore>>>);

impl QueueTurns {
    /// The turn at an arena for games of so many; `None` when bots may queue there together.
    #[must_use]
    pub fn at(&self, arena: &Arena, players: u8, together: bool) -> Option<Arc<Semaphore>> {
        if together {
            return None;
        }
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(turns.entry((arena.to_string(), players)).or_insert_with(|| Arc::new(Semaphore::new(1)))))
    }
}
