//! The figures that the policy weighs by, in one place, each with its origin. Those that simulations share are in
//! [`calculator::estimates`].
//!
//! Measured elsewhere: how likely a tile deals in and what that costs, in [`riichi::danger::figures`]. What a win of a
//! hand is worth comes from [`riichi::score`] and the rules.
//!
//! An origin of *estimate* is the author's, not measured by itself; `bot-runner tournament` shows what all of them are
//! worth together, and docs/experiments/ which changes were measured.

/// What the policy weighs by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tuning {
    /// How many hands have come to tenpai by each turn, if nothing else is known of them. Measured as a whole, six
    /// tenths of what was estimated first: docs/experiments/defensive-fold-folding.md.
    pub(crate) tenpai_by: [f32; 19],

    /// What part of its points a win gains by one han more: between all of them and none, at a limit. Estimate.
    pub(crate) one_han_more: f32,

    /// Places that throwing an unseen tile at random must cost for a hand to go back a step with a safer tile and still
    /// be played on. Estimate.
    pub(crate) step_back_from: f32,
    /// Places by which going back a step is worth less than it seems. Estimate.
    pub(crate) step_back_cost: f32,
    /// What the risk of the next turn counts for when folding: until then the round may be over, and other tiles safe.
    /// Estimate.
    pub(crate) next_turn: f32,

    /// What part of wins is by self-draw. Estimate.
    pub(crate) tsumo_share: f32,
    /// How many of their copies those who may still fold throw: of honours, of 1 and 9, of 2 and 8, and of the middle
    /// tiles. Estimate.
    pub(crate) thrown: [f32; 4],
    /// How many more as long as no riichi warns them. Estimate.
    pub(crate) thrown_unwarned: f32,
    /// Points that tenpai brings in a drawn round, and noten costs, on average. Estimate, between the 1,000 and 3,000
    /// of the rules and nothing where all are.
    pub(crate) drawn: i32,

    /// The factor by which ippatsu and ura dora raise the points of a hand in riichi whose yaku are counted. Estimate.
    pub(crate) riichi_luck_factor: f32,
    /// Han that a closed hand without riichi has on average: self-draw, pinfu. Estimate.
    pub(crate) closed_luck: f32,
    /// Han for triplets and pairs only, where that is near. Estimate.
    pub(crate) triplets: f32,
}

/// What the policy weighs by where it matters how many play. With three there are fewer kinds and dearer hands, and one
/// fewer who discards. Those of three are measured as a whole: docs/experiments/defensive-fold-three-players.md.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlayersTuning {
    /// How likely a tile thrown at random is to deal in to a tenpai hand. Estimate.
    pub(crate) random_deal_in: f32,
    /// What the cost of dealing in counts for when a tile is thrown. Measured:
    /// docs/experiments/defensive-fold-folding.md.
    pub(crate) deal_in_counts: f32,
}

/// What the policy plays by.
pub(crate) static TUNING: Tuning = Tuning {
    tenpai_by: [
        0.0, 0.0, 0.01, 0.01, 0.02, 0.04, 0.07, 0.1, 0.13, 0.16, 0.19, 0.22, 0.25, 0.28, 0.3, 0.32, 0.34, 0.35, 0.37,
    ],
    one_han_more: 0.5,
    step_back_from: 0.02,
    step_back_cost: 0.02,
    next_turn: 0.5,
    tsumo_share: 0.4,
    thrown: [1.0, 0.9, 0.75, 0.55],
    thrown_unwarned: 0.15,
    drawn: 1_200,
    riichi_luck_factor: 1.25,
    closed_luck: 0.5,
    triplets: 1.5,
};

static FOUR_PLAYERS: PlayersTuning = PlayersTuning { random_deal_in: 0.055, deal_in_counts: 0.5 };

static THREE_PLAYERS: PlayersTuning = PlayersTuning { random_deal_in: 0.08, deal_in_counts: 0.6 };

impl PlayersTuning {
    /// What the policy plays by at a table of so many.
    pub(crate) const fn of(players: u8) -> &'static Self {
        if players == 3 { &THREE_PLAYERS } else { &FOUR_PLAYERS }
    }
}
