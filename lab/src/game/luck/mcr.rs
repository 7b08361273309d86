//! The luck of a hand of Chinese Standard mahjong: the deal, and the draws.
//!
//! Everything that a seat does is decided before the next tile is drawn, and until then each of the
//! tiles in the four walls is equally likely to be it.
//!
//! A hand is judged by the nearest wins of eight fan that it can become. A drawn tile wins, brings
//! its drawer nearer to such a win, or is one that another seat waits for. Each term is what that
//! pays to all seats, times a class of the situation.

use std::sync::LazyLock;

use mcr::event::PLAYERS;
use mcr::game::McrEnd;
use mcr::targets::{TargetSituation, targets};
use mcr::{HandTiles, McrEvent, McrGame, McrRules, McrSeatState};
use policy_host::PolicyTable;
use riichi::tile::KINDS;
use riichi::{Counts, Kind, MAX_PLAYERS, Seat, Wind};

use super::{BySeat, LuckSums, LuckTerms, LuckWeights};

/// Number of classes of terms. One after the other: wins by closed and open hands; draws that bring
/// nearer, by the tiles that the hand lacks (2 to 5 and more), the tiles left in the seat's wall and
/// whether another seat waits; draws of a tile that another seat waits for, by what the drawer lacks
/// (1, 2, more) and whether the other's hand is open, as payments without fan, and for each fan; and
/// the deal.
const CLASSES: usize = DEALT + DEALT_FEATURES;
const WIN: usize = 0;
const NEARER: usize = WIN + 2;
const DEAL_IN: usize = NEARER + 4 * 4 * 2;
const DEAL_IN_FAN: usize = DEAL_IN + 6;
const DEALT: usize = DEAL_IN_FAN + 6;
const DEALT_FEATURES: usize = 6;

/// The fan of a win that is not known yet.
const USUAL_FAN: u16 = 12;

/// The version of the terms and classes in this file.
const TERMS: u32 = 1;

static WITHOUT_FLOWERS: LazyLock<LuckWeights> =
    LazyLock::new(|| LuckWeights::read("mcr", TERMS, CLASSES, include_str!("mcr.txt")));

/// The weights for games by these rules, if there are any.
pub fn weights(rules: &McrRules) -> Option<&'static LuckWeights> {
    (*rules == McrRules::default()).then(|| &*WITHOUT_FLOWERS)
}

/// Adds up the terms of a hand.
#[derive(Debug, Clone)]
pub struct McrLuck {
    rules: McrRules,
    /// The tiles in the walls, by kind.
    unshown: Counts,
    seats: [Option<McrOutlook>; MAX_PLAYERS],
    /// The last tile that was drawn.
    drawn: Option<Kind>,
    sums: LuckSums,
}

/// What a hand before a draw promises.
#[derive(Debug, Clone, Copy, PartialEq)]
struct McrOutlook {
    /// The tiles that it lacks to the nearest wins.
    lacking: u8,
    /// The fan of the best of these wins that a tile of each kind brings nearer; 0 if it brings none
    /// nearer.
    fan: [u16; KINDS],
}

impl McrOutlook {
    fn of(hand: &HandTiles, situation: &TargetSituation) -> Self {
        let found = targets(hand, situation, 0);
        let lacking = found.iter().map(|target| target.lacking).min();
        let mut fan = [0; KINDS];
        for target in &found {
            for kind in target.missing.kinds().iter() {
                let best = &mut fan[kind.index()];
                *best = target.fan.max(*best);
            }
        }
        Self {
            lacking: lacking.unwrap_or(u8::MAX),
            fan,
        }
    }

    fn accepts(&self, kind: Kind) -> f64 {
        f64::from(u8::from(self.fan[kind.index()] > 0))
    }

    fn fan(&self, kind: Kind) -> f64 {
        f64::from(self.fan[kind.index()])
    }
}

impl McrLuck {
    /// Before the deal.
    pub fn new(rules: &McrRules) -> Self {
        Self {
            rules: *rules,
            unshown: Counts::EMPTY,
            seats: [None; MAX_PLAYERS],
            drawn: None,
            sums: LuckSums::new(CLASSES),
        }
    }

    /// By how much a function of a drawn tile is above its mean over the tiles that may come.
    fn excess(&self, tile: Kind, of: impl Fn(Kind) -> f64) -> f64 {
        let kinds = self.unshown.kinds();
        let sum: f64 = kinds
            .iter()
            .map(|kind| of(kind) * f64::from(self.unshown[kind]))
            .sum();
        of(tile) - sum / f64::from(self.unshown.total())
    }

    /// The outlook of a seat's hand without the tile it has just drawn.
    fn outlook(
        &mut self,
        seat: usize,
        tables: &[Option<PolicyTable<McrSeatState>>],
    ) -> Option<McrOutlook> {
        if self.seats[seat].is_none() {
            let table = tables[seat].as_ref()?;
            let mut unseen = table.unseen();
            let before;
            let hand = match table.drawn() {
                Some(tile) => {
                    unseen[tile] += 1;
                    before = table.hand().without(tile)?;
                    &before
                }
                None => table.hand(),
            };
            let situation = TargetSituation {
                seat_wind: table.seat_wind(),
                prevalent_wind: table.prevalent_wind(),
                counting: self.rules.counting,
                unseen,
            };
            self.seats[seat] = Some(McrOutlook::of(hand, &situation));
        }
        self.seats[seat]
    }

    #[cfg(test)]
    pub(super) const fn unshown(&self) -> &Counts {
        &self.unshown
    }

    pub(super) fn drawn(
        &mut self,
        drawer: Seat,
        tile: Kind,
        tables: &[Option<PolicyTable<McrSeatState>>],
    ) {
        let outlooks: Vec<McrOutlook> = (0..tables.len())
            .map_while(|seat| self.outlook(seat, tables))
            .collect();
        let (Some(Some(table)), true) =
            (tables.get(drawer.index()), outlooks.len() == tables.len())
        else {
            return;
        };
        let is_open = |table: &McrSeatState| usize::from(!table.hand().sets().is_empty());
        let own = &outlooks[drawer.index()];
        let waits =
            |(seat, other): (usize, &McrOutlook)| seat != drawer.index() && other.lacking == 1;
        if own.lacking == 1 {
            let paid = |kind| own.accepts(kind) * (BASE + own.fan(kind));
            let class = WIN + is_open(table);
            let times = self.excess(tile, paid);
            self.sums.add(class, times, &gains(drawer, 3.0, |_| 1.0));
        } else {
            let lacking = usize::from(own.lacking.clamp(2, 5)) - 2;
            let turns = usize::from(table.public(drawer).wall / 6).min(3);
            let threats = outlooks.iter().enumerate().any(waits);
            let class = NEARER + (lacking * 4 + turns) * 2 + usize::from(threats);
            let times = self.excess(tile, |kind| own.accepts(kind));
            self.sums.add(class, times, &usual_win(drawer));
        }
        let state = usize::from(own.lacking.clamp(1, 3)) - 1;
        for (seat, other) in outlooks.iter().enumerate().filter(|&of| waits(of)) {
            let (Some(winner), Some(theirs)) = (Seat::at(seat), &tables[seat]) else {
                continue;
            };
            let class = state * 2 + is_open(theirs);
            let times = self.excess(tile, |kind| other.accepts(kind));
            let base = gains(winner, 3.0 * BASE, |_| BASE);
            self.sums.add(DEAL_IN + class, times, &base);
            let times = self.excess(tile, |kind| other.fan(kind));
            let fan = gains(winner, 1.0, |payer| if payer == drawer { 1.0 } else { 0.0 });
            self.sums.add(DEAL_IN_FAN + class, times, &fan);
        }
    }
}

/// What each seat pays for a win besides its fan.
const BASE: f64 = 8.0;

/// What a winner gains, and what the others pay.
fn gains(winner: Seat, gain: f64, pays: impl Fn(Seat) -> f64) -> BySeat {
    let mut gains = [0.0; MAX_PLAYERS];
    for seat in Seat::all(PLAYERS) {
        gains[seat.index()] = if seat == winner { gain } else { -pays(seat) };
    }
    gains
}

/// What a win of unknown fan on a tile of any other seat brings.
fn usual_win(winner: Seat) -> BySeat {
    let mut mean = [0.0; MAX_PLAYERS];
    for from in Seat::all(PLAYERS).filter(|&from| from != winner) {
        let paid = McrEnd::win_scores(winner, from, USUAL_FAN);
        for (mean, paid) in mean.iter_mut().zip(paid) {
            *mean += f64::from(paid) / f64::from(PLAYERS - 1);
        }
    }
    mean
}

/// What a dealt hand promises at any seat.
fn dealt_features(hand: &Counts, prevalent_wind: Wind, rules: McrRules) -> Option<[f64; 6]> {
    let mut unseen = Counts([4; KINDS]);
    for kind in hand.kinds().iter() {
        unseen[kind] -= hand[kind];
    }
    let situation = TargetSituation {
        seat_wind: prevalent_wind,
        prevalent_wind,
        counting: rules.counting,
        unseen,
    };
    let outlook = McrOutlook::of(&HandTiles::new(*hand, &[]).ok()?, &situation);
    let is = |lacking: u8| f64::from(u8::from(outlook.lacking == lacking));
    let accepted: f64 = Kind::all()
        .map(|kind| outlook.accepts(kind) * f64::from(unseen[kind]))
        .sum();
    let best = outlook.fan.iter().max().copied().unwrap_or_default();
    Some([
        f64::from(u8::from(outlook.lacking <= 3)),
        is(4),
        is(5),
        is(6),
        accepted / 40.0,
        f64::from(best) / 24.0,
    ])
}

impl LuckTerms<McrGame> for McrLuck {
    fn dealt(&mut self, deals: &[Option<McrEvent>]) {
        self.unshown = Counts([4; KINDS]);
        let mut hands = Vec::new();
        for deal in deals {
            let Some(McrEvent::Dealt {
                prevalent_wind,
                hand,
                ..
            }) = deal
            else {
                return;
            };
            for kind in hand.kinds().iter() {
                self.unshown[kind] -= hand[kind];
            }
            let Some(features) = dealt_features(hand, *prevalent_wind, self.rules) else {
                return;
            };
            hands.push(features);
        }
        let stakes: Vec<BySeat> = Seat::all(PLAYERS).map(usual_win).collect();
        self.sums.add_deal(DEALT, &hands, &stakes);
    }

    fn heard(&mut self, event: &McrEvent, tables: &[Option<PolicyTable<McrSeatState>>]) {
        match *event {
            McrEvent::Drawn {
                seat,
                tile: Some(tile),
            } => {
                self.drawn(seat, tile, tables);
                self.unshown[tile] = self.unshown[tile].saturating_sub(1);
                self.drawn = Some(tile);
            }
            // The hand is as it was.
            McrEvent::Discarded { tile, .. } if self.drawn == Some(tile) => {}
            McrEvent::Discarded { seat, .. }
            | McrEvent::PungClaimed { seat, .. }
            | McrEvent::ChowClaimed { seat, .. }
            | McrEvent::KongClaimed { seat }
            | McrEvent::ConcealedKong { seat, .. }
            | McrEvent::KongAdded { seat, .. } => self.seats[seat.index()] = None,
            McrEvent::Dealt { .. }
            | McrEvent::Drawn { tile: None, .. }
            | McrEvent::FlowerDrawn { .. }
            | McrEvent::Over => {}
        }
    }

    fn sums(&self) -> &LuckSums {
        &self.sums
    }
}
