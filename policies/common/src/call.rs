//! Calls of runs and triplets that leave a yaku certain.

use arrayvec::ArrayVec;
use mahjong::acceptance::{DiscardOption, discard_options};
use mahjong::meld::kuikae;
use mahjong::shanten::shanten;
use mahjong::yaku::yaku_is_certain;
use mahjong::{Action, Called, Counts, KindSet, Meld, MeldKind};
use policy_sdk::View;

use crate::progress::Progress;

/// A run or triplet that may be called, and the hand as it then is, before its discard.
#[derive(Debug, Clone)]
pub struct Offered {
    /// Its place in the legal list.
    pub index: usize,
    /// The closed tiles that are left.
    pub closed: Counts,
    /// All melds, the new one last.
    pub melds: ArrayVec<Meld, 4>,
    /// What may not be discarded next.
    forbidden: KindSet,
}

/// The runs and triplets that may be called, in the list's order.
pub fn offered(view: &View<'_>) -> impl Iterator<Item = Offered> {
    view.legal().iter().enumerate().filter_map(|(index, action)| Offered::new(view, index, action))
}

impl Offered {
    fn new(view: &View<'_>, index: usize, action: &Action) -> Option<Self> {
        let (kind, called, consumed) = match *action {
            Action::Chi { target, tile, consumed } => (MeldKind::Chi, Called { tile, from: target }, consumed),
            Action::Pon { target, tile, consumed } => (MeldKind::Pon, Called { tile, from: target }, consumed),
            _ => return None,
        };
        let meld = Meld::new(kind, &[called.tile, consumed[0], consumed[1]], Some(called), 0)?;
        let own = consumed.map(|tile| tile.kind());
        let mut closed = *view.closed();
        for kind in own {
            closed[kind] = closed[kind].checked_sub(1)?;
        }
        let mut melds: ArrayVec<_, 4> = view.melds().iter().copied().collect();
        melds.try_push(meld).ok()?;
        let forbidden = if view.rules().kuikae_forbidden { kuikae(called.tile.kind(), own) } else { KindSet::EMPTY };
        Some(Self { index, closed, melds, forbidden })
    }

    /// The discards that may follow and leave the lowest shanten number and a yaku certain. None: the call would cost the
    /// yaku, or the hand would have to be taken apart for it.
    #[must_use]
    pub fn discards_with_yaku(&self, view: &View<'_>) -> ArrayVec<DiscardOption, 14> {
        let mut options = discard_options(&self.closed, self.melds.len() as u8);
        options.retain(|option| !self.forbidden.contains(option.kind));
        let lowest = options.iter().map(|option| option.shanten).min();
        options.retain(|option| {
            Some(option.shanten) == lowest && {
                let mut rest = self.closed;
                rest[option.kind] -= 1;
                yaku_is_certain(&rest, &self.melds, view.seat_wind(), view.bakaze(), view.rules().open_tanyao)
            }
        });
        options
    }
}

/// The call that brings the hand nearest to completion, with its place in the list and what the hand is after the discard
/// that follows; `None` when no call lowers shanten and leaves a yaku certain.
///
/// An open kan brings a hand no nearer, so none is ever made.
#[must_use]
pub fn nearest(view: &View<'_>) -> Option<(usize, Progress)> {
    let now = shanten(view.closed(), view.melds().len() as u8);
    let best_of = |offered: Offered| {
        let options = offered.discards_with_yaku(view);
        let progress = options.iter().map(|option| Progress::new(view, option.shanten, option.acceptance));
        progress.filter(|progress| progress.shanten < now).min_by_key(Progress::order).map(|best| (offered.index, best))
    };
    offered(view).filter_map(best_of).min_by_key(|(_, progress)| progress.order())
}

#[cfg(test)]
mod tests {
    use mahjong::{Rules, Seat};
    use policy_sdk::testing::{Situation, tile};

    use super::*;

    /// The kinds that may follow a chi of 5m with 3m and 4m out of a hand of simples.
    fn thrown_after_chi(rules: Rules) -> KindSet {
        let target = Seat::new(3).unwrap();
        let chi = Action::Chi { target, tile: tile("5m"), consumed: [tile("3m"), tile("4m")] };
        let situation = Situation::offered("23466m 345p 44s 678s", "5m", 3).rules(rules).also(chi);
        let options = |view: &View<'_>| offered(view).next().unwrap().discards_with_yaku(view);
        situation.build().view(options).unwrap().iter().map(|option| option.kind).collect()
    }

    #[test]
    fn what_kuikae_forbids_is_not_counted_on_after_a_call() {
        // Once 2m, the far end, is thrown, the two pairs wait.
        let two = KindSet::from_iter([tile("2m").kind()]);
        assert!(thrown_after_chi(Rules { kuikae_forbidden: false, ..Rules::default() }) == two);
        let thrown = thrown_after_chi(Rules::default());
        assert!(!thrown.is_empty() && !thrown.intersects(two), "{thrown:?}");
    }
}
