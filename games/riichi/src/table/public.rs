//! The public state of a game.

use arrayvec::ArrayVec;
use game_core::{PerSeat, Seat};
use tiles::{Counts, Kind, KindSet, Tile, Wind};

use super::hands::Own;
use super::shown::ShownTiles;
use super::{MAX_KANS, Phase, PlayerState};
use crate::event::{HAND_SIZE, MAX_DORA, Points};
use crate::hand::Hand;
use crate::meld::Meld;
use crate::rules::{Length, RIICHI_STICK, Rules};

/// The public state of a game.
#[derive(Debug, Clone)]
pub(crate) struct Public {
    pub(crate) rules: Rules,
    /// Number of rounds that have begun.
    pub(crate) rounds: u32,
    pub(crate) bakaze: Wind,
    pub(crate) kyoku: u8,
    pub(crate) honba: u8,
    pub(crate) kyotaku: u8,
    pub(crate) oya: Seat,
    pub(crate) scores: Points,
    pub(super) scores_known: bool,
    pub(super) ended_by_draw: bool,
    pub(crate) dora_markers: ArrayVec<Tile, MAX_DORA>,
    /// Rivers, melds, Norths set aside and indicators.
    pub(super) shown: ShownTiles,
    pub(crate) tiles_left: u8,
    pub(crate) players: PerSeat<PlayerState>,
    /// Number of kans shown by all seats.
    pub(super) kans: u8,
    /// No call, kan or North yet.
    pub(super) unbroken: bool,
    /// The number of the next discard or call.
    pub(super) order: u8,
    pub(crate) phase: Phase,
    pub(super) passing: Option<Passing>,
    /// Whether the last tile drawn replaces a kan's or a North.
    pub(super) replacement: bool,
}

/// A tile that others may still win on; it counts as passed with the next event that is not a win.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passing {
    pub(super) by: Seat,
    pub(super) tile: Tile,
    /// Only thirteen orphans may win on it, because it belongs to a closed kan.
    pub(super) for_orphans: bool,
}

impl Passing {
    /// Whether the hand might win on the tile if it waited for it.
    pub(super) fn is_for(self, seat: Seat, own: &Own, player: &PlayerState) -> bool {
        seat != self.by && (!self.for_orphans || own.waits_for_thirteen_orphans(player))
    }
}

impl Public {
    /// A table before its first round.
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules,
            rounds: 0,
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: Seat::FIRST,
            scores: PerSeat::from_fn(rules.players, |_| rules.start_points),
            scores_known: true,
            ended_by_draw: false,
            dora_markers: ArrayVec::new(),
            shown: ShownTiles::nothing(&rules),
            tiles_left: 0,
            players: PerSeat::from_fn(rules.players, |_| PlayerState::default()),
            kans: 0,
            unbroken: true,
            order: 0,
            phase: Phase::Between,
            passing: None,
            replacement: false,
        }
    }

    /// Whether the scores are computed from the first ones on, or told since.
    pub(crate) const fn scores_known(&self) -> bool {
        self.scores_known
    }

    /// Whether a seat's first turn is now or to come.
    pub(crate) fn is_first_turn(&self, seat: Seat) -> bool {
        self.unbroken && self.players[seat].river.is_empty()
    }

    /// The scores the game ends with if it ends now.
    pub(crate) fn final_scores(&self) -> Points {
        let mut scores = self.scores;
        let first = Seat::all(self.rules.players).find(|&seat| scores.place(seat) == 1);
        if let Some(first) = first.filter(|_| self.first_takes_sticks()) {
            scores[first] = scores[first].saturating_add(i32::from(self.kyotaku) * RIICHI_STICK);
        }
        scores
    }

    /// Whether the sticks left on the table at the end of the game go to the first place. After a
    /// single round they stay on the table, as in RiichiEnv.
    pub(super) fn first_takes_sticks(&self) -> bool {
        self.rules.length != Length::Single
    }

    /// Every tile that has been played, once: rivers, own tiles of melds, Norths set aside.
    pub(crate) fn played_tiles(&self) -> impl Iterator<Item = Tile> {
        self.players.iter().flat_map(|(_, player)| {
            let river = player.river.iter().map(|discard| discard.tile);
            // A called tile lies in a river already.
            let melds = player.melds.iter().flat_map(|meld| {
                let called = meld
                    .called
                    .and_then(|called| meld.tiles().iter().position(|&tile| tile == called.tile));
                meld.tiles()
                    .iter()
                    .enumerate()
                    .filter(move |&(place, _)| Some(place) != called)
                    .map(|(_, &tile)| tile)
            });
            river.chain(melds).chain(std::iter::repeat_n(
                Kind::NORTH.tile(),
                usize::from(player.kita),
            ))
        })
    }

    /// Whether the seat holds a tile that it has just drawn.
    pub(crate) fn has_drawn(&self, seat: Seat) -> bool {
        matches!(self.phase, Phase::Turn(on_turn) | Phase::Declared(on_turn) if on_turn == seat)
    }

    /// Number of concealed tiles of the seat.
    pub(crate) fn concealed_tiles(&self, seat: Seat) -> usize {
        let full = self.has_drawn(seat) || self.phase == Phase::Called(seat);
        HAND_SIZE + usize::from(full) - 3 * self.players[seat].melds.len()
    }

    /// Every tile that all seats have seen, once: those played and the indicators.
    pub(crate) fn shown_tiles(&self) -> impl Iterator<Item = Tile> {
        self.played_tiles().chain(self.dora_markers.iter().copied())
    }

    /// Copies of each kind that all seats have seen. Kinds that the game does not use count as seen
    /// four times.
    pub(crate) const fn shown_counts(&self) -> &Counts {
        &self.shown.counts
    }

    /// A seat's knowledge of itself in the middle of a round, with these concealed tiles, including
    /// the drawn one.
    pub(crate) fn own_in_round(&self, seat: Seat, hand: Hand, drawn: Option<Tile>) -> Own {
        let (melds, players) = (self.players[seat].melds.len(), self.rules.players);
        let hand_before_draw = drawn
            .and_then(|drawn| hand.without(&[drawn]).ok())
            .unwrap_or(hand);
        let mut own = Own {
            hand: hand_before_draw,
            drawn,
            kuikae: self.kuikae_of(seat),
            ..Own::default()
        };
        own.settle(melds, players);
        own.hand = hand;
        own.count_shanten(melds, players);
        own
    }

    /// The kinds that a seat which has just called may not discard.
    pub(crate) fn kuikae_of(&self, seat: Seat) -> KindSet {
        let melds = self.players[seat]
            .melds
            .last()
            .filter(|_| self.phase == Phase::Called(seat));
        let called = melds.and_then(|meld| Some((meld, meld.called?)));
        called.map_or(KindSet::EMPTY, |(meld, called)| {
            self.kuikae_after(meld, called.tile)
        })
    }

    /// Dora indicators that kans have earned and that are not turned yet.
    pub(crate) fn due_dora(&self) -> usize {
        (1 + self.kans())
            .min(MAX_DORA)
            .saturating_sub(self.dora_markers.len())
    }

    /// Whether a seat has declared riichi and not paid the stick yet.
    pub(crate) fn owes_stick(&self, seat: Seat) -> bool {
        self.players[seat]
            .riichi
            .is_some_and(|riichi| !riichi.accepted)
    }

    /// The repeat counters that a winner is paid for, and the points of the sticks that it takes:
    /// of several winners on one tile both go to the first alone.
    pub(crate) fn counters_for(&self, is_first: bool) -> (u8, i32) {
        if is_first {
            (self.honba, i32::from(self.kyotaku) * RIICHI_STICK)
        } else {
            (0, 0)
        }
    }

    /// Number of kans shown by all seats.
    pub(crate) fn kans(&self) -> usize {
        self.kans.into()
    }

    /// Whether four kans of several seats end the round, unless a player wins on the discard that
    /// follows.
    pub(crate) fn four_kans_end_the_round(&self) -> bool {
        let players = self.players.as_slice();
        self.kans() >= MAX_KANS && players.iter().filter(|player| player.kans() > 0).count() > 1
    }

    /// Kinds that may not be discarded right after this run or triplet was called.
    pub(super) fn kuikae_after(&self, meld: &Meld, called: Tile) -> KindSet {
        let &[a, b, c] = meld.tiles() else {
            return KindSet::EMPTY;
        };
        let own = if called.kind() == a.kind() {
            [b, c]
        } else if called.kind() == b.kind() {
            [a, c]
        } else {
            [a, b]
        };
        self.rules.kuikae(called.kind(), own.map(Tile::kind))
    }
}
