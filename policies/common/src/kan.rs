//! Kans that change only the drawn tiles and the dora: shanten, and in tenpai the waits, stay the
//! same.

use policy_sdk::{Answer, View};
use riichi::acceptance::acceptance;
use riichi::shanten::shanten;
use riichi::{Action, Called, ConcealedHand, Counts, MeldKind};

use crate::call::Offered;
use crate::candidate::{Candidate, is_yaku_certain};
use crate::habits::Kans;
use crate::progress::Progress;

/// The action for the best discard, which has this value: if kans are allowed, the first listed kan
/// of the own turn that results in the same shanten, and in tenpai the same waits, as the discard;
/// else the discard. The kan gets the value of the discard.
pub fn or_discard(
    view: &View<'_>,
    kans: Kans,
    best: &Candidate,
    value: f32,
    answer: &mut Answer,
) -> usize {
    match of_own_turn(view, best)
        .next()
        .filter(|_| kans == Kans::Safe)
    {
        Some(kan) => {
            answer.value(kan.index, value);
            kan.index
        }
        None => best.index,
    }
}

/// The listed kans of the own turn that leave the hand as near to completion as the best discard
/// does, in the list's order.
pub fn of_own_turn(view: &View<'_>, best: &Candidate) -> impl Iterator<Item = Offered> {
    view.legal()
        .iter()
        .enumerate()
        .filter_map(move |(index, action)| {
            let (offered, taken): (_, Counts) = match *action {
                Action::Ankan { consumed } => (
                    Offered::new(view, index, MeldKind::Ankan, None, &consumed)?,
                    consumed.into_iter().collect(),
                ),
                Action::Kakan { tile, .. } => (
                    Offered::added(view, index, tile)?,
                    std::iter::once(tile).collect(),
                ),
                _ => return None,
            };
            let new_melds = offered.melds.len() - view.melds().len();
            leaves_as_is(view, taken, new_melds, &best.progress).then_some(offered)
        })
}

/// The open kans that may be called and leave shanten, in tenpai the waits, and a certain yaku.
pub fn open(view: &View<'_>) -> impl Iterator<Item = Offered> {
    let now = Progress::new(
        view,
        shanten(view.concealed()),
        acceptance(view.concealed()),
    );
    view.legal()
        .iter()
        .enumerate()
        .filter_map(move |(index, action)| {
            let Action::Daiminkan {
                target,
                tile,
                consumed,
            } = *action
            else {
                return None;
            };
            let offered = Offered::new(
                view,
                index,
                MeldKind::Daiminkan,
                Some(Called { tile, from: target }),
                &consumed,
            )?;
            let certain = is_yaku_certain(view, &offered.concealed, &offered.melds);
            (certain && leaves_as_is(view, consumed.into_iter().collect(), 1, &now))
                .then_some(offered)
        })
}

/// Whether the hand without these tiles and with one more meld, or none, is as near to completion,
/// on the same waits.
fn leaves_as_is(view: &View<'_>, taken: Counts, new_melds: usize, best: &Progress) -> bool {
    let mut closed = *view.closed();
    for kind in taken.kinds().iter() {
        closed[kind] -= taken[kind];
    }
    ConcealedHand::new(closed, view.melds().len() + new_melds, view.players()).is_ok_and(|hand| {
        shanten(&hand) == best.shanten && (best.shanten > 0 || acceptance(&hand) == best.acceptance)
    })
}
