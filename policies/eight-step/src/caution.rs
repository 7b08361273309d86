//! Warnings from the others' discards.

use arrayvec::ArrayVec;
use policy_common::opponent;
use policy_sdk::View;
use policy_sdk::abi::SEATS;
use riichi::{Kind, KindSet};

/// Warnings from the others' play.
#[derive(Debug, Clone, Default)]
pub(crate) struct Caution {
    /// For each seat that has declared riichi, the kinds it cannot win on.
    safe: ArrayVec<KindSet, SEATS>,
    /// The suits that a player collects.
    collected: [bool; 3],
}

impl Caution {
    pub(crate) fn new(view: &View<'_>) -> Self {
        let mut caution = Self::default();
        for player in view.opponents() {
            if player.riichi().is_some() {
                caution.safe.push(player.cannot_ron().all());
            }
            if let Some(suit) = opponent(view, &player).collects() {
                caution.collected[usize::from(suit)] = true;
            }
        }
        caution
    }

    /// Number of seats in riichi that may win on this kind.
    pub(crate) fn threats(&self, kind: Kind) -> usize {
        self.safe.iter().filter(|safe| !safe.contains(kind)).count()
    }

    /// Whether the kind is of a suit that a player collects.
    pub(crate) fn is_collected(&self, kind: Kind) -> bool {
        kind.suit()
            .is_some_and(|suit| self.collected[usize::from(suit)])
    }
}
