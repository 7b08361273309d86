//! A typed hand in the middle of a round, with the known facts about the others.

use arrayvec::ArrayVec;
use riichi::notation::{self, Tiles};
use riichi::rng::Rng;
use riichi::table::{MAX_RIVER, PlayerSnapshot, Snapshot};
use riichi::{Kind, Meld, PerSeat, Seat, Table, Tile, Wind};

use super::position::{HandPosition, PositionError, check_copies};

/// The typed description of the game around a hand, unparsed.
#[derive(Debug, Clone, Default)]
pub struct TypedScene {
    /// Score of each seat, the dealer's first, then in turn order; empty: the initial scores.
    pub scores: Vec<i32>,
    /// Repeat counters.
    pub honba: u8,
    /// The own turn, from 1; `None`: the turn after the longest typed river.
    pub turn: Option<u8>,
    /// Discards of others by wind, with `*` after the riichi discard.
    pub rivers: Vec<(Wind, String)>,
    /// Melds of others by wind.
    pub melds: Vec<(Wind, String)>,
}

/// An error in the typed description of the game around a hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    /// An error in the hand, or in all tiles together.
    #[error(transparent)]
    HandPosition(#[from] PositionError),
    /// The number of scores is not the number of seats.
    #[error("--scores: expected {players} scores, the dealer's first; {found} are given")]
    Scores { found: usize, players: u8 },
    /// A wind that is the own one, or that no player has.
    #[error("{argument}: {wind} is not the wind of another seat")]
    Wind {
        argument: &'static str,
        wind: String,
    },
    /// A hand without a tile to discard.
    #[error(
        "HAND: to simulate, a hand needs a tile to discard: give 14 tiles, less 3 for each meld, the drawn one last"
    )]
    NothingToThrow,
    /// Two riichi of one seat.
    #[error("--river-of: {found} tiles of a river have a *; a seat declares riichi once")]
    Riichi { found: usize },
    /// A river is longer than the turn allows.
    #[error("--turn: at turn {turn} a river has at most {turn} tiles; one has {found}")]
    Turn { turn: u8, found: usize },
    /// Too few tiles for this many discards.
    #[error("--turn: turn {0} is too late; the wall ends earlier")]
    TooLate(u8),
}

/// A position with the game around it. Discards that were not typed are drawn at random for each
/// [`Table`].
#[derive(Debug, Clone)]
pub struct SeatScene {
    position: HandPosition,
    scores: PerSeat<i32>,
    honba: u8,
    turn: u8,
    others: PerSeat<PlayerSnapshot>,
}

impl SeatScene {
    /// Parses the description of the game around a hand.
    ///
    /// # Errors
    ///
    /// The first error.
    pub fn read(position: HandPosition, typed: &TypedScene) -> Result<Self, SceneError> {
        let rules = position.rules;
        let players = rules.players;
        if position.drawn.is_none() {
            return Err(SceneError::NothingToThrow);
        }
        let seat_of = |argument, wind: Wind| {
            let seat = Seat::new((position.oya.index() as u8 + wind as u8) % players)
                .unwrap_or(Seat::FIRST);
            let known = (wind as u8) < players && seat != position.seat;
            known.then_some(seat).ok_or_else(|| SceneError::Wind {
                argument,
                wind: format!("{wind:?}").to_lowercase(),
            })
        };
        let scores = match typed.scores.len() {
            0 => PerSeat::from_fn(players, |_| rules.start_points),
            found if found == usize::from(players) => PerSeat::from_fn(players, |seat| {
                typed.scores[usize::from(seat.turns_after(position.oya, players))]
            }),
            found => return Err(SceneError::Scores { found, players }),
        };
        let mut others = PerSeat::from_fn(players, |_| PlayerSnapshot::default());
        for (wind, text) in &typed.rivers {
            let seat = seat_of("--river-of", *wind)?;
            others[seat] = river(text)?;
        }
        for (wind, text) in &typed.melds {
            let seat = seat_of("--melds-of", *wind)?;
            for text in text.split([' ', ',']).filter(|text| !text.is_empty()) {
                let meld = notation::meld(text, seat, players).map_err(|error| {
                    PositionError::Notation {
                        argument: "--melds-of",
                        error,
                    }
                })?;
                let found = others[seat].melds.len() + 1;
                others[seat]
                    .melds
                    .try_push(meld)
                    .map_err(|_| PositionError::Melds { found })?;
            }
        }
        let longest = others
            .iter()
            .map(|(_, other)| other.river.len())
            .max()
            .unwrap_or(0);
        let own = position.river.len();
        let turn = typed
            .turn
            .unwrap_or_else(|| (own + 1).max(longest) as u8)
            .max(1);
        let found = longest.max(own + 1);
        if found > usize::from(turn) {
            return Err(SceneError::Turn { turn, found });
        }
        let scene = Self {
            position,
            scores,
            honba: typed.honba,
            turn,
            others,
        };
        let given: Vec<Tile> = scene.given().collect();
        check_copies(&rules, &given)?;
        scene.table(&mut Rng::keyed(&[0]))?;
        Ok(scene)
    }

    /// Each typed tile once.
    fn given(&self) -> impl Iterator<Item = Tile> {
        let HandPosition {
            hand,
            melds,
            dora_markers,
            river,
            ..
        } = &self.position;
        let others = self.others.iter().flat_map(|(_, other)| {
            other
                .river
                .iter()
                .chain(other.melds.iter().flat_map(Meld::tiles))
        });
        let own = melds
            .iter()
            .flat_map(Meld::tiles)
            .chain(dora_markers)
            .chain(river);
        hand.tiles().chain(own.chain(others).copied())
    }

    /// The table of the own seat; discards that were not typed are drawn from the remaining tiles.
    ///
    /// # Errors
    ///
    /// If there are not enough tiles.
    pub fn table(&self, rng: &mut Rng) -> Result<Table, SceneError> {
        let HandPosition {
            rules,
            seat: own,
            oya,
            bakaze,
            hand,
            drawn,
            melds,
            dora_markers,
            river,
            shown_by_others: _,
        } = &self.position;
        let players = rules.players;
        let mut rest: Vec<Tile> = Kind::all()
            .filter(|kind| rules.kinds().contains(*kind))
            .flat_map(|kind| std::iter::repeat_n(kind.tile(), 4))
            .collect();
        for (suit, &reds) in rules.reds_by_suit().iter().enumerate() {
            if let (true, Some(red)) = (reds > 0, Tile::red_five(suit as u8))
                && let Some(place) = rest.iter().position(|&tile| tile == red.kind().tile())
            {
                rest[place] = red;
            }
        }
        let mut take = |tile: Tile| {
            let place = rest
                .iter()
                .position(|&other| other == tile)
                .or_else(|| rest.iter().position(|other| other.kind() == tile.kind()));
            place.map(|place| rest.swap_remove(place))
        };
        let markers: ArrayVec<Tile, 5> = match dora_markers.is_empty() {
            true => self.position.unseen_marker().into_iter().collect(),
            false => dora_markers.clone(),
        };
        self.given().for_each(|tile| {
            take(tile);
        });
        if dora_markers.is_empty() {
            markers.iter().for_each(|&marker| {
                take(marker);
            });
        }
        rng.shuffle(&mut rest);
        let mut shown = self.others.clone();
        shown[*own] = PlayerSnapshot {
            melds: melds.clone(),
            river: river.clone(),
            riichi: false,
            riichi_tile: None,
        };
        let turns = |seat: Seat| {
            // A seat before the own seat in the round's order has already had its turn.
            let before = seat.turns_after(*oya, players) < own.turns_after(*oya, players);
            usize::from(self.turn) - usize::from(!before)
        };
        // A called tile is in its discarder's river.
        let called: Vec<(Seat, Tile)> = shown
            .iter()
            .flat_map(|(_, player)| {
                player
                    .melds
                    .iter()
                    .filter_map(|meld| meld.called.map(|called| (called.from, called.tile)))
            })
            .collect();
        for (seat, tile) in called {
            if seat != *own && !shown[seat].river.contains(&tile) {
                let _ = shown[seat].river.try_push(tile);
            }
        }
        for (seat, player) in shown.iter_mut() {
            while player.river.len() < turns(seat) {
                // Discards before the typed ones are unknown as well, and come first.
                let Some(tile) = rest.pop() else {
                    return Err(SceneError::TooLate(self.turn));
                };
                player
                    .river
                    .try_insert(0, tile)
                    .map_err(|_| SceneError::TooLate(self.turn))?;
            }
        }
        let riichi = shown.iter().filter(|(_, player)| player.riichi).count() as u8;
        let described = Snapshot {
            bakaze: *bakaze,
            kyoku: oya.index() as u8 + 1,
            honba: self.honba,
            kyotaku: riichi,
            oya: *oya,
            scores: self.scores,
            dora_markers: markers,
            hand: *hand,
            drawn: *drawn,
            offered: None,
            waits: None,
            players: shown,
        };
        let mut table = Table::new(*rules, *own);
        table
            .rebuild(&described)
            .map_err(|_| SceneError::NothingToThrow)?;
        if table.tiles_left() == 0 || table.tiles_left() > rules.drawable_tiles() {
            return Err(SceneError::TooLate(self.turn));
        }
        Ok(table)
    }
}

/// A river, with `*` after the riichi discard.
fn river(text: &str) -> Result<PlayerSnapshot, SceneError> {
    let parts: Vec<&str> = text.split('*').collect();
    let found = parts.len() - 1;
    if found > 1 {
        return Err(SceneError::Riichi { found });
    }
    let tiles = |text: &str| -> Result<Vec<Tile>, SceneError> {
        let Tiles(tiles) = text.parse().map_err(|error| PositionError::Notation {
            argument: "--river-of",
            error,
        })?;
        Ok(tiles)
    };
    let mut all: Vec<Tile> = Vec::new();
    let mut riichi_tile = None;
    for (place, part) in parts.iter().enumerate() {
        all.extend(tiles(part.trim())?);
        if place == 0 && found == 1 {
            riichi_tile = all.last().copied();
        }
    }
    let found = all.len();
    if found > MAX_RIVER {
        return Err(PositionError::River { found }.into());
    }
    Ok(PlayerSnapshot {
        melds: ArrayVec::new(),
        river: all.into_iter().collect(),
        riichi: riichi_tile.is_some(),
        riichi_tile,
    })
}
