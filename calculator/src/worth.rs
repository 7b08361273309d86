//! A quick estimate of the value of a hand if it wins.

use riichi::game::RiichiGame;
use riichi::score::Dora;
use riichi::yaku::value_kinds;
use riichi::{Action, Counts, Hand, Kind, Meld, Seat, Wind};

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
    pub(crate) fn of(game: &RiichiGame, seat: Seat, hand: &Hand, melds: &[Meld], dora: &Dora) -> Self {
        Self::of_tiles(game, seat, hand, melds, dora, None)
    }

    /// With the tile that is called.
    pub(crate) fn with_tile(
        game: &RiichiGame,
        seat: Seat,
        hand: &Hand,
        melds: &[Meld],
        dora: &Dora,
        call: Action,
    ) -> Self {
        let tile = match call {
            Action::Chi { tile, .. } | Action::Pon { tile, .. } => Some(tile),
            _ => None,
        };
        Self::of_tiles(game, seat, hand, melds, dora, tile)
    }

    fn of_tiles(
        game: &RiichiGame,
        seat: Seat,
        hand: &Hand,
        melds: &[Meld],
        dora: &Dora,
        called: Option<riichi::Tile>,
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
        let norths = game.players()[seat].kita;
        let mut dora_by_kind = [0; riichi::tile::KINDS];
        let mut by_suit = [0_u8; 3];
        let mut not_simple = 0;
        for kind in tiles.kinds().iter() {
            dora_by_kind[kind.index()] = dora.of(kind);
            not_simple += if kind.is_terminal_or_honour() { tiles[kind] } else { 0 };
            if let Some(suit) = kind.suit() {
                by_suit[usize::from(suit)] += tiles[kind];
            }
        }
        let wind = Wind::of_seat(seat, round.oya, rules.players);
        let values = value_kinds(wind, round.bakaze).iter().map(|kind| match tiles[kind] {
            3.. => 1.0,
            2 => VALUE_PAIR,
            _ => 0.0,
        });
        let (suit, most) = by_suit.iter().copied().enumerate().max_by_key(|&(_, tiles)| tiles).unwrap_or((0, 0));
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
        let not_simple = self.not_simple - u8::from(thrown.is_terminal_or_honour() && self.not_simple > 0);
        let is_outside = thrown.suit().is_some_and(|suit| usize::from(suit) != self.suit);
        let outside = self.outside - u8::from(is_outside && self.outside > 0);
        self.points_of(open, self.dora - f32::from(self.dora_by_kind[thrown.index()]), not_simple, outside)
    }

    fn points_of(&self, open: bool, dora: f32, not_simple: u8, outside: u8) -> f32 {
        let part = |table: &[f32; 3], tiles: u8| table.get(usize::from(tiles)).copied().unwrap_or(0.0);
        let simples = if open && !self.open_tanyao { 0.0 } else { part(&SIMPLES, not_simple) };
        let one_suit = part(&ONE_SUIT, outside) * if open { 2.0 } else { 3.0 };
        let han = dora + self.values + simples.max(one_suit) + if open { 0.0 } else { CLOSED };
        let han = han.clamp(1.0, 12.9);
        let (whole, rest) = (han as usize, han.fract());
        let points = POINTS[whole] + rest * (POINTS[whole + 1] - POINTS[whole]);
        if self.dealer { DEALER * points } else { points }
    }
}
