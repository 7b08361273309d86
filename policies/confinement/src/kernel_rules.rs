//! The system's information about the rules for a confined process.

/// Whether the system keeps rules over a confined process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KernelRules {
    /// It does.
    Kept,
    /// It cannot.
    NotKept,
}

/// Landlock is missing.
pub(crate) const FILES_NOT_KEPT: &str = "this system cannot keep files from a policy's process, which needs Linux 5.13 with Landlock \
                              switched on; the policy may read and write what its user may";
