//! How others discard, and what that warns of.

use arrayvec::ArrayVec;
use mahjong::{Kind, KindSet};
use policy_sdk::abi::SEATS;
use policy_sdk::{Player, View};

/// Open melds that say what a seat collects.
const TELLING_MELDS: usize = 2;

/// What the others' play warns of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Caution {
    /// For each seat that has declared riichi, the kinds it cannot win on.
    safe: ArrayVec<KindSet, SEATS>,
    /// The suits that somebody collects.
    collected: [bool; 3],
}

impl Caution {
    pub(crate) fn new(view: &View<'_>) -> Self {
        let mut caution = Self::default();
        for player in view.opponents() {
            if player.riichi().is_some() {
                caution.safe.push(player.cannot_ron().all());
            }
            if let Some(suit) = collected_suit(&player) {
                caution.collected[usize::from(suit)] = true;
            }
        }
        caution
    }

    /// How many of those in riichi may win on this kind.
    pub(crate) fn threats(&self, kind: Kind) -> usize {
        self.safe.iter().filter(|safe| !safe.contains(kind)).count()
    }

    /// Whether the kind is of a suit that somebody collects.
    pub(crate) fn is_collected(&self, kind: Kind) -> bool {
        kind.suit().is_some_and(|suit| self.collected[usize::from(suit)])
    }
}

/// The suit that a seat collects: that of all its open melds, two or more, honours aside.
fn collected_suit(player: &Player<'_>) -> Option<u8> {
    let open = || player.melds().iter().filter(|meld| meld.kind().opens_hand());
    let suit = open().find_map(|meld| meld.first().suit())?;
    let one_suit = open().all(|meld| meld.first().suit().is_none_or(|other| other == suit));
    (one_suit && open().count() >= TELLING_MELDS).then_some(suit)
}
