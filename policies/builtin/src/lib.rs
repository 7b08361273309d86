//! The built-in policies.

use std::sync::Arc;

use cs_eight_step::CsEightStep;
use cs_fan::CsFan;
use defensive_fold::DefensiveFold;
use doudizhu_split::DouDizhuSplit;
use eight_step::EightStep;
use greedy_tenpai::GreedyTenpai;
use learned::Learned;
use mjai_engine::MjaiEngine;
use policy_host::{GameKind, Library, PolicyInfo};
use policy_sdk::Policy;
use program::{DouDizhuProgram, McrProgram, Program};
use weighted_shape::WeightedShape;

/// The ids of those that play this game without required parameters.
#[must_use]
pub fn ids_of(game: GameKind) -> Vec<&'static str> {
    let libraries = libraries();
    let policies = libraries
        .iter()
        .zip(IDS)
        .flat_map(|(library, id)| library.description.policies.iter().map(move |policy| (policy, *id)));
    let of_game = policies.filter(|(policy, _)| policy.game() == Some(game));
    let wants_nothing = |policy: &PolicyInfo| policy.params.iter().all(|param| param.default.is_some());
    of_game.filter(|(policy, _)| wants_nothing(policy)).map(|(_, id)| id).collect()
}

/// The game of the policy with this id.
#[must_use]
pub fn game_of(id: &str) -> Option<GameKind> {
    libraries().iter().flat_map(|library| &library.description.policies).find(|policy| policy.id == id)?.game()
}

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
    MjaiEngine,
    Program,
    McrProgram,
    DouDizhuProgram,
    CsEightStep,
    CsFan,
    DouDizhuSplit,
];
