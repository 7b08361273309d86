//! The surroundings of a hand, and the difference between a changed hand and the present one.

use arrayvec::ArrayVec;
use tiles::shanten::shanten;
use tiles::{ConcealedHand, Counts, KINDS, Kind, KindSet, Tile};

use riichi::meld::MeldKind;

use super::melds::HandAhead;
use super::open_yaku::OpenYaku;
use super::{Detours, StartState};

/// More ura dora change nothing: a hand with riichi and this many is worth a yakuman.
pub(super) const MAX_URA: usize = 12;

/// The part that stays the same while the hand changes.
pub(super) struct Surroundings<'a> {
    pub(super) outset: &'a StartState<'a>,
    /// The present hand.
    root: Counts,
    root_kinds: KindSet,
    root_reds: [u8; 3],
    /// The indicator of each dora.
    markers: [Kind; KINDS],
    /// Whether the hand may declare riichi when it is tenpai.
    pub(super) may_riichi: bool,
    /// Whether it may call runs: three players do not.
    pub(super) may_chi: bool,
    /// Maximum sum of a hand's difference from the present one and its distance from tenpai.
    pub(super) reach: i8,
    /// The possible yaku of an open hand.
    pub(super) open_yaku: OpenYaku,
    detour: i8,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(outset: &'a StartState<'a>, hand: &ConcealedHand) -> Self {
        let closed = outset
            .melds
            .iter()
            .all(|meld| meld.kind() == MeldKind::Ankan);
        let detour = match outset.detours {
            Detours::None => 0,
            Detours::One => 1,
        };
        let rules = &outset.situation.rules;
        let mut markers = [Kind::EAST; KINDS];
        for marker in KindSet::in_play(rules.players).iter() {
            markers[rules.dora_of(marker).index()] = marker;
        }
        Self {
            outset,
            root: *hand.counts(),
            root_kinds: hand.counts().kinds(),
            markers,
            root_reds: outset.hand.reds(),
            may_riichi: outset.may_riichi && closed,
            may_chi: outset.situation.rules.players == 4,
            // A complete hand that does not win is tenpai after its discard.
            reach: shanten(hand).max(0) + detour,
            open_yaku: OpenYaku::new(outset.situation, outset.melds),
            detour,
        }
    }

    /// Whether a waiting hand that differs in this many tiles from the present one may still win.
    /// An opened hand needs a yaku; it can gain the tiles that the present one lacks, the winning
    /// tile, and tiles discarded on a detour.
    pub(super) fn may_win(&self, hand: &HandAhead, changed: i8) -> bool {
        let more = self.reach - changed + 1 + self.detour;
        hand.melds.is_empty() || self.open_yaku.may_come(hand, more.unsigned_abs())
    }

    /// Number of tiles of this kind in the present hand.
    pub(super) fn held_now(&self, kind: Kind) -> u8 {
        self.root[kind]
    }

    /// Number of tiles of this kind that a hand, including its new melds, has more than the present
    /// one.
    pub(super) fn gained(&self, hand: &Counts, kind: Kind) -> u8 {
        hand[kind].saturating_sub(self.root[kind])
    }

    /// The kinds of which a hand, including its new melds, has more tiles than the present one.
    pub(super) fn all_gained(&self, hand: &Counts) -> KindSet {
        Counts(std::array::from_fn(|kind| {
            hand.0[kind].saturating_sub(self.root.0[kind])
        }))
        .kinds()
    }

    /// The copies of each kind that the present hand and this one, its new melds included, do not
    /// have, and that are not seen.
    pub(super) fn unseen_beside(&self, hand: &Counts) -> Counts {
        let mut unseen = *self.outset.unseen.counts();
        for (unseen, (held, now)) in unseen.0.iter_mut().zip(hand.0.iter().zip(&self.root.0)) {
            *unseen = unseen.saturating_sub(held.saturating_sub(*now));
        }
        unseen
    }

    /// The kinds that the seat has discarded when it waits with this hand, as far as they are
    /// remembered.
    pub(super) fn thrown_with(&self, tiles: &Counts) -> KindSet {
        self.outset.thrown | self.parted(tiles)
    }

    /// The kinds of which this hand, its new melds included, has fewer tiles than the present one.
    pub(super) fn parted(&self, tiles: &Counts) -> KindSet {
        self.root_kinds
            .iter()
            .filter(|&kind| tiles[kind] < self.root[kind])
            .collect()
    }

    /// The most ura dora that a hand can have, as far as they matter.
    pub(super) fn max_ura(&self) -> usize {
        (4 * usize::from(self.outset.ura_indicators)).min(MAX_URA)
    }

    /// The kind of the indicator that makes a kind dora.
    pub(super) fn marker_of(&self, dora: Kind) -> Kind {
        self.markers[dora.index()]
    }

    /// The tiles of a kind that can still be drawn for this hand, plain and red, with their
    /// numbers.
    pub(super) fn unseen_of(
        &self,
        hand: &Counts,
        reds: [u8; 3],
        kind: Kind,
    ) -> ArrayVec<(Tile, u8), 2> {
        let red = kind.suit().filter(|_| kind.number() == Some(5));
        let tiles = [Some(kind.tile()), red.and_then(Tile::red_five)];
        tiles
            .into_iter()
            .flatten()
            .map(|tile| (tile, self.unseen_copies(hand, reds, tile)))
            .filter(|&(_, left)| left > 0)
            .collect()
    }

    /// How many copies of a tile can still be drawn for this hand.
    pub(super) fn unseen_copies(&self, hand: &Counts, reds: [u8; 3], tile: Tile) -> u8 {
        let kind = tile.kind();
        let red = kind.suit().filter(|_| kind.number() == Some(5));
        let reds_of = |reds: [u8; 3]| red.map_or(0, |suit| reds[usize::from(suit)]);
        let (reds, reds_before) = (reds_of(reds), reds_of(self.root_reds));
        let gained = if tile.is_red() {
            reds.saturating_sub(reds_before)
        } else {
            (hand[kind] - reds).saturating_sub(self.root[kind] - reds_before)
        };
        self.outset.unseen.count(tile).saturating_sub(gained)
    }
}
