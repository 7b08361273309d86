//! Yaku: whether a win has one, and whether an open hand is sure to have one.
//!
//! The list is Tenhou's. What a yaku is worth does not matter here; dora are no yaku, and neither is a win by ron in the
//! first turn (renhou).

use crate::kinds::{Counts, KindSet};
use crate::meld::{Meld, MeldKind};
use crate::seat::Wind;
use crate::shanten::{ORPHANS, shanten};
use crate::shape::{Reading, Set, is_seven_pairs, is_thirteen_orphans, readings};
use crate::tile::Kind;
use crate::waits::waits;

/// The circumstances of a win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WinContext {
    /// On the seat's own draw, the replacement draw after a kan included; otherwise by ron.
    pub tsumo: bool,
    /// The seat has declared riichi, single or double.
    pub riichi: bool,
    /// On the seat's first draw with no call before it (tenhou, chiihou). Without `tsumo` it is no yaku.
    pub first_turn: bool,
    /// On the last tile of the wall or the discard that follows it (haitei, houtei).
    pub last_tile: bool,
    /// On the replacement draw after a kan.
    pub rinshan: bool,
    /// On the tile that another seat adds to its pon (or, for thirteen orphans, declares a closed kan of).
    pub chankan: bool,
    /// The winner's seat wind.
    pub seat_wind: Wind,
    /// The wind of the round.
    pub round_wind: Wind,
    /// Whether an open hand of simples has a yaku.
    pub open_tanyao: bool,
}

/// Whether a complete hand has a yaku.
///
/// `closed` are the concealed tiles by kind and include the winning tile, whose kind is `winning`. That the hand is
/// complete is the caller's to see ([`is_complete`](crate::shape::is_complete)): for another hand the answer means
/// nothing. Any input is taken without panicking.
///
/// As in every reading of the rules that we know of, the winning tile may be counted into any set or the pair that it
/// fits, whichever gives a yaku.
#[must_use]
pub fn has_yaku(closed: &Counts, melds: &[Meld], winning: Kind, context: &WinContext) -> bool {
    let open = melds.iter().any(|meld| meld.kind().opens_hand());
    // Tenhou and chiihou are closed wins by tsumo.
    if !open && (context.tsumo || context.riichi) {
        return true;
    }
    if context.last_tile || context.rinshan || context.chankan {
        return true;
    }
    let mut all = *closed;
    for meld in melds {
        meld.count_into(&mut all);
    }
    has_yaku_of_tiles(&all, !open || context.open_tanyao, value_kinds(context.seat_wind, context.round_wind))
        || melds.iter().filter(|meld| meld.kind().is_kan()).count() >= 3
        || melds.is_empty() && (is_seven_pairs(closed) || is_thirteen_orphans(closed))
        || readings(closed).iter().any(|reading| has_yaku_of_sets(reading, melds, open, winning, context))
}

/// Yaku that can be seen from the tiles of a complete hand, however it is read: tanyao; yakuhai, and with them the
/// dragons' and most of the winds' yaku; honitsu and chinitsu, and with them the winds' remaining yaku, tsuuiisou, ryuuiisou
/// and chuuren poutou; honroutou, and with it chinroutou and thirteen orphans.
fn has_yaku_of_tiles(all: &Counts, tanyao: bool, values: KindSet) -> bool {
    let kinds = all.kinds();
    tanyao && !kinds.intersects(ORPHANS)
        || values.iter().any(|kind| all[kind] >= 3)
        || is_one_suit(kinds)
        || (kinds - ORPHANS).is_empty()
}

/// Whether the suited ones among the kinds are of one suit.
fn is_one_suit(kinds: KindSet) -> bool {
    SUITS.iter().filter(|&&suit| kinds.intersects(suit)).count() <= 1
}

const SUITS: [KindSet; 3] =
    [KindSet::from_bits(0o777), KindSet::from_bits(0o777 << 9), KindSet::from_bits(0o777 << 18)];

/// Kinds of which a triplet is a yaku: the dragons and the two winds.
fn value_kinds(seat_wind: Wind, round_wind: Wind) -> KindSet {
    let mut kinds: KindSet = Kind::all().filter(|kind| kind.is_dragon()).collect();
    kinds.insert(seat_wind.kind());
    kinds.insert(round_wind.kind());
    kinds
}

/// The sets of a hand by where they begin: a bit for each kind.
#[derive(Clone, Copy, Default)]
struct Sets {
    runs: u64,
    triplets: u64,
}

impl Sets {
    fn add(&mut self, set: Set) {
        match set {
            Set::Run(first) => self.runs |= 1 << first.index(),
            Set::Triplet(kind) => self.triplets |= 1 << kind.index(),
        }
    }
}

/// Yaku that hang on how the hand is read.
fn has_yaku_of_sets(reading: &Reading, melds: &[Meld], open: bool, winning: Kind, context: &WinContext) -> bool {
    let mut sets = Sets::default();
    for &set in &reading.sets {
        sets.add(set);
    }
    for meld in melds {
        sets.add(meld_set(meld));
    }
    is_three_colours(sets.runs)
        || is_three_colours(sets.triplets)
        || is_straight(sets.runs)
        || sets.runs == 0
        || is_outside(sets, reading.pair)
        || concealed_triplets(reading, melds, winning, context.tsumo) >= 3
        || !open && has_twin_runs(reading)
        || melds.is_empty() && is_pinfu(reading, winning, context)
}

/// A meld as a set; a kan counts as a triplet.
fn meld_set(meld: &Meld) -> Set {
    if meld.kind() == MeldKind::Chi { Set::Run(meld.first()) } else { Set::Triplet(meld.first()) }
}

/// Sanshoku doujun for runs, sanshoku doukou for triplets: the same number in all suits.
fn is_three_colours(firsts: u64) -> bool {
    firsts & firsts >> 9 & firsts >> 18 & 0o777 != 0
}

/// Ittsuu: 123, 456 and 789 of one suit.
fn is_straight(runs: u64) -> bool {
    [0, 9, 18].iter().any(|suit| runs >> suit & 0b001_001_001 == 0b001_001_001)
}

/// Chanta and junchan: a one, nine or honour in each set and the pair.
fn is_outside(sets: Sets, pair: Kind) -> bool {
    /// 123 and 789 in each suit.
    const OUTSIDE_RUNS: u64 = 0o101 | 0o101 << 9 | 0o101 << 18;
    sets.runs & !OUTSIDE_RUNS == 0 && sets.triplets & !ORPHANS.bits() == 0 && ORPHANS.contains(pair)
}

/// For sanankou and suuankou. A triplet completed by ron counts as open, unless the winning tile fits a run as well and
/// can be counted there.
fn concealed_triplets(reading: &Reading, melds: &[Meld], winning: Kind, tsumo: bool) -> usize {
    let is_run = |set: &&Set| matches!(set, Set::Run(_));
    let melded = melds.iter().filter(|meld| meld.kind() == MeldKind::Ankan).count();
    let concealed = reading.sets.iter().filter(|set| !is_run(set)).count();
    let opened = !tsumo
        && reading.sets.contains(&Set::Triplet(winning))
        && !reading.sets.iter().filter(is_run).any(|run| run.contains(winning));
    melded + concealed - usize::from(opened)
}

/// Iipeikou and ryanpeikou: the same run twice, in a closed hand.
fn has_twin_runs(reading: &Reading) -> bool {
    // Equal sets stand side by side.
    reading.sets.windows(2).any(|two| matches!(two[0], Set::Run(_)) && two[0] == two[1])
}

/// Pinfu: nothing but runs, a pair without value, and a wait on both sides of a run.
fn is_pinfu(reading: &Reading, winning: Kind, context: &WinContext) -> bool {
    let two_sided = |set: &Set| match *set {
        Set::Triplet(_) => false,
        Set::Run(first) => {
            first == winning && first.offset(3).is_some()
                || first.offset(2) == Some(winning) && first.offset(-1).is_some()
        }
    };
    reading.sets.iter().all(|set| matches!(set, Set::Run(_)))
        && !value_kinds(context.seat_wind, context.round_wind).contains(reading.pair)
        && reading.sets.iter().any(two_sided)
}

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
    let context = WinContext {
        tsumo: false,
        riichi: false,
        first_turn: false,
        last_tile: false,
        rinshan: false,
        chankan: false,
        seat_wind,
        round_wind,
        open_tanyao,
    };
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
