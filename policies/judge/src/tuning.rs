//! The figures that the policy weighs by, in one place, each with its origin.
//!
//! Measured elsewhere: how likely a tile deals in and what that costs, in [`riichi::danger::figures`]. What a win of a hand
//! is worth comes from [`riichi::score`] and the rules.
//!
//! An origin of *estimate* is the author's, not measured by itself; `bot-runner tournament` shows what all of them are worth
//! together, and docs/experiments.md which changes were measured.

use crate::race::MAX_STEPS;

/// What the policy weighs by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tuning {
    /// How many hands have come to tenpai by each turn, if nothing else is known of them. Measured as a whole, six tenths of
    /// what was estimated first: docs/experiments.md, "It folded too often".
    pub(crate) tenpai_by: [f32; 19],
    /// How likely an opponent must be tenpai to threaten. Estimate.
    pub(crate) threatens_from: f32,

    /// What part of its points a win gains by one han more: between all of them and none, at a limit. Estimate.
    pub(crate) one_han_more: f32,

    /// Places that throwing an unseen tile at random must cost for a hand to go back a step with a safer tile and still be
    /// played on. Estimate.
    pub(crate) step_back_from: f32,
    /// Places by which going back a step is worth less than it seems. Estimate.
    pub(crate) step_back_cost: f32,
    /// What the risk of the next turn counts for when folding: until then the round may be over, and other tiles safe.
    /// Estimate.
    pub(crate) next_turn: f32,

    /// What the last round counts for when it is over: repeats may follow it. Estimate.
    pub(crate) last_round: f32,

    /// Copies that hands accept on average, by steps to tenpai; a tenpai hand's are its waits. Estimate.
    pub(crate) usual_tiles: [f32; MAX_STEPS + 1],
    /// By what factor calls speed up an open hand. Estimate.
    pub(crate) calls_help: f32,
    /// The same for a closed hand that would keep a yaku if it called. Estimate.
    pub(crate) calls_may_help: f32,
    /// What part of wins is by self-draw. Estimate.
    pub(crate) tsumo_share: f32,
    /// How many of their copies those who may still fold throw: of honours, of 1 and 9, of 2 and 8, and of the middle tiles.
    /// Estimate.
    pub(crate) thrown: [f32; 4],
    /// How many more as long as no riichi warns them. Estimate.
    pub(crate) thrown_unwarned: f32,
    /// Points that tenpai brings in a drawn round, and noten costs, on average. Estimate, between the 1,000 and 3,000 of the
    /// rules and nothing where all are.
    pub(crate) drawn: i32,

    /// Han that a riichi brings besides its own, on average: ippatsu, self-draw, ura dora, pinfu. Estimate.
    pub(crate) riichi_luck: f32,
    /// The factor by which ippatsu and ura dora raise the points of a hand in riichi whose yaku are counted. Estimate.
    pub(crate) riichi_luck_factor: f32,
    /// Han that a closed hand without riichi has on average: self-draw, pinfu. Estimate.
    pub(crate) closed_luck: f32,
    /// Han for a pair of a value honour before it is a triplet. Estimate.
    pub(crate) value_pair: f32,
    /// Han for triplets and pairs only, where that is near. Estimate.
    pub(crate) triplets: f32,
    /// Han for simples, with so many other tiles in the way. Estimate.
    pub(crate) simples: [f32; 3],
    /// What part of its han one suit has, with so many other tiles in the way. Estimate.
    pub(crate) one_suit: [f32; 3],
}

/// What the policy weighs by where it matters how many play. With three there are fewer kinds and dearer hands, and one fewer
/// who discards. Those of three are measured as a whole: docs/experiments.md, "three players".
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlayersTuning {
    /// How likely a tenpai opponent is to win within a go-round, by others' discards and its own draw. Estimate.
    pub(crate) wins_when_tenpai: f32,
    /// How likely a tile thrown at random is to deal in to a tenpai hand. Estimate.
    pub(crate) random_deal_in: f32,
    /// What the cost of dealing in counts for when a tile is thrown. Measured: docs/experiments.md, "It folded too often".
    pub(crate) deal_in_counts: f32,
    /// By how many points the difference between two seats moves in a round, as a standard deviation. Estimate.
    pub(crate) round_swing: f32,
    /// For a copy that a tenpai hand would draw in a go-round, how many it wins on by others' discards, closed and open, as
    /// long as its waits are not known. Estimate.
    pub(crate) ron_for_tsumo: [f32; 2],
}

/// What the policy plays by.
pub(crate) static TUNING: Tuning = Tuning {
    tenpai_by: [
        0.0, 0.0, 0.01, 0.01, 0.02, 0.04, 0.07, 0.1, 0.13, 0.16, 0.19, 0.22, 0.25, 0.28, 0.3, 0.32, 0.34, 0.35, 0.37,
    ],
    threatens_from: 0.1,
    one_han_more: 0.5,
    step_back_from: 0.02,
    step_back_cost: 0.02,
    next_turn: 0.5,
    last_round: 0.08,
    usual_tiles: [5.0, 14.0, 22.0, 30.0, 40.0, 50.0, 60.0],
    calls_help: 1.8,
    calls_may_help: 1.25,
    tsumo_share: 0.4,
    thrown: [1.0, 0.9, 0.75, 0.55],
    thrown_unwarned: 0.15,
    drawn: 1_200,
    riichi_luck: 0.9,
    riichi_luck_factor: 1.25,
    closed_luck: 0.5,
    value_pair: 0.35,
    triplets: 1.5,
    simples: [1.0, 0.5, 0.2],
    one_suit: [1.0, 0.6, 0.3],
};

static FOUR_PLAYERS: PlayersTuning = PlayersTuning {
    wins_when_tenpai: 0.13,
    random_deal_in: 0.055,
    deal_in_counts: 0.5,
    round_swing: 7_500.0,
    ron_for_tsumo: [1.7, 2.2],
};

static THREE_PLAYERS: PlayersTuning = PlayersTuning {
    wins_when_tenpai: 0.17,
    random_deal_in: 0.08,
    deal_in_counts: 0.6,
    round_swing: 11_000.0,
    ron_for_tsumo: [1.2, 1.5],
};

impl PlayersTuning {
    /// What the policy plays by at a table of so many.
    pub(crate) const fn of(players: u8) -> &'static Self {
        if players == 3 { &THREE_PLAYERS } else { &FOUR_PLAYERS }
    }
}
