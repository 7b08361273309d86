//! What the process of a policy may do: its confinement, made here for each of them, and the files
//! that no confinement may open.

mod obeyed_files;
mod secret_files;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use confinement::{Confinement, ProcessLimits};

pub use self::obeyed_files::ObeyedFiles;
pub use self::secret_files::SecretFiles;
use crate::find::child_library::ChildLibrary;
use crate::find::private::holds_copies;
use crate::policy_config::{Isolation, PolicyConfig};

/// The confinement of the process of a section's policy; `None`: it has only the limits of its
/// user. Thread isolation has none, because the policy's trial, and its process after it hung, must
/// not fail at actions that the thread may perform.
pub fn confinement_of(
    section: &PolicyConfig,
    library: &ChildLibrary,
    config_folder: &Path,
) -> Option<Confinement> {
    if section.isolation == Isolation::Thread {
        return None;
    }
    // A parameter may be a path, which is known only after the library has been loaded.
    let texts = section.params.values().filter_map(toml::Value::as_str);
    let named = texts
        .filter(|text| !text.is_empty())
        .map(|text| config_folder.join(text))
        .filter(|path| path.exists());
    let own = own_folder(library).into_iter().chain(named).collect();
    Some(Confinement::new(section.limits.clone(), own))
}

/// The confinement of a process that only loads a library.
pub fn confinement_to_load(library: &ChildLibrary) -> Confinement {
    let own = own_folder(library).into_iter().collect();
    Confinement::new(ProcessLimits::default(), own)
}

/// The folder of a library's file, where its weights may lie. The process that loads the library
/// may also read its private copy.
fn own_folder(library: &ChildLibrary) -> Option<PathBuf> {
    match library {
        ChildLibrary::Builtin(_) => None,
        ChildLibrary::File { copy: _, file } => file.parent().map(Path::to_owned),
    }
}

/// Why a process that is confined like this must not be started, in words for the user: it may
/// write what the runner obeys or loads. `config_folder` is complete.
pub(crate) fn problem_with_writes(
    confinement: &Confinement,
    config_folder: Option<&Path>,
) -> Option<String> {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let temporary = real(&env::temp_dir());
    let config = config_folder.and_then(real);
    confinement.writes().iter().find_map(|named| {
        let place = real(named)?;
        let covers = |folder: &Option<PathBuf>| folder.as_ref().is_some_and(|folder| folder.starts_with(&place));
        let why = if covers(&config) {
            "covers the folder of this config, in which the policy could give itself any right; name a folder below it"
        } else if covers(&temporary) || holds_copies(&place) {
            "covers the folder for temporary files, from which the runner loads libraries; name a folder below it, or set \
             TMPDIR to another folder for the runner"
        } else {
            return None;
        };
        Some(format!("{} {why}", named.display()))
    })
}
