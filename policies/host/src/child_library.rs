//! The library that a policy's process loads.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Which library a process loads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChildLibrary {
    /// The library linked into the runner that holds the policy with this id.
    Builtin(String),
    /// A file.
    File {
        /// A private copy of it, which must not change while the process loads it.
        copy: PathBuf,
        /// The file as the user knows it, complete.
        file: PathBuf,
    },
}
