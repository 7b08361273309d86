//! The hands after the offered calls.

use policy_common::{Kans, call, kan};
use policy_sdk::View;
use riichi::ConcealedHand;
use riichi::shanten::shanten;
use riichi_estimates::splits::best_split;

use crate::price::Prices;

/// A call, by its resulting hand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    /// Its place in the legal list.
    pub(crate) index: usize,
    /// Q of the hand afterwards, in millionths.
    pub(crate) cost: u32,
}

/// Q of the last split of the full hand, in millionths: of the hand with the tile that it discarded
/// last, or, before its first discard, of the hand as dealt.
pub(crate) fn last_cost(view: &View<'_>, prices: &Prices) -> u32 {
    let last = view.player(view.seat()).river().next_back();
    let full = last.and_then(|last| view.concealed().with(last.tile.kind()));
    cost(view, prices, full.as_ref().unwrap_or(view.concealed()))
}

/// The calls that leave a yaku certain, and open kans that change nothing if kans are made. Once
/// tenpai only a kan is left.
pub(crate) fn possible(
    view: &View<'_>,
    prices: &Prices,
    kans: Kans,
) -> impl Iterator<Item = Claim> {
    let tenpai = shanten(view.concealed()) == 0;
    let sets =
        call::offered(view).filter(move |set| !tenpai && !set.discards_with_yaku(view).is_empty());
    let kans = (kans == Kans::Safe)
        .then(|| kan::open(view))
        .into_iter()
        .flatten();
    sets.chain(kans).map(|offered| Claim {
        index: offered.index,
        cost: cost(view, prices, &offered.concealed),
    })
}

fn cost(view: &View<'_>, prices: &Prices, hand: &ConcealedHand) -> u32 {
    let unseen = view.unseen();
    best_split(hand, |part| prices.of(part, &unseen)).cost
}
