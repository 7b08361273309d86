//! A ladder of eight steps for Chinese Standard mahjong, with three levels.
//!
//! From a text on computer players of mahjong (an article by "Liangshan", found again on the web):
//! win if it can; else take an offered tile that brings the hand closer; else discard by the first
//! step that applies:
//!
//! - A a tile that leaves a hand that waits,
//! - B a tile with no tile of its suit within two places, C one with no neighbour,
//! - D, E, F of a block of 3n+1, 3n, 3n+2 tiles side by side one that leaves sets, sets with a
//!   pair, or a wait,
//! - G any other tile,
//!
//! from the ends of the suits inward. With five pairs it goes for seven pairs. The text describes a
//! game in which any complete hand wins; here eight fan are required, and the ladder considers them
//! only when it waits (A).
//!
//! Level 1 considers only its own tiles, level 2 also the tiles on the table, level 3 also the
//! others' collected suits and discards.

mod policy;

use game_core::Seat;
use mcr::decision::win_if_legal;
use mcr::distance::distance;
use mcr::event::PLAYERS;
use mcr::seat::SeenSet;
use mcr::{Counting, HandTiles, McrAction, McrDecision, McrSeatState, WinToCount, count_fan};
use tiles::{Counts, Kind};

pub use policy::CsEightStep;

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: policy_sdk::abi::Entry = policy_sdk::entry(
    concat!("cs-eight-step ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<CsEightStep>()],
);

/// The knowledge that the ladder uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LadderLevel {
    /// Its own tiles.
    Hand,
    /// Its own tiles and those on the table.
    #[default]
    Table,
    /// All that, and the others' collected suits and discards.
    Players,
}

/// Chooses among the legal actions of a seat; `None` when there are none.
pub fn decide(seat: &McrSeatState, legal: &[McrAction], level: LadderLevel) -> Option<McrDecision> {
    if let Some(win) = win_if_legal(legal) {
        return Some(win);
    }
    let ladder = McrLadder::new(seat, level);
    let now = distance(seat.hand());
    let values = legal
        .iter()
        .map(|&action| ladder.value(action, now))
        .collect();
    McrDecision::best(values, |index| ladder.reason(legal[index]))
}

/// The steps, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rung {
    Rest,
    LeavesWait,
    LeavesPair,
    LeavesSets,
    OneVacant,
    TwoVacant,
    Unpaired,
    Waits,
}

impl Rung {
    const fn words(self) -> &'static str {
        match self {
            Self::Rest => "G: nothing better",
            Self::LeavesWait => "F: leaves a wait",
            Self::LeavesPair => "E: leaves sets and a pair",
            Self::LeavesSets => "D: leaves sets",
            Self::OneVacant => "C: nothing beside it",
            Self::TwoVacant => "B: stands alone",
            Self::Unpaired => "on the way to seven pairs: no pair",
            Self::Waits => "A: leaves a hand that waits",
        }
    }
}

struct McrLadder<'a> {
    seat: &'a McrSeatState,
    level: LadderLevel,
    /// Tiles that may still come, as far as the level looks.
    left: Counts,
}

impl<'a> McrLadder<'a> {
    fn new(seat: &'a McrSeatState, level: LadderLevel) -> Self {
        let left = match level {
            LadderLevel::Hand => {
                let (held, declared) = (seat.hand().concealed(), seat.hand().declared());
                Counts(std::array::from_fn(|index| {
                    4 - held.0[index] - declared.0[index]
                }))
            }
            _ => seat.unseen(),
        };
        Self { seat, level, left }
    }

    fn reason(&self, action: McrAction) -> String {
        match action.discard() {
            Some(kind) if matches!(action, McrAction::Discard(_)) => {
                format!("{action} ({})", self.rung(self.seat.hand(), kind).0.words())
            }
            _ => action.to_string(),
        }
    }

    /// Discards between 0 and 1; what brings the hand closer above, what does not below.
    fn value(&self, action: McrAction, now: u8) -> f32 {
        let after = self.seat.with_set_of(action);
        match action {
            McrAction::Discard(kind) => self.discard(self.seat.hand(), kind),
            McrAction::ClaimKong if self.seat.public(self.seat.seat()).wall == 0 => -1.0,
            McrAction::ConcealedKong(_) | McrAction::AddKong(_) | McrAction::ClaimKong => {
                match after {
                    Some(hand) if distance(&hand) <= now => 2.0,
                    _ => -1.0,
                }
            }
            McrAction::ClaimPung { discard } | McrAction::ClaimChow { discard, .. } => {
                match after {
                    Some(hand) if distance(&hand) < now => 1.0 + self.discard(&hand, discard),
                    _ => -1.0,
                }
            }
            McrAction::Pass => 0.0,
            McrAction::Win => f32::MAX,
        }
    }

    /// The worth of a discard of a full hand: its step, then what follows within the step.
    fn discard(&self, hand: &HandTiles, kind: Kind) -> f32 {
        let (rung, wait) = self.rung(hand, kind);
        let company: u32 = (-2..=2)
            .filter_map(|step| kind.offset(step))
            .map(|near| u32::from(self.left[near]))
            .sum();
        let company = if kind.is_honour() {
            u32::from(self.left[kind])
        } else {
            company
        };
        let inward = kind.number().map_or(0, |number| number.min(10 - number));
        let mut value = 4.0 * f32::from(rung as u8) + wait.min(40) as f32 / 20.0;
        value -= (company as f32 / 2.0 + f32::from(inward)) / 20.0;
        if self.level == LadderLevel::Players && rung != Rung::Waits {
            value += self.safety(kind);
        }
        (value + 2.0) / 40.0
    }

    /// The step of a discard, and the tiles that then complete the hand or its block.
    fn rung(&self, hand: &HandTiles, kind: Kind) -> (Rung, u32) {
        let Some(rest) = hand.without(kind) else {
            return (Rung::Rest, 0);
        };
        let held = hand.concealed();
        if distance(&rest) == 1 {
            return (Rung::Waits, self.winning(&rest));
        }
        let pairs = held.0.iter().map(|count| count / 2).sum::<u8>();
        if hand.sets().is_empty() && pairs >= 5 {
            let odd = held[kind] % 2 == 1;
            return (
                if odd { Rung::Unpaired } else { Rung::Rest },
                4 - u32::from(self.left[kind]).min(4),
            );
        }
        let near = |step: i8| kind.offset(step).is_some_and(|other| held[other] > 0);
        if held[kind] == 1 && !near(1) && !near(-1) {
            let vacant = if near(2) || near(-2) {
                Rung::OneVacant
            } else {
                Rung::TwoVacant
            };
            return (vacant, 0);
        }
        let block = block(held, kind);
        let mut left = block;
        left[kind] -= 1;
        let wait = completing_tiles(&left, &self.left);
        let rung = match block.total() % 3 {
            1 if is_block_complete(&left) => Rung::LeavesSets,
            0 if is_block_complete(&left) => Rung::LeavesPair,
            2 if wait > 0 => Rung::LeavesWait,
            _ => Rung::Rest,
        };
        (rung, wait)
    }

    /// Tiles that may still come and win: those with eight fan count ten times as much as the
    /// others.
    fn winning(&self, rest: &HandTiles) -> u32 {
        let of = |kind: Kind| {
            let win = WinToCount {
                seat_wind: self.seat.seat_wind(),
                prevalent_wind: self.seat.prevalent_wind(),
                ..WinToCount::new(rest, kind)
            };
            let worth = match count_fan(&win, Counting::Judge) {
                None => 0,
                Some(count) if count.is_enough() => 10,
                Some(_) => 1,
            };
            worth * u32::from(self.left[kind])
        };
        Kind::all().map(of).sum()
    }

    /// Above 0 for kinds that others have discarded lately, below for a suit that a player
    /// collects.
    fn safety(&self, kind: Kind) -> f32 {
        let mut safety = 0.0;
        for other in Seat::all(PLAYERS).filter(|&other| other != self.seat.seat()) {
            let public = self.seat.public(other);
            if public
                .river
                .iter()
                .rev()
                .take(6)
                .any(|discard| discard.tile == kind)
            {
                safety += 0.1;
            }
            let of_suit = |set: &SeenSet| matches!(set, SeenSet::Known(set) if set.kind().suit().is_some() && set.kind().suit() == kind.suit());
            if public.sets.iter().filter(|set| of_suit(set)).count() >= 2 {
                safety -= 0.3;
            }
        }
        safety
    }
}

/// The block of adjacent tiles that contains a kind.
fn block(held: &Counts, kind: Kind) -> Counts {
    let mut block = Counts::EMPTY;
    block[kind] = held[kind];
    for direction in [-1, 1] {
        let mut next = kind.offset(direction);
        while let Some(other) = next.filter(|&other| held[other] > 0) {
            block[other] = held[other];
            next = other.offset(direction);
        }
    }
    block
}

/// Whether a block is sets, or sets and a pair.
fn is_block_complete(block: &Counts) -> bool {
    let mut block = *block;
    if block.total().is_multiple_of(3) {
        // A pair that goes with nothing counts like one of the rest of the hand.
        let pair = if block[Kind::EAST] == 0 {
            Kind::EAST
        } else {
            Kind::NORTH
        };
        block[pair] += 2;
    }
    missing(&block) == Some(0)
}

/// Tiles that may still come and make a block sets, or sets and a pair.
fn completing_tiles(block: &Counts, left: &Counts) -> u32 {
    let with = |kind: Kind| {
        let mut with = *block;
        with[kind] += 1;
        with[kind] <= 4 && is_block_complete(&with)
    };
    let near = |kind: Kind| {
        (-1..=1)
            .filter_map(|step| kind.offset(step))
            .chain([kind])
            .any(|other| block[other] > 0)
    };
    Kind::all()
        .filter(|&kind| near(kind) && with(kind))
        .map(|kind| u32::from(left[kind]))
        .sum()
}

/// Tiles that a part of a hand lacks to sets and a pair.
fn missing(part: &Counts) -> Option<i8> {
    let sets = 14_u32.checked_sub(part.total())? / 3;
    let hand = tiles::ConcealedHand::new(*part, sets as usize, PLAYERS).ok()?;
    Some(tiles::shanten::standard_shanten(&hand) + 1)
}

#[cfg(test)]
mod tests;
