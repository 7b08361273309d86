//! What the runner obeys and loads: configs, its own program, libraries that play on its threads. No confined process of
//! a policy may write it, since it could give itself any right there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The files and folders that were obeyed so far, and those that the processes of admitted policies may write.
#[derive(Debug, Default)]
pub(crate) struct ObeyedFiles(Mutex<ObeyedPlaces>);

/// Paths as the configs name them, by the paths without links.
#[derive(Debug, Default)]
struct ObeyedPlaces {
    obeyed: BTreeMap<PathBuf, PathBuf>,
    written: BTreeMap<PathBuf, PathBuf>,
}

impl ObeyedFiles {
    /// Adds a file or folder; policies that are admitted from now on may not write it. Returns why it must not be used,
    /// in words for the user: an earlier policy may write it. A missing one is not added.
    pub(crate) fn add(&self, named: &Path) -> Option<String> {
        let real = fs::canonicalize(named).ok()?;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match known.written.iter().find(|(place, _)| real.starts_with(place)) {
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

    /// Why a process that may write these places must not be started, in words for the user. Without a reason, what is
    /// obeyed from now on must not lie there.
    pub(crate) fn problem_with(&self, write: &[PathBuf]) -> Option<String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let places: Vec<(PathBuf, &PathBuf)> =
            write.iter().filter_map(|named| Some((fs::canonicalize(named).ok()?, named))).collect();
        let problem = places.iter().find_map(|(place, named)| {
            let (_, obeyed) = known.obeyed.iter().find(|(obeyed, _)| obeyed.starts_with(place))?;
            let (named, obeyed) = (named.display(), obeyed.display());
            Some(format!("{named} covers {obeyed}, which the runner obeys; name a folder that holds nothing else"))
        });
        if problem.is_none() {
            known.written.extend(places.into_iter().map(|(place, named)| (place, named.clone())));
        }
        problem
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let problem = files.problem_with(&[own.clone(), other.clone()]).expect("the other one is a library's");
        assert!(problem.starts_with(&format!("{} covers", other.display())), "{problem}");
        assert_eq!(files.add(&own.join("lib.so")), None, "a refusal allows nothing");

        let files = ObeyedFiles::default();
        assert_eq!(files.problem_with(std::slice::from_ref(&own)), None);
        let problem = files.add(&own.join("lib.so")).expect("it may be written");
        assert!(problem.contains("the process of another policy may write"), "{problem}");
        assert_eq!(files.add(&other.join("lib.so")), None);
    }
}
