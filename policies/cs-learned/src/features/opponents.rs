//! The opponents, as their discards and melds show them.

use game_core::Seat;
use mcr::event::PLAYERS;
use mcr::seat::SeenSet;
use mcr::{McrEvent, McrSeatState};
use tiles::{Counts, Kind, KindSet};

/// An opponent.
pub(super) struct McrOpponent {
    pub(super) melds: usize,
    /// The chance that it waits, roughly, by its discards and melds.
    pub(super) threat: f32,
    /// The kinds that it has let pass since its hand last changed: what it discarded itself and all
    /// discards since.
    passed: KindSet,
    /// The kinds in its river.
    river: KindSet,
    /// The suit of two or more melds that are all of one suit; honours may be among them.
    suit: Option<usize>,
}

pub(super) struct Opponents {
    /// Right, across, left.
    pub(super) all: [McrOpponent; 3],
    unseen: Counts,
}

/// The danger of a discard.
#[derive(Default)]
pub(super) struct KindDanger {
    /// A rough chance to deal in, added up over the opponents.
    pub(super) sum: f32,
    pub(super) greatest: f32,
    /// Opponents who have let the kind pass since their hand changed.
    pub(super) passed: u8,
    /// Opponents with the kind in their river.
    pub(super) in_rivers: u8,
    /// How far opponents who collect a suit want the kind, by their threat.
    pub(super) collected: f32,
    /// The same where they want another suit.
    pub(super) not_collected: f32,
}

impl Opponents {
    pub(super) fn new(seat: &McrSeatState, events: impl Iterator<Item = McrEvent>) -> Self {
        let mut passed = [KindSet::default(); PLAYERS as usize];
        for event in events {
            let (by, tile) = match event {
                McrEvent::Discarded { seat, tile } => (seat, tile),
                McrEvent::PungClaimed { seat, discard }
                | McrEvent::ChowClaimed { seat, discard, .. } => (seat, discard),
                _ => continue,
            };
            // Its hand has changed.
            passed[by.index()] = KindSet::default();
            passed.iter_mut().for_each(|passed| {
                passed.insert(tile);
            });
        }
        let own = seat.seat();
        let others = [1, 2, 3]
            .map(|step| Seat::new((own.index() as u8 + step) % PLAYERS).expect("a seat of four"));
        Self {
            all: others.map(|other| McrOpponent::new(seat, other, passed[other.index()])),
            unseen: seat.unseen(),
        }
    }

    pub(super) fn greatest_threat(&self) -> f32 {
        self.all
            .iter()
            .fold(0.0, |most, opponent| most.max(opponent.threat))
    }

    pub(super) fn most_melds(&self) -> usize {
        self.all
            .iter()
            .map(|opponent| opponent.melds)
            .max()
            .unwrap_or(0)
    }

    /// Unseen tiles of a kind.
    pub(super) fn unseen(&self, kind: Kind) -> u8 {
        self.unseen[kind]
    }

    pub(super) fn danger(&self, kind: Kind) -> KindDanger {
        let mut danger = KindDanger::default();
        for opponent in &self.all {
            let in_river = opponent.river.contains(kind);
            danger.in_rivers += u8::from(in_river);
            if opponent.passed.contains(kind) {
                danger.passed += 1;
                continue;
            }
            let mut raw = wanted(kind, self.unseen[kind]);
            if in_river {
                raw *= 0.5;
            }
            if let Some(suit) = opponent.suit {
                if kind.is_honour() || kind.index() / 9 == suit {
                    danger.collected += opponent.threat;
                    raw *= 1.8;
                } else {
                    danger.not_collected += opponent.threat;
                    raw *= 0.3;
                }
            }
            let chance = opponent.threat * raw;
            danger.sum += chance;
            danger.greatest = danger.greatest.max(chance);
        }
        danger
    }

    /// Whether a tile is safe from all opponents by its river or because they have let it pass, or
    /// because it is the last of its kind.
    pub(super) fn is_nearly_safe(&self, kind: Kind) -> bool {
        self.unseen[kind] == 0
            || self
                .all
                .iter()
                .all(|opponent| opponent.passed.contains(kind) || opponent.river.contains(kind))
    }

    /// Whether the left has the kind in its river.
    pub(super) fn left_has_thrown(&self, kind: Kind) -> bool {
        self.all[2].river.contains(kind)
    }

    /// Whether the next player may have use for a suited tile in a chow: it has discarded nothing
    /// within two steps of it.
    pub(super) fn may_be_chowed(&self, kind: Kind) -> bool {
        let near = [-2_i8, -1, 1, 2]
            .into_iter()
            .filter_map(|step| kind.offset(step));
        !kind.is_honour()
            && near
                .filter(|&near| self.all[0].river.contains(near))
                .count()
                < 2
    }
}

/// The chance that an opponent who waits wants a kind of which so many tiles are unseen, roughly.
fn wanted(kind: Kind, unseen: u8) -> f32 {
    let live = 0.4 + 0.2 * f32::from(unseen.min(3));
    let place = match kind.number() {
        None => 0.6,
        Some(1 | 9) => 0.8,
        Some(2 | 8) => 1.0,
        Some(_) => 1.2,
    };
    0.12 * live * place
}

impl McrOpponent {
    fn new(seat: &McrSeatState, other: Seat, passed: KindSet) -> Self {
        let public = seat.public(other);
        let melds = public.sets.len();
        let turn = public.river.len() as f32;
        let mut suits: Vec<Option<usize>> = public
            .sets
            .iter()
            .map(|set| match set {
                SeenSet::Known(set) if !set.kind().is_honour() => Some(set.kind().index() / 9),
                _ => None,
            })
            .collect();
        let has_hidden = public
            .sets
            .iter()
            .any(|set| matches!(set, SeenSet::HiddenKong));
        suits.retain(Option::is_some);
        suits.dedup();
        let suit = match suits[..] {
            [suit] if melds >= 2 && !has_hidden => suit,
            _ => None,
        };
        Self {
            melds,
            threat: 1.0 / (1.0 + (4.6 - 0.2 * turn - 0.9 * melds as f32).exp()),
            passed,
            river: public.river.iter().map(|discard| discard.tile).collect(),
            suit,
        }
    }
}
