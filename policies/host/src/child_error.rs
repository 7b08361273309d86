//! Why a policy's process is of no use.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::fault::BadFrame;
use crate::process_end::ProcessEnd;

/// Why a policy does not run in its own process.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// There is no process.
    #[error("no process for the policy: {program}: {error}", program = .program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// The system's words.
        error: io::Error,
    },
    /// The order cannot be written down: a path is not UTF-8.
    #[error("cannot write to the policy's process: {0}")]
    Order(#[from] serde_json::Error),
    /// The library cannot be used, or the policy refuses; in the words of a start in the runner itself.
    #[error("{0}")]
    Refused(String),
    /// The process died.
    #[error("the policy's process {end} while {doing}")]
    Died {
        /// The step.
        doing: Doing,
        /// The end of the process.
        end: ProcessEnd,
    },
    /// The process was killed since it took too long.
    #[error("the policy's process did not finish {doing} within {} ms and was killed", .within.as_millis())]
    Hung {
        /// The step.
        doing: Doing,
        /// Limit for the whole start.
        within: Duration,
    },
    /// The process was killed since it sent something that it may not send.
    #[error("the policy's process was killed while {doing}, since it sent {frame}")]
    BadFrame {
        /// The step.
        doing: Doing,
        /// The frame.
        frame: BadFrame,
    },
}

/// The steps of a process before its policy can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// Load the library.
    Loading,
    /// Make the policy's instance.
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
