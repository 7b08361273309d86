//! Says when a policy hangs.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::sleep_until;

use crate::call::host::{Context, Start};
use crate::fault::KeptBy;
use crate::fault::own_time::{LOOK_EVERY, OwnTimeLimit};
use crate::limits::{CHILD_KILL_MARGIN, HUNG_AFTER, MAX_OVERDUE, MAX_START, START_TIMEOUT};
use crate::policy_config::Isolation;

/// Why a policy's thread is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overdue {
    Hangs,
    /// This keeps it from running.
    IsKept(KeptBy),
}

/// Says when a policy's thread hangs in a job. A look at the policy may take some time, so another
/// thread does that, which exists only while a job is overdue.
#[derive(Debug)]
pub(crate) struct HangAlarm {
    context: Arc<Context>,
    /// The thread that waits for a child reports its hanging before that.
    margin: Duration,
    hung: Option<oneshot::Receiver<Overdue>>,
}

impl HangAlarm {
    pub(crate) fn new(context: &Arc<Context>, isolation: Isolation) -> Self {
        let margin = match isolation {
            Isolation::Thread => Duration::ZERO,
            Isolation::Process => CHILD_KILL_MARGIN,
        };
        Self {
            context: Arc::clone(context),
            margin,
            hung: None,
        }
    }

    /// Stops watching the job.
    pub(crate) fn reset(&mut self) {
        self.hung = None;
    }

    /// Ready when the job whose time is over at this moment hangs. Starting may take longer than
    /// deciding.
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn rings(&mut self, until: Instant) -> Overdue {
        // Most jobs that are late return soon.
        sleep_until((until + LOOK_EVERY).into()).await;
        if self.hung.is_none() {
            let (sender, hung) = oneshot::channel();
            let (context, margin) = (Arc::clone(&self.context), self.margin);
            let watch = move || watch(&context, until, margin, sender);
            match thread::Builder::new()
                .name("policy-watch".to_owned())
                .spawn(watch)
            {
                Ok(_) => self.hung = Some(hung),
                // Then only the clock counts.
                Err(_) => {
                    sleep_until((until + MAX_OVERDUE).into()).await;
                    return Overdue::Hangs;
                }
            }
        }
        let overdue = match &mut self.hung {
            Some(hung) => hung.await.unwrap_or(Overdue::Hangs),
            None => Overdue::Hangs,
        };
        self.hung = None;
        overdue
    }
}

/// Looks at a policy until it hangs, or its job is watched no more.
fn watch(context: &Context, until: Instant, margin: Duration, hung: oneshot::Sender<Overdue>) {
    let mut watched: Option<(Instant, OwnTimeLimit)> = None;
    while !hung.is_closed() {
        let (from, own, in_all) = match context.start() {
            Start::Since(since) => (since, START_TIMEOUT + HUNG_AFTER, MAX_START),
            Start::Ready(at) | Start::Failed(at) => (until.max(at), HUNG_AFTER, MAX_OVERDUE),
        };
        let limit = match &mut watched {
            Some((since, limit)) if *since == from => limit,
            other => {
                &mut other
                    .insert((from, OwnTimeLimit::new(from, own + margin, in_all + margin)))
                    .1
            }
        };
        // Before it is there, it waits for its first time on a processor.
        if context
            .thread
            .get()
            .is_some_and(|thread| limit.is_over(*thread))
        {
            let _ = hung.send(limit.kept_by().map_or(Overdue::Hangs, Overdue::IsKept));
            return;
        }
        thread::sleep(LOOK_EVERY);
    }
}
