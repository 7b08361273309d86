//! The end of a policy's process.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;

/// The end of a policy's process that the runner did not request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessEnd {
    Exit(i32),
    Signal(i32),
    /// A signal by which a process ends that has no memory left, of one whose memory is limited.
    PerhapsOutOfMemory {
        signal: i32,
        /// Its limit.
        memory_mib: u32,
    },
    /// It closed its pipe and lived on, until the runner killed it.
    Silent,
}

impl ProcessEnd {
    /// The same for a process with this limit.
    #[must_use]
    pub(crate) fn with_memory(self, memory_mib: Option<u32>) -> Self {
        let of_memory =
            [Signal::ABORT, Signal::SEGV, Signal::BUS, Signal::TRAP].map(Signal::as_raw);
        match (self, memory_mib) {
            (Self::Signal(signal), Some(memory_mib)) if of_memory.contains(&signal) => {
                Self::PerhapsOutOfMemory { signal, memory_mib }
            }
            _ => self,
        }
    }

    /// Whether it was ended from outside: no library sends the signal KILL to itself, while a user
    /// and a system short of memory do.
    pub fn is_from_outside(self) -> bool {
        self == Self::Signal(Signal::KILL.as_raw())
    }
}

impl From<ExitStatus> for ProcessEnd {
    fn from(status: ExitStatus) -> Self {
        status.code().map_or_else(
            || Self::Signal(status.signal().unwrap_or_default()),
            Self::Exit,
        )
    }
}

impl fmt::Display for ProcessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exit(code) => write!(f, "ended with exit code {code}"),
            Self::Signal(number) => match name(number) {
                Some(name) => write!(f, "was killed by signal {number} ({name})"),
                None => write!(f, "was killed by signal {number}"),
            },
            Self::PerhapsOutOfMemory { signal, memory_mib } => write!(
                f,
                "{}, perhaps because it had no memory left: `memory_mib` in [policy.limits] allows {memory_mib} MiB",
                Self::Signal(signal)
            ),
            Self::Silent => f.write_str("closed its pipe"),
        }
    }
}

/// The signals that a process dies of by its own fault, and those that are sent by hand.
fn name(number: i32) -> Option<&'static str> {
    let names = [
        (Signal::SEGV, "segmentation fault"),
        (Signal::ABORT, "abort"),
        (Signal::BUS, "bus error"),
        (Signal::ILL, "illegal instruction"),
        (Signal::FPE, "arithmetic error"),
        (Signal::TRAP, "trap"),
        (Signal::SYS, "forbidden system call"),
        (Signal::KILL, "from outside"),
        (Signal::TERM, "terminated"),
        (Signal::INT, "interrupted"),
    ];
    names
        .into_iter()
        .find(|(signal, _)| signal.as_raw() == number)
        .map(|(_, name)| name)
}
