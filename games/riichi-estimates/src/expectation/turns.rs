//! The expected outcome of each hand, turn by turn from the last to the first.

use std::ops::Range;

use super::odds::{SettledOdds, tiles_left};
use super::states::{Calling, States};
use super::surroundings::Surroundings;
use super::tenpai::Tenpai;
use super::{Aim, Chances, Stand};

/// The most valuable choices, and their outcomes.
pub(super) struct Turns {
    aim: Aim,
    pub(super) draws: u8,
    pub(super) throws: u8,
    unseen: u32,
    /// The chosen discard of each full hand among those of all hands, by the number of draws left:
    /// one row per number.
    choices: Vec<u32>,
    /// The choice of each waiting hand, in the same order.
    stands: Vec<Stand>,
    /// For each call the discards before the next draw at which it is made, a bit for each, in the
    /// same order.
    calls: Vec<u8>,
    hands: usize,
    full_hands: usize,
    all_calls: usize,
    /// The outcome of each waiting hand that can have all draws left.
    pub(super) outcomes: Vec<Chances>,
}

impl Turns {
    pub(super) fn of(around: &Surroundings<'_>, states: &States, odds: &mut SettledOdds) -> Self {
        let outset = around.outset;
        let (hands, full_hands, all_calls) =
            (states.len(), states.full_hands(), states.all_calls());
        let aim = outset.aim;
        let rows = usize::from(outset.draws) + 1;
        let mut turns = Self {
            aim,
            draws: outset.draws,
            throws: outset.throws,
            unseen: outset.unseen.counts().total(),
            choices: vec![0; full_hands * rows],
            stands: vec![Stand::Open; hands * rows],
            calls: vec![0; all_calls * rows],
            hands,
            full_hands,
            all_calls,
            outcomes: Vec::new(),
        };
        let mut now = vec![Chances::default(); hands];
        // What counts first of each of these, for comparisons.
        let mut firsts = vec![0.0; hands];
        let mut of_full = vec![Chances::default(); full_hands];
        let mut last_choice: Vec<u32> = (0..full_hands)
            .map(|full| states.throws_of(full).start)
            .collect();
        for left in 0..=outset.draws {
            // Hands that need more draws than were made cannot come up.
            let (hands_now, full_now) = states.reached_by(outset.draws - left);
            if left > 0 {
                let row = usize::from(left - 1) * full_hands;
                for (full, best) in of_full[..full_now].iter_mut().enumerate() {
                    // Most hands discard the same as with one draw less.
                    let mut choice = last_choice[full];
                    let mut left_by = states.throw(choice).left as usize;
                    let mut first = firsts[left_by];
                    for place in states.throws_of(full) {
                        let other = states.throw(place).left as usize;
                        if firsts[other] < first || place == choice {
                            continue;
                        }
                        // Of equal ones the first.
                        let better = if place < choice {
                            !aim.prefers(&now[left_by], &now[other])
                        } else {
                            aim.prefers(&now[other], &now[left_by])
                        };
                        if better {
                            (choice, left_by, first) = (place, other, firsts[other]);
                        }
                    }
                    *best = now[left_by];
                    last_choice[full] = choice;
                    turns.choices[row + full] = choice;
                }
            }
            for (state, chances) in now[..hands_now].iter_mut().enumerate() {
                let mut best = turns.open(states, state, left, *chances, &of_full);
                if let Some(tenpai) = states.tenpai(state) {
                    each_locked(tenpai, left, odds, |stand, other| {
                        if aim.prefers(&other, &best) {
                            best = other;
                            turns.stands[usize::from(left) * hands + state] = stand;
                        }
                    });
                }
                *chances = best;
                firsts[state] = aim.first(&best);
            }
        }
        turns.outcomes = now;
        turns
    }

    pub(super) fn stand(&self, state: usize, left: u8) -> Stand {
        self.stands[usize::from(left.min(self.draws)) * self.hands + state]
    }

    /// The discard of a full hand that then has this many draws left, among those of all hands.
    pub(super) fn choice(&self, full: u32, left: u8) -> u32 {
        self.choices[usize::from(left.min(self.draws)) * self.full_hands + full as usize]
    }

    /// For each call, the discards at which it is made with this many draws left: a bit for each,
    /// the next player's is the lowest.
    pub(super) fn calls_made(&self, calls: Range<usize>, left: u8) -> &[u8] {
        &self.calls[usize::from(left.min(self.draws)) * self.all_calls..][calls]
    }

    /// Number of tiles that the next one may be, for a hand with this many draws left.
    pub(super) const fn tiles(&self, left: u8) -> u32 {
        tiles_left(self.unseen, self.draws, left)
    }

    /// A hand that draws, discards unwanted tiles, calls, and changes.
    ///
    /// `stays` is its value with one draw less, `of_full` the values of full hands then.
    fn open(
        &mut self,
        states: &States,
        state: usize,
        left: u8,
        stays: Chances,
        of_full: &[Chances],
    ) -> Chances {
        let tenpai = states.tenpai(state);
        let mut chances = Chances::default();
        if left > 0 {
            let tiles = f64::from(self.tiles(left));
            let mut kept = states.kept_tiles(state);
            for draw in states.draws(state) {
                chances.add(f64::from(draw.tiles), &of_full[draw.full as usize]);
            }
            if let Some(tenpai) = tenpai {
                kept += tenpai.tsumo.tiles;
                chances.win += f64::from(tenpai.tsumo.tiles);
                chances.points += tenpai.tsumo.points;
            }
            chances.add(tiles - f64::from(kept), &stays);
            chances = chances.times(1.0 / tiles);
        }
        // A call takes the place of the draw, so there must be one.
        let calls = if left > 0 { states.calls(state) } else { &[] };
        if !calls.is_empty() || tenpai.is_some() {
            let from = usize::from(left) * self.all_calls + states.calls_of(state).start;
            chances = self.discarded_by_others(tenpai, calls, from, left, chances, of_full);
        }
        if tenpai.is_some() {
            chances.tenpai = 1.0;
        }
        chances
    }

    /// The value of a hand before the others' discards, from its value at its draw: it wins by ron,
    /// calls or passes. Notes the calls that it makes, from `noted` on.
    fn discarded_by_others(
        &mut self,
        tenpai: Option<&Tenpai>,
        calls: &[Calling],
        noted: usize,
        left: u8,
        mut passed: Chances,
        of_full: &[Chances],
    ) -> Chances {
        let tenpai = tenpai.filter(|tenpai| !tenpai.furiten && tenpai.ron.tiles > 0);
        for throw in (0..self.throws).rev() {
            let tiles = f64::from(self.tiles(left)) - f64::from(throw);
            let (mut gone, mut sum) = (0.0, Chances::default());
            for (first, same_tile) in groups(calls) {
                let mut best = None::<(usize, &Chances)>;
                for (place, call) in same_tile.iter().enumerate() {
                    // A run needs a discard of the previous player.
                    let chances = &of_full[call.full as usize];
                    let may = !call.chi || throw + 1 == self.throws;
                    if may
                        && self
                            .aim
                            .prefers(chances, best.map_or(&passed, |(_, best)| best))
                    {
                        best = Some((first + place, chances));
                    }
                }
                if let Some((place, chances)) = best {
                    self.calls[noted + place] |= 1 << throw;
                    sum.add(f64::from(same_tile[0].tiles), chances);
                    gone += f64::from(same_tile[0].tiles);
                }
            }
            if let Some(tenpai) = tenpai {
                // A tile waited for that makes no win makes the hand furiten until its draw.
                let (waits, ron) = (f64::from(tenpai.waits), f64::from(tenpai.ron.tiles));
                let free = (0..throw).fold(1.0, |free, before| {
                    let tiles = f64::from(self.tiles(left)) - f64::from(before);
                    let on = tiles - free * ron;
                    if on > 0.0 {
                        (free * (tiles - waits) / on).max(0.0)
                    } else {
                        0.0
                    }
                });
                sum.win += free * f64::from(tenpai.ron.tiles);
                sum.points += free * tenpai.ron.points;
                gone += free * f64::from(tenpai.ron.tiles);
            }
            sum.add((tiles - gone).max(0.0), &passed);
            passed = sum.times(1.0 / tiles);
        }
        passed
    }
}

/// Calls `visit` with each way in which a tenpai hand may stay as it is, and its outcome.
fn each_locked(
    tenpai: &Tenpai,
    left: u8,
    odds: &mut SettledOdds,
    mut visit: impl FnMut(Stand, Chances),
) {
    // No player declares riichi without a draw to come.
    let riichi = tenpai.riichi.as_ref().filter(|_| left > 0);
    let settled = (tenpai.wins_by_all() && tenpai.waits > 0).then_some(&tenpai.silent);
    if riichi.is_none() && settled.is_none() {
        return;
    }
    let odds = odds.of(tenpai.waits as u8, left, !tenpai.furiten);
    for (stand, gains) in [(Stand::Riichi, riichi), (Stand::Settled, settled)] {
        let Some(gains) = gains else { continue };
        let chances = Chances {
            tenpai: 1.0,
            win: odds.total(),
            points: gains.points(odds),
        };
        visit(stand, chances);
    }
}

/// Calls of the same tile, with the place of the first.
fn groups(calls: &[Calling]) -> impl Iterator<Item = (usize, &[Calling])> {
    calls
        .chunk_by(|one, other| one.tile == other.tile)
        .scan(0, |next, group| {
            let first = *next;
            *next += group.len();
            Some((first, group))
        })
}

impl Chances {
    pub(super) fn add(&mut self, times: f64, other: &Self) {
        self.tenpai += times * other.tenpai;
        self.win += times * other.win;
        self.points += times * other.points;
    }

    fn times(self, factor: f64) -> Self {
        Self {
            tenpai: self.tenpai * factor,
            win: self.win * factor,
            points: self.points * factor,
        }
    }
}
