//! The origin of a policy.

use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Linked into the runner.
    Builtin,
    /// The user's file.
    File(PathBuf),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Builtin => f.write_str("built in"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}
