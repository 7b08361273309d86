//! The game from a seat, borrowed: the public state, and the seat's own tiles.

use game_core::Seat;
use tiles::shanten::shanten;
use tiles::{ConcealedHand, Counts, KindSet, Tile, Wind};

use super::hands::Own;
use super::public::Public;
use super::{Furiten, Phase, PlayerState};
use crate::event::Points;
use crate::hand::Hand;
use crate::rules::{Preset, Rules};

/// A game from one seat's point of view, borrowed from a [`Table`](super::Table) or a
/// [`RiichiGame`](crate::game::RiichiGame). Legal actions and the value of a win depend only on
/// this. As a table, it has no way to another seat's closed tiles.
#[derive(Debug, Clone, Copy)]
pub struct TableRef<'a> {
    pub(super) public: &'a Public,
    pub(super) seat: Seat,
    pub(super) own: &'a Own,
}

impl<'a> TableRef<'a> {
    pub(crate) const fn new(public: &'a Public, seat: Seat, own: &'a Own) -> Self {
        Self { public, seat, own }
    }

    /// The public state of the own seat.
    pub(super) fn player(self) -> &'a PlayerState {
        &self.public.players[self.seat]
    }

    /// As [`Table::rules`](super::Table::rules), and so on.
    pub const fn rules(self) -> &'a Rules {
        &self.public.rules
    }

    /// The own seat.
    pub const fn seat(self) -> Seat {
        self.seat
    }

    /// The phase of the round.
    pub const fn phase(self) -> Phase {
        self.public.phase
    }

    /// Wind of the round.
    pub const fn bakaze(self) -> Wind {
        self.public.bakaze
    }

    /// Number of the round within its wind, from 1.
    pub const fn kyoku(self) -> u8 {
        self.public.kyoku
    }

    /// Repeat counters.
    pub const fn honba(self) -> u8 {
        self.public.honba
    }

    /// Riichi sticks on the table.
    pub const fn kyotaku(self) -> u8 {
        self.public.kyotaku
    }

    /// The dealer.
    pub const fn oya(self) -> Seat {
        self.public.oya
    }

    /// Points of each seat.
    pub const fn scores(self) -> &'a Points {
        &self.public.scores
    }

    /// Dora indicators turned so far.
    pub fn dora_markers(self) -> &'a [Tile] {
        &self.public.dora_markers
    }

    /// Tiles that can still be drawn.
    pub const fn tiles_left(self) -> u8 {
        self.public.tiles_left
    }

    /// The public state of a seat.
    pub fn player_at(self, seat: Seat) -> &'a PlayerState {
        &self.public.players[seat]
    }

    /// The own closed tiles, the drawn one included.
    pub const fn hand(self) -> &'a Hand {
        &self.own.hand
    }

    /// The tile this seat has just drawn, until it discards.
    pub const fn drawn(self) -> Option<Tile> {
        self.own.drawn
    }

    /// Whether the own drawn tile is the replacement after a kan.
    pub const fn is_rinshan(self) -> bool {
        self.public.replacement && self.own.drawn.is_some()
    }

    /// Kinds the own hand waits for without the drawn tile; empty right after a call.
    pub const fn waits(self) -> KindSet {
        self.own.waits
    }

    /// Shanten number of the own hand, with the drawn tile; `None` before the first round.
    pub fn shanten(self) -> Option<i8> {
        self.own
            .shanten
            .or_else(|| self.concealed().map(|hand| shanten(&hand)))
    }

    /// Copies of each kind that this seat has not seen.
    pub fn unseen(self) -> Counts {
        let mut unseen = Counts::EMPTY;
        let seen = self
            .public
            .shown
            .counts
            .0
            .iter()
            .zip(self.hand().counts().0);
        for (rest, (shown, held)) in unseen.0.iter_mut().zip(seen) {
            *rest = 4_u8.saturating_sub(shown + held);
        }
        unseen
    }

    /// Red fives of each suit that this seat has seen.
    pub fn seen_reds(self) -> [u8; 3] {
        let (shown, held) = (self.public.shown.reds, self.hand().reds());
        std::array::from_fn(|suit| shown[suit] + held[suit])
    }

    /// The own closed tiles with the number of melds; `None` before the first round.
    #[inline]
    pub fn concealed(self) -> Option<ConcealedHand> {
        self.own
            .concealed(self.player().melds.len(), self.public.rules.players)
    }

    /// Why the own hand may not win on another's tile.
    pub fn furiten(self) -> Furiten {
        let (player, own) = (self.player(), self.own);
        let in_riichi = player.riichi.map_or(KindSet::EMPTY, |_| own.passed_kans);
        Furiten {
            river: own.waits.intersects(player.discarded),
            temporary: own
                .waits
                .intersects(player.passed_since_discard | own.passed_kans),
            riichi: own.waits.intersects(player.passed_since_riichi | in_riichi),
        }
    }

    /// Whether the own first turn is now or to come.
    pub fn is_first_turn(self) -> bool {
        self.public.is_first_turn(self.seat)
    }

    pub(crate) fn first_discard_counts_as_from_hand(self) -> bool {
        self.public.rules.preset == Preset::MahjongSoul
            && self.seat == self.public.oya
            && self.is_first_turn()
    }
}
