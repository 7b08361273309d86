//! The policies linked into the runner.

use std::sync::Arc;

use cs_eight_step::CsEightStep;
use cs_fan::CsFan;
use defensive_fold::DefensiveFold;
use doudizhu_split::DouDizhuSplit;
use eight_step::EightStep;
use greedy_tenpai::GreedyTenpai;
use mjai_engine::MjaiEngine;
use monte_carlo::MonteCarlo;
use policy_host::Library;
use program::{ChineseStandardProgram, DouDizhuProgram, Program};
use weighted_shape::WeightedShape;

/// A library for each.
#[must_use]
pub fn libraries() -> Vec<Arc<Library>> {
    vec![
        Library::of::<GreedyTenpai>(),
        Library::of::<WeightedShape>(),
        Library::of::<EightStep>(),
        Library::of::<DefensiveFold>(),
        Library::of::<MonteCarlo>(),
        Library::of::<MjaiEngine>(),
        Library::of::<Program>(),
        Library::of::<ChineseStandardProgram>(),
        Library::of::<DouDizhuProgram>(),
        Library::of::<CsEightStep>(),
        Library::of::<CsFan>(),
        Library::of::<DouDizhuSplit>(),
    ]
}
