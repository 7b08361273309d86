//! A policy in a process of its own, as the runner sees it.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use super::error::{ChildError, Doing};
use super::frame::{FrameWriter, Garbled};
use super::launch::Launch;
use super::order::{ChildLibrary, Order, PolicyOrder, log_level};
use super::process::{Lost, Process};
use super::questions::{write_order, write_question};
use super::words::Said;
use crate::plugin::describe::Description;
use crate::plugin::instance::{Decided, Fault};
use crate::plugin::{ParamValues, StartOptions, ViewBuffer};

/// How long a process may take to end by itself, its policy destroyed.
const END_WITHIN: Duration = Duration::from_secs(2);

/// What a policy's process is started from.
#[derive(Debug, Clone)]
pub struct ChildSpec {
    /// The library.
    pub library: ChildLibrary,
    /// The policy's id.
    pub policy: String,
    /// Its parameters.
    pub params: ParamValues,
    /// Who it plays for.
    pub options: StartOptions,
}

/// A policy in a process of its own, which ends with this.
///
/// To be used and dropped on the thread that started it: when that thread ends, so does the process. A drop waits up to
/// two seconds for the policy to end.
#[derive(Debug)]
pub struct ChildPolicy {
    /// Or why it is gone.
    process: Result<Process, Fault>,
    writer: FrameWriter,
    description: Description,
    /// Linux kills the process when the thread that started it ends.
    _on_its_thread: PhantomData<*const ()>,
}

impl ChildPolicy {
    /// Starts a process and has it load the library and make the policy, all within `within`.
    ///
    /// # Errors
    ///
    /// When that does not come about. The process is gone by then.
    pub fn start(spec: &ChildSpec, within: Duration) -> Result<Self, ChildError> {
        let StartOptions { bot, players, config_folder, launch } = &spec.options;
        let (id, params) = (spec.policy.clone(), spec.params.clone());
        let policy = PolicyOrder { id, params, players: *players, config_folder: config_folder.clone() };
        let mut start = Start::of(launch, &spec.library, Some(policy), bot, within)?;
        let description = start.described()?;
        start.created()?;
        let Start { process, writer, .. } = start;
        Ok(Self { process: Ok(process), writer, description, _on_its_thread: PhantomData })
    }

    /// What the library says of itself.
    #[must_use]
    pub const fn description(&self) -> &Description {
        &self.description
    }

    /// The process's number, as long as it is there.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.process.as_ref().ok().map(Process::id)
    }

    /// Asks for a decision, and kills the process when there is none after `within`.
    ///
    /// The policy is told that the answer is no longer wanted when the view's own budget is over; `within` should leave it
    /// a while to take notice.
    ///
    /// # Errors
    ///
    /// When there is none. After [`Fault::Died`], [`Fault::Hung`] and [`Fault::Garbled`] the process is gone and each
    /// later call repeats the fault; after [`Fault::Panicked`] it is there, but the policy decides no more. The others
    /// leave it as it was.
    pub fn decide(&mut self, view: &ViewBuffer, within: Duration) -> Result<Decided, Fault> {
        let process = self.process.as_mut().map_err(|fault| fault.clone())?;
        let until = Instant::now() + within;
        let frame = write_question(view, &mut self.writer);
        let said = process.tell(frame, until).and_then(|()| process.listen(until));
        let decided = match said {
            Ok(Said::Decided(decided)) => decided,
            Ok(Said::Panicked(text)) => return Err(Fault::Panicked(text)),
            Ok(Said::Failed(text)) => return Err(Fault::Failed(text)),
            Ok(other) => return self.lose(Fault::Garbled(unexpected(&other))),
            Err(Lost::Died(ended)) => return self.lose(Fault::Died(ended)),
            Err(Lost::Late) => return self.lose(Fault::Hung),
            Err(Lost::Garbled(garbled)) => return self.lose(Fault::Garbled(garbled)),
        };
        let of = view.parts().1.len();
        if decided.index >= of {
            return Err(Fault::OutOfRange { index: decided.index as u32, of: of as u32 });
        }
        let values = if decided.values.len() == of { decided.values } else { Vec::new() };
        Ok(Decided { values, ..decided })
    }

    fn lose(&mut self, fault: Fault) -> Result<Decided, Fault> {
        self.process = Err(fault.clone());
        Err(fault)
    }
}

impl Drop for ChildPolicy {
    fn drop(&mut self) {
        if let Ok(process) = &mut self.process {
            process.end(END_WITHIN);
        }
    }
}

/// Has a process load the library of a file and tell what it says of itself, all within `within`; `bot` is whose log lines
/// those of the process are. What is built in needs no process for that.
///
/// # Errors
///
/// When that does not come about.
pub fn describe(
    launch: &Launch,
    library: &ChildLibrary,
    bot: &str,
    within: Duration,
) -> Result<Description, ChildError> {
    Start::of(launch, library, None, bot, within)?.described()
}

/// A process that has been given its order.
struct Start {
    process: Process,
    writer: FrameWriter,
    within: Duration,
    until: Instant,
}

impl Start {
    fn of(
        launch: &Launch,
        library: &ChildLibrary,
        policy: Option<PolicyOrder>,
        bot: &str,
        within: Duration,
    ) -> Result<Self, ChildError> {
        let until = Instant::now() + within;
        let order = Order { library: library.clone(), policy, log_level: log_level() };
        let mut writer = FrameWriter::default();
        let frame = write_order(&order, &mut writer)?;
        let mut process = Process::spawn(launch, bot)
            .map_err(|error| ChildError::Spawn { program: launch.program.clone(), error })?;
        process.tell(frame, until).map_err(|lost| failed(Doing::Loading, lost, within))?;
        Ok(Self { process, writer, within, until })
    }

    fn described(&mut self) -> Result<Description, ChildError> {
        match self.listen(Doing::Loading)? {
            Said::Described(description) => Ok(description),
            other => Err(ChildError::Garbled { doing: Doing::Loading, garbled: unexpected(&other) }),
        }
    }

    fn created(&mut self) -> Result<(), ChildError> {
        match self.listen(Doing::Creating)? {
            Said::Created => Ok(()),
            other => Err(ChildError::Garbled { doing: Doing::Creating, garbled: unexpected(&other) }),
        }
    }

    fn listen(&mut self, doing: Doing) -> Result<Said, ChildError> {
        match self.process.listen(self.until) {
            Ok(Said::Refused(text)) => Err(ChildError::Refused(text)),
            Ok(said) => Ok(said),
            Err(lost) => Err(failed(doing, lost, self.within)),
        }
    }
}

fn failed(doing: Doing, lost: Lost, within: Duration) -> ChildError {
    match lost {
        Lost::Died(ended) => ChildError::Died { doing, ended },
        Lost::Late => ChildError::Hung { doing, within },
        Lost::Garbled(garbled) => ChildError::Garbled { doing, garbled },
    }
}

/// A frame that is one, but not now. The process that sent it is dropped, and killed with that.
fn unexpected(said: &Said) -> Garbled {
    let name = match said {
        Said::Described(_) => "a description",
        Said::Created => "that the policy is made",
        Said::Refused(_) => "a refusal",
        Said::Decided(_) => "a decision",
        Said::Panicked(_) | Said::Failed(_) => "a fault",
        Said::Logged(..) => "a line for the log",
    };
    Garbled(format!("{name}, which nobody waits for"))
}
