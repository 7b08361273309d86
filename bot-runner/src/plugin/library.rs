//! A loaded library, or the policies linked into the runner: either way an entry table.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use policy_abi::entry::Entry;
use policy_sdk::Policy;

use super::child::{self, ChildLibrary, Launch};
use super::content::Content;
use super::describe::{Description, Functions, PolicyInfo};
use super::load::{self, Described, LoadError, read_entry};
use super::private::{PrivateCopy, PrivateFolder};
use super::thread::START_WITHIN;
use crate::content_hash::ContentHash;

/// Where policies come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Linked into the runner.
    Builtin,
    /// The user's file.
    File(PathBuf),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Builtin => f.write_str("built in"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// A library with its policies.
#[derive(Debug)]
pub struct Library {
    /// Where it comes from.
    pub origin: Origin,
    /// Which build of it this is.
    pub build_id: String,
    /// The minor version of the boundary that it knows.
    pub abi_minor: u32,
    /// Its content; `None` for what is linked into the runner.
    pub hash: Option<ContentHash>,
    /// The policies in it.
    pub policies: Vec<PolicyInfo>,
    /// The functions of each policy, in their order; none of a library that is left to child processes.
    functions: Vec<Functions>,
    /// Keeps the functions mapped; what is linked into the runner needs no keeping.
    _mapped: Option<libloading::Library>,
    /// What is mapped here or in child processes.
    copy: Option<PrivateCopy>,
}

impl Library {
    /// The policies linked into the runner, one library for each.
    #[must_use]
    pub fn builtin() -> Vec<Arc<Self>> {
        [&greedy_tenpai::ENTRY, &weighted_shape::ENTRY, &eight_step::ENTRY, &defensive_fold::ENTRY, &mjai_engine::ENTRY]
            .into_iter()
            .map(Self::linked)
            .collect()
    }

    /// The policy `P`, linked into this process like the built-in ones.
    #[must_use]
    pub fn of<P: Policy>() -> Arc<Self> {
        Self::linked(&policy_sdk::entry(P::DESCRIPTOR.id, const { &[policy_sdk::policy::<P>()] }))
    }

    /// A library of these policies, whose code is part of this process.
    #[cfg(test)]
    pub(super) fn with_policies(policies: Vec<(PolicyInfo, Functions)>) -> Self {
        let (policies, functions) = policies.into_iter().unzip();
        let description = Description { build_id: String::new(), abi_minor: 0, policies };
        Self::here(Origin::Builtin, Described { description, functions })
    }

    fn linked(entry: &Entry) -> Arc<Self> {
        // SAFETY: the SDK made the entry from statics of this process.
        let described = unsafe { read_entry(entry) }.expect("the linked policies have good entries");
        Arc::new(Self::here(Origin::Builtin, described))
    }

    /// A library that only child processes load, as one of them described it.
    pub(super) fn described(content: &Content, copy: PrivateCopy, description: Description) -> Self {
        let described = Described { description, functions: Vec::new() };
        Self { hash: Some(content.hash), copy: Some(copy), ..Self::here(Origin::File(content.path.clone()), described) }
    }

    fn here(origin: Origin, Described { description, functions }: Described) -> Self {
        let Description { build_id, abi_minor, policies } = description;
        Self { origin, build_id, abi_minor, hash: None, policies, functions, _mapped: None, copy: None }
    }

    /// Loads a library into this process, from a private copy of its file.
    pub(super) fn load(content: &Content, folder: &Arc<PrivateFolder>) -> Result<Self, LoadError> {
        let copy = Self::copy_of(content, folder)?;
        let (private, file) = (copy.path().to_owned(), content.path.clone());
        // A thread of its own, which ends before this returns: nothing of the library stays behind on one that lives on.
        let library = std::thread::Builder::new()
            .name("policy-load".to_owned())
            .spawn(move || Self::map(&private, &file))
            .map_err(|error| LoadError::Io(content.path.clone(), error))?
            .join()
            .map_err(|_| LoadError::BadEntry(content.path.clone(), "panicked".to_owned()))??;
        Ok(Self { hash: Some(content.hash), copy: Some(copy), ..library })
    }

    /// Maps a private copy of the user's file on this thread, which must end before the library is dropped.
    pub(super) fn map(copy: &Path, file: &Path) -> Result<Self, LoadError> {
        let (mapped, described) = load::map(copy, file)?;
        Ok(Self { _mapped: Some(mapped), ..Self::here(Origin::File(file.to_owned()), described) })
    }

    /// Has a child process say what a library holds, which is then loaded by such processes only.
    pub(super) fn describe(content: &Content, folder: &Arc<PrivateFolder>, launch: &Launch) -> Result<Self, LoadError> {
        let copy = Self::copy_of(content, folder)?;
        let library = ChildLibrary::File { copy: copy.path().to_owned(), file: content.path.clone() };
        let description = child::describe(launch, &library, "", START_WITHIN)
            .map_err(|error| LoadError::Child(content.path.clone(), error.to_string()))?;
        Ok(Self::described(content, copy, description))
    }

    fn copy_of(content: &Content, folder: &Arc<PrivateFolder>) -> Result<PrivateCopy, LoadError> {
        folder.copy(content).map_err(|error| LoadError::Copy {
            path: content.path.clone(),
            folder: folder.path().to_owned(),
            reason: error.to_string(),
        })
    }

    /// The functions of the policy at a place, unless its code is in child processes only. They may be called as long as
    /// this lives.
    pub(super) fn functions(&self, index: usize) -> Option<Functions> {
        self.functions.get(index).copied()
    }

    /// What a child process loads.
    pub(super) fn for_child(&self) -> ChildLibrary {
        match (&self.copy, &self.origin) {
            (Some(copy), Origin::File(file)) => ChildLibrary::File { copy: copy.path().to_owned(), file: file.clone() },
            _ => ChildLibrary::Builtin,
        }
    }

    /// The place of the policy with this id; without one, of the only policy.
    ///
    /// # Errors
    ///
    /// What there is instead, as a sentence.
    pub fn policy(&self, id: Option<&str>) -> Result<usize, String> {
        let ids: Vec<&str> = self.policies.iter().map(|policy| policy.id.as_str()).collect();
        match (id, ids.as_slice()) {
            (Some(id), _) => ids.iter().position(|&known| known == id).ok_or_else(|| {
                format!("{} holds no policy {id:?}; it holds {}", self.origin, crate::config::listed(&ids))
            }),
            (None, [_]) => Ok(0),
            (None, _) => {
                Err(format!("{} holds several policies; say which: {}", self.origin, crate::config::listed(&ids)))
            }
        }
    }
}
