//! A policy that is new to this process, found and tried out before anything of it runs here.

use std::path::Path;
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::config::{Isolation, PolicyConfig, Problems};
use crate::plugin::child::{ProbeError, probe};
use crate::plugin::{ChosenPolicy, Libraries, PolicyIdentity, StartOptions};

/// Longest wait for a policy to be tried out, its start included.
const PROBE_WITHIN: Duration = Duration::from_secs(60);

/// Why a policy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// Something is wrong with the config's `[policy]` section, or with the library that it names.
    #[error(transparent)]
    Config(#[from] Problems),
    /// It did not get through.
    #[error("tried out in a process of its own: {0}")]
    Tried(#[from] ProbeError),
    /// It is not what was tried out.
    #[error("its file has changed while it was tried out; it is looked at again")]
    Changed,
}

/// A policy that a config names. Nothing of it has run in this process.
#[derive(Debug)]
pub struct Candidate<'a> {
    libraries: &'a Libraries,
    file: &'a Path,
    config: &'a PolicyConfig,
    options: &'a StartOptions,
    described: ChosenPolicy,
}

impl<'a> Candidate<'a> {
    /// Finds the policy that a config's file names.
    ///
    /// # Errors
    ///
    /// All that is wrong with the config's `[policy]` section.
    pub fn find(
        libraries: &'a Libraries,
        file: &'a Path,
        config: &'a PolicyConfig,
        options: &'a StartOptions,
    ) -> Result<Self, Unfit> {
        let apart = PolicyConfig { isolation: Isolation::Process, ..config.clone() };
        let described = libraries.find(file, &apart, options.players).map_err(Problems)?;
        Ok(Self { libraries, file, config, options, described })
    }

    /// Which policy of which build it is.
    #[must_use]
    pub fn identity(&self) -> PolicyIdentity {
        self.described.identity()
    }

    /// Tries it out in a process of its own, which may take a minute, and then takes it to where its config wants it.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub fn try_out(self) -> Result<ChosenPolicy, Unfit> {
        probe(&self.described.for_child(self.options), PROBE_WITHIN)?;
        if self.config.isolation == Isolation::Process {
            return Ok(self.described);
        }
        let policy = self.libraries.find(self.file, self.config, self.options.players).map_err(Problems)?;
        if policy.identity() == self.identity() { Ok(policy) } else { Err(Unfit::Changed) }
    }
}

/// Does something that may take long, or for ever, on a thread of its own: neither the network's tasks nor the end of the
/// program wait for it.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    let (sender, result) = oneshot::channel();
    let work = move || {
        // Nobody waits for it when the program ends.
        let _ = sender.send(work());
    };
    thread::Builder::new()
        .name("reload".to_owned())
        .spawn(work)
        .map_err(|error| format!("no thread is to be had: {error}"))?;
    result.await.map_err(|_| "a fault of the runner".to_owned())
}
