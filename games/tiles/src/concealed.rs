//! The concealed tiles of a hand, checked once, with the melds and the players that shanten and
//! yaku depend on.

use crate::kinds::{Counts, KindSet};
use crate::tile::Kind;

/// Maximum number of melds in a hand.
pub const MAX_MELDS: u8 = 4;

/// The concealed tiles of a hand by kind: what functions about hands take.
///
/// There are 13 tiles, or 14 before a discard, less 3 for each meld; at most 4 of a kind; at most 4
/// melds; and with three players no 2m to 8m. The `Hand` of riichi distinguishes red fives from
/// plain ones and has no melds.
///
/// ```
/// use tiles::{ConcealedHand, notation::Tiles, shanten::shanten};
///
/// let tiles: Tiles = "1111m1111z222z33z".parse().unwrap();
/// let hand = |players| ConcealedHand::new(tiles.0.iter().copied().collect(), 0, players).unwrap();
/// assert_eq!(shanten(&hand(4)), 1);
/// // Three players have no 2m and 3m to make a run of.
/// assert_eq!(shanten(&hand(3)), 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConcealedHand {
    counts: Counts,
    melds: u8,
    players: u8,
    full: bool,
}

/// The reason why tiles are not the concealed tiles of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadHand {
    /// A game of other than three or four players.
    #[error("{players} players; allowed are 3 and 4")]
    Players {
        /// The number given.
        players: u8,
    },
    /// Too many melds.
    #[error("{melds} melds; a hand has at most {MAX_MELDS}")]
    Melds {
        /// The number given.
        melds: usize,
    },
    /// More than four of a kind.
    #[error("{count} of {kind}; there are 4 of each kind")]
    FifthTile {
        /// The kind.
        kind: Kind,
        /// The number given.
        count: u8,
    },
    /// A kind that is not used in this game.
    #[error("{kind} in a game of three players, which has no 2m to 8m")]
    NotInPlay {
        /// The kind.
        kind: Kind,
    },
    /// Too many or too few tiles.
    #[error(
        "{tiles} concealed tiles; with {melds} melds there are {} before a draw and {} after it",
        13 - 3 * melds, 14 - 3 * melds
    )]
    Tiles {
        /// The number given.
        tiles: u32,
        /// Number of melds.
        melds: u8,
    },
}

impl ConcealedHand {
    /// Concealed tiles with this many melds, in a game of three or four players.
    ///
    /// # Errors
    ///
    /// The reason why the tiles cannot be a hand.
    #[inline]
    pub fn new(counts: Counts, melds: usize, players: u8) -> Result<Self, BadHand> {
        if !matches!(players, 3 | 4) {
            return Err(BadHand::Players { players });
        }
        if melds > usize::from(MAX_MELDS) {
            return Err(BadHand::Melds { melds });
        }
        let melds = melds as u8;
        let is_in_play = players == 4 || counts.0[1..8] == [0; 7];
        let Some(tiles) = counts.total_of_at_most_four().filter(|_| is_in_play) else {
            return Err(bad_kind(&counts, players));
        };
        let full = match tiles + 3 * melds {
            13 => false,
            14 => true,
            _ => {
                return Err(BadHand::Tiles {
                    tiles: tiles.into(),
                    melds,
                });
            }
        };
        Ok(Self {
            counts,
            melds,
            players,
            full,
        })
    }

    /// The tiles by kind.
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Number of melds, 0 to 4.
    pub const fn melds(&self) -> u8 {
        self.melds
    }

    /// Players of the game, 3 or 4.
    pub const fn players(&self) -> u8 {
        self.players
    }

    /// Whether there are 14 tiles, less 3 for each meld: the hand is complete, or a discard comes
    /// next.
    pub const fn is_full(&self) -> bool {
        self.full
    }

    /// The kinds that the game is played with.
    pub const fn kinds_in_play(&self) -> KindSet {
        KindSet::in_play(self.players)
    }

    /// The hand after drawing or claiming a tile of this kind; `None` when it is full, holds four
    /// of the kind, or the game has no such tiles.
    #[inline]
    pub const fn with(&self, kind: Kind) -> Option<Self> {
        if self.full || self.counts.0[kind.index()] >= 4 || !self.kinds_in_play().contains(kind) {
            return None;
        }
        let mut hand = *self;
        hand.counts.0[kind.index()] += 1;
        hand.full = true;
        Some(hand)
    }

    /// The hand after a discard of this kind; `None` when it is not full or does not hold the kind.
    #[inline]
    pub const fn without(&self, kind: Kind) -> Option<Self> {
        if !self.full || self.counts.0[kind.index()] == 0 {
            return None;
        }
        let mut hand = *self;
        hand.counts.0[kind.index()] -= 1;
        hand.full = false;
        Some(hand)
    }
}

impl ConcealedHand {
    /// The hand after calling a tile with two of its own: it discards next. `None` when it is full,
    /// has no room for a meld or does not hold them.
    pub fn calling(&self, own: [Kind; 2]) -> Option<Self> {
        if self.full || self.melds >= MAX_MELDS {
            return None;
        }
        let mut hand = Self {
            full: true,
            melds: self.melds + 1,
            ..*self
        };
        for kind in own {
            hand.counts[kind] = hand.counts[kind].checked_sub(1)?;
        }
        Some(hand)
    }

    /// Calls `visit` with each kind in a full hand and the hand after its discard, in order of
    /// index.
    #[inline]
    pub fn each_discard(&self, mut visit: impl FnMut(Kind, &Self)) {
        if !self.full {
            return;
        }
        let mut rest = Self {
            full: false,
            ..*self
        };
        for kind in self.counts.kinds().iter() {
            rest.counts[kind] -= 1;
            visit(kind, &rest);
            rest.counts[kind] += 1;
        }
    }
}

#[cold]
fn bad_kind(counts: &Counts, players: u8) -> BadHand {
    let fifth = Kind::all().find(|&kind| counts[kind] > 4);
    let not_in_play = (counts.kinds() - KindSet::in_play(players)).iter().next();
    match (fifth, not_in_play) {
        (None, Some(kind)) => BadHand::NotInPlay { kind },
        (kind, _) => {
            let kind = kind.unwrap_or(Kind::EAST);
            BadHand::FifthTile {
                kind,
                count: counts[kind],
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Tiles;

    fn counts(text: &str) -> Counts {
        text.parse::<Tiles>().unwrap().0.into_iter().collect()
    }

    fn kind(text: &str) -> Kind {
        text.parse::<Tiles>().unwrap().0[0].kind()
    }

    #[test]
    fn a_hand_has_13_or_14_tiles_less_3_for_each_meld() {
        for (text, melds, full) in [
            ("123m456p789s1122z", 0, false),
            ("123m456p789s11222z", 0, true),
            ("1z", 4, false),
            ("11z", 4, true),
        ] {
            assert_eq!(
                ConcealedHand::new(counts(text), melds, 4).map(|hand| hand.is_full()),
                Ok(full),
                "{text}"
            );
        }
        for (text, melds) in [
            ("123m456p789s112z", 0),
            ("123m456p789s11z", 0),
            ("", 4),
            ("111z", 4),
        ] {
            let tiles = counts(text).total();
            let expected = Err(BadHand::Tiles {
                tiles,
                melds: melds as u8,
            });
            assert_eq!(
                ConcealedHand::new(counts(text), melds, 4),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn mistakes_in_tiles_are_named() {
        let message = |text: &str, melds, players| {
            ConcealedHand::new(counts(text), melds, players)
                .expect_err("it is not a hand")
                .to_string()
        };
        assert_eq!(message("11z", 5, 4), "5 melds; a hand has at most 4");
        assert_eq!(message("11z", 4, 2), "2 players; allowed are 3 and 4");
        assert_eq!(message("11111z", 3, 4), "5 of E; there are 4 of each kind");
        assert_eq!(
            message("22m", 4, 3),
            "2m in a game of three players, which has no 2m to 8m"
        );
        assert_eq!(
            message("1z", 3, 4),
            "1 concealed tiles; with 3 melds there are 4 before a draw and 5 after it"
        );
        let far_too_many = ConcealedHand::new(Counts([255; 34]), 0, 3);
        assert!(
            matches!(far_too_many, Err(BadHand::FifthTile { count: 255, .. })),
            "{far_too_many:?}"
        );
    }

    #[test]
    fn a_tile_is_drawn_only_before_and_discarded_only_after_the_draw() {
        let hand = ConcealedHand::new(counts("19m1111z"), 2, 3);
        assert!(hand.is_err());
        let hand = ConcealedHand::new(counts("19m11112z"), 2, 3).unwrap();
        assert_eq!(hand.without(kind("1m")), None);
        assert_eq!((hand.with(kind("1z")), hand.with(kind("2m"))), (None, None));
        let full = hand.with(kind("2z")).unwrap();
        assert_eq!(
            full,
            ConcealedHand::new(counts("19m111122z"), 2, 3).unwrap()
        );
        assert_eq!(
            (full.with(kind("3z")), full.without(kind("3z"))),
            (None, None)
        );
        assert_eq!(full.without(kind("2z")), Some(hand));
    }
}
