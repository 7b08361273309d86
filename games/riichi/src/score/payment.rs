//! The payments.

use game_core::{PerSeat, Seat};
use tiles::{Kind, Wind};

use crate::event::Points;
use crate::meld::{Meld, MeldKind};
use crate::rules::{HONBA_SHARE, Liability, Preset, Rules};
use crate::yaku::{Yaku, YakuSet};

use super::limit::Limit;

/// The payment for a hand, without repeat counters, riichi sticks and liability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Payment {
    /// By the seat that dealt in.
    Ron(i32),
    /// By each of the others.
    Tsumo {
        /// By the dealer; 0 if the dealer wins.
        oya: i32,
        /// By each of the rest.
        ko: i32,
    },
}

/// The seat whose discard was called for the last triplet of daisangen or daisuushii.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Liable {
    pub(super) seat: Seat,
    /// Number of yakuman that it pays for: two for a daisuushii that counts double.
    units: u8,
}

impl Liable {
    /// `melds` in the order they were called.
    pub(super) fn of(yaku: YakuSet, melds: &[Meld], preset: Preset) -> Option<Self> {
        let (fed, triplets, is_part): (_, _, fn(Kind) -> bool) = if yaku.contains(Yaku::Daisangen) {
            (Yaku::Daisangen, 3, Kind::is_dragon)
        } else if yaku.contains(Yaku::Daisuushii) {
            (Yaku::Daisuushii, 4, |kind| Wind::of_kind(kind).is_some())
        } else {
            return None;
        };
        let mut parts = melds
            .iter()
            .filter(|meld| meld.kind() != MeldKind::Chi && is_part(meld.first()));
        // All of them are shown, and the last was called.
        let last = parts.nth(triplets - 1)?;
        last.called.map(|called| Self {
            seat: called.from,
            units: preset.yakuman_units(fed),
        })
    }
}

/// The gain or loss of each seat by the nagashi mangan of one of them: a tsumo of mangan without
/// repeat counters.
pub(crate) fn nagashi_mangan(rules: &Rules, winner: Seat, oya: Seat) -> Points {
    Payers::mangan_by_tsumo(rules, winner, oya).deltas(winner)
}

/// All that says who pays how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Payers {
    pub(super) tsumo: bool,
    /// The base that payments are multiples of.
    pub(super) base: u32,
    pub(super) winner: Seat,
    pub(super) oya: Seat,
    pub(super) rules: Rules,
    pub(super) honba: u8,
    pub(super) liable: Option<Liable>,
}

impl Payers {
    /// A tsumo of mangan that no repeat counter adds to.
    const fn mangan_by_tsumo(rules: &Rules, winner: Seat, oya: Seat) -> Self {
        Self {
            tsumo: true,
            base: Limit::Mangan.base(),
            winner,
            oya,
            rules: *rules,
            honba: 0,
            liable: None,
        }
    }

    pub(super) fn payment(&self) -> Payment {
        if self.tsumo {
            let oya = if self.winner == self.oya {
                0
            } else {
                self.share(self.oya, self.base)
            };
            let ko = rounded_up(self.base * if self.winner == self.oya { 2 } else { 1 });
            Payment::Tsumo { oya, ko }
        } else {
            Payment::Ron(self.by_ron(self.base))
        }
    }

    pub(super) fn points(&self) -> i32 {
        if self.tsumo {
            self.by_tsumo(self.base)
        } else {
            self.by_ron(self.base)
        }
    }

    pub(super) fn gain(&self) -> i32 {
        self.points() + self.honba()
    }

    pub(super) fn deltas(&self, target: Seat) -> Points {
        let mut deltas = PerSeat::from_fn(self.rules.players, |_| 0);
        let mut pay = |seat: Seat, points: i32| {
            deltas[seat] -= points;
            deltas[self.winner] += points;
        };
        // The part that the liable seat pays, and the part that is paid as usual.
        let covered = self
            .liable
            .map_or(0, |liable| match self.rules.preset.liability() {
                Liability::WholeWin => self.base,
                Liability::FedYakuman => Limit::Yakuman(liable.units).base(),
            });
        let usual = self.base - covered;
        match (self.tsumo, self.liable) {
            (true, None) => {
                self.others().for_each(|seat| {
                    pay(
                        seat,
                        self.share(seat, usual) + HONBA_SHARE * i32::from(self.honba),
                    )
                });
            }
            (true, Some(Liable { seat: liable, .. })) => {
                pay(liable, self.by_tsumo(covered) + self.honba());
                self.others()
                    .for_each(|seat| pay(seat, self.share(seat, usual)));
            }
            (false, None) => pay(target, self.by_ron(usual) + self.honba()),
            (false, Some(Liable { seat: liable, .. })) => {
                // Half each, and the repeat counters from the liable seat.
                let half = self.by_ron(covered) / 2;
                pay(liable, half + self.honba());
                pay(target, half + self.by_ron(usual));
            }
        }
        deltas
    }

    fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        let winner = self.winner;
        Seat::all(self.rules.players).filter(move |&seat| seat != winner)
    }

    /// The total of the repeat counters.
    fn honba(&self) -> i32 {
        self.rules.honba_points(self.honba)
    }

    /// One seat's payment for a tsumo.
    fn share(&self, seat: Seat, base: u32) -> i32 {
        rounded_up(
            base * if seat == self.oya || self.winner == self.oya {
                2
            } else {
                1
            },
        )
    }

    fn by_tsumo(&self, base: u32) -> i32 {
        self.others().map(|seat| self.share(seat, base)).sum()
    }

    fn by_ron(&self, base: u32) -> i32 {
        rounded_up(base * if self.winner == self.oya { 6 } else { 4 })
    }
}

/// To the next hundred.
fn rounded_up(points: u32) -> i32 {
    points.next_multiple_of(100) as i32
}
