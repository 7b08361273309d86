//! The game as one seat may know it, from the events that everybody hears.

mod apply;
mod contradiction;
mod legal;
mod player;
mod snapshot;
mod win;

use arrayvec::ArrayVec;

pub use contradiction::Contradiction;
pub use player::{Discard, MAX_RIVER, PlayerState, Riichi};
pub use snapshot::{Difference, PlayerSnapshot, Snapshot};

use crate::concealed::ConcealedHand;
use crate::event::{HAND_SIZE, MAX_DORA, Points};
use crate::hand::Hand;
use crate::kinds::{Counts, KindSet};
use crate::meld::MeldKind;
use crate::rules::Rules;
use crate::seat::{PerSeat, Seat, Wind};
use crate::tile::Tile;

/// A game seen from one seat.
///
/// Events change it, by [`Table::apply`]: an answer of this seat has no effect before the arena tells everybody of it.
/// Nothing here has a place for another seat's closed tiles.
#[derive(Debug, Clone)]
pub struct Table {
    rules: Rules,
    seat: Seat,
    rounds: u32,
    bakaze: Wind,
    kyoku: u8,
    honba: u8,
    kyotaku: u8,
    oya: Seat,
    scores: Points,
    scores_known: bool,
    ended_by_draw: bool,
    dora_markers: ArrayVec<Tile, MAX_DORA>,
    tiles_left: u8,
    players: PerSeat<PlayerState>,
    unbroken: bool,
    order: u8,
    own: Own,
    seen: SeenTiles,
    phase: Phase,
    passing: Option<Passing>,
}

/// The own hand.
#[derive(Debug, Clone, Copy, Default)]
struct Own {
    hand: Hand,
    drawn: Option<Tile>,
    dealt: Option<[Tile; HAND_SIZE]>,
    /// Of the hand without the drawn tile; empty right after a call.
    waits: KindSet,
    /// Kinds that kuikae forbids until the next discard.
    kuikae: KindSet,
    /// Whether the drawn tile replaces a kan's.
    rinshan: bool,
}

/// Tiles that the own seat sees: own hand, melds, rivers, indicators.
#[derive(Debug, Clone, Copy, Default)]
struct SeenTiles {
    counts: Counts,
    reds: [u8; 3],
}

impl SeenTiles {
    /// Nothing seen yet. Kinds that the game is not played with count as seen four times.
    fn nothing(rules: &Rules) -> Self {
        let mut seen = Self::default();
        for kind in (KindSet::ALL - rules.kinds()).iter() {
            seen.counts[kind] = 4;
        }
        seen
    }

    fn see(&mut self, tile: Tile) -> Result<(), Contradiction> {
        let kind = tile.kind();
        if self.counts[kind] >= 4 {
            return Err(Contradiction::FifthTile { kind });
        }
        self.counts[kind] += 1;
        if let (true, Some(suit)) = (tile.is_red(), kind.suit()) {
            self.reds[usize::from(suit)] += 1;
        }
        Ok(())
    }
}

/// A tile that others may still win on; it counts as passed with the next event that is not a win.
#[derive(Debug, Clone, Copy)]
struct Passing {
    by: Seat,
    tile: Tile,
}

/// Whose move it is, and what kind of move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// No round is being played.
    Between,
    /// The seat draws next; nobody can call.
    Draw(Seat),
    /// The seat has drawn and chooses what to do.
    Turn(Seat),
    /// The seat has called a run or triplet and must discard.
    Called(Seat),
    /// The seat has declared riichi and must discard.
    Declared(Seat),
    /// A tile was discarded and may be called or won.
    Discarded {
        /// Who threw it.
        by: Seat,
        /// The tile.
        tile: Tile,
    },
    /// The same after a riichi was accepted: it may still be called, but not won.
    Accepted {
        /// Who threw it.
        by: Seat,
        /// The tile.
        tile: Tile,
    },
    /// A kan was shown; unless it is robbed, its owner draws.
    Kan {
        /// Who showed it.
        by: Seat,
        /// The tile that might be robbed.
        tile: Tile,
        /// The kind of kan.
        kind: MeldKind,
    },
    /// A North was set aside (three players); unless it is won on, its owner draws.
    Kita {
        /// Who set it aside.
        by: Seat,
    },
    /// Somebody has won; further winners may follow, on the same discarder.
    Won {
        /// Who dealt in, or won by self-draw.
        target: Seat,
    },
    /// The round was drawn.
    Drawn,
}

impl Phase {
    /// Whether a round is being played and nobody has won or drawn it yet.
    #[must_use]
    pub const fn is_running(self) -> bool {
        !matches!(self, Self::Between | Self::Won { .. } | Self::Drawn)
    }
}

/// The three ways in which a hand may not win on another's tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Furiten {
    /// A tile it waits for lies in its own river.
    pub river: bool,
    /// A tile it waits for has passed since its last discard, even one on which it had no yaku.
    pub temporary: bool,
    /// A tile it waits for has passed since its riichi.
    pub riichi: bool,
}

impl Furiten {
    /// Whether any of the three holds.
    #[must_use]
    pub const fn any(self) -> bool {
        self.river || self.temporary || self.riichi
    }
}

impl Table {
    /// A table before its first round.
    #[must_use]
    pub fn new(rules: Rules, seat: Seat) -> Self {
        Self {
            rules,
            seat,
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
            tiles_left: 0,
            players: PerSeat::from_fn(rules.players, |_| PlayerState::default()),
            unbroken: true,
            order: 0,
            own: Own::default(),
            seen: SeenTiles::nothing(&rules),
            phase: Phase::Between,
            passing: None,
        }
    }

    /// The rules played by.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The own seat.
    #[must_use]
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// Whose move it is.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// How many rounds have begun.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Wind of the round.
    #[must_use]
    pub const fn bakaze(&self) -> Wind {
        self.bakaze
    }

    /// Number of the round within its wind, from 1.
    #[must_use]
    pub const fn kyoku(&self) -> u8 {
        self.kyoku
    }

    /// Repeat counters.
    #[must_use]
    pub const fn honba(&self) -> u8 {
        self.honba
    }

    /// Riichi sticks on the table.
    #[must_use]
    pub const fn kyotaku(&self) -> u8 {
        self.kyotaku
    }

    /// The dealer.
    #[must_use]
    pub const fn oya(&self) -> Seat {
        self.oya
    }

    /// Points of each seat, computed from sticks and deltas, and corrected by every score the arena tells.
    #[must_use]
    pub const fn scores(&self) -> &Points {
        &self.scores
    }

    /// The scores the game ends with if it ends now: sticks left on the table go to the first.
    #[must_use]
    pub fn final_scores(&self) -> Points {
        let mut scores = self.scores;
        if let Some(first) = Seat::all(self.rules.players).find(|&seat| self.place(seat) == 1) {
            scores[first] = scores[first].saturating_add(i32::from(self.kyotaku) * 1000);
        }
        scores
    }

    /// Place of a seat by points, from 1; of equals the earlier seat is ahead.
    #[must_use]
    pub fn place(&self, seat: Seat) -> u8 {
        self.scores.place(seat)
    }

    /// The wind of a seat in this round.
    #[must_use]
    pub const fn seat_wind(&self, seat: Seat) -> Wind {
        seat.wind(self.oya, self.rules.players)
    }

    /// Dora indicators turned so far.
    #[must_use]
    pub fn dora_markers(&self) -> &[Tile] {
        &self.dora_markers
    }

    /// Number of the last discard or call in the round's order, from 0; `None` before the first.
    #[must_use]
    pub const fn last_order(&self) -> Option<u8> {
        self.order.checked_sub(1)
    }

    /// Tiles that can still be drawn.
    #[must_use]
    pub const fn tiles_left(&self) -> u8 {
        self.tiles_left
    }

    /// What is public of a seat.
    #[must_use]
    pub fn player(&self, seat: Seat) -> &PlayerState {
        &self.players[seat]
    }

    /// What is public of each seat.
    #[must_use]
    pub const fn players(&self) -> &PerSeat<PlayerState> {
        &self.players
    }

    /// The own closed tiles, the drawn one included.
    #[must_use]
    pub const fn hand(&self) -> &Hand {
        &self.own.hand
    }

    /// The own closed tiles, the drawn one included, as shanten and yaku take them; `None` before the first round.
    #[must_use]
    #[inline]
    pub fn concealed(&self) -> Option<ConcealedHand> {
        let melds = self.players[self.seat].melds.len();
        ConcealedHand::new(*self.own.hand.counts(), melds, self.rules.players).ok()
    }

    /// The tile this seat has just drawn, until it discards.
    #[must_use]
    pub const fn drawn(&self) -> Option<Tile> {
        self.own.drawn
    }

    /// The 13 tiles this seat was dealt in this round.
    #[must_use]
    pub const fn dealt(&self) -> Option<[Tile; HAND_SIZE]> {
        self.own.dealt
    }

    /// Whether the own drawn tile is the replacement after a kan.
    #[must_use]
    pub const fn is_rinshan(&self) -> bool {
        self.own.rinshan
    }

    /// Kinds the own hand waits for without the drawn tile; empty right after a call.
    #[must_use]
    pub const fn waits(&self) -> KindSet {
        self.own.waits
    }

    /// Why the own hand may not win on another's tile.
    #[must_use]
    pub fn furiten(&self) -> Furiten {
        let own = &self.players[self.seat];
        Furiten {
            river: self.own.waits.intersects(own.discarded),
            temporary: self.own.waits.intersects(own.passed_since_discard),
            riichi: self.own.waits.intersects(own.passed_since_riichi),
        }
    }

    /// Whether the own first turn is now or to come: no own discard yet, and no call or kan by anybody.
    #[must_use]
    pub fn is_first_turn(&self) -> bool {
        self.unbroken && self.players[self.seat].river.is_empty()
    }

    /// Copies of each kind that this seat has not seen: not in its hand, a meld, a river, set aside or among the
    /// indicators. 0 for kinds that the game is not played with.
    #[must_use]
    pub fn unseen(&self) -> Counts {
        let mut unseen = Counts::EMPTY;
        for (rest, seen) in unseen.0.iter_mut().zip(self.seen.counts.0) {
            *rest = 4 - seen.min(4);
        }
        unseen
    }

    /// Red fives of each suit (characters, dots, bamboo) that this seat has seen.
    #[must_use]
    pub const fn seen_reds(&self) -> [u8; 3] {
        self.seen.reds
    }
}
