//! A round that is won.

use arrayvec::ArrayVec;
use game_core::Seat;
use tiles::Tile;

use super::RiichiGame;
use super::course::RoundVerdict;
use crate::event::{Event, Hora, UraMarkers};
use crate::score::Dora;
use crate::table::Public;

impl RiichiGame {
    /// The winners, nearest after the target first, win on the tile.
    pub(super) fn win(&mut self, winners: &[Seat], target: Seat, tile: Tile) {
        let &Public {
            ref rules,
            oya,
            ref dora_markers,
            ref players,
            ..
        } = self.state.public();
        let under = self.wall.ura_markers(dora_markers.len());
        let mut wins: ArrayVec<Hora, 4> = ArrayVec::new();
        for &actor in winners {
            let ura = if players[actor].riichi.is_some() {
                under.as_slice()
            } else {
                &[]
            };
            let (honba, sticks) = self.state.public().counters_for(wins.is_empty());
            let ura_dora = Dora::named_by(rules, ura.iter().copied());
            let Ok(score) = self.state.view(actor).score(target, tile, honba, ura_dora) else {
                continue;
            };
            let mut deltas = score.deltas(target);
            deltas[actor] += sticks;
            let ura_markers = UraMarkers::from_slice(ura).unwrap_or_default();
            self.wins.push(score);
            wins.push(Hora {
                actor,
                target,
                deltas: Some(deltas),
                scores: None,
                ura_markers,
            });
        }
        for win in wins {
            self.tell(Event::Hora(win));
        }
        self.end_round(RoundVerdict::Won {
            by_dealer: winners.contains(&oya),
        });
    }
}
