//! The wall of a round: which tiles there are, and in which order they are drawn.

use arrayvec::ArrayVec;
use game_core::rng::Rng;
use game_core::{PerSeat, Seat};
use tiles::{Kind, Tile};

use crate::event::{HAND_SIZE, MAX_DORA};
use crate::rules::Rules;

/// Tiles of a wall of four players; three have 108.
pub const MAX_WALL: usize = 136;

/// The tiles of a wall in order: 136 with four players, 108 with three.
type WallTiles = ArrayVec<Tile, MAX_WALL>;

/// The wall of a round and how far it is drawn.
///
/// The tiles are in the order of the deal (three times four tiles for each seat from the dealer on,
/// then one for each), then of the draws. The dead wall is at the end, in reverse: the replacement
/// tiles (4 with four players, 8 with three, who set Norths aside), then five times a dora
/// indicator and the ura dora indicator under it. This is the order of RiichiEnv's `load_wall`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wall {
    /// An array for the sake of clones; those beyond `len` have no meaning.
    tiles: [Tile; MAX_WALL],
    len: u8,
    /// Place of the next tile to be drawn.
    next: u8,
    /// Replacement tiles drawn.
    replaced: u8,
}

/// A list of tiles that is not a wall of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WallError {
    /// There are too many tiles, or too few.
    #[error("the wall has {found} tiles; by these rules it has {expected}")]
    Length {
        /// The number of tiles.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// A tile is there too often, and so another too seldom.
    #[error("the wall has {tile} {found} times; by these rules there are {expected}")]
    Tile {
        /// The first such tile.
        tile: Tile,
        /// The number of its copies.
        found: usize,
        /// The expected number.
        expected: usize,
    },
}

/// All tiles that a game by these rules is played with, in order of kind, plain before red.
pub fn all_tiles(rules: &Rules) -> WallTiles {
    let reds = rules.reds_by_suit();
    let mut tiles = WallTiles::new();
    for kind in rules.kinds().iter() {
        let red = if kind.number() == Some(5) {
            kind.suit()
        } else {
            None
        };
        let reds = red.map_or(0, |suit| reds[usize::from(suit)]);
        tiles.extend(std::iter::repeat_n(kind.tile(), 4 - usize::from(reds)));
        tiles
            .extend(std::iter::repeat_n(red.and_then(Tile::red_five), usize::from(reds)).flatten());
    }
    tiles
}

impl Wall {
    /// A wall in random order.
    pub fn shuffled(rules: &Rules, rng: &mut Rng) -> Self {
        let mut tiles = all_tiles(rules);
        rng.shuffle(&mut tiles);
        Self::of(&tiles)
    }

    /// At most 136 tiles, none drawn yet.
    fn of(list: &[Tile]) -> Self {
        let mut tiles = [Kind::EAST.tile(); MAX_WALL];
        tiles[..list.len()].copy_from_slice(list);
        Self {
            tiles,
            len: list.len() as u8,
            next: 0,
            replaced: 0,
        }
    }

    /// The wall of a round, from 0, of a game with this seed.
    pub(super) fn of_round(rules: &Rules, seed: u64, round: u32) -> Self {
        Self::shuffled(rules, &mut Rng::keyed(&[seed, u64::from(round)]))
    }

    /// The wall of these tiles in this order.
    ///
    /// # Errors
    ///
    /// If they are not the tiles that the rules play with.
    pub fn new(rules: &Rules, tiles: &[Tile]) -> Result<Self, WallError> {
        let all = all_tiles(rules);
        if tiles.len() != all.len() {
            return Err(WallError::Length {
                found: tiles.len(),
                expected: all.len(),
            });
        }
        let count =
            |tiles: &[Tile], wanted: Tile| tiles.iter().filter(|&&tile| tile == wanted).count();
        for &tile in &all {
            let (found, expected) = (count(tiles, tile), count(&all, tile));
            if found != expected {
                return Err(WallError::Tile {
                    tile,
                    found,
                    expected,
                });
            }
        }
        Ok(Self::of(tiles))
    }

    /// The wall of a round with these tiles gone, this many of them as replacements, in an unknown
    /// order. `unseen` are the others except the turned indicators.
    pub(super) fn in_round(
        gone: &[Tile],
        replaced: usize,
        markers: &[Tile],
        unseen: &[Tile],
    ) -> Self {
        let next = gone.len() - replaced;
        let total = gone.len() + markers.len() + unseen.len();
        let mut tiles = WallTiles::new();
        let (mut unseen, replacements) = (unseen.iter(), replacement_tiles(total));
        for place in 0..total {
            // Markers are in every second place before the replacements, counted from the end.
            let marker = (total - 1 - place)
                .checked_sub(replacements)
                .filter(|from| from.is_multiple_of(2));
            let marker = marker.and_then(|from| markers.get(from / 2));
            let tile = match marker {
                _ if place < next => &gone[place],
                _ if place >= total - replaced => &gone[next + (total - 1 - place)],
                Some(marker) => marker,
                None => unseen.next().unwrap_or(&gone[0]),
            };
            tiles.push(*tile);
        }
        Self {
            next: next as u8,
            replaced: replaced as u8,
            ..Self::of(&tiles)
        }
    }

    /// The tiles that no player has seen while this many indicators are turned, in order.
    pub(super) fn unseen(&self, turned: usize) -> impl Iterator<Item = Tile> {
        let end = usize::from(self.len - self.replaced);
        let is_turned =
            move |place: usize| (0..turned).any(|marker| self.dora_place(marker) == place);
        (usize::from(self.next)..end)
            .filter(move |&place| !is_turned(place))
            .map(|place| self.tiles[place])
    }

    /// The tiles in order, those drawn included.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..usize::from(self.len)]
    }

    /// Takes the tiles that are dealt, each hand in order of kind, plain before red.
    pub(crate) fn deal(&mut self, rules: &Rules, oya: Seat) -> PerSeat<[Tile; HAND_SIZE]> {
        let players = rules.players;
        let mut hands = PerSeat::from_fn(players, |_| [Kind::EAST.tile(); HAND_SIZE]);
        for (seat, hand) in hands.iter_mut() {
            let turn = usize::from(seat.turns_after(oya, players));
            for (place, tile) in hand.iter_mut().enumerate() {
                let (go_round, within) = (place / 4, place % 4);
                let at = if go_round < 3 {
                    turn * 4 + within
                } else {
                    turn
                };
                *tile = self.tiles[go_round * 4 * usize::from(players) + at];
            }
            hand.sort_unstable();
        }
        self.next = (HAND_SIZE * usize::from(players)) as u8;
        hands
    }

    /// Draws the next tile.
    pub(crate) fn draw(&mut self) -> Tile {
        let tile = self.tiles[usize::from(self.next)];
        self.next += 1;
        tile
    }

    /// Draws the next replacement tile.
    pub(crate) fn draw_replacement(&mut self) -> Tile {
        self.replaced += 1;
        self.tiles[usize::from(self.len - self.replaced)]
    }

    /// The dora indicator at a place, from 0.
    pub(crate) fn dora_marker(&self, place: usize) -> Tile {
        self.tiles[self.dora_place(place)]
    }

    /// The ura dora indicators under this many dora indicators.
    pub(crate) fn ura_markers(&self, turned: usize) -> ArrayVec<Tile, MAX_DORA> {
        (0..turned.min(MAX_DORA))
            .map(|place| self.tiles[self.dora_place(place) - 1])
            .collect()
    }

    fn dora_place(&self, place: usize) -> usize {
        usize::from(self.len) - 1 - replacement_tiles(usize::from(self.len)) - 2 * place
    }
}

/// Number of replacement tiles among this many tiles: three players, who set Norths aside, have
/// more.
const fn replacement_tiles(total: usize) -> usize {
    if total == MAX_WALL { 4 } else { 8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_has_the_tiles_of_its_rules_in_its_own_order() {
        for rules in [
            Rules::TENHOU_HALF,
            Rules::TENHOU_HALF.with_players(3),
            Rules {
                red_fives: 4,
                ..Rules::TENHOU_HALF
            },
        ] {
            let mut walls = [0, 0, 1].map(|seed| Wall::of_round(&rules, seed, 0).tiles().to_vec());
            assert_eq!(walls[0], walls[1]);
            assert_ne!(walls[0], walls[2]);
            assert_ne!(walls[0], Wall::of_round(&rules, 0, 1).tiles());
            for wall in &mut walls {
                assert_eq!(
                    wall.iter().filter(|tile| tile.is_red()).count(),
                    usize::from(rules.red_fives)
                );
                assert!(Wall::new(&rules, wall).is_ok());
                wall.sort_unstable();
                assert_eq!(wall.as_slice(), all_tiles(&rules).as_slice());
            }
        }
    }

    #[test]
    fn other_tiles_are_refused_with_the_mistake() {
        let rules = Rules::TENHOU_HALF;
        let all = all_tiles(&rules);
        let short = Wall::new(&rules, &all[1..]).unwrap_err();
        assert_eq!(
            short.to_string(),
            "the wall has 135 tiles; by these rules it has 136"
        );
        let mut twice = all.clone();
        twice[4] = twice[0];
        let error = Wall::new(&rules, &twice).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the wall has 1m 5 times; by these rules there are 4"
        );
        assert!(Wall::new(&rules.with_players(3), &all).is_err());
    }
}
