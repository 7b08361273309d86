//! Which of the offered calls leaves the cheapest hand.

use arrayvec::ArrayVec;
use mahjong::acceptance::acceptance;
use mahjong::shanten::shanten;
use mahjong::splits::best_split;
use mahjong::yaku::yaku_is_certain;
use mahjong::{Action, Called, Counts, Meld, MeldKind};
use policy_common::{Kans, call};
use policy_sdk::View;

use crate::price::Prices;

/// A call, by what it leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    /// Its place in the legal list.
    pub(crate) index: usize,
    /// Q of the hand afterwards, in millionths.
    pub(crate) cost: u32,
}

/// Q of the last split of the full hand, in millionths: of the hand with the tile that it discarded last, or, before its
/// first discard, of the hand as dealt.
pub(crate) fn last_cost(view: &View<'_>, prices: &Prices) -> u32 {
    let mut closed = *view.closed();
    if let Some(last) = view.player(view.seat()).river().next_back() {
        closed[last.tile.kind()] += 1;
    }
    cost(view, prices, &closed, view.melds().len())
}

/// The call that leaves the lowest Q, of those that bring the hand nearer to completion and leave a yaku certain; of equal
/// ones the first that is listed. No set brings a tenpai hand nearer, so that once tenpai only an open kan is left.
pub(crate) fn cheapest(view: &View<'_>, prices: &Prices, kans: Kans) -> Option<Claim> {
    let now = shanten(view.closed(), view.melds().len() as u8);
    let nearer = |offered: &call::Offered| offered.discards_with_yaku(view).iter().any(|option| option.shanten < now);
    let sets = call::offered(view).filter(nearer);
    let sets = sets.map(|offered| (offered.index, offered.closed, offered.melds));
    let kans = view.legal().iter().enumerate().filter(|_| kans == Kans::Safe);
    let kans = kans.filter_map(|(index, action)| safe_open_kan(view, index, action));
    sets.chain(kans)
        .map(|(index, closed, melds)| Claim { index, cost: cost(view, prices, &closed, melds.len()) })
        .min_by_key(|claim| claim.cost)
}

fn cost(view: &View<'_>, prices: &Prices, closed: &Counts, melds: usize) -> u32 {
    let unseen = view.unseen();
    best_split(closed, melds as u8, |part| prices.of(part, &unseen)).cost
}

/// The hand after an open kan that leaves shanten, in tenpai the waits, and a certain yaku.
fn safe_open_kan(view: &View<'_>, index: usize, action: &Action) -> Option<(usize, Counts, ArrayVec<Meld, 4>)> {
    let Action::Daiminkan { target, tile, consumed } = *action else { return None };
    let [first, second, third] = consumed;
    let called = Some(Called { tile, from: target });
    let mut melds: ArrayVec<_, 4> = view.melds().iter().copied().collect();
    melds.try_push(Meld::new(MeldKind::Daiminkan, &[tile, first, second, third], called, 0)?).ok()?;
    let mut closed = *view.closed();
    closed[tile.kind()] -= 3;
    let before = shanten(view.closed(), view.melds().len() as u8);
    let waits = |closed: &Counts, melds: &[Meld]| acceptance(closed, melds.len() as u8);
    let unchanged = shanten(&closed, melds.len() as u8) == before
        && (before > 0 || waits(&closed, &melds) == waits(view.closed(), view.melds()));
    let certain = yaku_is_certain(&closed, &melds, view.seat_wind(), view.bakaze(), view.rules().open_tanyao);
    (unchanged && certain).then_some((index, closed, melds))
}
