//! Kans that change nothing but the tiles drawn and the dora.

use mahjong::acceptance::acceptance;
use mahjong::shanten::shanten;
use mahjong::{Action, Counts};
use policy_sdk::View;

use crate::progress::Progress;

/// The first listed kan of the own turn after which shanten, and in tenpai the waits, are those after the best discard.
#[must_use]
pub fn safe(view: &View<'_>, best: &Progress) -> Option<usize> {
    view.legal().iter().position(|action| match *action {
        Action::Ankan { consumed } => leaves_as_is(view, consumed.into_iter().collect(), 1, best),
        Action::Kakan { tile, .. } => leaves_as_is(view, std::iter::once(tile).collect(), 0, best),
        _ => false,
    })
}

/// Whether the hand without these tiles and with so many new melds is as near to completion, on the same waits.
fn leaves_as_is(view: &View<'_>, taken: Counts, new_melds: u8, best: &Progress) -> bool {
    let mut closed = *view.closed();
    for kind in taken.kinds().iter() {
        closed[kind] -= taken[kind];
    }
    let melds = view.melds().len() as u8 + new_melds;
    shanten(&closed, melds) == best.shanten && (best.shanten > 0 || acceptance(&closed, melds) == best.acceptance)
}
