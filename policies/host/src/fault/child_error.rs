//! The reason why a policy's process cannot be used.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::fault::process_end::ProcessEnd;
use crate::fault::{BadFrame, NOT_STARTED, PolicyStartError};

/// The reason why a policy cannot run in its own process.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    #[error("no process for the policy: {program}: {error}", program = .program.display())]
    Spawn {
        program: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The order cannot be serialized: a path is not UTF-8.
    #[error("cannot write to the policy's process: {0}")]
    Order(#[from] serde_json::Error),
    /// The library cannot be used, or the policy refuses; the words are those of a start in the
    /// runner itself.
    #[error("{0}")]
    Refused(String),
    #[error("the policy's process {end} while {doing}")]
    Died { doing: Doing, end: ProcessEnd },
    /// The process was killed because it took too long.
    #[error("the policy's process did not finish {doing} within {} ms and was killed", .within.as_millis())]
    Hung {
        doing: Doing,
        /// Limit for the whole start.
        within: Duration,
    },
    /// The process was killed because it sent an invalid frame.
    #[error("the policy's process was killed while {doing}, since it sent {frame}")]
    BadFrame { doing: Doing, frame: BadFrame },
}

impl From<ChildError> for PolicyStartError {
    fn from(error: ChildError) -> Self {
        let reason = error.to_string();
        // A start in the child has these words already.
        Self(
            reason
                .strip_prefix(NOT_STARTED)
                .unwrap_or(&reason)
                .to_owned(),
        )
    }
}

/// The steps of a process before its policy can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    Loading,
    Creating,
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loading => "loading",
            Self::Creating => "creating",
        })
    }
}
