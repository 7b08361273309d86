//! The points of a winning hand: exact once it is tenpai, an estimate before.

use calculator::estimates::{ONE_SUIT, POINTS, RIICHI_LUCK, SIMPLES, VALUE_PAIR};
use policy_sdk::View;
use riichi::score::{Win, WinSituation};
use riichi::shanten::ORPHANS;
use riichi::yaku::{Declared, WinBy, value_kinds};
use riichi::{Counts, Hand, Kind, KindSet, Meld, MeldKind, Wind};

use crate::tuning::TUNING;

/// Counts han and points of the own hands of one decision.
#[derive(Debug, Clone)]
pub(crate) struct Valuer {
    situation: WinSituation,
    values: KindSet,
    /// The factor by which a further indicator raises a win, in damaten and in riichi.
    raised: [f32; 2],
}

impl Valuer {
    pub(crate) fn of(view: &View<'_>) -> Self {
        let values = value_kinds(view.seat_wind(), view.bakaze());
        Self {
            situation: view.situation(),
            values,
            raised: [1.0; 2],
        }
    }

    /// The same once one more indicator, of the `unseen` tiles, is turned for a hand that has `all`
    /// these tiles.
    pub(crate) fn with_an_indicator_more(mut self, all: &Counts, unseen: &Counts) -> Self {
        let named =
            |marker: Kind| f32::from(unseen[marker] * all[self.situation.rules.dora_of(marker)]);
        let dora = Kind::all().map(named).sum::<f32>() / unseen.total().max(1) as f32;
        self.raised = raised(dora);
        self
    }

    /// Points that a win of this complete hand is paid, with honba; `None` without a yaku.
    pub(crate) fn win(
        &self,
        hand: &Hand,
        melds: &[Meld],
        winning: Kind,
        by: WinBy,
        riichi: bool,
    ) -> Option<f32> {
        let win = Win {
            riichi: riichi.then(Declared::default),
            ..Win::of(hand, melds, winning, by)
        };
        let paid = self.situation.score(&win).ok()?.gain() as f32;
        Some(
            self.raised[usize::from(riichi)]
                * if riichi {
                    paid * TUNING.riichi_luck_factor
                } else {
                    paid
                },
        )
    }

    /// The expected points of a win by a hand that is not tenpai yet.
    pub(crate) fn points(&self, closed: &Counts, melds: &[Meld], reds: u8, riichi: bool) -> f32 {
        let han = self.han(closed, melds, reds, riichi).min(12.99);
        let (low, part) = (han as usize, han.fract());
        let points = POINTS[low] * (1.0 - part) + POINTS[low + 1] * part;
        let dealer = if self.situation.seat == self.situation.oya {
            1.5
        } else {
            1.0
        };
        let honba = self.situation.rules.honba_points(self.situation.honba);
        self.raised[usize::from(riichi)] * points * dealer + honba as f32
    }

    fn han(&self, closed: &Counts, melds: &[Meld], reds: u8, riichi: bool) -> f32 {
        let open = melds.iter().any(|meld| meld.kind().opens_hand());
        let mut all = *closed;
        for meld in melds {
            meld.count_into(&mut all);
        }
        let norths = self.situation.kita * (1 + self.situation.dora.of(Wind::North.kind()));
        let mut han = f32::from(self.situation.dora.among(&all) + reds + norths);
        for kind in self.values.iter() {
            let times = u8::from(kind == self.situation.bakaze.kind())
                + u8::from(kind == self.seat_wind().kind());
            han += match all[kind] {
                0 | 1 => 0.0,
                2 => VALUE_PAIR,
                _ => f32::from(times.max(1)),
            };
        }
        if !open || self.situation.rules.open_tanyao {
            han += simples(&all);
        }
        han += one_suit(&all, open) + triplets(closed, melds);
        han + match (riichi, open) {
            (true, _) => 1.0 + RIICHI_LUCK,
            (false, false) => TUNING.closed_luck,
            (false, true) => 0.0,
        }
    }

    fn seat_wind(&self) -> Wind {
        Wind::of_seat(
            self.situation.seat,
            self.situation.oya,
            self.situation.rules.players,
        )
    }
}

/// The factor by which this many further dora raise a win: in damaten, and in riichi with as many
/// ura dora.
pub(crate) fn raised(dora: f32) -> [f32; 2] {
    [1.0, 2.0].map(|indicators| 1.0 + TUNING.one_han_more * indicators * dora)
}

/// Han for simples; fewer, the more tiles do not fit.
fn simples(all: &Counts) -> f32 {
    SIMPLES
        .get(all.total_of(ORPHANS) as usize)
        .copied()
        .unwrap_or(0.0)
}

/// Han for one suit; fewer, the more tiles do not fit.
fn one_suit(all: &Counts, open: bool) -> f32 {
    let mut suits = [0_u32; 3];
    let mut honours = 0;
    for (kind, &copies) in Kind::all().zip(&all.0) {
        match kind.suit() {
            Some(suit) => suits[usize::from(suit)] += u32::from(copies),
            None => honours += u32::from(copies),
        }
    }
    let in_the_way = suits.iter().sum::<u32>() - suits.iter().max().unwrap_or(&0);
    let all_of_it = if honours == 0 { 5.0 } else { 2.0 } + if open { 0.0 } else { 1.0 };
    all_of_it * ONE_SUIT.get(in_the_way as usize).copied().unwrap_or(0.0)
}

/// Han for triplets, if a call was made for them and most of the hand is pairs.
fn triplets(closed: &Counts, melds: &[Meld]) -> f32 {
    if melds.is_empty() || melds.iter().any(|meld| meld.kind() == MeldKind::Chi) {
        return 0.0;
    }
    let pairs = closed.0.iter().filter(|&&copies| copies >= 2).count();
    if pairs + melds.len() >= 5 {
        TUNING.triplets
    } else {
        0.0
    }
}
