//! The rules in which the two forms of the game differ.

/// The rules of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DouDizhuRules {
    /// Whether the seats bid for the role of the landlord; otherwise seat 0 is the landlord.
    pub bidding: bool,
    /// Number of wings for each four of a shuttle, singles or pairs.
    pub shuttle_wings: u8,
}

impl DouDizhuRules {
    /// Botzone's `FightTheLandlord`: seat 0 is the landlord. A shuttle takes one wing for each
    /// four.
    pub const FIXED: Self = Self {
        bidding: false,
        shuttle_wings: 1,
    };
    /// Botzone's `FightTheLandlord2`: the seats bid. A shuttle takes two wings for each four.
    pub const BIDDING: Self = Self {
        bidding: true,
        shuttle_wings: 2,
    };
}
