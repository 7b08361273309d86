//! A loaded library, or the policies linked into the runner: either way an entry table.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Instant;

use policy_sdk::Policy;

use crate::fault::own_time::{LOOK_EVERY, OwnTimeLimit, PolicyRoot};
use crate::files::sha256::Sha256;
use crate::find::child_library::ChildLibrary;
use crate::find::content::ContentId;
use crate::find::describe::{Description, Functions};
use crate::find::load::{self, DescribedLibrary, LoadError, read_entry};
use crate::find::origin::Origin;
use crate::find::private::PrivateCopy;
use crate::limits::{MAX_START, START_TIMEOUT};

/// A library with its policies.
#[derive(Debug)]
pub struct Library {
    pub origin: Origin,
    pub description: Description,
    /// Its content; `None` for a policy that is linked into the runner.
    pub hash: Option<Sha256>,
    /// The functions of each policy, in their order; none of a library that is left to child
    /// processes.
    functions: Vec<Functions>,
    /// Keeps the functions mapped; not needed for a policy that is linked into the runner. Closed
    /// before the copy is removed.
    _mapped: Option<libloading::Library>,
    /// The private copy that is mapped here or in child processes.
    copy: Option<Arc<PrivateCopy>>,
}

impl Library {
    /// The policy `P`, linked into this process.
    pub fn of<P: Policy>() -> Arc<Self> {
        let entry = policy_sdk::entry(P::DESCRIPTOR.id, const { &[policy_sdk::policy::<P>()] });
        // SAFETY: the SDK made the entry from statics of this process.
        let mut described =
            unsafe { read_entry(&raw const entry) }.expect("the SDK makes good entries");
        described.description.build_id = format!("{} {}", P::DESCRIPTOR.id, P::DESCRIPTOR.version);
        Arc::new(Self::here(Origin::Builtin, described))
    }

    /// A library of these policies, whose code is part of this process.
    #[cfg(test)]
    pub(crate) fn with_policies(policies: Vec<(crate::PolicyInfo, Functions)>) -> Self {
        let (policies, functions) = policies.into_iter().unzip();
        let description = Description {
            build_id: String::new(),
            abi_minor: 0,
            policies,
        };
        Self::here(
            Origin::Builtin,
            DescribedLibrary {
                description,
                functions,
            },
        )
    }

    /// A library that only child processes load, as one of them described it.
    pub(crate) fn described(
        content: &ContentId,
        copy: Arc<PrivateCopy>,
        description: Description,
    ) -> Self {
        let described = DescribedLibrary {
            description,
            functions: Vec::new(),
        };
        Self {
            copy: Some(copy),
            hash: Some(content.hash),
            ..Self::here(Origin::File(content.path.clone()), described)
        }
    }

    fn here(
        origin: Origin,
        DescribedLibrary {
            description,
            functions,
        }: DescribedLibrary,
    ) -> Self {
        Self {
            origin,
            description,
            hash: None,
            functions,
            _mapped: None,
            copy: None,
        }
    }

    /// Loads a library into this process from the private copy of its file.
    pub(crate) fn load(content: &ContentId, copy: Arc<PrivateCopy>) -> Result<Self, LoadError> {
        let file = content.path.clone();
        let (sender, loaded) = sync_channel(1);
        let (tell_root, root) = sync_channel(1);
        // A separate thread, which ends before the library can be dropped: no code of the library
        // remains on a thread that lives on. It holds the copy, since it may hang in the library's
        // initialisers.
        let thread = std::thread::Builder::new()
            .name("policy-load".to_owned())
            .spawn({
                let (copy, file) = (Arc::clone(&copy), file.clone());
                move || {
                    let _ = tell_root.send(PolicyRoot::this_thread());
                    // A late one is no longer waited for.
                    let _ = sender.send(Self::map(copy.path(), &file));
                }
            })
            .map_err(|error| LoadError::Io(file.clone(), error))?;
        let mut limit = OwnTimeLimit::new(Instant::now(), START_TIMEOUT, MAX_START);
        let root = root.recv().ok();
        let outcome = loop {
            match loaded.recv_timeout(LOOK_EVERY) {
                Err(RecvTimeoutError::Timeout) if !root.is_some_and(|root| limit.is_over(root)) => {
                }
                outcome => break outcome,
            }
        };
        let library = match outcome {
            Ok(library) => {
                let _ = thread.join();
                library?
            }
            Err(RecvTimeoutError::Timeout) => return Err(LoadError::Hung(file)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(LoadError::BadEntry(file, "panicked".to_owned()));
            }
        };
        Ok(Self {
            copy: Some(copy),
            hash: Some(content.hash),
            ..library
        })
    }

    /// Maps a private copy of the user's file on this thread, which must end before the library is
    /// dropped.
    pub(crate) fn map(copy: &Path, file: &Path) -> Result<Self, LoadError> {
        let (mapped, described) = load::map(copy, file)?;
        Ok(Self {
            _mapped: Some(mapped),
            ..Self::here(Origin::File(file.to_owned()), described)
        })
    }

    /// The functions of a policy, unless its code is in child processes only. They may be called as
    /// long as this lives.
    pub(crate) fn functions(&self, index: usize) -> Option<Functions> {
        self.functions.get(index).copied()
    }

    /// The private copy that is loaded; `None` for a policy that is linked into the runner.
    pub(crate) const fn copy(&self) -> Option<&Arc<PrivateCopy>> {
        self.copy.as_ref()
    }

    pub(crate) fn for_child(&self) -> ChildLibrary {
        match (&self.copy, &self.origin) {
            (Some(copy), Origin::File(file)) => copy.for_child(file),
            _ => ChildLibrary::Builtin(self.description.policies[0].id.clone()),
        }
    }
}
