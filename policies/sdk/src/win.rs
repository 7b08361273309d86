//! The value of a win, based on the own seat's knowledge.

use riichi::score::{Dora, NoWin, Score, Win, WinSituation};
use riichi::yaku::{Declared, WinBy};
use riichi::{FifthTile, Seat, Tile};

use crate::view::{Offer, Request, View};

impl View<'_> {
    /// The circumstances that affect the value of a win of the own seat, besides its tiles:
    /// [`WinSituation::score`] then rates any hand that may still come about. All repeat counters
    /// count, which is right unless another winner on the same tile sits before this seat.
    pub fn situation(&self) -> WinSituation {
        WinSituation {
            rules: *self.rules(),
            seat: self.seat(),
            oya: self.oya(),
            bakaze: self.bakaze(),
            honba: self.honba(),
            dora: Dora::named_by(self.rules(), self.dora_markers()),
            kita: self.player(self.seat()).kita_count(),
        }
    }

    /// The minimum value of a listed [`Action::Hora`](riichi::Action::Hora) with this target and
    /// tile. Ura are unknown and do not count.
    ///
    /// # Errors
    ///
    /// If the hand is not complete with the tile or has no yaku.
    ///
    /// ```
    /// # use policy_sdk::View;
    /// use policy_sdk::mahjong::Action;
    ///
    /// /// The han of each win that is listed, at least.
    /// fn wins(view: &View<'_>) -> Vec<u8> {
    ///     let score = |action: &Action| match *action {
    ///         Action::Hora { target, tile } => view.score_of(target, tile).ok(),
    ///         _ => None,
    ///     };
    ///     view.legal().iter().filter_map(score).map(|score| score.han).collect()
    /// }
    /// ```
    pub fn score_of(&self, target: Seat, tile: Tile) -> Result<Score, NoWin> {
        let hand = if target == self.seat() {
            *self.hand()
        } else {
            self.hand()
                .with(tile)
                .map_err(|FifthTile(_)| NoWin::NotComplete)?
        };
        let by = match self.request() {
            Request::OwnTurn => {
                WinBy::own_draw(self.after_kan(), self.tiles_left(), self.first_turn())
            }
            Request::Claim {
                offer: Offer::Kakan | Offer::Ankan,
                ..
            } => WinBy::Kan,
            Request::Claim {
                offer: Offer::Dahai | Offer::Kita,
                ..
            } => WinBy::others_discard(self.tiles_left()),
        };
        let riichi = self.player(self.seat()).riichi();
        let riichi = riichi.map(|riichi| Declared {
            double: riichi.double,
            ippatsu: riichi.ippatsu,
        });
        self.situation().score(&Win {
            riichi,
            ..Win::of(&hand, self.melds(), tile.kind(), by)
        })
    }
}
