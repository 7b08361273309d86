//! The constants of the policy, each with its origin. Those shared with simulations are in
//! [`calculator::estimates`].
//!
//! The probability and the cost of dealing in are measured: [`riichi_estimates::danger::figures`].
//! The value of a win comes from [`riichi::score`] and the rules.
//!
//! *Estimate* means the author's guess, not measured separately. `bot-runner tournament` measures
//! all of them together; docs/experiments/ lists the changes that were measured.

/// The constants for any number of players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tuning {
    /// The share of hands that are tenpai by each turn, without other information. Measured as a
    /// whole, six tenths of the first estimate: docs/experiments/defensive-fold-folding.md.
    pub(crate) tenpai_by: [f32; 19],

    /// The share of its points that a win gains by one more han: between all and, at a limit, none.
    /// Estimate.
    pub(crate) one_han_more: f32,

    /// The minimum cost of a random unseen tile, in places, at which a hand may go back a step with
    /// a safer tile and still be played on. Estimate.
    pub(crate) step_back_from: f32,
    /// The deduction for going back a step, in places. Estimate.
    pub(crate) step_back_cost: f32,
    /// The weight of the next turn's risk when folding: the round may be over by then, or other
    /// tiles safe. Estimate.
    pub(crate) next_turn: f32,

    /// The share of wins by self-draw. Estimate.
    pub(crate) tsumo_share: f32,
    /// The share of their copies that players who may still fold discard: honours, 1 and 9, 2 and
    /// 8, middle tiles. Estimate.
    pub(crate) thrown: [f32; 4],
    /// Added to that share as long as there is no riichi. Estimate.
    pub(crate) thrown_unwarned: f32,
    /// The average gain by tenpai, and loss by noten, in a drawn round. Estimate, between 1,000 to
    /// 3,000 by the rules and nothing if all are.
    pub(crate) drawn: i32,

    /// The factor by which ippatsu and ura dora raise the points of a hand in riichi whose yaku are
    /// counted. Estimate.
    pub(crate) riichi_luck_factor: f32,
    /// The average han of a closed hand without riichi: self-draw, pinfu. Estimate.
    pub(crate) closed_luck: f32,
    /// The han for triplets and pairs only, if that is near. Estimate.
    pub(crate) triplets: f32,
}

/// The constants that depend on the number of players. Three players have fewer kinds, more
/// valuable hands and one opponent less to discard. The constants for three are measured as a
/// whole: docs/experiments/defensive-fold-three-players.md.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlayersTuning {
    /// The probability that a random discard deals in to a tenpai hand. Estimate.
    pub(crate) random_deal_in: f32,
    /// The weight of the cost of dealing in when a tile is discarded. Measured:
    /// docs/experiments/defensive-fold-folding.md.
    pub(crate) deal_in_counts: f32,
}

pub(crate) static TUNING: Tuning = Tuning {
    tenpai_by: [
        0.0, 0.0, 0.01, 0.01, 0.02, 0.04, 0.07, 0.1, 0.13, 0.16, 0.19, 0.22, 0.25, 0.28, 0.3, 0.32,
        0.34, 0.35, 0.37,
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

static FOUR_PLAYERS: PlayersTuning = PlayersTuning {
    random_deal_in: 0.055,
    deal_in_counts: 0.5,
};

static THREE_PLAYERS: PlayersTuning = PlayersTuning {
    random_deal_in: 0.08,
    deal_in_counts: 0.6,
};

impl PlayersTuning {
    pub(crate) const fn of(players: u8) -> &'static Self {
        if players == 3 {
            &THREE_PLAYERS
        } else {
            &FOUR_PLAYERS
        }
    }
}
