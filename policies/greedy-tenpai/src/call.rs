//! Calls that bring the hand nearer and leave a yaku certain.

use mahjong::acceptance::discard_options;
use mahjong::shanten::shanten;
use mahjong::yaku::yaku_is_certain;
use mahjong::{Action, Called, Meld, MeldKind};
use policy_sdk::View;

use crate::progress::Progress;

/// The listed call of a run or triplet that brings the hand nearest to completion, with its place in the list and what
/// the hand is after the discard that follows; `None` when no call lowers shanten and leaves a yaku certain.
///
/// An open kan brings a hand no nearer, so none is ever made. And neither does a call after which the called kind, or
/// the far end of its run, is thrown: the hand held that set already. So what kuikae forbids is never counted on here.
pub(crate) fn best(view: &View<'_>) -> Option<(usize, Progress)> {
    let now = shanten(view.closed(), view.melds().len() as u8);
    let calls = view.legal().iter().enumerate().filter_map(|(index, action)| {
        let (kind, called, consumed) = match *action {
            Action::Chi { target, tile, consumed } => (MeldKind::Chi, Called { tile, from: target }, consumed),
            Action::Pon { target, tile, consumed } => (MeldKind::Pon, Called { tile, from: target }, consumed),
            _ => return None,
        };
        let meld = Meld::new(kind, &[called.tile, consumed[0], consumed[1]], Some(called), 0)?;
        let progress = after(view, meld, consumed.map(|tile| tile.kind()))?;
        (progress.shanten < now).then_some((index, progress))
    });
    calls.min_by_key(|(_, progress)| progress.order())
}

/// The best that a call can lead to: among the discards that leave the lowest shanten number and a yaku certain.
fn after(view: &View<'_>, meld: Meld, consumed: [mahjong::Kind; 2]) -> Option<Progress> {
    let mut closed = *view.closed();
    for kind in consumed {
        closed[kind] = closed[kind].checked_sub(1)?;
    }
    let melds: Vec<_> = view.melds().iter().copied().chain([meld]).collect();
    let options = discard_options(&closed, melds.len() as u8);
    let lowest = options.iter().map(|option| option.shanten).min()?;
    let certain = options.iter().filter(|option| option.shanten == lowest).filter(|option| {
        let mut rest = closed;
        rest[option.kind] -= 1;
        yaku_is_certain(&rest, &melds, view.seat_wind(), view.bakaze(), view.rules().open_tanyao)
    });
    certain.map(|option| Progress::new(view, option.shanten, option.acceptance)).min_by_key(Progress::order)
}
