//! The way that a path leads through the file system, link by link.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Maximum number of links on the way, as in Linux.
const MAX_LINKS: usize = 40;

/// Whether a part of a complete path is looked up below one of these places, which are without
/// links. Who may write there decides where the path leads.
pub(crate) fn may_be_redirected(path: &Path, writable: &[PathBuf]) -> bool {
    let mut ahead: VecDeque<OsString> = parts(path);
    let (mut reached, mut links) = (PathBuf::from("/"), 0);
    while let Some(part) = ahead.pop_front() {
        if part == ".." {
            reached.pop();
            continue;
        }
        if writable.iter().any(|place| reached.starts_with(place)) {
            return true;
        }
        let next = reached.join(part);
        match fs::read_link(&next) {
            Ok(target) => {
                links += 1;
                if links > MAX_LINKS {
                    return true;
                }
                if target.is_absolute() {
                    reached = PathBuf::from("/");
                }
                ahead = parts(&target).into_iter().chain(ahead).collect();
            }
            Err(_) => reached = next,
        }
    }
    false
}

fn parts(path: &Path) -> VecDeque<OsString> {
    let names = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
    names.map(|part| part.as_os_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_path_may_be_redirected_if_any_step_of_its_way_is_looked_up_where_the_policy_writes() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let real = folder.path().canonicalize().expect("it is there");
        let at = |name: &str| real.join(name);
        fs::create_dir_all(at("notes/sub")).expect("it can be made");
        fs::create_dir(at("data")).expect("it can be made");
        symlink(at("data"), at("notes/out")).expect("it can be linked");
        symlink("notes/out", at("chain")).expect("it can be linked");
        symlink("notes", at("link")).expect("it can be linked");
        symlink("round", at("round")).expect("it can be linked");
        let writable = [at("notes")];
        for path in [
            "notes/state",
            "notes/sub",
            "notes/out",
            "notes/out/weights",
            "chain",
            "chain/weights",
            "link/state",
        ] {
            assert!(may_be_redirected(&at(path), &writable), "{path}");
        }
        for path in [
            "notes",
            "data",
            "data/weights",
            "link",
            "notes/../data",
            "missing/weights",
        ] {
            assert!(!may_be_redirected(&at(path), &writable), "{path}");
        }
        assert!(may_be_redirected(&at("round"), &writable));
    }
}
