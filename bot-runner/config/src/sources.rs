//! The configs that a command is given: files, and folders with configs in them.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::problem::{Problem, Problems};

/// Configs as the user named them. A folder means all `*.toml` files directly in it, except hidden
/// ones, as a shell would list them.
#[derive(Debug, Clone)]
pub struct Sources(Vec<ConfigSource>);

#[derive(Debug, Clone)]
enum ConfigSource {
    File(PathBuf),
    Folder(PathBuf),
}

impl Sources {
    pub fn new(paths: &[PathBuf]) -> Self {
        let source = |path: &PathBuf| {
            if path.is_dir() {
                ConfigSource::Folder(path.clone())
            } else {
                ConfigSource::File(path.clone())
            }
        };
        Self(paths.iter().map(source).collect())
    }

    /// Whether this file was named itself, and does not only lie in a folder that was.
    pub fn names(&self, file: &Path) -> bool {
        self.0
            .iter()
            .any(|source| matches!(source, ConfigSource::File(named) if named == file))
    }

    /// Whether a config can appear that was not there.
    pub fn has_folder(&self) -> bool {
        self.0
            .iter()
            .any(|source| matches!(source, ConfigSource::Folder(_)))
    }

    /// The files, each once; those of a folder are sorted by name.
    ///
    /// # Errors
    ///
    /// Folders that cannot be read or hold no config.
    pub fn files(&self) -> Result<Vec<PathBuf>, Problems> {
        let mut problems = Vec::new();
        let files = self.listed(|folder| match configs_in(folder) {
            Ok(files) => {
                if files.is_empty() {
                    let message =
                        "holds no config; put a file into it whose name ends in .toml, or name another folder";
                    problems.push(Problem::new(folder, "", message));
                }
                files
            }
            Err(error) => {
                problems.push(Problem::new(folder, "", format!("cannot be listed: {error}")));
                Vec::new()
            }
        });
        if problems.is_empty() {
            Ok(files)
        } else {
            Err(Problems(problems))
        }
    }

    /// The current files; a folder may have become empty.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read, so that its files are unknown.
    pub fn files_now(&self) -> io::Result<Vec<PathBuf>> {
        let mut trouble = None;
        let files = self.listed(|folder| {
            configs_in(folder).unwrap_or_else(|error| {
                trouble = Some(error);
                Vec::new()
            })
        });
        trouble.map_or(Ok(files), Err)
    }

    fn listed(&self, mut folder: impl FnMut(&Path) -> Vec<PathBuf>) -> Vec<PathBuf> {
        let all = self.0.iter().flat_map(|source| match source {
            ConfigSource::File(file) => vec![file.clone()],
            ConfigSource::Folder(path) => folder(path),
        });
        let mut seen = HashSet::new();
        all.filter(|file| seen.insert(file.clone())).collect()
    }
}

fn configs_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.extension() == Some(OsStr::new("toml")) && !hidden {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_means_the_toml_files_directly_in_it_sorted_and_without_hidden_ones() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("more")).expect("it can be made");
        for name in [
            "neko.toml",
            "kuma.toml",
            ".kuma.toml",
            "kuma.toml~",
            "notes.txt",
            "more/risu.toml",
        ] {
            fs::write(path(name), "").expect("it can be written");
        }
        let sources = Sources::new(&[path("neko.toml"), folder.path().to_owned()]);
        assert!(sources.has_folder());
        assert!(sources.names(&path("neko.toml")) && !sources.names(&path("kuma.toml")));
        assert_eq!(
            sources.files().expect("two"),
            [path("neko.toml"), path("kuma.toml")],
            "each once"
        );
    }

    #[test]
    fn a_folder_without_a_config_is_a_problem_and_one_that_lost_its_last_is_none() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let sources = Sources::new(&[folder.path().to_owned()]);
        let problems = sources.files().expect_err("there is none").to_string();
        assert!(problems.contains("holds no config"), "{problems}");
        assert_eq!(
            sources.files_now().expect("it can be listed"),
            Vec::<PathBuf>::new()
        );
    }

    #[test]
    fn the_files_of_a_missing_folder_are_unknown() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let sources = Sources::new(&[folder.path().to_owned()]);
        fs::remove_dir(folder.path()).expect("it is empty");
        sources.files_now().expect_err("it is gone");
        assert!(!Sources::new(&[folder.path().to_owned()]).has_folder());
    }
}
