//! Whether an open hand is sure of a yaku.

use super::{WinBy, WinContext, has_yaku, is_one_suit, value_kinds};
use crate::kinds::Counts;
use crate::meld::{Meld, MeldKind};
use crate::seat::Wind;
use crate::shanten::{ORPHANS, shanten};
use crate::tile::Kind;
use crate::waits::waits;

/// Whether an open hand is sure of a yaku, as long as its seat does not itself give it up.
///
/// This is the project's one meaning of "a call only when a yaku stays certain afterwards". `closed` and `melds` are the
/// hand after the call. Riichi, menzen tsumo and the yaku of luck (rinshan, haitei, …) do not count.
///
/// **Tenpai** (13 closed tiles less 3 for each meld): certain when the hand has a yaku by ron on *each* of its waits.
///
/// **Not yet tenpai**: certain when the tiles follow one of these plans.
/// * *Value*: three or four of a dragon, the seat's or the round's wind, melded or concealed.
/// * *Simples*: no one, nine or honour among all tiles, and tanyao counts for this hand.
/// * *One suit*: all tiles are honours or of a single suit.
/// * *Triplets*: no chi, and at most one of the closed tiles stands alone, the rest being pairs and triplets.
///
/// **Before the discard** (14 closed tiles less 3 for each meld): certain when, among the discards that leave the lowest
/// shanten number, there is one after which it is certain.
///
/// What this promises: a certain hand stays certain when the drawn tile is thrown, so a seat that throws only such tiles as
/// leave it certain never loses it; and a tenpai hand that is certain can win on every one of its waits. What it does not
/// promise is that the seat gets to such a tenpai: a hand of simples may draw into a wait of which one end is a
/// nine, and is then not certain. Other yaku (three colours, straight, outside hands, …) are seen at tenpai
/// only.
#[must_use]
pub fn yaku_is_certain(closed: &Counts, melds: &[Meld], seat_wind: Wind, round_wind: Wind, open_tanyao: bool) -> bool {
    let context = WinContext { by: WinBy::Discard, riichi: None, seat_wind, round_wind, open_tanyao };
    let meld_count = melds.len().min(4) as u8;
    if closed.total() + 3 * u32::from(meld_count) < 14 {
        return is_certain_after_discard(closed, melds, shanten(closed, meld_count), &context);
    }
    let mut rest = *closed;
    let mut after = |kind: Kind| {
        rest[kind] -= 1;
        let result = (rest, shanten(&rest, meld_count));
        rest[kind] += 1;
        result
    };
    let Some(least) = closed.kinds().iter().map(|kind| after(kind).1).min() else {
        return false;
    };
    closed
        .kinds()
        .iter()
        .map(after)
        .any(|(rest, shanten)| shanten == least && is_certain_after_discard(&rest, melds, shanten, &context))
}

fn is_certain_after_discard(closed: &Counts, melds: &[Meld], shanten: i8, context: &WinContext) -> bool {
    if shanten == 0 {
        let mut complete = *closed;
        return waits(closed, melds.len().min(4) as u8).iter().all(|kind| {
            complete[kind] += 1;
            let has_yaku = has_yaku(&complete, melds, kind, context);
            complete[kind] -= 1;
            has_yaku
        });
    }
    follows_plan(closed, melds, context)
}

/// The plans of [`yaku_is_certain`].
fn follows_plan(closed: &Counts, melds: &[Meld], context: &WinContext) -> bool {
    let open = melds.iter().any(|meld| meld.kind().opens_hand());
    let mut all = *closed;
    for meld in melds {
        meld.count_into(&mut all);
    }
    let kinds = all.kinds();
    let value = value_kinds(context.seat_wind, context.round_wind).iter().any(|kind| all[kind] >= 3);
    let simples = (!open || context.open_tanyao) && !kinds.intersects(ORPHANS);
    let alone = Kind::all().filter(|&kind| closed[kind] == 1 || closed[kind] == 4).count();
    let triplets = alone <= 1 && melds.iter().all(|meld| meld.kind() != MeldKind::Chi);
    value || simples || is_one_suit(kinds) || triplets
}
