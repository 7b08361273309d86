//! Paths as the user gave them, relative to the folder in which the program was started. A library
//! on one of its threads may change the current folder, so a playing process resolves all paths at
//! its start; messages still show a path as the user wrote it.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// The current folder when paths were first completed.
static START: OnceLock<PathBuf> = OnceLock::new();

/// Resolves the paths: they keep their meaning when the current folder changes.
pub fn complete(paths: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    START.get_or_init(|| std::env::current_dir().unwrap_or_default());
    paths
        .into_iter()
        .map(|path| std::path::absolute(&path).unwrap_or(path))
        .collect()
}

/// A path for users: relative if it is in the folder that the program was started in, unless that
/// is the root, and without `..` where that leads back from a folder.
pub fn short(path: &Path) -> Cow<'_, Path> {
    shown_from(START.get().map(PathBuf::as_path), path)
}

fn shown_from<'p>(start: Option<&Path>, path: &'p Path) -> Cow<'p, Path> {
    let path = without_detours(path);
    let Some(start) = start.filter(|start| start.parent().is_some()) else {
        return path;
    };
    match path.strip_prefix(start) {
        Ok(rest) if rest.as_os_str().is_empty() => Cow::Borrowed(Path::new(".")),
        Ok(rest) => Cow::Owned(rest.to_owned()),
        Err(_) => path,
    }
}

/// The path without a folder and the `..` after it. Behind a link `..` leads somewhere else.
fn without_detours(path: &Path) -> Cow<'_, Path> {
    if !path.components().any(|part| part == Component::ParentDir) {
        return Cow::Borrowed(path);
    }
    let mut shown = PathBuf::new();
    for part in path.components() {
        let is_folder = shown.file_name().is_some() && !shown.is_symlink();
        if part == Component::ParentDir && is_folder {
            shown.pop();
        } else {
            shown.push(part);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_completed_once_and_shown_as_given() {
        let named = [
            PathBuf::from("bots/kuma.toml"),
            PathBuf::from("/elsewhere/neko.toml"),
        ];
        let completed = complete(named.clone());
        assert!(
            completed.iter().all(|path| path.is_absolute()),
            "{completed:?}"
        );
        assert_eq!(
            completed
                .iter()
                .map(|path| short(path).into_owned())
                .collect::<Vec<_>>(),
            named
        );
    }

    #[test]
    fn a_path_keeps_its_first_slash_and_has_no_detours() {
        for (start, path, shown) in [
            ("/", "/bots/kuma.toml", "/bots/kuma.toml"),
            ("/work", "/work/bots/../recs/game", "recs/game"),
            ("/work", "/work/bots/../../recs", "/recs"),
            ("/work", "/work/bots/..", "."),
            ("/work", "/workshop/bots", "/workshop/bots"),
            ("/", "/../recs", "/../recs"),
        ] {
            let shown_path = shown_from(Some(Path::new(start)), Path::new(path)).into_owned();
            assert_eq!(shown_path, Path::new(shown), "{path} from {start}");
        }
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::os::unix::fs::symlink("/", folder.path().join("link")).expect("it can be linked");
        let behind = folder.path().join("link/../recs");
        assert_eq!(
            shown_from(None, &behind),
            behind,
            "it leads behind the link"
        );
    }
}
