//! The way of a ready policy to its seat, for good or as a guest.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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

/// How far a guest is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuestStage {
    /// The policy at the seat decides until its decision is made.
    Waits,
    Sits,
    /// The seat's own policy decides again.
    Left,
}

/// A policy that plays for a while in place of the seat's own, which waits beside the seat.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(crate) policy: PolicyThread,
    /// Its time for a decision.
    pub(crate) think: Duration,
    pub(crate) stage: watch::Sender<GuestStage>,
}

/// What is wanted of a guest.
#[derive(Debug)]
pub(crate) enum GuestCall {
    Comes(Box<Guest>),
    Leaves,
}

/// What waits for a seat.
#[derive(Debug, Default)]
struct WaitingNews {
    /// A policy that waits to take over; a newer one replaces it.
    replacement: Option<Replacement>,
    guest: Option<GuestCall>,
}

type SharedNews = Arc<Mutex<WaitingNews>>;

fn lock(waiting: &SharedNews) -> MutexGuard<'_, WaitingNews> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends policies to a seat. Clones send to the same seat.
#[derive(Debug, Clone)]
pub struct ReplacementSender {
    waiting: SharedNews,
    news: watch::Sender<()>,
    condition: SeatCondition,
}

/// Receives policies at a seat.
#[derive(Debug)]
pub(crate) struct ReplacementReceiver {
    waiting: SharedNews,
    news: watch::Receiver<()>,
}

/// A channel to a seat with this condition.
pub(crate) fn channel(condition: SeatCondition) -> (ReplacementSender, ReplacementReceiver) {
    let waiting = SharedNews::default();
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
        lock(&self.waiting).replacement = Some(replacement);
        // The seat is empty: it is dropped with this.
        let _ = self.news.send(());
    }

    /// Has a policy, which is started, play as a guest with this time for a decision, from the next
    /// decision on until [`dismiss`](Self::dismiss). The stage ends when the seat is empty.
    pub fn invite(&self, policy: PolicyThread, think: Duration) -> watch::Receiver<GuestStage> {
        let (stage, stages) = watch::channel(GuestStage::Waits);
        lock(&self.waiting).guest = Some(GuestCall::Comes(Box::new(Guest {
            policy,
            think,
            stage,
        })));
        let _ = self.news.send(());
        stages
    }

    /// Has the guest leave, if there is one. A question that it has not decided goes to the seat's
    /// own policy.
    pub fn dismiss(&self) {
        lock(&self.waiting).guest = Some(GuestCall::Leaves);
        let _ = self.news.send(());
    }

    /// The condition of the policy at the seat.
    pub const fn condition(&self) -> &SeatCondition {
        &self.condition
    }

    pub fn has_waiting(&self) -> bool {
        lock(&self.waiting).replacement.is_some()
    }

    /// Drops the policy that waits to take over, if one does; returns whether one did.
    pub fn withdraw(&self) -> bool {
        lock(&self.waiting).replacement.take().is_some()
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
        lock(&self.waiting)
            .replacement
            .take_if(|waiting| suits(waiting))
    }

    /// What is wanted of a guest. While a question is asked, none comes.
    pub(crate) fn guest_call(&mut self, is_asked: bool) -> Option<GuestCall> {
        let now = |call: &mut GuestCall| !is_asked || matches!(call, GuestCall::Leaves);
        lock(&self.waiting).guest.take_if(now)
    }

    /// Whether a policy of this kind waits.
    pub(crate) fn has(&self, wanted: impl FnOnce(&Replacement) -> bool) -> bool {
        lock(&self.waiting).replacement.as_ref().is_some_and(wanted)
    }

    /// Ready with other news; never when all senders are dropped.
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn changed(&mut self) {
        if self.news.changed().await.is_err() {
            std::future::pending().await
        }
    }
}
