//! Turns to queue, for bots of this process that must not meet at one table, and permits that limit
//! simultaneous games.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

use super::arena::Arena;

/// The turns to queue of this process: one for each arena and number of players, since three and
/// four players never meet.
#[derive(Debug, Default)]
pub struct QueueTurns(Mutex<HashMap<(String, u8), PermitPool>>);

/// A pool of permits for this many bots at once: the turn to queue at one arena, which one bot
/// holds, or the permits for games. Clones share the pool.
#[derive(Debug, Clone)]
pub struct PermitPool {
    free: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// A permit, held until it is released or dropped.
#[derive(Debug)]
pub struct Permit {
    pool: PermitPool,
    permit: Mutex<Option<OwnedSemaphorePermit>>,
}

/// The permits that a bot holds while it queues and plays.
#[derive(Debug, Default)]
pub(super) struct Admission {
    /// Its turn to queue, released when the game begins.
    turn: Option<Permit>,
    /// Its permit for a game, held to the game's end.
    permit: Option<Permit>,
    in_game: AtomicBool,
}

impl Admission {
    pub(super) fn new(turn: Option<Permit>, permit: Option<Permit>) -> Self {
        Self {
            turn,
            permit,
            in_game: AtomicBool::new(false),
        }
    }

    /// Releases the turn, because the game has begun.
    pub(super) fn game_begins(&self) {
        self.in_game.store(true, Ordering::Relaxed);
        if let Some(turn) = &self.turn {
            turn.give_back();
        }
    }

    /// Completes when the bot has queued for this long and another one waits for its permits; never
    /// during a game.
    pub(super) async fn overdue(&self, after: Duration) {
        loop {
            sleep(after).await;
            if self.in_game.load(Ordering::Relaxed) {
                std::future::pending::<()>().await;
            }
            if [&self.turn, &self.permit]
                .into_iter()
                .flatten()
                .any(Permit::is_awaited)
            {
                return;
            }
        }
    }
}

impl QueueTurns {
    /// The turn at an arena for games of this many players; `None` if bots may queue there
    /// together.
    pub fn at(&self, arena: &Arena, players: u8, together: bool) -> Option<PermitPool> {
        if together {
            return None;
        }
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(
            turns
                .entry((arena.to_string(), players))
                .or_insert_with(|| PermitPool::new(1))
                .clone(),
        )
    }
}

impl PermitPool {
    /// A pool for this many bots.
    pub fn new(most: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(most)),
            waiting: Arc::default(),
        }
    }

    /// Takes a permit if one is free.
    pub fn try_take(&self) -> Option<Permit> {
        Arc::clone(&self.free)
            .try_acquire_owned()
            .ok()
            .map(|permit| self.held(permit))
    }

    /// Takes a permit when it is this bot's turn; bots are served in order.
    pub(super) async fn take(&self) -> Permit {
        let _waits = PermitWaiter::one_more(&self.waiting);
        let permit = Arc::clone(&self.free)
            .acquire_owned()
            .await
            .expect("the semaphore is never closed");
        self.held(permit)
    }

    fn held(&self, permit: OwnedSemaphorePermit) -> Permit {
        Permit {
            pool: self.clone(),
            permit: Mutex::new(Some(permit)),
        }
    }
}

impl Permit {
    fn give_back(&self) {
        self.permit
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }

    /// Whether another bot waits for a permit.
    pub(super) fn is_awaited(&self) -> bool {
        self.pool.waiting.load(Ordering::Relaxed) > 0
    }
}

/// Counts a waiting bot until it is dropped.
struct PermitWaiter<'a>(&'a AtomicUsize);

impl<'a> PermitWaiter<'a> {
    fn one_more(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for PermitWaiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
