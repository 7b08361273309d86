//! The library that a policy's process loads.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChildLibrary {
    /// The built-in library with the policy of this id.
    Builtin(String),
    File {
        /// A private copy of it, which must not change while the process loads it.
        copy: PathBuf,
        /// The file as the user knows it, complete.
        file: PathBuf,
    },
}
