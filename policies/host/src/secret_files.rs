//! Files with secrets, which no policy's process may read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::confinement::Confinement;
use crate::section::PolicyProblem;

/// The files that the configs of this process name for tokens and passwords, with the keys that name them.
#[derive(Debug, Default)]
pub struct SecretFiles(Mutex<BTreeMap<PathBuf, &'static str>>);

impl SecretFiles {
    /// Adds files; policies that are admitted from now on may not read them.
    pub fn add(&self, files: impl IntoIterator<Item = (PathBuf, &'static str)>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(files);
    }

    /// Why a process that is confined like this must not be started: it may read one of them.
    pub(crate) fn problem_with(&self, confinement: &Confinement) -> Option<PolicyProblem> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if files.is_empty() {
            return None;
        }
        let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let places: Vec<(PathBuf, PathBuf)> =
            confinement.readable().into_iter().map(|place| (whole(&place), place)).collect();
        files.iter().find_map(|(file, key)| {
            let real = whole(file);
            let (_, place) = places.iter().find(|(place, _)| real.starts_with(place))?;
            let message = format!(
                "the policy's process may read {}, and so {}, which `{key}` names; put that file into a folder that no policy \
                 reads, or name an environment variable for the secret",
                place.display(),
                file.display()
            );
            Some(PolicyProblem::new("policy", message))
        })
    }
}
