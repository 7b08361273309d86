//! The value of a win: yaku, fu, han, points and payments, for the most valuable reading of the
//! hand.
//!
//! ```
//! use riichi::notation::Tiles;
//! use riichi::score::{Dora, Win, WinSituation};
//! use riichi::yaku::{Declared, WinBy};
//! use riichi::{Hand, Rules, Seat, Tile, Wind};
//!
//! let tiles: Tiles = "234m406p34567888s".parse().unwrap();
//! let hand = Hand::from_tiles(tiles.0).unwrap();
//! let rules = Rules::TENHOU_HALF;
//! let situation = WinSituation {
//!     rules,
//!     seat: Seat::FIRST,
//!     oya: Seat::FIRST,
//!     bakaze: Wind::East,
//!     honba: 1,
//!     dora: Dora::named_by(&rules, ["2s".parse::<Tile>().unwrap()]),
//!     kita: 0,
//! };
//! let three = "3s".parse::<Tile>().unwrap().kind();
//! let win = Win { riichi: Some(Declared::default()), ..Win::of(&hand, &[], three, WinBy::Discard) };
//! let score = situation.score(&win).unwrap();
//! // Riichi, pinfu, tanyao, a dora and a red five.
//! assert_eq!((score.han, score.fu), (5, 30));
//! assert_eq!(score.gain(), 12_000 + 300);
//! assert_eq!(score.deltas(Seat::new(2).unwrap()).as_slice(), [12_300, 0, -12_300, 0]);
//! ```
//!
//! # Choices that both presets share
//!
//! The rules follow RiichiEnv 0.4.11, the engine behind RiichiLab. [`Preset`](crate::rules::Preset)
//! holds the differences between the presets.
//!
//! * Among all readings, and all places of the winning tile in them, the one with the most points
//!   counts; among equals the one with more han, then more fu. (The engine takes the most han; in
//!   no known hand is that worth less.)
//! * 30 fu with 4 han, and 60 fu with 3, stay below mangan (no kiriage).
//! * 13 han or more without a yakuman are worth one yakuman (kazoe). Yakuman add up; dora and other
//!   yaku do not count with them.
//! * A pair of the wind that is both the seat's and the round's has 4 fu. A win on a replacement
//!   draw has the 2 fu of tsumo. Pinfu by tsumo has 20 fu, an open hand without any fu 30.
//! * Thirteen orphans by tenhou count as won with thirteen waits.
//! * Liability (pao) is for daisangen and daisuushii, not for suukantsu, and only when the last
//!   triplet was called. The rules of both houses name only these two (Tenhou:
//!   <https://tenhou.net/man/#RULE>; Mahjong Soul, by riichi.wiki: "Apply for: Big 3 Dragons, Big 4
//!   Winds"). They differ about the rest of such a hand: [`Liability`](crate::rules::Liability).
//! * Three players: the missing seat pays nothing (tsumo loss), and a repeat counter is worth 100
//!   points from each payer of a tsumo, 200 of a ron. A North set aside is a dora, and one more for
//!   each indicator that names North.

mod dora;
mod fu;
mod limit;
mod payment;
mod worth;

pub use dora::{Dora, DoraCount};
pub use limit::Limit;
pub use payment::Payment;
pub(crate) use payment::nagashi_mangan;

use arrayvec::ArrayVec;
use game_core::Seat;
use tiles::{ConcealedHand, Kind, Wind};

use crate::event::Points;
use crate::hand::Hand;
use crate::meld::Meld;
use crate::rules::Rules;
use crate::shape::each_reading;
use crate::yaku::{Declared, WinBy, WinContext, Won, YAKUMAN, Yaku, YakuSet};

use limit::base_below_limits;
use payment::{Liable, Payers};
use worth::Worth;

/// The circumstances of a seat's win besides its own tiles: the same for all hands that it might
/// win with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WinSituation {
    /// The rules played by.
    pub rules: Rules,
    /// The winner.
    pub seat: Seat,
    /// The dealer.
    pub oya: Seat,
    /// The wind of the round.
    pub bakaze: Wind,
    /// Repeat counters that this winner is paid for: where several win on one tile, only the first
    /// is paid for them.
    pub honba: u8,
    /// The dora of the indicators.
    pub dora: Dora,
    /// Norths that the winner has set aside (three players).
    pub kita: u8,
}

/// No hand counts as more yakuman, doubled ones included.
const MAX_YAKUMAN: u8 = 7;

/// A hand with riichi and this many more han is worth a yakuman.
pub const MAX_ADDED_HAN: usize = 12;

/// A hand that is won, and how.
#[derive(Debug, Clone)]
pub struct Win<'a> {
    /// The closed tiles, the winning one included.
    pub hand: &'a Hand,
    /// The melds.
    pub melds: &'a [Meld],
    /// The kind of the winning tile.
    pub winning: Kind,
    /// How the winning tile came.
    pub by: WinBy,
    /// The winner's riichi, if it declared one.
    pub riichi: Option<Declared>,
    /// The dora of the ura indicators; they count only after a riichi. [`Dora::NONE`] while they
    /// are unknown.
    pub ura: Dora,
}

impl<'a> Win<'a> {
    /// A win without riichi.
    pub const fn of(hand: &'a Hand, melds: &'a [Meld], winning: Kind, by: WinBy) -> Self {
        Self {
            hand,
            melds,
            winning,
            by,
            riichi: None,
            ura: Dora::NONE,
        }
    }
}

/// Why a hand does not win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NoWin {
    /// The tiles are not a complete hand, or the winning one is not among them.
    #[error("the hand is not complete")]
    NotComplete,
    /// It is complete and has no yaku.
    #[error("the hand has no yaku")]
    NoYaku,
}

/// The value of a win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Score {
    /// Its yaku; only yakuman if there are any.
    pub yaku: YakuSet,
    /// Its dora; none with a yakuman.
    pub dora: DoraCount,
    /// All han, dora included; 13 for each yakuman.
    pub han: u8,
    /// Fu, rounded up; 0 for a yakuman.
    pub fu: u8,
    /// The limit reached, if any.
    pub limit: Option<Limit>,
    /// Whether no meld opens the hand; its yaku may be worth more then.
    pub closed: bool,
    payers: Payers,
}

impl Score {
    /// The yaku with the han that each has here.
    pub fn yaku_with_han(&self) -> impl Iterator<Item = (Yaku, u8)> + use<> {
        let Self {
            yaku,
            closed,
            payers,
            ..
        } = *self;
        yaku.iter().map(move |yaku| {
            let units = payers.rules.preset.yakuman_units(yaku);
            (
                yaku,
                if units > 0 {
                    YAKUMAN * units
                } else {
                    yaku.han(closed)
                },
            )
        })
    }

    /// The names of the yaku and dora, with the han that each has here.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, u8)> + use<> {
        let DoraCount {
            dora,
            red,
            ura,
            kita,
        } = self.dora;
        let dora = [
            ("dora", dora),
            ("red fives", red),
            ("ura dora", ura),
            ("north", kita),
        ];
        self.yaku_with_han()
            .map(|(yaku, han)| (yaku.name(), han))
            .chain(dora)
            .filter(|&(_, han)| han > 0)
    }

    /// The payment for the hand, without repeat counters, riichi sticks and liability.
    pub fn payment(&self) -> Payment {
        self.payers.payment()
    }

    /// Points of the hand: the payment in all, without repeat counters.
    pub fn points(&self) -> i32 {
        self.payers.points()
    }

    /// The same win with this many more ura dora, which do not count with a yakuman.
    pub(crate) fn with_more_ura(&self, more: u8) -> Self {
        let dora = DoraCount {
            ura: self.dora.ura + more,
            ..self.dora
        };
        let worth = Worth::new(
            self.yaku,
            dora,
            self.fu,
            self.closed,
            self.payers.rules.preset,
        );
        let payers = Payers {
            base: worth.base,
            ..self.payers
        };
        Self {
            dora: worth.dora,
            han: worth.han,
            limit: worth.limit,
            payers,
            ..*self
        }
    }

    /// Points that the winner gains, repeat counters included, riichi sticks not.
    pub fn gain(&self) -> i32 {
        self.payers.gain()
    }

    /// The seat that pays for the win because its discard was called for the last triplet of
    /// daisangen or daisuushii (pao).
    pub fn liable(&self) -> Option<Seat> {
        self.payers.liable.map(|liable| liable.seat)
    }

    /// The gain or loss of each seat, with repeat counters and liability, without riichi sticks.
    ///
    /// `target` is the seat that dealt in. For a tsumo, where mjai names the winner, it does not
    /// matter.
    pub fn deltas(&self, target: Seat) -> Points {
        self.payers.deltas(target)
    }
}

impl WinSituation {
    /// The value of a win in this situation.
    ///
    /// # Errors
    ///
    /// If the hand is not complete or has no yaku.
    pub fn score(&self, win: &Win<'_>) -> Result<Score, NoWin> {
        let Ok(hand) = ConcealedHand::new(*win.hand.counts(), win.melds.len(), self.rules.players)
        else {
            return Err(NoWin::NotComplete);
        };
        if !hand.is_full() || hand.counts()[win.winning] == 0 {
            return Err(NoWin::NotComplete);
        }
        let context = self.context(win);
        let won = Won::new(&hand, win.melds, win.winning, &context);
        let best = self.best_reading(&won, self.count_dora(win))?;
        let liable = Liable::of(best.yaku, win.melds, self.rules.preset);
        Ok(Score {
            yaku: best.yaku,
            dora: best.dora,
            han: best.han,
            fu: best.fu,
            limit: best.limit,
            closed: !won.is_open(),
            payers: self.payers(win.by, best.base, liable),
        })
    }

    /// The gains of a complete hand by the winning tile from a discard, then by the same tile from
    /// a draw, with repeat counters: each first without riichi, 0 without a yaku, and then with
    /// riichi and 0, 1, 2 and more added han, at most `most` or [`MAX_ADDED_HAN`], above which
    /// nothing is gained.
    ///
    /// A caller that needs all of them (ron and tsumo, ippatsu, ura) thus reads the tiles only
    /// once. `hand` and `tiles` are the same closed tiles, the winning one included.
    pub fn gains_by_added_han(
        &self,
        hand: &ConcealedHand,
        tiles: &Hand,
        melds: &[Meld],
        winning: Kind,
        most: usize,
    ) -> [ArrayVec<i32, { MAX_ADDED_HAN + 2 }>; 2] {
        let wins = [WinBy::Discard, WinBy::Draw].map(|by| Win::of(tiles, melds, winning, by));
        let contexts = [self.context(&wins[0]), self.context(&wins[1])];
        let won = [0, 1].map(|way| Won::new(hand, melds, winning, &contexts[way]));
        let dora = self.count_dora(&wins[0]);
        let closed = !won[0].is_open();
        let places = most.min(MAX_ADDED_HAN) + 2;
        let mut best = [[0; MAX_ADDED_HAN + 2]; 2];
        Self::each_count(&won, |way, yaku, fu| {
            let silent = Worth::new(yaku, dora, fu, closed, self.rules.preset);
            let yakuman = matches!(silent.limit, Some(Limit::Yakuman(_)));
            let with_riichi = yaku.han(closed) + dora.total() + Yaku::Riichi.han(closed);
            for (added, best) in best[way][..places].iter_mut().enumerate() {
                let base = match added.checked_sub(1) {
                    Some(more) if !yakuman => limit::base(with_riichi + more as u8, fu),
                    _ if yaku.is_empty() => 0,
                    _ => silent.base,
                };
                *best = base.max(*best);
            }
        });
        [0, 1].map(|way| {
            // Many han have the same base.
            let mut last = (0, 0);
            let gain = |&base: &u32| {
                if base != last.0 {
                    last = (base, self.payers(wins[way].by, base, None).gain());
                }
                last.1
            };
            best[way][..places].iter().map(gain).collect()
        })
    }

    /// The values that a hidden hand with these melds can have, without their yaku and dora.
    /// `target` is the seat that dealt in, or the winner itself.
    pub(crate) fn possible_scores(
        &self,
        melds: &[Meld],
        target: Seat,
    ) -> impl Iterator<Item = Score> {
        let tsumo = target == self.seat;
        let closed = melds.iter().all(|meld| !meld.kind().opens_hand());
        let score = move |(han, fu): (u8, u8), limit: Option<Limit>, liable: Option<Liable>| {
            let base = limit.map_or_else(|| base_below_limits(han, fu), Limit::base);
            let Self {
                rules,
                seat,
                oya,
                honba,
                ..
            } = *self;
            let payers = Payers {
                tsumo,
                base,
                winner: seat,
                oya,
                rules,
                honba,
                liable,
            };
            Score {
                yaku: YakuSet::EMPTY,
                dora: DoraCount::default(),
                han,
                fu,
                limit,
                closed,
                payers,
            }
        };
        let is_possible = move |fu: u8| match fu {
            20 => tsumo && melds.is_empty(),
            25 => melds.is_empty(),
            _ => true,
        };
        let counts = limit::all_counts().filter(move |&(_, fu)| is_possible(fu));
        let fed = [Yaku::Daisangen, Yaku::Daisuushii];
        let liable = fed
            .into_iter()
            .filter_map(|yaku| Liable::of(YakuSet::of(yaku), melds, self.rules.preset));
        let yakuman = std::iter::once(None)
            .chain(liable.map(Some))
            .flat_map(move |liable| {
                (1..=MAX_YAKUMAN).map(move |units| {
                    score((YAKUMAN * units, 0), Some(Limit::Yakuman(units)), liable)
                })
            });
        counts
            .map(move |(han, fu)| score((han, fu), Limit::of(han, fu), None))
            .chain(yakuman)
    }

    fn context(&self, win: &Win<'_>) -> WinContext {
        WinContext {
            by: win.by,
            riichi: win.riichi,
            seat_wind: Wind::of_seat(self.seat, self.oya, self.rules.players),
            round_wind: self.bakaze,
            open_tanyao: self.rules.open_tanyao,
        }
    }

    const fn payers(&self, by: WinBy, base: u32, liable: Option<Liable>) -> Payers {
        let Self {
            rules,
            seat,
            oya,
            honba,
            ..
        } = *self;
        Payers {
            tsumo: by.is_tsumo(),
            base,
            winner: seat,
            oya,
            rules,
            honba,
            liable,
        }
    }

    fn count_dora(&self, win: &Win<'_>) -> DoraCount {
        let mut all = *win.hand.counts();
        for meld in win.melds {
            meld.count_into(&mut all);
        }
        all[Wind::North.kind()] += self.kita;
        let reds = win
            .melds
            .iter()
            .flat_map(Meld::tiles)
            .filter(|tile| tile.is_red())
            .count() as u8;
        DoraCount {
            dora: self.dora.among(&all),
            red: win.hand.reds().iter().sum::<u8>() + reds,
            ura: if win.riichi.is_some() {
                win.ura.among(&all)
            } else {
                0
            },
            kita: self.kita,
        }
    }

    fn best_reading(&self, won: &Won<'_>, dora: DoraCount) -> Result<Worth, NoWin> {
        let mut best: Option<Worth> = None;
        Self::each_count(std::slice::from_ref(won), |_, yaku, fu| {
            let worth = Worth::new(yaku, dora, fu, !won.is_open(), self.rules.preset);
            if best
                .as_ref()
                .is_none_or(|best| worth.is_worth_more_than(best))
            {
                best = Some(worth);
            }
        });
        match best {
            None => Err(NoWin::NotComplete),
            Some(best) if best.yaku.is_empty() => Err(NoWin::NoYaku),
            Some(best) => Ok(best),
        }
    }

    /// Calls `visit` with the yaku and fu of each way to count a hand: each reading, and each place
    /// of the winning tile in it. The hand may be won in several ways, which differ in how the
    /// winning tile came; `visit` gets the index of the way.
    fn each_count(ways: &[Won<'_>], mut visit: impl FnMut(usize, YakuSet, u8)) {
        let Some(any) = ways.first() else { return };
        let of_tiles = any.yaku_of_tiles();
        let mut read = false;
        let melds = fu::of_melds(any);
        each_reading(any.hand(), |reading| {
            let of_tiles = of_tiles.union(any.yaku_of_reading(reading));
            let parts = melds + fu::of_reading(any, reading);
            for place in any.places(reading) {
                for (way, won) in ways.iter().enumerate() {
                    let yaku = of_tiles
                        .union(won.yaku_of_circumstances())
                        .union(won.yaku_of_place(reading, place));
                    visit(way, yaku, fu::with_place(won, place, parts, yaku));
                }
                read = true;
            }
        });
        if read {
            return;
        }
        for (way, won) in ways.iter().enumerate() {
            let common = of_tiles.union(won.yaku_of_circumstances());
            // Seven pairs that are also sets are ryanpeikou, which is worth more.
            if won.is_seven_pairs() {
                let yaku = common.union(YakuSet::of(Yaku::Chiitoitsu));
                visit(way, yaku, fu::SEVEN_PAIRS);
            } else if won.is_thirteen_orphans() {
                visit(way, common.union(won.yaku_of_thirteen_orphans()), 0);
            }
        }
    }
}
