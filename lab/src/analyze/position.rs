//! A hand with its known surroundings, valid by construction.

use arrayvec::ArrayVec;
use riichi::event::MAX_DORA;
use riichi::notation::{self, NotationError, Tiles};
use riichi::table::{MAX_RIVER, PlayerSnapshot, Snapshot};
use riichi::{
    ConcealedHand, Counts, Hand, Kind, KindSet, Meld, PerSeat, Rules, Seat, Table, Tile, Wind,
};

/// The typed input, unparsed.
#[derive(Debug, Clone, Default)]
pub struct TypedHand {
    /// The closed tiles, the drawn one last.
    pub hand: String,
    /// Melds, separated by spaces or commas.
    pub melds: String,
    /// Dora indicators.
    pub dora: String,
    /// The own discards.
    pub river: String,
}

/// The error in a hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    #[error("{argument}: {error}")]
    Notation {
        argument: &'static str,
        error: NotationError,
    },
    /// Too many melds.
    #[error("--melds: a hand has at most 4 melds; {found} are given")]
    Melds { found: usize },
    /// The number of tiles does not fit a hand.
    #[error(
        "HAND: found {}; with {} a hand has {} before the draw and {} after it",
        number_of(*.found, "tile"), number_of(*.melds, "meld"), 13 - 3 * .melds, 14 - 3 * .melds
    )]
    Tiles { found: usize, melds: usize },
    #[error("there are 4 tiles of each kind, and {found} of {} are given", written(.kind.tile()))]
    TooMany { kind: Kind, found: u8 },
    /// A tile that is not used with three players.
    #[error("three players play without 2m to 8m, and {} is given", written(*.tile))]
    NotInPlay { tile: Tile },
    /// Too many red fives.
    #[error("each suit has one red five; {found} of {} are given", written(*.tile))]
    Reds {
        /// The red five.
        tile: Tile,
        found: usize,
    },
    /// Too many dora indicators.
    #[error("--dora: there are at most {MAX_DORA} indicators; {found} are given")]
    Dora { found: usize },
    /// The round does not exist.
    #[error("--round: a wind has rounds 1 to {players}, and {found} is given")]
    Kyoku { found: u8, players: u8 },
    /// North with three players.
    #[error("--seat: three players have no North seat; allowed: east, south, west")]
    NoNorth,
    /// The river is too long.
    #[error("--river: a river holds at most {MAX_RIVER} tiles; {found} are given")]
    River { found: usize },
}

/// A tile as it is typed.
fn written(tile: Tile) -> String {
    Tiles(vec![tile]).to_string()
}

fn number_of(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A hand before or after its draw, with its known surroundings.
#[derive(Debug, Clone)]
pub struct HandPosition {
    pub rules: Rules,
    pub seat: Seat,
    /// The dealer: in the first round of a wind seat 0, in the second seat 1, and so on.
    pub oya: Seat,
    /// The wind of the round.
    pub bakaze: Wind,
    /// The closed tiles, including the drawn one.
    pub hand: Hand,
    /// The last typed tile, if there are 14.
    pub drawn: Option<Tile>,
    pub melds: ArrayVec<Meld, 4>,
    pub dora_markers: ArrayVec<Tile, MAX_DORA>,
    /// The own discards.
    pub river: ArrayVec<Tile, MAX_RIVER>,
    /// Other visible tiles: discards and melds of others, if known.
    pub shown_by_others: Counts,
}

impl HandPosition {
    /// The hand of the table's seat, with all tiles that it sees. A seat that has called and not
    /// discarded yet has the number of tiles of a hand after a draw: the last one counts as the
    /// drawn tile.
    pub fn of_table(table: &Table) -> Self {
        let own = table.player(table.seat());
        let hand = *table.hand();
        let after = hand.tiles().count() + 3 * own.melds.len() == 14;
        let mut position = Self {
            rules: *table.rules(),
            seat: table.seat(),
            oya: table.oya(),
            bakaze: table.bakaze(),
            hand,
            drawn: table
                .drawn()
                .or_else(|| hand.tiles().last())
                .filter(|_| after),
            melds: own.melds.iter().cloned().collect(),
            dora_markers: table.dora_markers().iter().copied().collect(),
            river: own.river.iter().map(|discard| discard.tile).collect(),
            shown_by_others: Counts::EMPTY,
        };
        // A tile of the own river that was called is in another seat's meld, and counts once.
        let (alone, all) = (position.unseen(), table.unseen());
        for kind in Kind::all() {
            position.shown_by_others[kind] = alone[kind].saturating_sub(all[kind]);
        }
        position
    }

    /// Parses a hand of the seat with this wind, in the round of this wind and number.
    ///
    /// # Errors
    ///
    /// The first error.
    pub fn read(
        typed: &TypedHand,
        seat_wind: Wind,
        (bakaze, kyoku): (Wind, u8),
        rules: Rules,
    ) -> Result<Self, PositionError> {
        let players = rules.players;
        let number = |found: u8| Seat::new(found % players).unwrap_or(Seat::FIRST);
        if kyoku == 0 || kyoku > players {
            return Err(PositionError::Kyoku {
                found: kyoku,
                players,
            });
        }
        if seat_wind as u8 >= players {
            return Err(PositionError::NoNorth);
        }
        let oya = number(kyoku - 1);
        let seat = number(oya.index() as u8 + seat_wind as u8);
        let tiles = |argument, text: &str| match text.parse() {
            Ok(Tiles(tiles)) => Ok(tiles),
            Err(error) => Err(PositionError::Notation { argument, error }),
        };
        let melds = typed
            .melds
            .split([' ', ','])
            .filter(|text| !text.is_empty())
            .map(|text| {
                notation::meld(text, seat, rules.players).map_err(|error| PositionError::Notation {
                    argument: "--melds",
                    error,
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        let (closed, dora, river) = (
            tiles("HAND", &typed.hand)?,
            tiles("--dora", &typed.dora)?,
            tiles("--river", &typed.river)?,
        );
        let melds: ArrayVec<Meld, 4> = match melds.len() {
            found @ 5.. => return Err(PositionError::Melds { found }),
            _ => melds.into_iter().collect(),
        };
        let after = 14 - 3 * melds.len();
        if closed.len() != after && closed.len() + 1 != after {
            return Err(PositionError::Tiles {
                found: closed.len(),
                melds: melds.len(),
            });
        }
        if dora.len() > MAX_DORA {
            return Err(PositionError::Dora { found: dora.len() });
        }
        if river.len() > MAX_RIVER {
            return Err(PositionError::River { found: river.len() });
        }
        let melded = melds.iter().flat_map(Meld::tiles);
        check_copies(
            &rules,
            &closed
                .iter()
                .chain(melded)
                .chain(&dora)
                .chain(&river)
                .copied()
                .collect::<Vec<_>>(),
        )?;
        let hand =
            Hand::from_tiles(closed.iter().copied()).expect("no kind comes more than four times");
        Ok(Self {
            rules,
            seat,
            oya,
            bakaze,
            hand,
            drawn: closed.last().copied().filter(|_| closed.len() == after),
            melds,
            dora_markers: dora.into_iter().collect(),
            river: river.into_iter().collect(),
            shown_by_others: Counts::EMPTY,
        })
    }

    /// The closed tiles, including the drawn one, in the form for shanten and yaku.
    pub fn concealed(&self) -> ConcealedHand {
        ConcealedHand::new(*self.hand.counts(), self.melds.len(), self.rules.players)
            .expect("the tiles were counted when they were read")
    }

    /// Number of unseen copies of each kind.
    pub fn unseen(&self) -> Counts {
        let mut seen = *self.hand.counts();
        for meld in &self.melds {
            meld.count_into(&mut seen);
        }
        for tile in self.dora_markers.iter().chain(&self.river) {
            seen[tile.kind()] += 1;
        }
        for kind in Kind::all() {
            seen[kind] += self.shown_by_others[kind];
        }
        let mut unseen = Counts(seen.0.map(|count| 4_u8.saturating_sub(count)));
        for kind in (KindSet::ALL - self.rules.kinds()).iter() {
            unseen[kind] = 0;
        }
        unseen
    }

    /// A table in this position, for a policy to decide on: the others have taken only the known
    /// actions, and all have their initial scores.
    pub fn table(&self) -> Table {
        let mut players = PerSeat::from_fn(self.rules.players, |_| PlayerSnapshot::default());
        for meld in &self.melds {
            if let Some(called) = meld.called {
                let _ = players[called.from].river.try_push(called.tile);
            }
        }
        players[self.seat].melds.clone_from(&self.melds);
        players[self.seat].river.clone_from(&self.river);
        // A round needs an indicator. If none was given, one whose dora occurs nowhere changes
        // least.
        let marker = || self.unseen_marker();
        let dora_markers = if self.dora_markers.is_empty() {
            marker().into_iter().collect()
        } else {
            self.dora_markers.clone()
        };
        let mut table = Table::new(self.rules, self.seat);
        let described = Snapshot {
            bakaze: self.bakaze,
            kyoku: self.oya.index() as u8 + 1,
            honba: 0,
            kyotaku: 0,
            oya: self.oya,
            scores: PerSeat::from_fn(self.rules.players, |_| self.rules.start_points),
            dora_markers,
            hand: self.hand,
            drawn: self.drawn,
            offered: None,
            waits: None,
            players,
        };
        table
            .rebuild(&described)
            .expect("a position is before or after the draw, and `drawn` says which");
        table
    }

    pub(super) fn unseen_marker(&self) -> Option<Tile> {
        let unseen = self.unseen();
        Kind::all()
            .rev()
            .find(|&kind| unseen[kind] > 0 && unseen[kind.indicated()] == 4)
            .map(Kind::tile)
    }

    /// The hand in its typed form, with the drawn tile separated.
    pub fn written(&self) -> String {
        let mut resting = self.hand;
        let drawn = self.drawn.filter(|&drawn| resting.remove(drawn).is_ok());
        let mut text = resting.tiles().collect::<Tiles>().to_string();
        for meld in &self.melds {
            text.push_str(&format!(" {meld}"));
        }
        if let Some(drawn) = drawn {
            text.push_str(&format!(" + {}", Tiles(vec![drawn])));
        }
        text
    }
}

pub(super) fn check_copies(rules: &Rules, all: &[Tile]) -> Result<(), PositionError> {
    if let Some(&tile) = all.iter().find(|tile| !rules.kinds().contains(tile.kind())) {
        return Err(PositionError::NotInPlay { tile });
    }
    let counts: Counts = all.iter().copied().collect();
    if let Some(kind) = Kind::all().find(|&kind| counts[kind] > 4) {
        return Err(PositionError::TooMany {
            kind,
            found: counts[kind],
        });
    }
    for tile in (0..3).filter_map(Tile::red_five) {
        let found = all.iter().filter(|&&other| other == tile).count();
        if found > 1 {
            return Err(PositionError::Reds { tile, found });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(
        hand: &str,
        melds: &str,
        dora: &str,
        river: &str,
    ) -> Result<HandPosition, PositionError> {
        let typed = TypedHand {
            hand: hand.to_owned(),
            melds: melds.to_owned(),
            dora: dora.to_owned(),
            river: river.to_owned(),
        };
        HandPosition::read(&typed, Wind::South, (Wind::East, 1), Rules::TENHOU_HALF)
    }

    #[track_caller]
    fn wrong(hand: &str, melds: &str, dora: &str, river: &str, words: &str) {
        let error = read(hand, melds, dora, river)
            .expect_err("it is not a hand")
            .to_string();
        assert!(error.contains(words), "{error}");
    }

    #[test]
    fn a_hand_has_13_tiles_or_14_less_3_for_each_meld() {
        assert_eq!(
            read("123m456p789s1122z", "", "", "").map(|position| position.drawn),
            Ok(None)
        );
        let drawn = read("123m456p789s11223z", "", "", "")
            .map(|position| position.drawn.map(|tile| tile.name()));
        assert_eq!(drawn, Ok(Some("W")));
        assert!(read("1122z", "123m,456p 789s", "", "").is_ok());
        wrong(
            "123m",
            "",
            "",
            "",
            "HAND: found 3 tiles; with 0 melds a hand has 13 before the draw and 14 after it",
        );
        wrong(
            "123m456p789s1122z",
            "555z",
            "",
            "",
            "with 1 meld a hand has 10 before the draw and 11 after it",
        );
    }

    #[test]
    fn there_are_four_of_a_kind_and_one_red_five_of_a_suit_wherever_they_lie() {
        wrong("1111m456p789s1122z", "", "1m", "", "5 of 1m are given");
        wrong("123m406p789s1122z", "", "", "0p", "2 of 0p are given");
        wrong("123m456p11s55555z", "", "", "", "5 of 5z are given");
        wrong("1z", "", "", "", "HAND: found 1 tile; with 0 melds");
    }

    #[test]
    fn each_argument_is_named_when_it_cannot_be_read() {
        wrong("123x", "", "", "", "HAND: 'x'");
        wrong("1122z", "124m", "", "", "--melds: \"124m\" is not a meld");
        wrong("123m456p789s1122z", "", "9z", "", "--dora: 9z");
        wrong(
            "123m456p789s1122z",
            "",
            "",
            "12",
            "--river: the suit is missing",
        );
        wrong(
            "123m456p789s1122z",
            "",
            "123456m",
            "",
            "--dora: there are at most 5",
        );
        wrong(
            "1z",
            "111m,222m,333m,444m,555m",
            "",
            "",
            "at most 4 melds; 5 are given",
        );
    }

    #[test]
    fn the_table_has_the_same_hand_and_sees_the_same_tiles() {
        let position = read("123m456p789s1z1z", "22z2z", "4m", "9m9p").expect("a hand");
        let table = position.table();
        assert_eq!(
            (table.hand(), table.drawn()),
            (&position.hand, position.drawn)
        );
        assert_eq!(table.unseen(), position.unseen());
        assert_eq!(table.seat_wind(table.seat()), Wind::South);
    }
}
