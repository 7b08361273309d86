//! The gains of a tenpai hand.

use tiles::{Counts, KindSet, Wind};

use riichi::event::MAX_DORA;
use riichi::hand::Hand;
use riichi::rules::RIICHI_STICK;

use super::melds::{HandAhead, with_red};
use super::odds::WinOdds;
use super::surroundings::{MAX_URA, Surroundings};

/// Sums over the unseen tiles that a hand waits for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    /// Number of winning tiles.
    pub(super) tiles: u32,
    /// Their total gain.
    pub(super) points: f64,
}

impl Sum {
    fn add(&mut self, tiles: u8, points: f64) {
        self.tiles += u32::from(tiles);
        self.points += f64::from(tiles) * points;
    }

    /// The average gain of a win.
    pub(super) fn mean(self) -> f64 {
        if self.tiles == 0 {
            0.0
        } else {
            self.points / f64::from(self.tiles)
        }
    }
}

/// The value of a tenpai hand's wins.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tenpai {
    /// Unseen tiles of the kinds it waits for, with a yaku or without.
    pub(super) waits: u32,
    /// The kinds it waits for, with a yaku or without.
    pub(super) kinds: KindSet,
    /// Kinds that win on a discard without riichi.
    pub(super) by_ron: KindSet,
    /// Kinds that win on a draw without riichi.
    pub(super) by_tsumo: KindSet,
    /// Whether it may not win by ron.
    pub(super) furiten: bool,
    /// Without riichi.
    pub(super) ron: Sum,
    /// Without riichi.
    pub(super) tsumo: Sum,
    /// If it changes no more and stays silent.
    pub(super) silent: TenpaiGains,
    /// With riichi; `None` if it cannot be declared.
    pub(super) riichi: Option<TenpaiGains>,
}

impl Tenpai {
    /// The gains of a waiting hand with these waits, which are all the waits of its shape.
    pub(super) fn of(around: &Surroundings<'_>, hand: &HandAhead, waits: KindSet) -> Self {
        let (tiles, all_reds) = (hand.tiles(), hand.all_reds());
        let melds = hand.all_melds(around.outset.melds, around.outset.situation.seat);
        let may_riichi = around.may_riichi && hand.melds.is_empty();
        let mut tenpai = Self {
            kinds: waits,
            furiten: waits.intersects(around.thrown_with(&tiles)),
            ..Self::default()
        };
        let mut sums = [Sum::default(); 4];
        for kind in waits.iter() {
            let Some(complete) = hand.closed.with(kind) else {
                continue;
            };
            let mut ura = None;
            for (tile, unseen) in around.unseen_of(&tiles, all_reds, kind) {
                let Some(full) = Hand::from_counts(*complete.counts(), with_red(hand.reds, tile))
                else {
                    continue;
                };
                tenpai.waits += u32::from(unseen);
                let situation = around.outset.situation;
                let added_han = if may_riichi { around.max_ura() + 1 } else { 0 };
                let by_both =
                    situation.gains_by_added_han(&complete, &full, &melds, kind, added_han);
                for (gains, silent) in by_both.iter().zip([&mut tenpai.ron, &mut tenpai.tsumo]) {
                    if gains[0] > 0 {
                        silent.add(unseen, f64::from(gains[0]));
                    }
                }
                if by_both[0][0] > 0 {
                    tenpai.by_ron.insert(kind);
                }
                if by_both[1][0] > 0 {
                    tenpai.by_tsumo.insert(kind);
                }
                if may_riichi {
                    let ura = ura.get_or_insert_with(|| UraOdds::of(around, complete.counts()));
                    for (gains, sums) in by_both.iter().zip(sums.as_chunks_mut::<2>().0) {
                        // With riichi alone, and with ippatsu.
                        sums[0].add(unseen, ura.mean(&gains[1..]));
                        sums[1].add(unseen, ura.mean(&gains[2..]));
                    }
                }
            }
        }
        let (ron, tsumo) = (tenpai.ron.mean(), tenpai.tsumo.mean());
        tenpai.silent = TenpaiGains {
            first_ron: ron,
            first_tsumo: tsumo,
            ron,
            tsumo,
            no_win: 0.0,
        };
        let [ron, first_ron, tsumo, first_tsumo] = sums.map(Sum::mean);
        tenpai.riichi = may_riichi.then_some(TenpaiGains {
            first_ron,
            first_tsumo,
            ron,
            tsumo,
            no_win: -f64::from(RIICHI_STICK),
        });
        tenpai
    }

    /// Its gains if it changes no more, in riichi or silent.
    pub(super) fn gains(&self, riichi: bool) -> &TenpaiGains {
        self.riichi
            .as_ref()
            .filter(|_| riichi)
            .unwrap_or(&self.silent)
    }

    /// Whether it wins by each of its waits without riichi as well, so that it can settle for them.
    pub(super) fn wins_by_all(&self) -> bool {
        self.tsumo.tiles == self.waits && (self.furiten || self.ron.tiles == self.waits)
    }
}

/// The average gains of a hand that changes no more: for each kind of win, and for a riichi that
/// does not win (negative).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TenpaiGains {
    first_ron: f64,
    first_tsumo: f64,
    ron: f64,
    tsumo: f64,
    no_win: f64,
}

impl TenpaiGains {
    /// Adds another, this many times.
    pub(super) fn add(&mut self, times: f64, other: &Self) {
        self.first_ron += times * other.first_ron;
        self.first_tsumo += times * other.first_tsumo;
        self.ron += times * other.ron;
        self.tsumo += times * other.tsumo;
        self.no_win += times * other.no_win;
    }

    /// The expected points with these odds.
    pub(super) fn points(&self, odds: &WinOdds) -> f64 {
        odds.first_ron * self.first_ron
            + odds.first_tsumo * self.first_tsumo
            + odds.ron * self.ron
            + odds.tsumo * self.tsumo
            + (1.0 - odds.total()) * self.no_win
    }
}

/// The probability of each number of ura dora.
struct UraOdds {
    odds: [f64; MAX_URA + 1],
    /// The greatest possible number.
    max_ura: usize,
}

impl UraOdds {
    fn of(around: &Surroundings<'_>, complete: &Counts) -> Self {
        let mut all = *complete;
        for meld in around.outset.melds {
            meld.count_into(&mut all);
        }
        all[Wind::North.kind()] += around.outset.situation.kita;
        let unseen = around.outset.unseen.counts();
        let gained: u32 = complete
            .kinds()
            .iter()
            .map(|kind| u32::from(around.gained(complete, kind)))
            .sum();
        let mut left = unseen.total() - gained;
        // Number of unseen tiles that indicate a dora held this many times.
        let mut naming = [0_u32; 9];
        naming[0] = left;
        for dora in all.kinds().iter() {
            let marker = around.marker_of(dora);
            let markers = u32::from(unseen[marker] - around.gained(complete, marker));
            naming[usize::from(all[dora])] += markers;
            naming[0] -= markers;
        }
        let indicators = usize::from(around.outset.ura_indicators)
            .min(left as usize)
            .min(MAX_DORA);
        let max_each = naming.iter().rposition(|&tiles| tiles > 0).unwrap_or(0);
        // The ways to choose this many indicators with this many dora in total.
        let mut ways = [[0.0; MAX_URA + 1]; MAX_DORA + 1];
        ways[0][0] = 1.0;
        for (each, tiles) in naming
            .into_iter()
            .enumerate()
            .filter(|&(_, tiles)| tiles > 0)
        {
            for chosen in (1..=indicators).rev() {
                let mut sum = ways[chosen];
                let mut choices = 1.0;
                for more in 1..=chosen {
                    choices *= (f64::from(tiles) - (more - 1) as f64).max(0.0) / more as f64;
                    let most = MAX_URA.min(4 * (chosen - more));
                    for (dora, &before) in ways[chosen - more][..=most].iter().enumerate() {
                        sum[(dora + more * each).min(MAX_URA)] += before * choices;
                    }
                }
                ways[chosen] = sum;
            }
        }
        let mut all_ways = 1.0;
        for chosen in 1..=indicators {
            all_ways *= f64::from(left) / chosen as f64;
            left -= 1;
        }
        Self {
            odds: ways[indicators].map(|ways| ways / all_ways),
            max_ura: (max_each * indicators).min(MAX_URA),
        }
    }

    /// The mean of gains by the number of ura dora; the last also covers more.
    fn mean(&self, gains: &[i32]) -> f64 {
        let last = gains.len() - 1;
        self.odds[..=self.max_ura]
            .iter()
            .enumerate()
            .map(|(dora, odds)| odds * f64::from(gains[dora.min(last)]))
            .sum()
    }
}
