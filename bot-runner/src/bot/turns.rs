//! Whose turn it is to queue, where bots of this process must not meet at one table, and how many games are on at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

use super::arena::Arena;

/// The turns to queue of this process: one for each arena and number of players, since three and four players never meet.
#[derive(Debug, Default)]
pub struct QueueTurns(Mutex<HashMap<(String, u8), QueueTurn>>);

/// The turn to queue at one arena, which one bot holds at a time, or the permits for games. Clones are the same.
#[derive(Debug, Clone)]
pub struct QueueTurn {
    free: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// A turn that a bot holds until it gives it back.
#[derive(Debug)]
pub struct HeldTurn {
    turn: QueueTurn,
    permit: Mutex<Option<OwnedSemaphorePermit>>,
    in_game: AtomicBool,
}

/// What a bot holds while it queues and plays.
#[derive(Debug, Default)]
pub(super) struct Admission {
    /// Its turn to queue, given back when the game begins.
    pub(super) turn: Option<HeldTurn>,
    /// Its permit for a game, held to the game's end.
    pub(super) permit: Option<HeldTurn>,
}

impl Admission {
    /// The game has begun.
    pub(super) fn game_begins(&self) {
        if let Some(turn) = &self.turn {
            turn.give_back();
        }
        if let Some(permit) = &self.permit {
            permit.in_game.store(true, Ordering::Relaxed);
        }
    }

    /// Ready when the bot has queued for this long and another one waits for what it holds; never in a game.
    pub(super) async fn overdue(&self, after: Duration) {
        let of = async |held: &Option<HeldTurn>| match held {
            Some(held) => held.overdue(after).await,
            None => std::future::pending().await,
        };
        tokio::select! {
            () = of(&self.turn) => {}
            () = of(&self.permit) => {}
        }
    }
}

impl QueueTurns {
    /// The turn at an arena for games of so many players; `None` when bots may queue there together.
    #[must_use]
    pub fn at(&self, arena: &Arena, players: u8, together: bool) -> Option<QueueTurn> {
        if together {
            return None;
        }
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(turns.entry((arena.to_string(), players)).or_insert_with(|| QueueTurn::new(1)).clone())
    }
}

impl QueueTurn {
    /// One that so many bots may hold.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(most)), waiting: Arc::default() }
    }

    /// Takes the turn if nobody holds it.
    #[must_use]
    pub fn try_take(&self) -> Option<HeldTurn> {
        Arc::clone(&self.free).try_acquire_owned().ok().map(|permit| self.held(permit))
    }

    /// Takes the turn once it is this bot's; in the order in which bots came.
    pub(super) async fn take(&self) -> HeldTurn {
        let _waits = TurnWaiter::one_more(&self.waiting);
        let permit = Arc::clone(&self.free).acquire_owned().await.expect("the semaphore is never closed");
        self.held(permit)
    }

    fn held(&self, permit: OwnedSemaphorePermit) -> HeldTurn {
        HeldTurn { turn: self.clone(), permit: Mutex::new(Some(permit)), in_game: AtomicBool::new(false) }
    }
}

impl HeldTurn {
    /// Gives the turn back.
    fn give_back(&self) {
        self.permit().take();
    }

    /// Ready when the turn has been held for this long and another bot waits for it; never once the game has begun.
    async fn overdue(&self, after: Duration) {
        loop {
            sleep(after).await;
            if self.permit().is_none() || self.in_game.load(Ordering::Relaxed) {
                std::future::pending::<()>().await;
            }
            if self.turn.waiting.load(Ordering::Relaxed) > 0 {
                return;
            }
        }
    }

    fn permit(&self) -> std::sync::MutexGuard<'_, Option<OwnedSemaphorePermit>> {
        self.permit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a bot that waits, until it is dropped.
struct TurnWaiter<'a>(&'a AtomicUsize);

impl<'a> TurnWaiter<'a> {
    fn one_more(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for TurnWaiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
