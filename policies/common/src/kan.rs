//! Kans that change nothing but the tiles drawn and the dora.

use mahjong::acceptance::acceptance;
use mahjong::shanten::shanten;
use mahjong::{Action, Called, ConcealedHand, Counts, MeldKind};
use policy_sdk::{Answer, View};

use crate::call::Offered;
use crate::candidate::{Candidate, is_yaku_certain};
use crate::habits::Kans;
use crate::progress::Progress;

/// What to do with the best discard, which has this value: the first listed kan of the own turn after which shanten, and
/// in tenpai the waits, are those after it, if kans are made; else the discard. The kan gets the value of the discard.
pub fn or_discard(view: &View<'_>, kans: Kans, best: &Candidate, value: f32, answer: &mut Answer) -> usize {
    let safe = |action: &Action| match *action {
        Action::Ankan { consumed } => leaves_as_is(view, consumed.into_iter().collect(), 1, &best.progress),
        Action::Kakan { tile, .. } => leaves_as_is(view, std::iter::once(tile).collect(), 0, &best.progress),
        _ => false,
    };
    match view.legal().iter().position(safe).filter(|_| kans == Kans::Safe) {
        Some(kan) => {
            answer.value(kan, value);
            kan
        }
        None => best.index,
    }
}

/// The open kans that may be called and leave shanten, in tenpai the waits, and a certain yaku.
pub fn open(view: &View<'_>) -> impl Iterator<Item = Offered> {
    let now = Progress::new(view, shanten(view.concealed()), acceptance(view.concealed()));
    view.legal().iter().enumerate().filter_map(move |(index, action)| {
        let Action::Daiminkan { target, tile, consumed } = *action else { return None };
        let offered = Offered::new(view, index, MeldKind::Daiminkan, Called { tile, from: target }, &consumed)?;
        let certain = is_yaku_certain(view, &offered.concealed, &offered.melds);
        (certain && leaves_as_is(view, consumed.into_iter().collect(), 1, &now)).then_some(offered)
    })
}

/// Whether the hand without these tiles and with one more meld, or none, is as near to completion, on the same waits.
fn leaves_as_is(view: &View<'_>, taken: Counts, new_melds: usize, best: &Progress) -> bool {
    let mut closed = *view.closed();
    for kind in taken.kinds().iter() {
        closed[kind] -= taken[kind];
    }
    ConcealedHand::new(closed, view.melds().len() + new_melds, view.players())
        .is_ok_and(|hand| shanten(&hand) == best.shanten && (best.shanten > 0 || acceptance(&hand) == best.acceptance))
}
