//! The game from a seat: the public state, and the seat's own tiles.

use game_core::Seat;
use tiles::{ConcealedHand, KindSet};

use super::hands::Own;
use super::public::Public;
use super::{Furiten, PlayerState};
use crate::rules::Preset;

/// A game from one seat's point of view. Legal actions and the value of a win depend only on this, for a
/// [`Table`](super::Table) as for a [`RiichiGame`](crate::game::RiichiGame).
#[derive(Clone, Copy)]
pub(crate) struct SeatView<'a> {
    pub(super) public: &'a Public,
    pub(super) seat: Seat,
    pub(super) own: &'a Own,
}

impl<'a> SeatView<'a> {
    pub(crate) const fn new(public: &'a Public, seat: Seat, own: &'a Own) -> Self {
        Self { public, seat, own }
    }

    /// The public state of the own seat.
    pub(super) fn player(self) -> &'a PlayerState {
        &self.public.players[self.seat]
    }

    #[inline]
    pub(crate) fn concealed(self) -> Option<ConcealedHand> {
        self.own.concealed(self.player().melds.len(), self.public.rules.players)
    }

    pub(super) fn furiten(self) -> Furiten {
        let (player, own) = (self.player(), self.own);
        let in_riichi = player.riichi.map_or(KindSet::EMPTY, |_| own.passed_kans);
        Furiten {
            river: own.waits.intersects(player.discarded),
            temporary: own.waits.intersects(player.passed_since_discard | own.passed_kans),
            riichi: own.waits.intersects(player.passed_since_riichi | in_riichi),
        }
    }

    pub(super) fn is_first_turn(self) -> bool {
        self.public.unbroken && self.player().river.is_empty()
    }

    pub(crate) fn first_discard_counts_as_from_hand(self) -> bool {
        self.public.rules.preset == Preset::MahjongSoul && self.seat == self.public.oya && self.is_first_turn()
    }
}
