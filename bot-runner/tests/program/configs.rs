//! Configs in their own folder.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a folder can be made"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, text).expect("a file can be written");
        path
    }

    pub(crate) fn file_with_mode(&self, name: &str, text: &str, mode: u32) -> PathBuf {
        let path = self.file(name, text);
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("it is ours");
        path
    }

    /// A private folder in it.
    pub(crate) fn private(&self, name: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(&path).expect("a folder can be made");
        fs::set_permissions(&path, Permissions::from_mode(0o700)).expect("it is ours");
        path
    }

    /// A bot of the built-in policy, for embedded games.
    pub(crate) fn bot(&self, name: &str) -> PathBuf {
        self.file(
            &format!("{name}.toml"),
            format!("name = {name:?}\n{POLICY}"),
        )
    }

    /// The same with an arena, and its token in a variable.
    pub(crate) fn bot_at(&self, name: &str, url: &str, variable: &str) -> PathBuf {
        self.file(
            &format!("{name}.toml"),
            format!("name = {name:?}\n{}{POLICY}", arena(url, variable)),
        )
    }
}

/// A section that seats the built-in policy.
pub(crate) const POLICY: &str = "\n[policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\n";

/// A section that names an arena and the variable of the token.
pub(crate) fn arena(url: &str, variable: &str) -> String {
    format!("\n[arena]\nkind = \"riichilab\"\nurl = {url:?}\ntoken_env = {variable:?}\n")
}
