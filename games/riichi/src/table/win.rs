//! Winning: whether a seat may win, and the value of the win.

use game_core::Seat;
use tiles::{ConcealedHand, Tile, Wind};

use super::{Phase, Public, TableRef};
use crate::hand::{FifthTile, Hand};
use crate::score::{Dora, NoWin, Score, Win, WinSituation};
use crate::shape::is_complete;
use crate::yaku::{Declared, WinBy, WinContext, YakuSet, has_yaku};

impl TableRef<'_> {
    /// The circumstances of a win besides its tiles, when the seat gets this many repeat counters.
    pub(crate) fn situation(self, honba: u8) -> WinSituation {
        let Public {
            rules,
            oya,
            bakaze,
            ref dora_markers,
            ..
        } = *self.public;
        WinSituation {
            rules,
            seat: self.seat,
            oya,
            bakaze,
            honba,
            dora: Dora::named_by(&rules, dora_markers.iter().copied()),
            kita: self.player().kita,
        }
    }

    /// The value of winning now on this tile of `target`, or on the own drawn tile if `target` is
    /// the own seat; `ura` count only after a riichi.
    pub(crate) fn score(
        self,
        target: Seat,
        tile: Tile,
        honba: u8,
        ura: Dora,
    ) -> Result<Score, NoWin> {
        self.score_of_tile(
            target,
            (tile, matches!(self.public.phase, Phase::Kan { .. })),
            honba,
            ura,
        )
    }

    /// The same, if the caller knows whether another seat showed a kan with the tile.
    pub(crate) fn score_of_tile(
        self,
        target: Seat,
        (tile, robbed_kan): (Tile, bool),
        honba: u8,
        ura: Dora,
    ) -> Result<Score, NoWin> {
        let (hand, by) = if target == self.seat {
            (self.own.hand, self.by_draw())
        } else {
            let hand = self
                .own
                .hand
                .with(tile)
                .map_err(|FifthTile(_)| NoWin::NotComplete)?;
            (hand, self.by_ron(robbed_kan))
        };
        let melds = &self.player().melds;
        let win = Win {
            riichi: self.declared(),
            ura,
            ..Win::of(&hand, melds, tile.kind(), by)
        };
        self.situation(honba).score(&win)
    }

    /// The kind of a win on the own drawn tile.
    pub(super) fn by_draw(self) -> WinBy {
        WinBy::own_draw(
            self.public.replacement,
            self.public.tiles_left,
            self.is_first_turn(),
        )
    }

    /// The kind of a win on the tile of another seat; `robbed_kan` if that seat showed a kan with
    /// it.
    pub(super) fn by_ron(self, robbed_kan: bool) -> WinBy {
        if robbed_kan {
            WinBy::Kan
        } else {
            WinBy::others_discard(self.public.tiles_left)
        }
    }

    /// Whether the hand, which holds the winning tile, is complete and has a yaku.
    pub(super) fn wins(self, hand: Hand, tile: Tile, by: WinBy) -> bool {
        let (melds, context) = (&self.player().melds, self.context(by));
        ConcealedHand::new(*hand.counts(), melds.len(), self.public.rules.players)
            .is_ok_and(|hand| is_complete(&hand) && has_yaku(&hand, melds, tile.kind(), &context))
    }

    /// The yaku of a win on a tile of `target` that all seats know, whatever the hand.
    pub(crate) fn yaku_of_circumstances(self, target: Seat, robbed_kan: bool) -> YakuSet {
        let by = if target == self.seat {
            self.by_draw()
        } else {
            self.by_ron(robbed_kan)
        };
        self.context(by).yaku(!self.player().is_closed())
    }

    fn context(self, by: WinBy) -> WinContext {
        WinContext {
            by,
            riichi: self.declared(),
            seat_wind: Wind::of_seat(self.seat, self.public.oya, self.public.rules.players),
            round_wind: self.public.bakaze,
            open_tanyao: self.public.rules.open_tanyao,
        }
    }

    fn declared(self) -> Option<Declared> {
        self.player().riichi.map(|riichi| Declared {
            double: riichi.double,
            ippatsu: riichi.ippatsu,
        })
    }
}
