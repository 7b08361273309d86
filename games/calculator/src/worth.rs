//! A quick estimate of the value of a hand if it wins.

use riichi::game::RiichiGame;
use riichi::score::Dora;
use riichi::yaku::value_kinds;
use riichi::{Counts, Hand, Kind, Meld, Seat, Tile, Wind};

use crate::estimates::{ONE_SUIT, POINTS, RIICHI_LUCK, SIMPLES, VALUE_PAIR};

/// The factor on a dealer's win. The rules.
const DEALER: f32 = 1.5;
/// Han of a closed hand besides its tiles: a riichi and its luck.
const CLOSED: f32 = 1.0 + RIICHI_LUCK;

/// The tiles of a hand, as far as its worth depends on them.
pub(crate) struct TilesWorth {
    dealer: bool,
    dora: f32,
    values: f32,
    /// Ones, nines and honours.
    not_simple: u8,
    open_tanyao: bool,
    /// Tiles that are neither honours nor of the commonest suit.
    outside: u8,
    suit: usize,
    dora_by_kind: [u8; riichi::tile::KINDS],
}

impl TilesWorth {
    /// Of this hand with its melds, and with the tile that is called, if any.
    pub(crate) fn of(
        game: &RiichiGame,
        seat: Seat,
        hand: &Hand,
        melds: &[Meld],
        dora: &Dora,
        called: Option<Tile>,
    ) -> Self {
        let (rules, round) = (game.rules(), game.round());
        let mut tiles: Counts = *hand.counts();
        let mut reds: u8 = hand.reds().iter().sum();
        for meld in melds {
            meld.count_into(&mut tiles);
            reds += meld.tiles().iter().filter(|tile| tile.is_red()).count() as u8;
        }
        if let Some(tile) = called {
            tiles[tile.kind()] += 1;
            reds += u8::from(tile.is_red());
        }
        let norths = game.players()[seat].kita * (1 + dora.of(Wind::North.kind()));
        let mut dora_by_kind = [0; riichi::tile::KINDS];
        let mut by_suit = [0_u8; 3];
        let mut not_simple = 0;
        for kind in tiles.kinds().iter() {
            dora_by_kind[kind.index()] = dora.of(kind);
            not_simple += if kind.is_terminal_or_honour() {
                tiles[kind]
            } else {
                0
            };
            if let Some(suit) = kind.suit() {
                by_suit[usize::from(suit)] += tiles[kind];
            }
        }
        let wind = Wind::of_seat(seat, round.oya, rules.players);
        let values = value_kinds(wind, round.bakaze)
            .iter()
            .map(|kind| match tiles[kind] {
                3.. => 1.0,
                2 => VALUE_PAIR,
                _ => 0.0,
            });
        let (suit, most) = by_suit
            .iter()
            .copied()
            .enumerate()
            .max_by_key(|&(_, tiles)| tiles)
            .unwrap_or((0, 0));
        Self {
            dealer: seat == round.oya,
            dora: f32::from(dora.among(&tiles) + reds + norths),
            values: values.sum(),
            not_simple,
            open_tanyao: rules.open_tanyao,
            outside: by_suit.iter().sum::<u8>() - most,
            suit,
            dora_by_kind,
        }
    }

    /// Points of a win with the present hand.
    pub(crate) fn points_as_is(&self, open: bool) -> f32 {
        self.points_of(open, self.dora, self.not_simple, self.outside)
    }

    /// Points of a win after throwing a tile of this kind.
    pub(crate) fn points(&self, open: bool, thrown: Kind) -> f32 {
        let not_simple =
            self.not_simple - u8::from(thrown.is_terminal_or_honour() && self.not_simple > 0);
        let is_outside = thrown
            .suit()
            .is_some_and(|suit| usize::from(suit) != self.suit);
        let outside = self.outside - u8::from(is_outside && self.outside > 0);
        self.points_of(
            open,
            self.dora - f32::from(self.dora_by_kind[thrown.index()]),
            not_simple,
            outside,
        )
    }

    fn points_of(&self, open: bool, dora: f32, not_simple: u8, outside: u8) -> f32 {
        let part =
            |table: &[f32; 3], tiles: u8| table.get(usize::from(tiles)).copied().unwrap_or(0.0);
        let simples = if open && !self.open_tanyao {
            0.0
        } else {
            part(&SIMPLES, not_simple)
        };
        let one_suit = part(&ONE_SUIT, outside) * if open { 2.0 } else { 3.0 };
        let han = dora + self.values + simples.max(one_suit) + if open { 0.0 } else { CLOSED };
        let han = han.clamp(1.0, 12.9);
        let (whole, rest) = (han as usize, han.fract());
        let points = POINTS[whole] + rest * (POINTS[whole + 1] - POINTS[whole]);
        if self.dealer { DEALER * points } else { points }
    }
}

#[cfg(test)]
mod tests {
    use riichi::{Action, Rules};

    use super::*;

    #[test]
    fn a_north_set_aside_counts_once_more_where_north_is_dora() {
        let mut counted = [false; 2];
        for seed in 0..40 {
            let mut game = RiichiGame::new(Rules::TENHOU_HALF.with_players(3), seed);
            while !game.is_over() {
                for seat in game.asked() {
                    let legal = game.legal_actions(seat);
                    let kita = legal
                        .iter()
                        .copied()
                        .find(|action| matches!(action, Action::Kita));
                    game.answer(
                        seat,
                        kita.or(riichi::safe_answer(&legal)).unwrap_or(legal[0]),
                    )
                    .expect("listed");
                }
                let dora = Dora::named_by(game.rules(), game.dora_markers().iter().copied());
                let norths = dora.of(Wind::North.kind());
                for (seat, player) in game
                    .players()
                    .iter()
                    .filter(|(_, player)| player.kita > 0 && player.melds.is_empty())
                {
                    let hand = game.hand(seat);
                    let in_hand = dora.among(hand.counts()) + hand.reds().iter().sum::<u8>();
                    let worth = TilesWorth::of(&game, seat, hand, &[], &dora, None);
                    assert_eq!(
                        worth.dora,
                        f32::from(in_hand + player.kita + player.kita * norths)
                    );
                    counted[usize::from(norths > 0)] = true;
                }
            }
        }
        assert_eq!(counted, [true; 2], "North is dora in some of these games");
    }
}
