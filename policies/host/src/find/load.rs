//! Loading a library's file: why it may fail, and how its entry is read.

use std::io;
use std::path::{Path, PathBuf};

use policy_abi::entry::{ABI_MAJOR, ENTRY_MAGIC, ENTRY_SYMBOL, Entry, EntryFn};
use policy_abi::layout::read_element;

use rustix::process::Signal;

use crate::fault::child_error::ChildError;
use crate::fault::process_end::ProcessEnd;
use crate::find::describe::{Description, Functions, MAX_POLICIES, PolicyInfo, text};

/// Why a file cannot be used as a library.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{path} is not a file; build the library first, or correct the path", path = .0.display())]
    NoFile(PathBuf),
    #[error("{path}: {1}", path = .0.display())]
    Io(PathBuf, io::Error),
    /// No private copy of the file can be made and mapped.
    #[error(
        "cannot write the private copy of {path} into {folder} ({reason}); \
         set TMPDIR to a folder that exists, is writable and allows execution",
        path = .path.display(), folder = .folder.display()
    )]
    Copy {
        path: PathBuf,
        /// The folder for temporary files.
        folder: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// Others could have written it.
    #[error("{path} is refused, since a library has all the rights of this process: {1}", path = .0.display())]
    Writable(PathBuf, String),
    /// The end of the file is missing.
    #[error("{path} is incomplete: {1}; is it still being written?", path = .0.display())]
    Incomplete(PathBuf, String),
    /// A child process could not load it.
    #[error("{path} cannot be used: {1}", path = .0.display())]
    Child(PathBuf, ChildError),
    /// A child process could load it and refuses it, for a reason that names the file.
    #[error("{0}")]
    Refused(String),
    /// Its initialisers do not return.
    #[error("{path} hangs while loading; in its trial it did not", path = .0.display())]
    Hung(PathBuf),
    /// It is another library here than in its trial.
    #[error("{path} describes itself differently than in its trial; a description must not depend on the process", path = .0.display())]
    Unsteady(PathBuf),
    /// The system's loader refuses it.
    #[error("{path} is not a library this machine can load: {1}{advice}", path = .0.display(), advice = instead(.1))]
    Loader(PathBuf, String),
    /// It exports no policies.
    #[error("{path} is not a policy library: it exports no `{ENTRY_SYMBOL}`", path = .0.display())]
    NoEntry(PathBuf),
    #[error("{path}: its `{ENTRY_SYMBOL}` {1}", path = .0.display())]
    BadEntry(PathBuf, String),
    /// It speaks another version of the boundary.
    #[error(
        "{path} (build {build:?}) speaks version {major} of the policy boundary, this runner version {ABI_MAJOR}; \
         build it anew with the header or SDK of this runner",
        path = .path.display()
    )]
    WrongMajor {
        path: PathBuf,
        major: u32,
        /// Its build id.
        build: String,
    },
}

impl LoadError {
    /// Why a child process could not load a file.
    pub(crate) fn in_child(path: PathBuf, error: ChildError) -> Self {
        match error {
            ChildError::Refused(reason) => Self::Refused(reason),
            // The loader maps what a file's head promises and touches it later.
            ChildError::Died {
                end: ProcessEnd::Signal(signal),
                ..
            } if signal == Signal::BUS.as_raw() => Self::Incomplete(path, error.to_string()),
            error => Self::Child(path, error),
        }
    }
}

/// A library's description, and its functions.
pub(crate) struct DescribedLibrary {
    pub(crate) description: Description,
    /// Those of each policy, in their order.
    pub(crate) functions: Vec<Functions>,
}

/// Maps a private copy of the user's file and reads its entry.
pub(crate) fn map(
    copy: &Path,
    file: &Path,
) -> Result<(libloading::Library, DescribedLibrary), LoadError> {
    // SAFETY: loading runs the library's initialisers. A policy is native code with the rights of
    // this process; its user accepts that by naming it.
    let code = unsafe { libloading::Library::new(copy) }.map_err(|error| {
        let words = loader_words(&error, copy);
        if is_forbidden(&words) {
            let folder = copy.parent().unwrap_or(copy).to_owned();
            LoadError::Copy {
                path: file.to_owned(),
                folder,
                reason: words,
            }
        } else {
            LoadError::Loader(file.to_owned(), words)
        }
    })?;
    // SAFETY: by the boundary this symbol is a function of this type.
    let entry = unsafe { code.get::<EntryFn>(ENTRY_SYMBOL) }
        .map_err(|_| LoadError::NoEntry(file.to_owned()))?;
    // SAFETY: as above; it may be called from any thread.
    let entry = unsafe { entry() };
    let bad = |message: String| LoadError::BadEntry(file.to_owned(), message);
    if entry.is_null() {
        return Err(bad(
            "returns null, which means that it does not want to be used".to_owned(),
        ));
    }
    // SAFETY: it points to the library's entry, whose beginning has its place in every version.
    let head = unsafe { head_of(entry) };
    if head.magic != ENTRY_MAGIC {
        return Err(bad(format!(
            "returns something else than an entry (magic {:#010x})",
            head.magic
        )));
    }
    if head.abi_major != ABI_MAJOR {
        // SAFETY: the build id has its place in every version.
        let build = unsafe { text(head.build_id, "build id") }.unwrap_or_default();
        return Err(LoadError::WrongMajor {
            path: file.to_owned(),
            major: head.abi_major,
            build,
        });
    }
    // SAFETY: the major version is ours, so all of it is laid out as we know it.
    let described =
        unsafe { read_entry(entry) }.map_err(|message| bad(format!("is wrong: {message}")))?;
    Ok((code, described))
}

/// The loader's words with the private copy's name, which means nothing to the user, taken out.
fn loader_words(error: &libloading::Error, copy: &Path) -> String {
    let words =
        std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    words
        .replace(&format!("{}: ", copy.display()), "")
        .replace(&copy.display().to_string(), "the file")
}

/// What to do with a file that is no library at all.
fn instead(words: &str) -> &'static str {
    if ["invalid ELF header", "file too short"]
        .iter()
        .any(|no_library| words.contains(no_library))
    {
        "; a program is named by policy.params.command of a config: `bot-runner plugin new NAME --lang python` makes both"
    } else {
        ""
    }
}

/// Whether the loader was not allowed to map the copy, which is ours to read: its folder does not
/// allow execution. glibc says no more than that it failed to map.
fn is_forbidden(words: &str) -> bool {
    [
        "failed to map segment",
        "Operation not permitted",
        "Permission denied",
    ]
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
pub(crate) unsafe fn read_entry(entry: *const Entry) -> Result<DescribedLibrary, String> {
    // SAFETY: by the caller's word; everything is copied at once.
    unsafe {
        let entry = head_of(entry);
        let build_id = text(entry.build_id, "build id")?;
        let array = entry.policies;
        if array.len == 0 || array.len > MAX_POLICIES || array.items.is_null() {
            return Err(format!(
                "it lists {} policies at {:?}",
                array.len, array.items
            ));
        }
        let (policies, functions) = (0..array.len)
            .map(|index| PolicyInfo::read(&read_element(array.items, array.stride, index)))
            .collect::<Result<(Vec<_>, Vec<_>), _>>()?;
        let description = Description {
            build_id,
            abi_minor: entry.abi_minor,
            policies,
        }
        .checked()?;
        Ok(DescribedLibrary {
            description,
            functions,
        })
    }
}
