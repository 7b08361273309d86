//! The way of a ready policy to its seat.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{oneshot, watch};

use crate::fault::set_aside::SeatCondition;
use crate::run::pace::Pace;
use crate::run::thread::PolicyThread;

/// A policy that is ready to take over.
#[derive(Debug)]
pub struct Replacement {
    /// The policy, started.
    pub policy: PolicyThread,
    pub pace: Pace,
    /// Sent to when it has taken over; dropped when it never will.
    pub taken: oneshot::Sender<()>,
}

/// The place for a policy that waits to take over; a newer one replaces it.
type WaitingReplacement = Arc<Mutex<Option<Replacement>>>;

/// Sends policies to a seat.
#[derive(Debug)]
pub struct ReplacementSender {
    waiting: WaitingReplacement,
    news: watch::Sender<()>,
    condition: SeatCondition,
}

/// Receives policies at a seat.
#[derive(Debug)]
pub(crate) struct ReplacementReceiver {
    waiting: WaitingReplacement,
    news: watch::Receiver<()>,
}

/// A channel to a seat with this condition.
pub(crate) fn channel(condition: SeatCondition) -> (ReplacementSender, ReplacementReceiver) {
    let waiting = WaitingReplacement::default();
    let (sender, receiver) = watch::channel(());
    let sender = ReplacementSender {
        waiting: Arc::clone(&waiting),
        news: sender,
        condition,
    };
    (
        sender,
        ReplacementReceiver {
            waiting,
            news: receiver,
        },
    )
}

impl ReplacementSender {
    /// Has a policy wait to take over; one that still waits is dropped for it.
    pub fn put(&self, replacement: Replacement) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(replacement);
        // The seat is empty: it is dropped with this.
        let _ = self.news.send(());
    }

    /// The condition of the policy at the seat.
    pub const fn condition(&self) -> &SeatCondition {
        &self.condition
    }

    pub fn has_waiting(&self) -> bool {
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some()
    }

    /// Drops the policy that waits to take over, if one does; returns whether one did.
    pub fn withdraw(&self) -> bool {
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
            .is_some()
    }

    /// Ready when the seat is empty.
    pub async fn closed(&self) {
        self.news.closed().await;
    }
}

impl ReplacementReceiver {
    /// The policy that waits, if it may take over now.
    pub(crate) fn take_if(
        &mut self,
        suits: impl FnOnce(&Replacement) -> bool,
    ) -> Option<Replacement> {
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take_if(|waiting| suits(waiting))
    }

    /// Whether a policy of this kind waits.
    pub(crate) fn has(&self, wanted: impl FnOnce(&Replacement) -> bool) -> bool {
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .is_some_and(wanted)
    }

    /// Ready when another policy waits; never when all senders are dropped.
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn changed(&mut self) {
        if self.news.changed().await.is_err() {
            std::future::pending().await
        }
    }
}
