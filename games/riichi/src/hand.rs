//! The closed tiles of one hand, red fives distinguished.

use std::fmt;

use tiles::{Counts, Kind, Tile};

/// Closed tiles: a count for each kind, and how many of the fives are red.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Hand {
    counts: Counts,
    reds: [u8; 3],
}

impl Hand {
    /// The hand with these counts and this many red fives in each suit (characters, dots, bamboo);
    /// `None` if there are more than four of a kind, or more red fives than fives.
    #[inline]
    pub fn from_counts(counts: Counts, reds: [u8; 3]) -> Option<Self> {
        let most = counts.0.iter().fold(0, |most, &count| most.max(count));
        let red_too_many = FIVES
            .iter()
            .zip(reds)
            .any(|(&five, reds)| reds > counts.0[five]);
        (most <= 4 && !red_too_many).then_some(Self { counts, reds })
    }

    /// Tiles by kind, red fives counted with the plain ones.
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Number of red fives in each suit (characters, dots, bamboo).
    pub const fn reds(&self) -> [u8; 3] {
        self.reds
    }

    /// Number of copies of this tile, including colour: red fives do not count as plain ones.
    #[inline]
    pub fn count(&self, tile: Tile) -> u8 {
        let kind = tile.kind();
        let reds = self.reds_of(kind);
        if tile.is_red() {
            reds
        } else {
            self.counts[kind] - reds
        }
    }

    /// The tiles in order.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> {
        self.distinct()
            .flat_map(|tile| std::iter::repeat_n(tile, usize::from(self.count(tile))))
    }

    /// Each different tile once, in order.
    pub fn distinct(&self) -> impl Iterator<Item = Tile> + use<> {
        // A bit for each tile in order: those of the kinds, with a gap for the red five after each
        // plain one.
        let kinds = self.counts.kinds().bits();
        let mut tiles = 0;
        for (suit, (reds, five)) in self.reds.into_iter().zip(FIVES).enumerate() {
            let suit_kinds = kinds >> (five - 4) & 0x1ff;
            let plain = suit_kinds & !(u64::from(self.counts.0[five] == reds) << 4);
            let (up_to_five, above) = (plain & 0x1f, plain >> 5);
            tiles |= (up_to_five | u64::from(reds > 0) << 5 | above << 6) << (10 * suit);
        }
        tiles |= kinds >> 27 << 30;
        std::iter::from_fn(move || {
            let tile = *IN_ORDER.get(tiles.trailing_zeros() as usize)?;
            tiles &= tiles - 1;
            Some(tile)
        })
    }

    /// The hand of these tiles.
    ///
    /// # Errors
    ///
    /// If there are more than four of a kind.
    pub fn from_tiles(tiles: impl IntoIterator<Item = Tile>) -> Result<Self, FifthTile> {
        let mut hand = Self::default();
        tiles.into_iter().try_for_each(|tile| hand.add(tile))?;
        Ok(hand)
    }

    /// Adds a tile.
    ///
    /// # Errors
    ///
    /// If the hand holds four of its kind; the hand is then unchanged.
    pub fn add(&mut self, tile: Tile) -> Result<(), FifthTile> {
        let count = &mut self.counts[tile.kind()];
        if *count >= 4 {
            return Err(FifthTile(tile.kind()));
        }
        *count += 1;
        if let Some(suit) = red_suit(tile) {
            self.reds[suit] += 1;
        }
        Ok(())
    }

    /// Takes a tile out. A red five does not represent a plain one, nor the other way round.
    ///
    /// # Errors
    ///
    /// If the hand does not hold this tile; the hand is then unchanged.
    pub fn remove(&mut self, tile: Tile) -> Result<(), NotHeld> {
        if self.count(tile) == 0 {
            return Err(NotHeld(tile));
        }
        self.counts[tile.kind()] -= 1;
        if let Some(suit) = red_suit(tile) {
            self.reds[suit] -= 1;
        }
        Ok(())
    }

    /// The hand with one more tile.
    ///
    /// # Errors
    ///
    /// If it holds four of its kind.
    pub fn with(mut self, tile: Tile) -> Result<Self, FifthTile> {
        self.add(tile)?;
        Ok(self)
    }

    /// The hand without these tiles.
    ///
    /// # Errors
    ///
    /// The first of them that it does not hold.
    pub fn without(mut self, tiles: &[Tile]) -> Result<Self, NotHeld> {
        tiles.iter().try_for_each(|&tile| self.remove(tile))?;
        Ok(self)
    }

    fn reds_of(&self, kind: Kind) -> u8 {
        let [characters, dots, bamboo] = FIVES;
        match kind.index() {
            index if index == characters => self.reds[0],
            index if index == dots => self.reds[1],
            index if index == bamboo => self.reds[2],
            _ => 0,
        }
    }
}

/// A tile that cannot be added to a hand: it holds four of the kind already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the hand holds four of {0} already, and there are no more")]
pub struct FifthTile(pub Kind);

/// A tile that cannot be taken out of a hand, which does not hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not in the hand")]
pub struct NotHeld(pub Tile);

/// The kinds that have red tiles: `5m 5p 5s`.
const FIVES: [usize; 3] = [4, 13, 22];

/// All tiles in order.
const IN_ORDER: [Tile; 37] = {
    let mut tiles = [Kind::EAST.tile(); 37];
    let (mut place, mut index) = (0, 0);
    while let Some(kind) = Kind::new(index) {
        tiles[place] = kind.tile();
        if let (Some(5), Some(suit)) = (kind.number(), kind.suit()) {
            place += 1;
            tiles[place] = Tile::red_five(suit).unwrap();
        }
        (place, index) = (place + 1, index + 1);
    }
    tiles
};

fn red_suit(tile: Tile) -> Option<usize> {
    if tile.is_red() {
        tile.kind().suit().map(usize::from)
    } else {
        None
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tiles()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(name: &str) -> Tile {
        name.parse().unwrap()
    }

    #[test]
    fn a_red_five_and_a_plain_one_are_different_tiles_of_one_kind() {
        let mut hand = Hand::from_tiles(["5pr", "5p", "E"].map(tile)).unwrap();
        assert_eq!(hand.counts()[tile("5p").kind()], 2);
        assert_eq!(
            hand.distinct().map(Tile::name).collect::<Vec<_>>(),
            ["5p", "5pr", "E"]
        );
        assert_eq!(hand.remove(tile("5pr")), Ok(()));
        assert_eq!(hand.remove(tile("5pr")), Err(NotHeld(tile("5pr"))));
        assert_eq!(
            hand.tiles().map(Tile::name).collect::<Vec<_>>(),
            ["5p", "E"]
        );
    }

    #[test]
    fn every_tile_of_a_hand_is_named_once_in_order() {
        let all: Vec<Tile> = Tile::all().collect();
        for first in 0..all.len() {
            for step in 1..all.len() {
                let mut tiles: Vec<Tile> = (0..8)
                    .map(|place| all[(first + place * step) % all.len()])
                    .collect();
                let hand = Hand::from_tiles(tiles.iter().copied()).unwrap();
                tiles.sort_unstable();
                tiles.dedup();
                assert_eq!(hand.distinct().collect::<Vec<_>>(), tiles);
            }
        }
    }

    #[test]
    fn a_fifth_tile_of_a_kind_is_refused() {
        let mut hand = Hand::from_tiles([tile("E"); 4]).unwrap();
        assert_eq!(hand.add(tile("E")), Err(FifthTile(tile("E").kind())));
        assert_eq!(hand.counts().total(), 4);
        assert_eq!(
            Hand::from_tiles([tile("E"); 5]),
            Err(FifthTile(tile("E").kind()))
        );
    }

    #[test]
    fn counts_make_a_hand_unless_there_are_five_of_a_kind_or_more_red_fives_than_fives() {
        let mut counts = Counts::default();
        counts[tile("5p").kind()] = 2;
        let hand = Hand::from_counts(counts, [0, 1, 0]).unwrap();
        assert_eq!(
            hand.tiles().map(Tile::name).collect::<Vec<_>>(),
            ["5p", "5pr"]
        );
        assert_eq!(Hand::from_counts(counts, [0, 3, 0]), None);
        assert_eq!(Hand::from_counts(counts, [1, 0, 0]), None);
        counts[tile("E").kind()] = 5;
        assert_eq!(Hand::from_counts(counts, [0, 1, 0]), None);
    }

    #[test]
    fn taking_tiles_out_names_the_first_that_is_missing() {
        let hand = Hand::from_tiles([tile("1m"); 2]).unwrap();
        assert_eq!(
            hand.without(&[tile("1m"), tile("2m")]),
            Err(NotHeld(tile("2m")))
        );
        assert_eq!(hand.without(&[tile("1m"), tile("1m")]), Ok(Hand::default()));
    }
}
