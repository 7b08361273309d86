//! The policies linked into the runner.

use std::sync::Arc;

use cs_eight_step::CsEightStep;
use cs_fan::CsFan;
use defensive_fold::DefensiveFold;
use doudizhu_split::DouDizhuSplit;
use eight_step::EightStep;
use greedy_tenpai::GreedyTenpai;
use learned::Learned;
use mjai_engine::MjaiEngine;
use monte_carlo::MonteCarlo;
use policy_host::Library;
use policy_sdk::Policy;
use program::{DouDizhuProgram, McrProgram, Program};
use weighted_shape::WeightedShape;

macro_rules! built_in {
    ($($policy:ty),* $(,)?) => {
        /// A library for each.
        #[must_use]
        pub fn libraries() -> Vec<Arc<Library>> {
            vec![$(Library::of::<$policy>()),*]
        }

        /// Their ids.
        pub const IDS: &[&str] = &[$(<$policy as Policy>::DESCRIPTOR.id),*];
    };
}

built_in![
    GreedyTenpai,
    WeightedShape,
    EightStep,
    DefensiveFold,
    Learned,
    MonteCarlo,
    MjaiEngine,
    Program,
    McrProgram,
    DouDizhuProgram,
    CsEightStep,
    CsFan,
    DouDizhuSplit,
];
