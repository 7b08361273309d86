//! The discards of the own turn, with riichi or without.

use std::cmp::Reverse;

use mahjong::acceptance::discard_options;
use mahjong::yaku::yaku_is_certain;
use mahjong::{Action, Kind};
use policy_sdk::View;

use crate::progress::Progress;
use crate::throw::Throw;

/// A discard that is listed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Its place in the legal list.
    pub(crate) index: usize,
    /// Whether riichi is declared with it.
    pub(crate) riichi: bool,
    /// What the hand is afterwards.
    pub(crate) progress: Progress,
    kind: Kind,
    throw: Throw,
}

impl Candidate {
    /// Sorts the better first.
    fn order(&self) -> ((i8, Reverse<u32>), Throw) {
        (self.progress.order(), self.throw)
    }

    /// Whether a yaku is certain afterwards.
    fn leaves_yaku_certain(&self, view: &View<'_>) -> bool {
        let mut closed = *view.closed();
        closed[self.kind] -= 1;
        yaku_is_certain(&closed, view.melds(), view.seat_wind(), view.bakaze(), view.rules().open_tanyao)
    }
}

/// The discards that are listed, in the list's order.
pub(crate) fn candidates(view: &View<'_>) -> Vec<Candidate> {
    let options = discard_options(view.closed(), view.melds().len() as u8);
    let candidate = |(index, action): (usize, &Action)| {
        let (tile, tsumogiri, riichi) = match *action {
            Action::Dahai { tile, tsumogiri } => (tile, tsumogiri, false),
            Action::Reach { tile, tsumogiri } => (tile, tsumogiri, true),
            _ => return None,
        };
        let option = options.iter().find(|option| option.kind == tile.kind())?;
        let progress = Progress::new(view, option.shanten, option.acceptance);
        Some(Candidate { index, riichi, progress, kind: option.kind, throw: Throw::new(view, tile, tsumogiri) })
    };
    view.legal().iter().enumerate().filter_map(candidate).collect()
}

/// The best discard: with riichi where that is listed. With `keep_yaku`, an open hand throws only what leaves a yaku
/// certain, where it can.
pub(crate) fn best(view: &View<'_>, candidates: &[Candidate], keep_yaku: bool) -> Option<Candidate> {
    let best_of = |wanted: &dyn Fn(&Candidate) -> bool| {
        candidates.iter().copied().filter(|candidate| wanted(candidate)).min_by_key(Candidate::order)
    };
    if let Some(riichi) = best_of(&|candidate| candidate.riichi) {
        return Some(riichi);
    }
    let yaku_at_stake = keep_yaku && view.player(view.seat()).is_open();
    best_of(&|candidate| yaku_at_stake && candidate.leaves_yaku_certain(view)).or_else(|| best_of(&|_| true))
}
