//! The built-in policies.

mod value_unit;

use std::sync::Arc;

use cs_eight_step::CsEightStep;
use cs_fan::CsFan;
use cs_learned::CsLearned;
use defensive_fold::DefensiveFold;
use doudizhu_learned::DouDizhuLearned;
use doudizhu_split::DouDizhuSplit;
use eight_step::EightStep;
use greedy_tenpai::GreedyTenpai;
use learned::Learned;
use mjai_engine::MjaiEngine;
use policy_host::{GameKind, Library, PolicyInfo};
use policy_sdk::Policy;
use program::{DouDizhuProgram, McrProgram, Program};
use weighted_shape::WeightedShape;

pub use value_unit::ValueUnit;

pub fn ids_of(game: GameKind) -> Vec<&'static str> {
    IDS.iter()
        .copied()
        .filter(|id| policy(id).and_then(|policy| policy.game()) == Some(game))
        .collect()
}

/// Whether the policy with this id asks a program, which the parameter `command` has to name.
pub fn needs_command(id: &str) -> bool {
    policy(id).is_some_and(|policy| policy.params.iter().any(|param| param.name == "command"))
}

/// The line that describes the policy with this id; empty if there is none.
pub fn summary(id: &str) -> String {
    policy(id).map(|policy| policy.summary).unwrap_or_default()
}

/// The id of the policy that keeps an engine informed: unlike all others it cannot be asked about a
/// round that goes otherwise than it has answered.
pub const ENGINE: &str = MjaiEngine::DESCRIPTOR.id;

fn policy(id: &str) -> Option<PolicyInfo> {
    libraries()
        .iter()
        .flat_map(|library| &library.description.policies)
        .find(|policy| policy.id == id)
        .cloned()
}

/// Declares the built-in policies, each with the unit of the values that it gives to actions, and
/// with the units at decisions among actions of other sorts.
macro_rules! built_in {
    ($($policy:ty: $unit:ident $(, $sort:literal: $of_sort:ident)*;)*) => {
        /// A library for each.
        pub fn libraries() -> Vec<Arc<Library>> {
            vec![$(Library::of::<$policy>()),*]
        }

        pub const IDS: &[&str] = &[$(<$policy as Policy>::DESCRIPTOR.id),*];

        /// The unit of each policy's values, and its units by sort of action. The policies of
        /// records are known by these names too.
        const UNITS: &[(&str, ValueUnit, &[(&str, ValueUnit)])] = &[$((
            <$policy as Policy>::DESCRIPTOR.id,
            ValueUnit::$unit,
            &[$(($sort, ValueUnit::$of_sort)),*],
        )),*];
    };
}

built_in! {
    GreedyTenpai: Steps;
    WeightedShape: Score;
    EightStep: Score;
    DefensiveFold: PlacesGained;
    Learned: PlacesGained;
    MjaiEngine: Score;
    Program: Score;
    McrProgram: Score;
    DouDizhuProgram: Score;
    CsEightStep: Score;
    CsFan: Points;
    CsLearned: Points;
    // A bid is valued by the points of the game that follows.
    DouDizhuSplit: Chance, "bid": Points;
    DouDizhuLearned: Points;
}
