//! Whether an open hand is sure of a yaku.

use tiles::shanten::{ORPHANS, shanten};
use tiles::{ConcealedHand, Counts, Kind, KindSet, Wind};

use super::{WinBy, WinContext, has_yaku, is_one_suit, value_kinds};
use crate::meld::{Meld, MeldKind};
use crate::waits::waits;

/// Whether an open hand is sure of a yaku, as long as its seat does not itself give it up.
///
/// This is the project's one meaning of "a call only when a yaku stays certain afterwards". `hand`
/// and `melds` are the hand after the call. Riichi, menzen tsumo and the yaku of luck (rinshan,
/// haitei, …) do not count.
///
/// **Tenpai**: certain when the hand has a yaku by ron on *each* of its waits with an unseen tile
/// (`left`). Without knowledge of the table this includes every kind.
///
/// **Not yet tenpai**, or tenpai with no such wait: certain when the tiles follow one of these
/// plans.
/// * *Value*: three or four of a dragon, the seat's or the round's wind, melded or concealed.
/// * *Simples*: no terminal or honour among all tiles, and tanyao counts for this hand.
/// * *One suit*: all tiles are honours or of a single suit.
/// * *Triplets*: no chi, and at most one single concealed tile, the others being pairs and
///   triplets.
///
/// **Before the discard** (a full hand): certain when, among the discards that leave the lowest
/// shanten number, there is one after which it is certain.
///
/// A hand that is certain stays so when the drawn tile is discarded, and a tenpai hand that is
/// certain can win on every one of its waits. The seat may not reach such a tenpai: a hand of
/// simples may draw into a wait with a nine at one end, and is then not certain. Other yaku (three
/// colours, straight, outside hands, …) are seen at tenpai only.
pub fn yaku_is_certain(
    hand: &ConcealedHand,
    melds: &[Meld],
    seat_wind: Wind,
    round_wind: Wind,
    open_tanyao: bool,
    left: KindSet,
) -> bool {
    let context = WinContext {
        by: WinBy::Discard,
        riichi: None,
        seat_wind,
        round_wind,
        open_tanyao,
    };
    if !hand.is_full() {
        return is_certain_before_draw(hand, melds, shanten(hand), &context, left);
    }
    let mut least = i8::MAX;
    hand.each_discard(|_, rest| least = least.min(shanten(rest)));
    let mut certain = false;
    hand.each_discard(|_, rest| {
        certain = certain
            || shanten(rest) == least && is_certain_before_draw(rest, melds, least, &context, left);
    });
    certain
}

fn is_certain_before_draw(
    hand: &ConcealedHand,
    melds: &[Meld],
    shanten: i8,
    context: &WinContext,
    left: KindSet,
) -> bool {
    let all = with_melds(hand, melds);
    let waits = if shanten == 0 {
        (waits(hand) & left) - all.at_least(4)
    } else {
        KindSet::EMPTY
    };
    if waits.is_empty() {
        return follows_plan(hand, &all, melds, context);
    }
    let completed = |kind| Some((kind, hand.with(kind)?));
    waits
        .iter()
        .filter_map(completed)
        .all(|(kind, won)| has_yaku(&won, melds, kind, context))
}

/// All tiles of a hand by kind, including its melds.
fn with_melds(hand: &ConcealedHand, melds: &[Meld]) -> Counts {
    let mut all = *hand.counts();
    melds.iter().for_each(|meld| meld.count_into(&mut all));
    all
}

/// The plans of [`yaku_is_certain`], for a hand that has these tiles in all.
fn follows_plan(hand: &ConcealedHand, all: &Counts, melds: &[Meld], context: &WinContext) -> bool {
    let open = melds.iter().any(|meld| meld.kind().opens_hand());
    let kinds = all.kinds();
    let value = value_kinds(context.seat_wind, context.round_wind)
        .iter()
        .any(|kind| all[kind] >= 3);
    let simples = (!open || context.open_tanyao) && !kinds.intersects(ORPHANS);
    let alone = Kind::all()
        .filter(|&kind| matches!(hand.counts()[kind], 1 | 4))
        .count();
    let triplets = alone <= 1 && melds.iter().all(|meld| meld.kind() != MeldKind::Chi);
    value || simples || is_one_suit(kinds) || triplets
}
