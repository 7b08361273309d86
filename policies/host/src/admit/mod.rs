//! The only way for a policy into a process: at its start, for a tournament, or as a swap.

pub(crate) mod chosen;
pub(crate) mod libraries;
pub(crate) mod trials;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use confinement::Confinement;

use crate::admit::chosen::{ChosenPolicy, PolicyIdentity, choose, content_of};
use crate::admit::libraries::Libraries;
use crate::admit::trials::{Passed, TrialKey};
use crate::child::options::StartOptions;
use crate::child::{StartingChild, TrialError};
use crate::fault::child_error::ChildError;
use crate::files::sha256::Sha256;
use crate::find::library::Library;
use crate::find::load::LoadError;
use crate::find::locate::{FindError, Location};
use crate::find::origin::Origin;
use crate::find::private::PrivateCopy;
use crate::limits::START_TIMEOUT;
use crate::policy_config::{Isolation, PolicyConfig};
use mistakes::KeyProblem;

/// Maximum time for the trial of a policy, including its start.
const TRIAL_TIMEOUT: Duration = START_TIMEOUT;

/// The current policy of a bot.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownPolicy {
    /// The section that it was admitted with.
    pub section: PolicyConfig,
    pub identity: PolicyIdentity,
    /// The private copy of its library, which is there while the policy is in use; `None` if it is
    /// linked into the runner.
    pub copy: Option<PathBuf>,
}

impl KnownPolicy {
    /// A policy that was admitted with this section.
    pub fn of(section: PolicyConfig, policy: &ChosenPolicy) -> Self {
        Self {
            section,
            identity: policy.identity(),
            copy: policy.library.copy().map(|copy| copy.path().to_owned()),
        }
    }

    /// Whether it is the same version as another: the same build with the same section, whatever
    /// gate that has.
    pub fn is_version_of(&self, other: &Self) -> bool {
        let section = PolicyConfig {
            gate: self.section.gate.clone(),
            ..other.section.clone()
        };
        other.identity.library == self.identity.library
            && other.identity.hash == self.identity.hash
            && self.section == section
    }

    fn is(&self, section: &PolicyConfig, origin: &Origin, hash: Option<Sha256>) -> bool {
        self.section == *section && self.identity.library == *origin && self.identity.hash == hash
    }
}

#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "it is made once and taken apart at once"
)]
pub enum Admitted {
    /// The bot already plays with this section and this build.
    Same,
    /// A policy that has passed its trial and is ready to be started.
    Ready(ChosenPolicy),
}

impl Libraries {
    /// Admits the policy of a `[policy]` section, for the bot and the tables that `options`
    /// describe.
    ///
    /// The library's file is read and hashed once, and copied. A child process loads the copy and
    /// describes it, creates the policy and answers a scripted round; then the same copy is loaded
    /// here, unless the policy has process isolation. Bots that ask for the same policy share all
    /// of that. A policy that is linked into the runner needs no trial. `asked` is when this was
    /// first asked for: a trial that has failed since then is not repeated.
    ///
    /// May take a minute; blocks the calling thread.
    ///
    /// # Errors
    ///
    /// The policy's process could read a file with a secret, the section has errors, or its library
    /// or policy cannot be used; the text says why.
    pub fn admit(
        &self,
        section: &PolicyConfig,
        options: &StartOptions,
        known: Option<&KnownPolicy>,
        asked: Instant,
    ) -> Result<Admitted, Vec<KeyProblem>> {
        let problem =
            |error: FindError| vec![KeyProblem::new(error.key(section), error.to_string())];
        let plays_already =
            |origin: &Origin, hash| known.is_some_and(|known| known.is(section, origin, hash));
        let watched = section.watched_content().map_err(|problem| vec![problem])?;
        let (location, confinement) = self
            .find(section, &options.config_folder, Some(options.game))
            .map_err(problem)?;
        let path = match location {
            Location::File(path) => path,
            Location::Builtin(_) if section.sha256.is_some() => {
                return Err(problem(FindError::BuiltinHasNoHash));
            }
            Location::Builtin(_) if plays_already(&Origin::Builtin, watched) => {
                return Ok(Admitted::Same);
            }
            Location::Builtin(library) => {
                return ChosenPolicy::choose_beside(
                    library,
                    section,
                    options,
                    confinement,
                    &self.builtin,
                )
                .map(Admitted::Ready);
            }
        };
        let content = self
            .contents
            .look_up(&path)
            .map_err(|error| problem(error.into()))?;
        let (hash, origin) = (content.hash, Origin::File(content.path.clone()));
        if let Some(allowed) = section.sha256.filter(|&allowed| allowed != hash) {
            return Err(problem(FindError::OtherBuild {
                path,
                found: hash,
                allowed,
            }));
        }
        if plays_already(&origin, content_of(Some(hash), watched)) {
            return Ok(Admitted::Same);
        }
        let key = TrialKey {
            content: content.clone(),
            watched,
            id: section.id.clone(),
            params: section.params.clone(),
            isolation: section.isolation,
            limits: section.limits.clone(),
            think: section.think,
            game: options.game,
            players: options.players,
            config_folder: options.config_folder.clone(),
        };
        let Passed {
            copy,
            description,
            index,
            params,
            announced,
            slowest,
        } = self.trials.outcome(key, asked, || {
            let copy = self
                .copy_of(&content)
                .map_err(|error| problem(error.into()))?;
            self.try_out(copy, &origin, &path, section, options, confinement.clone())
        })?;
        let library = match self.loaded(&copy, section.isolation) {
            Some(library) => library,
            None => {
                let opened = match section.isolation {
                    Isolation::Thread => Library::load(&content, copy),
                    Isolation::Process => {
                        Ok(Library::described(&content, copy, description.clone()))
                    }
                };
                self.note_loaded(
                    opened.map_err(|error| problem(error.into()))?,
                    section.isolation,
                )
            }
        };
        if library.description != description {
            return Err(problem(LoadError::Unsteady(path).into()));
        }
        let isolation = section.isolation;
        let (section, announced) = (section.clone(), Arc::new(OnceLock::from(announced)));
        let slowest_in_trial = Some(slowest);
        Ok(Admitted::Ready(ChosenPolicy {
            library,
            index,
            params,
            section,
            watched,
            isolation,
            confinement,
            announced,
            slowest_in_trial,
            when_unwanted: None,
        }))
    }

    /// Tests a policy in its own process.
    fn try_out(
        &self,
        copy: Arc<PrivateCopy>,
        origin: &Origin,
        path: &Path,
        section: &PolicyConfig,
        options: &StartOptions,
        confinement: Option<Confinement>,
    ) -> Result<Passed, Vec<KeyProblem>> {
        let at_loading = |error: ChildError| {
            let error = FindError::from(LoadError::in_child(path.to_owned(), error));
            vec![KeyProblem::new(error.key(section), error.to_string())]
        };
        let at_trial = |error: TrialError| {
            vec![KeyProblem::new(
                "policy",
                format!(
                    "{} was tried out in a process of its own: {error}",
                    path.display()
                ),
            )]
        };
        tracing::debug!(
            bot = options.bot,
            "trying out {} in a process of its own",
            path.display()
        );
        let library = copy.for_child(path);
        let mut child = StartingChild::load(
            &options.launch,
            &library,
            confinement,
            &options.bot,
            TRIAL_TIMEOUT,
        )
        .map_err(at_loading)?;
        let description = child.description().map_err(at_loading)?;
        let (index, params) = choose(&description, origin, section, options, &self.builtin)?;
        let id = description.policies[index].id.clone();
        let (announced, slowest) = child
            .try_out(id, params.clone(), options, section)
            .map_err(at_trial)?;
        Ok(Passed {
            copy,
            description,
            index,
            params,
            announced,
            slowest,
        })
    }
}

#[cfg(test)]
mod tests;
