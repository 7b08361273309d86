//! What the runner obeys and loads: configs, its own program, libraries that play on its threads;
//! and what configs and options name: records, results, authorities. No confined process of a
//! policy may write it, since it could give itself any right there, or any result.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use mistakes::KeyProblem;

/// The files and folders that were obeyed so far, those that keys and options name, and those that
/// the processes of admitted policies may write.
#[derive(Debug, Default)]
pub struct ObeyedFiles(Mutex<ObeyedPlaces>);

/// Paths as the configs name them, by the paths without links.
#[derive(Debug, Default)]
struct ObeyedPlaces {
    obeyed: BTreeMap<PathBuf, PathBuf>,
    /// The same with the keys or options that name them.
    named: BTreeMap<PathBuf, (PathBuf, &'static str)>,
    written: BTreeMap<PathBuf, PathBuf>,
}

impl ObeyedFiles {
    /// Adds a file or folder; policies that are admitted from now on may not write it. Returns why
    /// it must not be used, in words for the user: an earlier policy may write it. A missing one is
    /// not added.
    pub(crate) fn add(&self, named: &Path) -> Option<String> {
        let real = fs::canonicalize(named).ok()?;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match known
            .written
            .iter()
            .find(|(place, _)| real.starts_with(place))
        {
            Some((_, place)) => Some(format!(
                "the process of another policy may write {} by its [policy.limits], and the runner obeys {}; move one of them, or \
                 remove that right and start the runner again",
                place.display(),
                named.display()
            )),
            None => {
                known.obeyed.insert(real, named.to_owned());
                None
            }
        }
    }

    /// Adds files and folders with the keys or options that name them, whether they exist or not;
    /// policies that are admitted from now on may not write them. One that an earlier policy may
    /// write is not added, but reported as a problem of its key.
    pub fn add_named(
        &self,
        places: impl IntoIterator<Item = (PathBuf, &'static str)>,
    ) -> Vec<KeyProblem> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut problems = Vec::new();
        for (named, key) in places {
            let real = real_place(&named);
            match known.written.iter().find(|(place, _)| overlap(place, &real)) {
                Some((_, place)) => problems.push(KeyProblem::new(
                    key,
                    format!(
                        "a policy's process may write {} by its [policy.limits], and so could change {}; move one \
                         of them, or remove that right and start the runner again",
                        place.display(),
                        named.display()
                    ),
                )),
                None => _ = known.named.insert(real, (named, key)),
            }
        }
        problems
    }

    /// Why a process that may write these places must not be started, in words for the user.
    /// Without a reason, what is obeyed from now on must not lie there.
    pub(crate) fn problem_with(&self, write: &[PathBuf]) -> Option<String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let places: Vec<(PathBuf, &PathBuf)> = write
            .iter()
            .filter_map(|named| Some((fs::canonicalize(named).ok()?, named)))
            .collect();
        let problem = places.iter().find_map(|(place, named)| {
            let named = named.display();
            if let Some((_, obeyed)) = known.obeyed.iter().find(|(obeyed, _)| obeyed.starts_with(place)) {
                let obeyed = obeyed.display();
                return Some(format!(
                    "{named} covers {obeyed}, which the runner obeys; name a folder that holds nothing else"
                ));
            }
            let (_, (other, key)) = known.named.iter().find(|(other, _)| overlap(place, other))?;
            let other = other.display();
            Some(format!(
                "{named} overlaps with {other}, which `{key}` names, and the policy could change it; name a folder that \
                 holds nothing else"
            ))
        });
        if problem.is_none() {
            known.written.extend(
                places
                    .into_iter()
                    .map(|(place, named)| (place, named.clone())),
            );
        }
        problem
    }
}

/// Whether one of two paths is in the other.
fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// A path without links, as far as it exists.
fn real_place(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = path
        .ancestors()
        .find_map(|folder| Some((folder, fs::canonicalize(folder).ok()?)));
    let Some((folder, real)) = there else {
        return path;
    };
    match path.strip_prefix(folder) {
        Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
        _ => real,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_key_names_may_not_be_written_whichever_of_the_two_comes_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let (cache, records) = (
            folder.path().join("cache"),
            folder.path().join("cache/records"),
        );
        fs::create_dir(&cache).expect("it can be made");
        std::os::unix::fs::symlink(&cache, folder.path().join("link")).expect("it can be linked");
        for (stored, written) in [
            (records.clone(), cache.clone()),
            (cache.clone(), records.clone()),
            (folder.path().join("link/new"), cache.clone()),
        ] {
            fs::create_dir_all(&records).expect("it can be made");
            let files = ObeyedFiles::default();
            assert!(
                files
                    .add_named([(stored.clone(), "records.folder")])
                    .is_empty()
            );
            let problem = files
                .problem_with(std::slice::from_ref(&written))
                .expect("they overlap");
            assert!(
                problem.contains("which `records.folder` names"),
                "{problem}"
            );

            let files = ObeyedFiles::default();
            assert_eq!(files.problem_with(&[written]), None);
            let problems = files.add_named([(stored, "records.folder")]);
            assert_eq!(
                (problems.len(), problems[0].key.as_str()),
                (1, "records.folder"),
                "{problems:?}"
            );
        }
        let files = ObeyedFiles::default();
        assert!(
            files
                .add_named([(folder.path().join("records"), "records.folder")])
                .is_empty()
        );
        assert_eq!(files.problem_with(&[cache]), None);
    }

    #[test]
    fn the_library_of_another_bot_may_not_be_written_whichever_of_the_two_comes_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let (own, other) = (folder.path().join("own"), folder.path().join("other"));
        for place in [&own, &other] {
            fs::create_dir(place).expect("it can be made");
            fs::write(place.join("lib.so"), "").expect("it can be written");
        }
        let files = ObeyedFiles::default();
        assert_eq!(files.add(&other.join("lib.so")), None);
        let problem = files
            .problem_with(&[own.clone(), other.clone()])
            .expect("the other one is a library's");
        assert!(
            problem.starts_with(&format!("{} covers", other.display())),
            "{problem}"
        );
        assert_eq!(
            files.add(&own.join("lib.so")),
            None,
            "a refusal allows nothing"
        );

        let files = ObeyedFiles::default();
        assert_eq!(files.problem_with(std::slice::from_ref(&own)), None);
        let problem = files.add(&own.join("lib.so")).expect("it may be written");
        assert!(
            problem.contains("the process of another policy may write"),
            "{problem}"
        );
        assert_eq!(files.add(&other.join("lib.so")), None);
    }
}
