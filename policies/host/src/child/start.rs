//! A policy's process from its start to the policy that it has created.

use std::time::{Duration, Instant};

use confinement::Confinement;

use super::frame::FrameWriter;
use super::order::{CreateOrder, LoadOrder, log_level};
use super::policy::ChildPolicy;
use super::process::{ChildProcess, Lost};
use super::reply::ChildReply;
use super::request::{write_create, write_load};
use super::trial::{TrialError, answer_scripted_round, leave_nothing};
use crate::child::launch::Launch;
use crate::child::options::StartOptions;
use crate::confine::confinement_to_load;
use crate::fault::child_error::{ChildError, Doing};
use crate::fault::own_time::OwnTimeLimit;
use crate::find::announced::AnnouncedIdentity;
use crate::find::child_library::ChildLibrary;
use crate::find::describe::Description;
use crate::find::params::ParamValues;
use crate::limits::{LOAD_IDLE_TIMEOUT, MAX_START};
use crate::policy_config::{Isolation, PolicyConfig};

/// The settings for starting a policy's process.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildSpec {
    pub library: ChildLibrary,
    /// The policy's id.
    pub policy: String,
    pub params: ParamValues,
    /// The confinement of its process; `None`: it has only the limits of its user.
    pub confinement: Option<Confinement>,
    /// The bot that it plays for.
    pub options: StartOptions,
    /// Whether it plays together with others, see `policy_abi::together`.
    pub together: bool,
}

impl ChildSpec {
    fn create_order(&self) -> CreateOrder {
        CreateOrder {
            id: self.policy.clone(),
            params: self.params.clone(),
            players: self.options.players,
            config_folder: self.options.config_folder.clone(),
            together: self.together,
            leaves_nothing: false,
        }
    }
}

/// A process that loads a library.
pub(crate) struct StartingChild {
    process: ChildProcess,
    writer: FrameWriter,
    /// For everything until its policy can be asked.
    limit: OwnTimeLimit,
}

impl StartingChild {
    /// Starts a process and orders it to load a library. All until its policy can be asked must
    /// happen `within` this much of its own time. Before its library is loaded it may not wait for
    /// ten seconds without any work: what waits for something else belongs into the creation of the
    /// policy. `bot` is the name with which what the process logs is logged.
    pub(crate) fn load(
        launch: &Launch,
        library: &ChildLibrary,
        mut confinement: Option<Confinement>,
        bot: &str,
        within: Duration,
    ) -> Result<Self, ChildError> {
        let mut limit = OwnTimeLimit::new(Instant::now(), within, MAX_START);
        limit.limit_idle(LOAD_IDLE_TIMEOUT);
        let mut writer = FrameWriter::default();
        if let (Some(confinement), ChildLibrary::File { copy, .. }) = (&mut confinement, library) {
            confinement.add_readable(copy.clone());
        }
        let memory_mib = confinement.as_ref().and_then(Confinement::memory_mib);
        let order = LoadOrder {
            library: library.clone(),
            confinement,
            log_level: log_level(),
        };
        let frame = write_load(&order, &mut writer)?;
        let mut process =
            ChildProcess::spawn(launch, bot, memory_mib).map_err(|error| ChildError::Spawn {
                program: launch.program.clone(),
                error,
            })?;
        process
            .send(frame, &mut limit)
            .map_err(|lost| failed(Doing::Loading, lost, &limit))?;
        Ok(Self {
            process,
            writer,
            limit,
        })
    }

    /// Waits for the library's description.
    pub(crate) fn description(&mut self) -> Result<Description, ChildError> {
        match self.reply(Doing::Loading)? {
            ChildReply::Described(description) => {
                self.limit.limit_idle(Duration::MAX);
                Ok(description)
            }
            other => Err(ChildError::BadFrame {
                doing: Doing::Loading,
                frame: other.unexpected(),
            }),
        }
    }

    /// Has the process create a policy of its library. Also returns the rest of the limit.
    fn create(mut self, order: &CreateOrder) -> Result<(ChildPolicy, OwnTimeLimit), ChildError> {
        let frame = write_create(order, &mut self.writer)?;
        let sent = self.process.send(frame, &mut self.limit);
        sent.map_err(|lost| failed(Doing::Creating, lost, &self.limit))?;
        match self.reply(Doing::Creating)? {
            ChildReply::Created {
                process,
                announced,
                shares,
            } => Ok((
                ChildPolicy::new(self.process, process, announced, shares, self.writer),
                self.limit,
            )),
            other => Err(ChildError::BadFrame {
                doing: Doing::Creating,
                frame: other.unexpected(),
            }),
        }
    }

    /// Has the process create the policy of a section and answer a scripted round, and ends it. One
    /// for a thread of the runner must leave nothing behind. Returns the name and version of a
    /// program that decides for it, and the time of the slowest decision.
    pub(crate) fn try_out(
        self,
        id: String,
        params: ParamValues,
        options: &StartOptions,
        section: &PolicyConfig,
    ) -> Result<(AnnouncedIdentity, Duration), TrialError> {
        let leaves_nothing = section.isolation == Isolation::Thread;
        let StartOptions {
            game,
            players,
            ref config_folder,
            ..
        } = *options;
        let order = CreateOrder {
            id,
            params,
            players,
            config_folder: config_folder.clone(),
            together: false,
            leaves_nothing,
        };
        let (mut policy, mut limit) = self.create(&order)?;
        let slowest = answer_scripted_round(&mut policy, game, players, section.think, &mut limit)?;
        let announced = policy.announced().clone();
        if leaves_nothing {
            leave_nothing(policy)?;
        }
        Ok((announced, slowest))
    }

    fn reply(&mut self, doing: Doing) -> Result<ChildReply, ChildError> {
        match self.process.receive(&mut self.limit) {
            Ok(ChildReply::Refused(reason)) => Err(ChildError::Refused(reason)),
            Ok(reply) => Ok(reply),
            Err(lost) => Err(failed(doing, lost, &self.limit)),
        }
    }
}

impl ChildPolicy {
    /// Starts a process and has it load a library and create a policy, all `within` this much of
    /// its own time.
    ///
    /// # Errors
    ///
    /// The reason why it fails. The process has then ended.
    pub fn start(spec: &ChildSpec, within: Duration) -> Result<Self, ChildError> {
        let StartOptions { bot, launch, .. } = &spec.options;
        let mut child =
            StartingChild::load(launch, &spec.library, spec.confinement.clone(), bot, within)?;
        child.description()?;
        child.create(&spec.create_order()).map(|(policy, _)| policy)
    }

    /// Has its process destroy it and create another one by the same settings, `within` this much
    /// of its own time. `None` if that fails; the process has then ended.
    pub(crate) fn followed_by(self, spec: &ChildSpec, within: Duration) -> Option<Self> {
        let (process, writer) = self.into_process()?;
        let child = StartingChild {
            process,
            writer,
            limit: OwnTimeLimit::new(Instant::now(), within, MAX_START),
        };
        let (policy, _) = child.create(&spec.create_order()).ok()?;
        Some(policy)
    }
}

/// Lets a process load and describe a library, all `within` this much of its own time. It has no
/// other permissions.
///
/// # Errors
///
/// The reason why that fails.
pub fn describe(
    launch: &Launch,
    library: &ChildLibrary,
    within: Duration,
) -> Result<Description, ChildError> {
    let confinement = confinement_to_load(library);
    StartingChild::load(launch, library, Some(confinement), "", within)?.description()
}

fn failed(doing: Doing, lost: Lost, limit: &OwnTimeLimit) -> ChildError {
    match lost {
        Lost::Died(end) => ChildError::Died { doing, end },
        Lost::Late => ChildError::Hung {
            doing,
            within: limit.reached(),
        },
        Lost::BadFrame(frame) => ChildError::BadFrame { doing, frame },
    }
}
