//! The yaku of a complete hand: from its circumstances, its tiles, a reading, and the part of that
//! reading that the winning tile completed.
//!
//! If there is a yakuman among them, nothing else counts ([`YakuSet::yakuman`]).

use tiles::shanten::ORPHANS;
use tiles::{ConcealedHand, Kind, KindSet, Wind};

use super::list::{Yaku, YakuSet};
use super::{SUITS, WinBy, WinContext, is_one_suit};
use crate::meld::{Meld, MeldKind};
use crate::shape::{BitReading, is_seven_pairs, is_thirteen_orphans};

const HONOURS: KindSet = KindSet::from_bits(0b111_1111 << Kind::EAST.index());
/// 2s 3s 4s 6s 8s and the green dragon.
const GREEN: KindSet = KindSet::from_bits(0b1010_1110 << 18 | 1 << (Kind::WHITE.index() + 1));

/// A complete hand, including the winning tile, with the way it was won.
pub(crate) struct Won<'a> {
    hand: &'a ConcealedHand,
    melds: &'a [Meld],
    winning: Kind,
    context: &'a WinContext,
    open: bool,
    /// The kinds of all tiles.
    kinds: KindSet,
    /// The melds by their lowest kind: a bit for each kind. A kan counts as a triplet.
    melded_runs: u64,
    melded_triplets: u64,
    kans: u32,
    closed_kans: u32,
}

/// The part of a reading that the winning tile completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WinningPlace {
    /// It completed the pair.
    Pair,
    /// It completed a triplet; the wait was for two kinds held twice.
    Triplet,
    /// It completed a run from one of its ends, and the run could have been completed at the other.
    TwoSided,
    /// It completed a run in the middle, or 12 or 89.
    OneSided,
}

impl<'a> Won<'a> {
    pub(crate) fn new(
        hand: &'a ConcealedHand,
        melds: &'a [Meld],
        winning: Kind,
        context: &'a WinContext,
    ) -> Self {
        let mut won = Self {
            hand,
            melds,
            winning,
            context,
            open: false,
            kinds: hand.counts().kinds(),
            melded_runs: 0,
            melded_triplets: 0,
            kans: 0,
            closed_kans: 0,
        };
        for meld in melds {
            let first = 1 << meld.first().index();
            if meld.kind() == MeldKind::Chi {
                won.melded_runs |= first;
                won.kinds |= KindSet::from_bits(first * 0b111);
            } else {
                won.melded_triplets |= first;
                won.kinds |= KindSet::from_bits(first);
            }
            won.open |= meld.kind().opens_hand();
            won.kans += u32::from(meld.kind().is_kan());
            won.closed_kans += u32::from(meld.kind() == MeldKind::Ankan);
        }
        won
    }

    pub(crate) fn hand(&self) -> &ConcealedHand {
        self.hand
    }

    pub(crate) fn melds(&self) -> &[Meld] {
        self.melds
    }

    pub(crate) fn winning(&self) -> Kind {
        self.winning
    }

    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    pub(crate) fn is_tsumo(&self) -> bool {
        self.context.by.is_tsumo()
    }

    pub(crate) fn is_seven_pairs(&self) -> bool {
        is_seven_pairs(self.hand)
    }

    pub(crate) fn is_thirteen_orphans(&self) -> bool {
        is_thirteen_orphans(self.hand)
    }

    /// The number of ways in which a pair of this kind is a value pair: as a dragon, as the seat's
    /// wind, as the round's.
    pub(crate) fn times_of_value(&self, pair: Kind) -> u8 {
        let WinContext {
            seat_wind,
            round_wind,
            ..
        } = *self.context;
        u8::from(pair.is_dragon())
            + u8::from(pair == seat_wind.kind())
            + u8::from(pair == round_wind.kind())
    }

    /// Riichi, menzen tsumo, tenhou and the yaku of luck.
    pub(crate) fn yaku_of_circumstances(&self) -> YakuSet {
        self.context.yaku(self.open)
    }

    /// Yaku that can be seen from the tiles, however they are read.
    pub(crate) fn yaku_of_tiles(&self) -> YakuSet {
        let kinds = self.kinds;
        let mut yaku = YakuSet::EMPTY;
        yaku.add(
            Yaku::Tanyao,
            (!self.open || self.context.open_tanyao) && !kinds.intersects(ORPHANS),
        );
        let honours = kinds.intersects(HONOURS);
        if is_one_suit(kinds) {
            let all_honours = (kinds - HONOURS).is_empty();
            yaku.add(Yaku::Tsuuiisou, all_honours);
            yaku.add(Yaku::Honitsu, honours && !all_honours);
            yaku.add(Yaku::Chinitsu, !honours);
            yaku.add(Yaku::Ryuuiisou, (kinds - GREEN).is_empty());
            if let Some(nine_waits) = self.nine_gates() {
                yaku.add(
                    if nine_waits {
                        Yaku::ChuurenNine
                    } else {
                        Yaku::Chuuren
                    },
                    true,
                );
            }
        }
        if (kinds - ORPHANS).is_empty() {
            yaku.add(Yaku::Honroutou, true);
            yaku.add(Yaku::Chinroutou, !honours);
        }
        yaku.add(Yaku::Sankantsu, self.kans == 3);
        yaku.add(Yaku::Suukantsu, self.kans == 4);
        yaku
    }

    /// Whether nine gates waited for all nine kinds, if the hand is nine gates.
    fn nine_gates(&self) -> Option<bool> {
        const GATES: [u8; 9] = [3, 1, 1, 1, 1, 1, 1, 1, 3];
        let suit = SUITS.iter().position(|&suit| self.kinds == suit)?;
        let counts = &self.hand.counts().0[9 * suit..9 * suit + 9];
        if !self.melds.is_empty() || counts.iter().zip(GATES).any(|(&count, gate)| count < gate) {
            return None;
        }
        // The one tile over is the winning one.
        let over = counts
            .iter()
            .zip(GATES)
            .position(|(&count, gate)| count > gate)?;
        Some(9 * suit + over == self.winning.index())
    }

    /// Thirteen orphans; by tenhou always those with thirteen waits, as none of the dealer's 14
    /// tiles came last.
    pub(crate) fn yaku_of_thirteen_orphans(&self) -> YakuSet {
        let tenhou = self.context.by == WinBy::FirstDraw && self.context.seat_wind == Wind::East;
        let thirteen_waits = tenhou || self.hand.counts()[self.winning] == 2;
        YakuSet::of(if thirteen_waits {
            Yaku::KokushiThirteen
        } else {
            Yaku::Kokushi
        })
    }

    /// Yaku of a reading, whichever part of it the winning tile completed.
    pub(crate) fn yaku_of_reading(&self, reading: &BitReading) -> YakuSet {
        let mut yaku = YakuSet::EMPTY;
        let runs = reading.runs[0] | self.melded_runs;
        let triplets = reading.triplets | self.melded_triplets;
        let pair = 1 << reading.pair.index();
        self.add_honours(&mut yaku, triplets, pair);
        yaku.add(Yaku::SanshokuDoujun, is_three_colours(runs));
        yaku.add(Yaku::SanshokuDoukou, is_three_colours(triplets));
        yaku.add(Yaku::Ittsuu, is_straight(runs));
        yaku.add(Yaku::Toitoi, runs == 0);
        // Without runs an outside hand is honroutou.
        if runs != 0 && is_outside(runs, triplets, pair) {
            yaku.add(
                if self.kinds.intersects(HONOURS) {
                    Yaku::Chanta
                } else {
                    Yaku::Junchan
                },
                true,
            );
        }
        if !self.open {
            let twins = reading.runs[1].count_ones() + reading.runs[3].count_ones();
            yaku.add(Yaku::Iipeikou, twins == 1);
            yaku.add(Yaku::Ryanpeikou, twins == 2);
        }
        yaku
    }

    /// Yakuhai, and the yaku of several triplets of dragons or winds.
    fn add_honours(&self, yaku: &mut YakuSet, triplets: u64, pair: u64) {
        const DRAGONS: u64 = 0b111 << Kind::WHITE.index();
        const WINDS: u64 = 0b1111 << Kind::EAST.index();
        if triplets & HONOURS.bits() == 0 {
            return;
        }
        let has = |kind: usize| triplets >> kind & 1 == 1;
        yaku.add(Yaku::Haku, has(Kind::WHITE.index()));
        yaku.add(Yaku::Hatsu, has(Kind::WHITE.index() + 1));
        yaku.add(Yaku::Chun, has(Kind::WHITE.index() + 2));
        yaku.add(Yaku::SeatWind, has(self.context.seat_wind.kind().index()));
        yaku.add(Yaku::RoundWind, has(self.context.round_wind.kind().index()));
        let dragons = (triplets & DRAGONS).count_ones();
        yaku.add(Yaku::Shousangen, dragons == 2 && pair & DRAGONS != 0);
        yaku.add(Yaku::Daisangen, dragons == 3);
        let winds = (triplets & WINDS).count_ones();
        yaku.add(Yaku::Shousuushii, winds == 3 && pair & WINDS != 0);
        yaku.add(Yaku::Daisuushii, winds == 4);
    }

    /// The places that the winning tile can take in a reading.
    pub(crate) fn places(
        &self,
        reading: &BitReading,
    ) -> impl Iterator<Item = WinningPlace> + use<> {
        let winning = self.winning.index();
        // Runs that begin two kinds below the winning one, one below, and at it.
        let runs = reading.runs[0] << 2 >> winning;
        let (high_end, middle, low_end) = (runs & 1 != 0, runs & 2 != 0, runs & 4 != 0);
        let number = self.winning.number();
        let (ends_123, begins_789) = (number == Some(3), number == Some(7));
        let two_sided = high_end && !ends_123 || low_end && !begins_789;
        let one_sided = middle || high_end && ends_123 || low_end && begins_789;
        [
            (reading.pair == self.winning).then_some(WinningPlace::Pair),
            (reading.triplets >> winning & 1 == 1).then_some(WinningPlace::Triplet),
            two_sided.then_some(WinningPlace::TwoSided),
            one_sided.then_some(WinningPlace::OneSided),
        ]
        .into_iter()
        .flatten()
    }

    /// Pinfu and the yaku of concealed triplets.
    pub(crate) fn yaku_of_place(&self, reading: &BitReading, place: WinningPlace) -> YakuSet {
        let mut yaku = YakuSet::EMPTY;
        let pinfu = self.melds.is_empty()
            && reading.triplets == 0
            && place == WinningPlace::TwoSided
            && self.times_of_value(reading.pair) == 0;
        yaku.add(Yaku::Pinfu, pinfu);
        // A triplet completed by ron counts as open.
        let opened = place == WinningPlace::Triplet && !self.is_tsumo();
        let concealed = self.closed_kans + reading.triplets.count_ones() - u32::from(opened);
        yaku.add(Yaku::Sanankou, concealed == 3);
        yaku.add(
            if place == WinningPlace::Pair {
                Yaku::SuuankouTanki
            } else {
                Yaku::Suuankou
            },
            concealed == 4,
        );
        yaku
    }
}

/// Sanshoku doujun for runs, sanshoku doukou for triplets: the same number in all suits.
fn is_three_colours(firsts: u64) -> bool {
    firsts & firsts >> 9 & firsts >> 18 & 0o777 != 0
}

/// Ittsuu: 123, 456 and 789 of one suit.
fn is_straight(runs: u64) -> bool {
    [0, 9, 18]
        .iter()
        .any(|suit| runs >> suit & 0b001_001_001 == 0b001_001_001)
}

/// Chanta and junchan: a one, nine or honour in each set and the pair.
fn is_outside(runs: u64, triplets: u64, pair: u64) -> bool {
    /// 123 and 789 in each suit.
    const OUTSIDE_RUNS: u64 = 0o101 | 0o101 << 9 | 0o101 << 18;
    runs & !OUTSIDE_RUNS == 0 && (triplets | pair) & !ORPHANS.bits() == 0
}
