//! The system's information about the rules for a confined process.

/// Whether the system keeps rules over a confined process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KernelRules {
    /// It does.
    Kept,
    /// It cannot.
    NotKept,
}
