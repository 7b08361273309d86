//! The memory usage of a process.

use std::fs;

/// The memory of a process, in kB of 1,024 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    pub resident: u64,
    pub peak: u64,
}

impl Memory {
    /// The memory of the process with this id; `None` if the system does not report it.
    pub fn of(process: u32) -> Option<Self> {
        Self::read(&fs::read_to_string(format!("/proc/{process}/status")).ok()?)
    }

    /// Linux's `/proc/PID/status`.
    fn read(status: &str) -> Option<Self> {
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().strip_suffix(" kB")?.parse().ok()
        };
        Some(Self {
            resident: field("VmRSS:")?,
            peak: field("VmHWM:")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_in_a_process_status() {
        let status = "Name:\tbot-runner\nVmPeak:\t   90000 kB\nVmHWM:\t   12345 kB\nVmRSS:\t    6789 kB\nThreads:\t1\n";
        assert_eq!(
            Memory::read(status),
            Some(Memory {
                resident: 6789,
                peak: 12_345
            })
        );
        // A process that has ended and is not taken note of yet.
        assert_eq!(
            Memory::read("Name:\tbot-runner\nState:\tZ (zombie)\n"),
            None
        );
    }
}
