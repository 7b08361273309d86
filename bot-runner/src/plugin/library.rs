//! A loaded library, or the policies linked into the runner: either way an entry table.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use policy_abi::entry::{ABI_MAJOR, ENTRY_MAGIC, ENTRY_SYMBOL, Entry, EntryFn};
use policy_abi::layout::read_element;
use policy_sdk::Policy;

use super::describe::{Functions, MOST_POLICIES, PolicyInfo, text};

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

/// Why a file cannot be used as a library.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such file.
    #[error("{path} is no file; build the library first, or correct the path", path = .0.display())]
    NoFile(PathBuf),
    /// The file cannot be read.
    #[error("{path}: {1}", path = .0.display())]
    Io(PathBuf, io::Error),
    /// No private copy of the file can be made and mapped.
    #[error(
        "{path} is loaded from a private copy, which the folder {folder} does not take ({reason}); \
         set TMPDIR to a folder that exists, is writable and allows execution",
        path = .path.display(), folder = .folder.display()
    )]
    Copy {
        /// The file.
        path: PathBuf,
        /// The folder for temporary files.
        folder: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// The system's loader refuses it.
    #[error("{path} is no library this machine can load: {1}", path = .0.display())]
    Loader(PathBuf, String),
    /// It exports no policies.
    #[error("{path} is no policy library: it exports no `{ENTRY_SYMBOL}`", path = .0.display())]
    NoEntry(PathBuf),
    /// Its entry is not one.
    #[error("{path}: its `{ENTRY_SYMBOL}` {1}", path = .0.display())]
    BadEntry(PathBuf, String),
    /// It speaks another version of the boundary.
    #[error(
        "{path} (build {build:?}) speaks version {major} of the policy boundary, this runner version {ABI_MAJOR}; \
         build the two from the same release",
        path = .path.display()
    )]
    WrongMajor {
        /// The file.
        path: PathBuf,
        /// Its major version.
        major: u32,
        /// Its build id.
        build: String,
    },
}

/// A library with its policies.
#[derive(Debug)]
pub struct Library {
    /// Where it comes from.
    pub origin: Origin,
    /// Which build of it this is.
    pub build_id: String,
    /// The policies in it.
    pub policies: Vec<PolicyInfo>,
    code: Code,
}

/// A library's code, as far as it is in this process.
#[derive(Debug)]
struct Code {
    /// The functions of each policy, in the policies' order; none of a library that is left to child processes.
    functions: Vec<Functions>,
    /// Keeps them mapped; what is linked into the runner needs no keeping.
    _mapped: Option<libloading::Library>,
}

impl Library {
    /// The policies linked into the runner, one library for each.
    #[must_use]
    pub fn builtin() -> Vec<Arc<Self>> {
        [&greedy_tenpai::ENTRY].into_iter().map(Self::linked).collect()
    }

    /// The policy `P`, linked into this process like the built-in ones.
    #[must_use]
    pub fn of<P: Policy>() -> Arc<Self> {
        Self::linked(&policy_sdk::entry(P::DESCRIPTOR.id, const { &[policy_sdk::policy::<P>()] }))
    }

    /// A library of these policies, whose code is part of this process.
    #[cfg(test)]
    pub(super) fn with_policies(policies: Vec<(PolicyInfo, Functions)>) -> Self {
        Self::new(Origin::Builtin, String::new(), policies, None)
    }

    fn linked(entry: &Entry) -> Arc<Self> {
        // SAFETY: the SDK made the entry from statics of this process.
        let (build_id, policies) = unsafe { read_entry(entry) }.expect("the linked policies have good entries");
        Arc::new(Self::new(Origin::Builtin, build_id, policies, None))
    }

    /// A library that only child processes load, as one of them described it.
    #[must_use]
    pub const fn in_children(origin: Origin, build_id: String, policies: Vec<PolicyInfo>) -> Self {
        Self { origin, build_id, policies, code: Code { functions: Vec::new(), _mapped: None } }
    }

    fn new(
        origin: Origin,
        build_id: String,
        policies: Vec<(PolicyInfo, Functions)>,
        mapped: Option<libloading::Library>,
    ) -> Self {
        let (policies, functions) = policies.into_iter().unzip();
        Self { origin, build_id, policies, code: Code { functions, _mapped: mapped } }
    }

    /// The functions of the policy at a place, unless its code is in child processes only. They may be called as long as
    /// this lives.
    pub(super) fn functions(&self, index: usize) -> Option<Functions> {
        self.code.functions.get(index).copied()
    }

    /// Loads a library from a private copy of its file, which may be replaced at any time without harm.
    ///
    /// The library's code runs on a thread of its own that ends before this returns, so that nothing of it stays behind
    /// on a thread that lives on.
    ///
    /// # Errors
    ///
    /// When it is no policy library that this runner can use.
    pub fn load(path: &Path) -> Result<Arc<Self>, LoadError> {
        let owned = path.to_owned();
        std::thread::Builder::new()
            .name("policy-load".to_owned())
            .spawn(move || Self::load_here(&owned, &std::env::temp_dir()))
            .map_err(|error| LoadError::Io(path.to_owned(), error))?
            .join()
            .map_err(|_| LoadError::BadEntry(path.to_owned(), "panicked".to_owned()))?
    }

    /// `folder` is where the private copy is made.
    fn load_here(path: &Path, folder: &Path) -> Result<Arc<Self>, LoadError> {
        let io = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => LoadError::NoFile(path.to_owned()),
            _ => LoadError::Io(path.to_owned(), error),
        };
        let file = path.canonicalize().map_err(io)?;
        if !file.is_file() {
            return Err(LoadError::NoFile(path.to_owned()));
        }
        let bytes = fs::read(&file).map_err(io)?;
        // A mapped file that is overwritten kills the process, and the same path loads the old code again: so never the
        // user's own file. The copy's name is gone once it is mapped, so none is ever left behind.
        let no_copy = |reason: String| LoadError::Copy { path: path.to_owned(), folder: folder.to_owned(), reason };
        let copy = tempfile::Builder::new()
            .prefix("bot-runner-policy-")
            .suffix(std::env::consts::DLL_SUFFIX)
            .tempfile_in(folder)
            .map_err(|error| no_copy(error.to_string()))?;
        fs::write(copy.path(), bytes).map_err(|error| no_copy(error.to_string()))?;
        Self::map(copy.path(), &file).map(Arc::new)
    }

    /// Maps a private copy of the user's file. The copy's name may go afterwards.
    ///
    /// The thread that this runs on must end before the library is dropped.
    pub(super) fn map(copy: &Path, file: &Path) -> Result<Self, LoadError> {
        // SAFETY: loading runs the library's initialisers. That a policy is native code with the rights of this process
        // is what its user accepts by naming it.
        let code = unsafe { libloading::Library::new(copy) }.map_err(|error| {
            let words = loader_words(&error, copy);
            if is_forbidden(&words) {
                let folder = copy.parent().unwrap_or(copy).to_owned();
                LoadError::Copy { path: file.to_owned(), folder, reason: words }
            } else {
                LoadError::Loader(file.to_owned(), words)
            }
        })?;
        // SAFETY: by the boundary this symbol is a function of this type.
        let entry = unsafe { code.get::<EntryFn>(ENTRY_SYMBOL) }.map_err(|_| LoadError::NoEntry(file.to_owned()))?;
        // SAFETY: as above; it may be called from any thread.
        let entry = unsafe { entry() };
        let bad = |message: String| LoadError::BadEntry(file.to_owned(), message);
        if entry.is_null() {
            return Err(bad("returns null, which means that it does not want to be used".to_owned()));
        }
        // SAFETY: it points to the library's entry, whose beginning has its place in every version.
        let head = unsafe { head_of(entry) };
        if head.magic != ENTRY_MAGIC {
            return Err(bad(format!("returns something else than an entry (magic {:#010x})", head.magic)));
        }
        if head.abi_major != ABI_MAJOR {
            // SAFETY: the build id has its place in every version.
            let build = unsafe { text(head.build_id, "build id") }.unwrap_or_default();
            return Err(LoadError::WrongMajor { path: file.to_owned(), major: head.abi_major, build });
        }
        // SAFETY: the major version is ours, so all of it is laid out as we know it.
        let (build_id, policies) =
            unsafe { read_entry(entry) }.map_err(|message| bad(format!("is wrong: {message}")))?;
        Ok(Self::new(Origin::File(file.to_owned()), build_id, policies, Some(code)))
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

/// The loader's words with the private copy's name, which means nothing to the user, taken out.
fn loader_words(error: &libloading::Error, copy: &Path) -> String {
    let words = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    words.replace(&format!("{}: ", copy.display()), "").replace(&copy.display().to_string(), "the file")
}

/// Whether the loader was not allowed to map the copy, which is ours to read: its folder does not allow execution. glibc
/// says no more than that it failed to map.
fn is_forbidden(words: &str) -> bool {
    ["failed to map segment", "Operation not permitted", "Permission denied"]
        .iter()
        .any(|refusal| words.contains(refusal))
}

/// # Safety
///
/// `entry` must point to an entry of any version, which begins with its own size.
unsafe fn head_of(entry: *const Entry) -> Entry {
    // SAFETY: by the caller's word.
    unsafe { policy_abi::layout::read_sized(entry) }
}

/// # Safety
///
/// `entry` must point to an entry of our major version that lives as long as the library.
unsafe fn read_entry(entry: *const Entry) -> Result<(String, Vec<(PolicyInfo, Functions)>), String> {
    // SAFETY: by the caller's word; everything is copied at once.
    unsafe {
        let entry = head_of(entry);
        let build_id = text(entry.build_id, "build id")?;
        let array = entry.policies;
        if array.len == 0 || array.len > MOST_POLICIES || array.items.is_null() {
            return Err(format!("it lists {} policies at {:?}", array.len, array.items));
        }
        let policies = (0..array.len)
            .map(|index| PolicyInfo::read(&read_element(array.items, array.stride, index)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok((build_id, policies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_takes_no_copy_is_named_with_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("libmine.so");
        fs::write(&file, "no library").expect("it can be written");
        let missing = folder.path().join("missing");
        let error = Library::load_here(&file, &missing).expect_err("there is no folder for the copy");
        assert!(matches!(&error, LoadError::Copy { folder, .. } if *folder == missing), "{error:?}");
        let text = error.to_string();
        assert!(text.contains(&missing.display().to_string()) && text.contains("set TMPDIR"), "{text}");
    }

    #[test]
    fn a_file_that_is_no_library_is_said_to_be_none() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("libmine.so");
        fs::write(&file, "no library").expect("it can be written");
        let error = Library::load_here(&file, folder.path()).expect_err("it is a text");
        assert!(matches!(&error, LoadError::Loader(path, _) if *path == file), "{error:?}");
        assert!(!error.to_string().contains("bot-runner-policy-"), "the copy's name is of no use: {error}");
    }
}
