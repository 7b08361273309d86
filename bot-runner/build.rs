//! Gives a release build its commit if it is known: from the variable BOT_RUNNER_COMMIT, or in a
//! checkout from git's files. It starts no program, and without a commit the build goes on without
//! one.

use std::fs;
use std::path::{Path, PathBuf};

const VARIABLE: &str = "BOT_RUNNER_COMMIT";
/// Number of digits of a commit that are shown.
const DIGITS: usize = 12;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed={VARIABLE}");
    let is_release = std::env::var("PROFILE").as_deref() == Ok("release");
    let commit = std::env::var(VARIABLE).ok().or_else(|| {
        if is_release {
            commit_of_checkout()
        } else {
            None
        }
    });
    let commit = commit.unwrap_or_default();
    let digits: String = commit
        .chars()
        .take(DIGITS)
        .filter(char::is_ascii_alphanumeric)
        .collect();
    println!("cargo:rustc-env={VARIABLE}={digits}");
}

fn commit_of_checkout() -> Option<String> {
    let git = git_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.git"))?;
    let head = read(&git.join("HEAD"))?;
    let Some(reference) = head.strip_prefix("ref: ") else {
        return Some(head);
    };
    // Those of a work tree lie in the folder that all work trees share.
    let common = read_if_there(&git.join("commondir"))
        .map_or_else(|| git.clone(), |folder| git.join(folder));
    [&git, &common]
        .into_iter()
        .find_map(|folder| read_if_there(&folder.join(reference)))
        .or_else(|| {
            let packed = read_if_there(&common.join("packed-refs"))?;
            packed
                .lines()
                .find_map(|line| Some(line.strip_suffix(reference)?.strip_suffix(' ')?.to_owned()))
        })
}

/// The folder of a checkout, or of a work tree, which names it in a file.
fn git_folder(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        Some(git.to_owned())
    } else {
        read(git)?
            .strip_prefix("gitdir: ")
            .map(|folder| git.with_file_name(folder))
    }
}

fn read_if_there(file: &Path) -> Option<String> {
    if file.is_file() { read(file) } else { None }
}

/// A file without white space around it; the build is made again when it changes.
fn read(file: &Path) -> Option<String> {
    println!("cargo:rerun-if-changed={}", file.display());
    fs::read_to_string(file)
        .ok()
        .map(|text| text.trim().to_owned())
}
