//! The runner's handle for a policy in its own process.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use super::frame::FrameWriter;
use super::process::{ChildProcess, Lost};
use super::reply::ChildReply;
use super::request::write_question;
use crate::fault::own_time::OwnTimeLimit;
use crate::fault::{Decided, Fault};
use crate::find::announced::AnnouncedIdentity;
use crate::limits::{HUNG_AFTER, MAX_OVERDUE};
use crate::view::ViewBuffer;

/// Maximum time for a process to end after its policy was destroyed.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum time for a process to exit after its trial. On a busy machine a sound policy needs more
/// than half a second.
const TRIAL_EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// A policy in its own process, which ends when this is dropped.
///
/// Use and drop it on the thread that started it, because the process ends with that thread. A drop
/// waits up to two seconds for the policy to end.
#[derive(Debug)]
pub struct ChildPolicy {
    /// The process, or how it ended.
    process: Result<ChildProcess, Fault>,
    /// Number of the process that runs the policy, as it reports it.
    id: u32,
    announced: AnnouncedIdentity,
    /// Whether another policy may follow it in its process.
    shares: bool,
    writer: FrameWriter,
    /// Number of the last question.
    asked: u64,
    /// Linux kills the process when the thread that started it ends.
    _on_its_thread: PhantomData<*const ()>,
}

impl ChildPolicy {
    pub(super) const fn new(
        process: ChildProcess,
        id: u32,
        announced: AnnouncedIdentity,
        shares: bool,
        writer: FrameWriter,
    ) -> Self {
        Self {
            process: Ok(process),
            id,
            announced,
            shares,
            writer,
            asked: 0,
            _on_its_thread: PhantomData,
        }
    }

    /// The name and version of a program that decides for it.
    pub const fn announced(&self) -> &AnnouncedIdentity {
        &self.announced
    }

    /// The id of the process that runs the policy, as it reports it, while it is running.
    pub fn id(&self) -> Option<u32> {
        self.process.as_ref().ok().map(|_| self.id)
    }

    /// Whether another policy may follow it in its process: it knows that it plays together with
    /// others, and its process has not ended.
    pub(crate) const fn may_be_followed(&self) -> bool {
        self.shares && self.process.is_ok()
    }

    /// Its process, which still holds it, with the buffer for what is sent; `None` if it has ended.
    pub(super) fn into_process(mut self) -> Option<(ChildProcess, FrameWriter)> {
        let process = std::mem::replace(&mut self.process, Err(Fault::Hung)).ok()?;
        Some((process, std::mem::take(&mut self.writer)))
    }

    /// Asks for a decision, and kills the process if there is none a second of its own time after
    /// `budget` is over.
    ///
    /// The policy is notified that the answer is no longer wanted when the view's own budget is
    /// over.
    ///
    /// # Errors
    ///
    /// If there is no decision. After [`Fault::Died`], [`Fault::Hung`], [`Fault::Kept`] and
    /// [`Fault::BadFrame`] the process has ended and each later call repeats the fault; after
    /// [`Fault::Panicked`] it is running, but the policy decides no more. The other faults leave it
    /// usable.
    pub fn decide(&mut self, view: &ViewBuffer, budget: Duration) -> Result<Decided, Fault> {
        self.decide_within(
            view,
            &mut OwnTimeLimit::new(Instant::now() + budget, HUNG_AFTER, MAX_OVERDUE),
        )
    }

    pub(super) fn decide_within(
        &mut self,
        view: &ViewBuffer,
        limit: &mut OwnTimeLimit,
    ) -> Result<Decided, Fault> {
        let process = self.process.as_mut().map_err(|fault| fault.clone())?;
        self.asked += 1;
        let frame = write_question(self.asked, view, &mut self.writer);
        let reply = process
            .send(frame, limit)
            .and_then(|()| process.receive(limit));
        let result = match reply {
            Ok(ChildReply::Answered { question, result }) if question == self.asked => result,
            Ok(other) => return self.lose(Fault::BadFrame(other.unexpected())),
            Err(Lost::Died(end)) => return self.lose(Fault::Died(end)),
            Err(Lost::Late) => {
                return self.lose(limit.kept_by().map_or(Fault::Hung, Fault::Kept));
            }
            Err(Lost::BadFrame(frame)) => return self.lose(Fault::BadFrame(frame)),
        };
        let decided = result?;
        let of = view.actions();
        if decided.index >= of {
            return Err(Fault::OutOfRange {
                index: decided.index as u32,
                of: of as u32,
            });
        }
        let values = if decided.values.len() == of {
            decided.values
        } else {
            Vec::new()
        };
        Ok(Decided { values, ..decided })
    }

    /// The own time that a limit leaves it.
    pub(super) fn left(&self, limit: &mut OwnTimeLimit) -> Duration {
        self.process
            .as_ref()
            .map_or(Duration::ZERO, |process| limit.left(process.root()))
    }

    /// The first error that it has logged since the last call.
    pub fn take_logged_error(&mut self) -> Option<String> {
        self.process.as_mut().ok()?.take_logged_error()
    }

    /// Ends it; returns how it ended, or its last reply.
    pub(super) fn end_with_a_word(mut self) -> Result<ChildReply, Lost> {
        match std::mem::replace(&mut self.process, Err(Fault::Hung)) {
            Ok(mut process) => process.end_with_a_word(END_TIMEOUT, TRIAL_EXIT_TIMEOUT),
            Err(_) => Err(Lost::Late),
        }
    }

    /// Drops the process, which kills it; later calls repeat the fault.
    fn lose(&mut self, fault: Fault) -> Result<Decided, Fault> {
        self.process = Err(fault.clone());
        Err(fault)
    }
}

impl Drop for ChildPolicy {
    fn drop(&mut self) {
        if let Ok(process) = &mut self.process {
            process.end(END_TIMEOUT);
        }
    }
}
