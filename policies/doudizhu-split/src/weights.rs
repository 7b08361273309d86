//! The numbers by which it plays.

/// What things are worth, in turns.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitWeights {
    /// So many of the best splits of a hand are looked at.
    pub splits: usize,
    /// A play that nobody beats: it takes no turn, and wins back part of one that another play loses.
    pub hold: f64,
    /// To have the lead.
    pub lead: f64,
    /// To let an opponent go out.
    pub opponent_out: f64,
    /// To let a partner go out.
    pub partner_out: f64,
    /// To leave the lead to an opponent with 1, 2, 3 or 4 cards.
    pub near_out: [f64; 4],
}

impl SplitWeights {
    /// The numbers that were best in games against itself with other numbers, on the same deals.
    pub const DEFAULT: Self =
        Self { splits: 6, hold: 1.6, lead: 1.0, opponent_out: 8.0, partner_out: 6.0, near_out: [4.0, 2.0, 1.0, 0.5] };
}
