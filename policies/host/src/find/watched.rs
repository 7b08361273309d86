//! Files besides the library whose change is a swap: the code of a program, weights.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use policy_sdk::MAX_FILE_BYTES;

use crate::files::foreign_file::ForeignFile;
use crate::files::sha256::{Sha256, Sha256Stream};
use crate::find::content::refuse_writable;
use crate::policy_config::PolicyConfig;
use mistakes::{KeyProblem, did_you_mean};

impl PolicyConfig {
    /// The files that match `watch` now, each once and in order.
    pub fn watched_files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self
            .watch
            .iter()
            .flat_map(|pattern| files_of(pattern))
            .collect();
        files.sort();
        files.dedup();
        files
    }

    /// The content of these files; `None` if the section names none.
    pub(crate) fn watched_content(&self) -> Result<Option<Sha256>, KeyProblem> {
        let problem = |message: String| KeyProblem::new("policy.watch", message);
        if let Some(missing) = self
            .watch
            .iter()
            .find(|pattern| files_of(pattern).is_empty())
        {
            return Err(problem(nothing_at(missing)));
        }
        let files = self.watched_files();
        if files.is_empty() {
            return Ok(None);
        }
        let mut all = Sha256Stream::default();
        for file in files {
            let hash =
                hash_of(&file).map_err(|why| problem(format!("{}: {why}", file.display())))?;
            all.push(
                format!(
                    "{} {hash}\n",
                    file.file_name().unwrap_or_default().display()
                )
                .as_bytes(),
            );
        }
        Ok(Some(all.finish()))
    }
}

/// The problem of a path or pattern without a file.
fn nothing_at(pattern: &Path) -> String {
    let (folder, name) = (
        folder_of(pattern),
        pattern.file_name().unwrap_or_default().to_string_lossy(),
    );
    if !folder.is_dir() {
        return format!(
            "{}: the folder {} is not there",
            pattern.display(),
            folder.display()
        );
    }
    if name.contains('*') {
        return format!(
            "no file in {} is called like {name}; hidden files and folders do not count",
            folder.display()
        );
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let like = did_you_mean(&name, names.iter().map(String::as_str));
    format!(
        "{} is not a file; name a file, or several with * in the name{like}",
        pattern.display()
    )
}

/// The folder of the files that a path or pattern names.
fn folder_of(pattern: &Path) -> &Path {
    pattern
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

fn hash_of(file: &Path) -> Result<Sha256, String> {
    let words = |error: io::Error| error.to_string();
    let complete = file.canonicalize().map_err(words)?;
    let mut open = ForeignFile::open(&complete).map_err(words)?;
    refuse_writable(&complete, open.metadata())?;
    open.hash(MAX_FILE_BYTES).map_err(words)
}

/// The files of a path whose last part may hold `*` for any letters.
fn files_of(pattern: &Path) -> Vec<PathBuf> {
    let name = pattern.file_name().unwrap_or_default().to_string_lossy();
    if !name.contains('*') {
        return if pattern.is_file() {
            vec![pattern.to_owned()]
        } else {
            Vec::new()
        };
    }
    let entries = fs::read_dir(folder_of(pattern))
        .into_iter()
        .flatten()
        .flatten();
    // Names of files that editors create begin with a dot.
    let fits =
        |found: &str| fits(&name, found) && (name.starts_with('.') || !found.starts_with('.'));
    let files = entries
        .filter(|entry| fits(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path());
    files.filter(|path| path.is_file()).collect()
}

/// Whether a name matches a pattern, in which `*` matches any letters.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(rest) = name.strip_prefix(before) else {
        return false;
    };
    (0..=rest.len())
        .filter(|&place| rest.is_char_boundary(place))
        .any(|place| fits(after, &rest[place..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy_config::LibraryChoice;

    fn watching(folder: &Path, patterns: &[&str]) -> PolicyConfig {
        let watch = patterns
            .iter()
            .map(|pattern| folder.join(pattern))
            .collect();
        PolicyConfig {
            watch,
            ..PolicyConfig::of(LibraryChoice::Builtin, None)
        }
    }

    fn folder_with(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for name in names {
            fs::write(folder.path().join(name), "one").expect("it can be written");
        }
        folder
    }

    #[test]
    fn a_star_means_any_letters_of_a_name() {
        for (pattern, name, expected) in [
            ("*.py", "policy.py", true),
            ("*.py", "policy.pyc", false),
            ("po*y.*", "policy.py", true),
            ("*", "", true),
            ("policy.py", "policy.py", true),
            ("policy.py", "policy", false),
            ("*é*", "café.py", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_names_ordinary_files_that_are_not_hidden_each_once() {
        let folder = folder_with(&[
            "policy.py",
            "shapes.py",
            ".policy.py",
            "weights.bin",
            "notes.txt",
        ]);
        fs::create_dir(folder.path().join("folder.py")).expect("it can be made");
        let files = watching(folder.path(), &["*.py", "weights.bin", "policy.py"]).watched_files();
        assert_eq!(
            files,
            ["policy.py", "shapes.py", "weights.bin"].map(|name| folder.path().join(name))
        );
    }

    #[test]
    fn another_content_is_reported_by_its_hash_and_a_file_that_was_only_touched_has_the_same() {
        let folder = folder_with(&["policy.py", "shapes.py"]);
        let content = || {
            watching(folder.path(), &["*.py"])
                .watched_content()
                .expect("they are there")
        };
        let first = content();
        assert!(first.is_some());
        fs::write(folder.path().join("shapes.py"), "one").expect("it can be written");
        assert_eq!(content(), first);
        fs::write(folder.path().join("shapes.py"), "").expect("it can be written");
        assert_ne!(content(), first);
    }

    #[test]
    fn a_pattern_without_a_file_is_a_mistake() {
        let folder = folder_with(&[]);
        let problem = watching(folder.path(), &["polciy.py"])
            .watched_content()
            .expect_err("it is misspelled");
        assert_eq!(problem.key, "policy.watch");
        assert!(
            problem
                .message
                .ends_with("polciy.py is not a file; name a file, or several with * in the name")
        );
        let folder = folder_with(&["policy.py", ".hidden.txt"]);
        for (pattern, words) in [
            (
                "polciy.py",
                "or several with * in the name; did you mean `policy.py`?",
            ),
            (
                "*.txt",
                "is called like *.txt; hidden files and folders do not count",
            ),
            ("none/*.py", "/none is not there"),
        ] {
            let problem = watching(folder.path(), &[pattern])
                .watched_content()
                .expect_err("there is none");
            assert!(problem.message.ends_with(words), "{}", problem.message);
        }
    }

    #[test]
    fn a_file_that_all_users_may_write_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder_with(&["policy.py"]);
        let file = folder.path().join("policy.py");
        fs::set_permissions(file, fs::Permissions::from_mode(0o666)).expect("its mode can be set");
        let problem = watching(folder.path(), &["policy.py"])
            .watched_content()
            .expect_err("it is writable");
        assert!(problem.message.contains("chmod o-w"), "{}", problem.message);
    }
}
