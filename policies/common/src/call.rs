//! Calls of runs and triplets that leave a yaku certain.

use arrayvec::ArrayVec;
use policy_sdk::{Answer, View};
use riichi::acceptance::{DiscardOption, acceptance, discard_options};
use riichi::shanten::shanten;
use riichi::{Action, Called, ConcealedHand, Hand, KindSet, Meld, MeldKind, Tile};

use crate::candidate::is_yaku_certain;
use crate::progress::Progress;

/// A meld that may be called, and the hand as it then is, before its discard.
#[derive(Debug, Clone)]
pub struct Offered {
    /// Its place in the legal list.
    pub index: usize,
    /// The closed tiles that are left.
    pub hand: Hand,
    /// The same with the melds and the players.
    pub concealed: ConcealedHand,
    /// All melds, the new one last.
    pub melds: ArrayVec<Meld, 4>,
    /// The kinds that may not be discarded next.
    forbidden: KindSet,
}

/// The runs and triplets that may be called, in the list's order.
pub fn offered(view: &View<'_>) -> impl Iterator<Item = Offered> {
    view.legal()
        .iter()
        .enumerate()
        .filter_map(|(index, action)| {
            let (kind, called, consumed) = match *action {
                Action::Chi {
                    target,
                    tile,
                    consumed,
                } => (MeldKind::Chi, Called { tile, from: target }, consumed),
                Action::Pon {
                    target,
                    tile,
                    consumed,
                } => (MeldKind::Pon, Called { tile, from: target }, consumed),
                _ => return None,
            };
            let forbidden = view
                .rules()
                .kuikae(called.tile.kind(), consumed.map(Tile::kind));
            Some(Offered {
                forbidden,
                ..Offered::new(view, index, kind, Some(called), &consumed)?
            })
        })
}

impl Offered {
    /// A meld of some tiles of the hand, and a called one if there is one.
    pub(crate) fn new(
        view: &View<'_>,
        index: usize,
        kind: MeldKind,
        called: Option<Called>,
        consumed: &[Tile],
    ) -> Option<Self> {
        let called_tile = called.map(|called| called.tile);
        let tiles: ArrayVec<Tile, 4> = called_tile
            .into_iter()
            .chain(consumed.iter().copied())
            .collect();
        let mut melds: ArrayVec<_, 4> = view.melds().iter().copied().collect();
        melds.try_push(Meld::new(kind, &tiles, called, 0)?).ok()?;
        Self::with_melds(view, index, melds, consumed)
    }

    /// A pon to which a tile of the hand is added.
    pub(crate) fn added(view: &View<'_>, index: usize, tile: Tile) -> Option<Self> {
        let mut melds: ArrayVec<_, 4> = view.melds().iter().copied().collect();
        let (pon, grown) = melds
            .iter_mut()
            .find_map(|meld| meld.with_added(tile).map(|grown| (meld, grown)))?;
        *pon = grown;
        Self::with_melds(view, index, melds, &[tile])
    }

    fn with_melds(
        view: &View<'_>,
        index: usize,
        melds: ArrayVec<Meld, 4>,
        consumed: &[Tile],
    ) -> Option<Self> {
        let hand = view.hand().without(consumed).ok()?;
        let concealed = ConcealedHand::new(*hand.counts(), melds.len(), view.players()).ok()?;
        Some(Self {
            index,
            hand,
            concealed,
            melds,
            forbidden: KindSet::EMPTY,
        })
    }

    /// The discards that may follow.
    pub fn discards(&self) -> ArrayVec<DiscardOption, 14> {
        let mut options = discard_options(&self.concealed);
        options.retain(|option| !self.forbidden.contains(option.kind));
        options
    }

    /// The discards that may follow and leave the lowest shanten number and a yaku certain. None:
    /// the call would cost the yaku, or the hand would have to be taken apart for it.
    pub fn discards_with_yaku(&self, view: &View<'_>) -> ArrayVec<DiscardOption, 14> {
        let mut options = self.discards();
        let lowest = options.iter().map(|option| option.shanten).min();
        options.retain(|option| {
            Some(option.shanten) == lowest
                && self
                    .concealed
                    .without(option.kind)
                    .is_some_and(|rest| is_yaku_certain(view, &rest, &self.melds))
        });
        options
    }
}

/// Makes the call that brings the hand nearest to completion, if one lowers shanten and leaves a
/// yaku certain, or passes. Values come from [`Progress::value`]; impossible calls have none.
///
/// An open kan brings a hand no nearer, so none is ever made.
pub fn nearest(view: &View<'_>, pass: usize, answer: &mut Answer) -> usize {
    let now = Progress::new(
        view,
        shanten(view.concealed()),
        acceptance(view.concealed()),
    );
    answer.value(pass, now.value());
    let mut best: Option<(usize, Progress)> = None;
    for offered in offered(view) {
        let options = offered.discards_with_yaku(view);
        let after = options
            .iter()
            .map(|option| Progress::new(view, option.shanten, option.acceptance));
        let Some(after) = after
            .filter(|after| after.shanten < now.shanten)
            .min_by_key(Progress::order)
        else {
            continue;
        };
        answer.value(offered.index, after.value());
        if best.is_none_or(|(_, best)| after.order() < best.order()) {
            best = Some((offered.index, after));
        }
    }
    match best {
        Some((_, after)) => answer.reason(format_args!("called: {after}")),
        None => answer.reason(format_args!("passed: {now}")),
    }
    best.map_or(pass, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use policy_sdk::testing::{Situation, tile};
    use riichi::{Rules, Seat};

    use super::*;

    /// The kinds that may follow a chi of 5m with 3m and 4m out of a hand of simples.
    fn discarded_after_chi(rules: Rules) -> KindSet {
        let target = Seat::new(3).unwrap();
        let chi = Action::Chi {
            target,
            tile: tile("5m"),
            consumed: [tile("3m"), tile("4m")],
        };
        let situation = Situation::offered("23466m 345p 44s 678s", "5m", 3)
            .rules(rules)
            .also(chi);
        let options = |view: &View<'_>| offered(view).next().unwrap().discards_with_yaku(view);
        situation
            .build()
            .view(options)
            .unwrap()
            .iter()
            .map(|option| option.kind)
            .collect()
    }

    #[test]
    fn what_kuikae_forbids_is_not_counted_on_after_a_call() {
        // Once 2m, the far end, is discarded, the two pairs wait.
        let two = KindSet::from_iter([tile("2m").kind()]);
        assert!(
            discarded_after_chi(Rules {
                kuikae_forbidden: false,
                ..Rules::default()
            }) == two
        );
        let thrown = discarded_after_chi(Rules::default());
        assert!(!thrown.is_empty() && !thrown.intersects(two), "{thrown:?}");
    }
}
