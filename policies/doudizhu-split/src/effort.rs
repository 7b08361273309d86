//! How much is tried out for a decision.

/// How many actions are tried out in how many games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitEffort {
    /// So many actions at most are tried out.
    pub candidates: usize,
    /// In so many games together at first, and then in as many again for each time that the worse half of the actions
    /// is left out.
    pub playouts: usize,
}

impl SplitEffort {
    /// More actions or games win hardly more often.
    pub const DEFAULT: Self = Self { candidates: 32, playouts: 512 };
}
