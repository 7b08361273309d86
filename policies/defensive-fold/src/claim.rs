//! Calls: whether the hand is better with one than without.

use mahjong::acceptance::acceptance;
use mahjong::shanten::shanten;
use mahjong::{Action, Hand, Tile};
use policy_common::call;
use policy_sdk::View;

use crate::prospect::{Judge, Prospect};

/// A call worth making.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    /// Its place in the legal list.
    pub(crate) index: usize,
    /// Places gained by it, in expectation.
    pub(crate) value: f32,
    /// Places gained by passing.
    pub(crate) pass: f32,
}

/// The call that gains most, if one gains more than passing; only such as bring the hand nearer and leave a yaku certain.
pub(crate) fn best(view: &View<'_>, judge: &Judge<'_>) -> Option<Call> {
    let melds = view.melds().len() as u8;
    let now = shanten(view.closed(), melds);
    let pass = judge.gain(&Prospect {
        hand: *view.hand(),
        melds: view.melds(),
        shanten: now,
        acceptance: acceptance(view.closed(), melds),
        thrown: None,
        riichi: false,
    });
    let mut best: Option<Call> = None;
    for offered in call::offered(view) {
        let Some(hand) = left_after(view, offered.index) else { continue };
        for option in offered.discards_with_yaku(view).iter().filter(|option| option.shanten < now) {
            let Ok(hand) = hand.without(&[cheapest(&hand, option.kind)]) else { continue };
            let gain = judge.gain(&Prospect {
                hand,
                melds: &offered.melds,
                shanten: option.shanten,
                acceptance: option.acceptance,
                thrown: Some(option.kind),
                riichi: false,
            });
            let value = (1.0 - judge.threats.deal_in(option.kind)) * gain - judge.threats.risk(option.kind);
            if value > best.map_or(pass, |best| best.value) {
                best = Some(Call { index: offered.index, value, pass });
            }
        }
    }
    best
}

/// The closed tiles that a listed call leaves.
fn left_after(view: &View<'_>, index: usize) -> Option<Hand> {
    match view.legal()[index] {
        Action::Chi { consumed, .. } | Action::Pon { consumed, .. } => view.hand().without(&consumed).ok(),
        _ => None,
    }
}

/// The plain tile of a kind where there is one.
fn cheapest(hand: &Hand, kind: mahjong::Kind) -> Tile {
    hand.distinct().find(|tile| tile.kind() == kind).unwrap_or(kind.tile())
}
