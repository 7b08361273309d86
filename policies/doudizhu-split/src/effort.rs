//! The number of playouts for a decision.

/// The numbers of actions and playouts for a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitEffort {
    /// So many actions at most are tried out.
    pub candidates: usize,
    /// The initial number of playouts, and the number added each time that the worse half of the
    /// actions is left out.
    pub playouts: usize,
}

impl SplitEffort {
    /// More actions or games win hardly more often.
    pub const DEFAULT: Self = Self {
        candidates: 32,
        playouts: 512,
    };
}
