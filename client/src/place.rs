//! Paths as the user gave them, relative to the folder in which the program was started. A library on one of its
//! threads may change the current folder, so a playing process resolves all paths at its start; messages still show a
//! path as the user wrote it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The current folder when paths were first completed.
static START: OnceLock<PathBuf> = OnceLock::new();

/// Resolves the paths: they keep their meaning when the current folder changes.
#[must_use]
pub fn complete(paths: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    START.get_or_init(|| std::env::current_dir().unwrap_or_default());
    paths.into_iter().map(|path| std::path::absolute(&path).unwrap_or(path)).collect()
}

/// A path for users: relative if it is in the folder that the program was started in.
#[must_use]
pub fn short(path: &Path) -> &Path {
    match START.get() {
        Some(start) if !start.as_os_str().is_empty() => path.strip_prefix(start).unwrap_or(path),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_completed_once_and_shown_as_given() {
        let named = [PathBuf::from("bots/kuma.toml"), PathBuf::from("/elsewhere/neko.toml")];
        let completed = complete(named.clone());
        assert!(completed.iter().all(|path| path.is_absolute()), "{completed:?}");
        assert_eq!(completed.iter().map(|path| short(path)).collect::<Vec<_>>(), named);
    }
}
