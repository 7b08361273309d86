//! Winning: whether the own hand may win, and what that would be worth.

use super::{Phase, Table};
use crate::concealed::ConcealedHand;
use crate::hand::{FifthTile, Hand};
use crate::score::{Dora, NoWin, Score, Win, WinSituation};
use crate::seat::Seat;
use crate::shape::is_complete;
use crate::tile::Tile;
use crate::yaku::{Declared, WinBy, WinContext, has_yaku};

impl Table {
    /// What a win of this seat depends on beside its tiles. It is paid for all repeat counters, as it is unless another
    /// winner on the same tile sits before it.
    #[must_use]
    pub fn situation(&self) -> WinSituation {
        WinSituation {
            rules: self.rules,
            seat: self.seat,
            oya: self.oya,
            bakaze: self.bakaze,
            honba: self.honba,
            dora: Dora::named_by(&self.rules, self.dora_markers.iter().copied()),
            kita: self.players[self.seat].kita,
        }
    }

    /// What it would be worth to win now on this tile of `target`, or on the own drawn tile where `target` is the own
    /// seat: what a listed [`Action::Hora`](crate::Action::Hora) brings at least. Ura are not known yet, so none count.
    ///
    /// Furiten is not checked.
    ///
    /// # Errors
    ///
    /// When the hand is not complete with the tile or has no yaku.
    pub fn score_of(&self, target: Seat, tile: Tile) -> Result<Score, NoWin> {
        let (hand, by) = if target == self.seat {
            (self.own.hand, self.by_draw())
        } else {
            let hand = self.own.hand.with(tile).map_err(|FifthTile(_)| NoWin::NotComplete)?;
            (hand, self.by_ron(matches!(self.phase, Phase::Kan { .. })))
        };
        let own = &self.players[self.seat];
        self.situation().score(&Win { riichi: self.declared(), ..Win::of(&hand, &own.melds, tile.kind(), by) })
    }

    /// How a win on the own drawn tile comes.
    pub(super) fn by_draw(&self) -> WinBy {
        WinBy::own_draw(self.own.rinshan, self.tiles_left, self.is_first_turn())
    }

    /// How a win on the tile of another seat comes; `robbed_kan` where that seat showed a kan with it.
    pub(super) fn by_ron(&self, robbed_kan: bool) -> WinBy {
        if robbed_kan { WinBy::Kan } else { WinBy::others_discard(self.tiles_left) }
    }

    /// Whether the hand, which holds the winning tile, is complete and has a yaku.
    pub(super) fn wins(&self, hand: Hand, tile: Tile, by: WinBy) -> bool {
        let melds = &self.players[self.seat].melds;
        let context = WinContext {
            by,
            riichi: self.declared(),
            seat_wind: self.seat_wind(self.seat),
            round_wind: self.bakaze,
            open_tanyao: self.rules.open_tanyao,
        };
        ConcealedHand::new(*hand.counts(), melds.len(), self.rules.players)
            .is_ok_and(|hand| is_complete(&hand) && has_yaku(&hand, melds, tile.kind(), &context))
    }

    fn declared(&self) -> Option<Declared> {
        self.players[self.seat].riichi.map(|riichi| Declared { double: riichi.double, ippatsu: riichi.ippatsu })
    }
}
