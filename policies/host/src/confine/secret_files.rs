//! Files with secrets, which no policy's process may read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use confinement::Confinement;
use mistakes::KeyProblem;

/// The files that the configs of this process name for tokens and passwords, with the keys that
/// name them.
#[derive(Debug, Default)]
pub struct SecretFiles(Mutex<KnownPlaces>);

#[derive(Debug, Default)]
struct KnownPlaces {
    secrets: BTreeMap<PathBuf, &'static str>,
    /// The files that the processes of admitted policies may read.
    admitted: Vec<PathBuf>,
}

impl SecretFiles {
    /// Adds files; policies that are admitted from now on may not read them. A file that an earlier
    /// policy may read is not added, but reported as a problem of the key that names it.
    pub fn add(&self, files: impl IntoIterator<Item = (PathBuf, &'static str)>) -> Vec<KeyProblem> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let admitted = ReadablePlaces::of(&known.admitted);
        let mut problems = Vec::new();
        for (file, key) in files {
            match admitted.place_of(&file) {
                Some(place) => problems.push(KeyProblem::new(
                    key,
                    words("a policy's process", place, &file, key),
                )),
                None => _ = known.secrets.insert(file, key),
            }
        }
        problems
    }

    /// Why a process that is confined like this must not be started, in words for the user: it may
    /// read one of them.
    pub(crate) fn problem_with(&self, confinement: &Confinement) -> Option<String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let places = confinement.readable();
        let readable = ReadablePlaces::of(&places);
        let problem = known.secrets.iter().find_map(|(file, key)| {
            let place = readable.place_of(file)?;
            Some(words("the policy's process", place, file, key))
        });
        if problem.is_none() {
            known.admitted.extend(places);
            known.admitted.sort();
            known.admitted.dedup();
        }
        problem
    }
}

/// Paths with their targets, links resolved.
struct ReadablePlaces(Vec<(PathBuf, PathBuf)>);

impl ReadablePlaces {
    fn of(places: &[PathBuf]) -> Self {
        Self(
            places
                .iter()
                .map(|place| (without_links(place), place.clone()))
                .collect(),
        )
    }

    /// The place through which a file can be read.
    fn place_of(&self, file: &Path) -> Option<&Path> {
        let file = without_links(file);
        self.0
            .iter()
            .find(|(real, _)| file.starts_with(real))
            .map(|(_, place)| place.as_path())
    }
}

fn without_links(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn words(process: &str, place: &Path, file: &Path, key: &str) -> String {
    format!(
        "{process} may read {}, and so {}, which `{key}` names; put that file into a folder that no policy reads, or name an \
         environment variable for the secret",
        place.display(),
        file.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confine::confinement_to_load;
    use crate::find::child_library::ChildLibrary;

    #[test]
    fn a_secret_file_that_an_admitted_policy_may_read_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let (lib, apart) = (folder.path().join("lib"), folder.path().join("apart"));
        let file = lib.join("liba.so");
        let confinement = confinement_to_load(&ChildLibrary::File {
            copy: file.clone(),
            file,
        });
        let secrets = SecretFiles::default();
        assert!(
            secrets
                .add([(apart.join("a"), "arena.token_file")])
                .is_empty()
        );
        assert!(secrets.problem_with(&confinement).is_none());
        let problems = secrets.add([
            (lib.join("b"), "arena.token_file"),
            (apart.join("b"), "arena.token_file"),
        ]);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].key, "arena.token_file");
        assert!(
            problems[0]
                .message
                .starts_with("a policy's process may read "),
            "{}",
            problems[0].message
        );
        assert!(
            secrets.problem_with(&confinement).is_none(),
            "a refusal does not delay it"
        );
    }

    #[test]
    fn a_policy_that_may_read_a_secret_file_is_refused() {
        let secrets = SecretFiles::default();
        let _ = secrets.add([(PathBuf::from("/nowhere/lib/token"), "arena.token_file")]);
        let file = PathBuf::from("/nowhere/lib/liba.so");
        let confinement = confinement_to_load(&ChildLibrary::File {
            copy: file.clone(),
            file,
        });
        let problem = secrets.problem_with(&confinement).expect("it may read it");
        assert!(
            problem.starts_with("the policy's process may read /nowhere/lib"),
            "{problem}"
        );
    }
}
