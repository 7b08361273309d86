//! A game from the middle of a round: one seat's table, and assumed values for the hidden tiles.

use arrayvec::ArrayVec;
use game_core::rng::Rng;
use game_core::{PerSeat, Seat};
use tiles::Tile;
use tiles::concealed::{BadHand, ConcealedHand};

use super::state::WholeTable;
use super::wall::all_tiles;
use super::{MAX_WALL, RiichiGame, Stage, Wall};
use crate::event::HAND_SIZE;
use crate::hand::Hand;
use crate::table::{Own, Phase, Public, Table};

/// The tiles that one seat's table does not show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    /// The concealed tiles of the other seats, a drawn one included. That of the table's own seat
    /// has no meaning.
    pub hands: PerSeat<Hand>,
    /// The tile that another seat has just drawn, when it is that seat's turn.
    pub drawn: Option<Tile>,
    /// The tiles of the wall that no player has seen, in the order of a [`Wall`]: the next draws
    /// come first, the next replacement tile is the last, and turned dora indicators are left out.
    pub wall: ArrayVec<Tile, MAX_WALL>,
}

/// Why a game cannot be set up from a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The moment is not one at which a game waits for an answer, or could.
    #[error(
        "no seat has anything to decide in {0:?}; a game can be set up when one has drawn, called, discarded or shown a kan"
    )]
    NothingToDecide(Phase),
    /// The tiles of a seat are not a valid hand.
    #[error("seat {seat}: {fault}")]
    Hand {
        /// The seat.
        seat: Seat,
        /// The reason.
        fault: BadHand,
    },
    /// The seat on turn does not hold the tile that is given as drawn, or none is given.
    #[error("seat {seat} is on turn, and its drawn tile is given as {}", drawn.map_or("none", |tile| tile.name()))]
    NotHeld {
        /// The seat on turn.
        seat: Seat,
        /// The tile given.
        drawn: Option<Tile>,
    },
    /// The visible and the assumed tiles together are not all the tiles of the game.
    #[error("with the assumed tiles there are {found} {tile}; the game is played with {expected}")]
    Tile {
        /// The first such tile.
        tile: Tile,
        /// The number found.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// The table does not know how many tiles are drawn; so it may be after [`Table::rebuild`].
    #[error("{found} tiles have been drawn, and the table counts {expected}")]
    Drawn {
        /// Number of tiles that have left the wall since the deal.
        found: usize,
        /// The number on the table.
        expected: usize,
    },
    /// The seat that has to decide could do nothing with these tiles: it has declared riichi and no
    /// discard leaves it tenpai, or has called and may discard none of its tiles.
    #[error("seat {seat} must discard, and may discard none of the assumed tiles; assume others")]
    NoLegalAction {
        /// The seat that must discard.
        seat: Seat,
    },
}

impl Hidden {
    /// Deals the tiles that the table's seat has not seen at random, each way equally likely; it
    /// ignores the information in the others' discards.
    pub fn shuffled(table: &Table, rng: &mut Rng) -> Self {
        let (public, players) = (table.public(), table.rules().players);
        let mut unseen = all_tiles(&public.rules);
        for tile in public.shown_tiles().chain(table.hand().tiles()) {
            if let Some(place) = unseen.iter().position(|&other| other == tile) {
                unseen.swap_remove(place);
            }
        }
        rng.shuffle(&mut unseen);
        let mut drawn = None;
        let hands = PerSeat::from_fn(players, |seat| {
            if seat == table.seat() || seat.index() >= usize::from(players) {
                return Hand::default();
            }
            let dealt = unseen.drain(unseen.len().saturating_sub(public.concealed_tiles(seat))..);
            let tiles: ArrayVec<Tile, 14> = dealt.collect();
            if public.has_drawn(seat) {
                drawn = tiles.first().copied();
            }
            Hand::from_tiles(tiles).unwrap_or_default()
        });
        Self {
            hands,
            drawn,
            wall: unseen,
        }
    }

    /// The tiles that are hidden from a seat of a game.
    pub fn from_seat_of(game: &RiichiGame, seat: Seat) -> Self {
        let public = game.state.public();
        let hands = PerSeat::from_fn(public.rules.players, |other| game.state.own(other).hand);
        let others = Seat::all(public.rules.players).filter(|&other| other != seat);
        let drawn = others
            .filter(|&other| public.has_drawn(other))
            .find_map(|other| game.state.own(other).drawn);
        Self {
            hands,
            drawn,
            wall: game.wall.unseen(public.dora_markers.len()).collect(),
        }
    }
}

impl RiichiGame {
    /// A game in the middle of a round, at a decision of a seat: the table of one seat, and the
    /// tiles that it does not show. The round is played on with these tiles; then the game
    /// [waits](Self::awaits_wall) for a wall.
    ///
    /// It does not check whether the assumed tiles agree with the seats' actions: a seat in riichi,
    /// for instance, may get a hand that is not tenpai, and then discards its draws. After
    /// [`Table::rebuild`] the order of calls and the passed tiles are guesses.
    ///
    /// ```
    /// use riichi::game::{RiichiGame, Hidden};
    /// use riichi::rng::Rng;
    /// use riichi::{Rules, Table, safe_answer};
    ///
    /// // The dealer has drawn; what would the first discard be worth if the rest of the tiles lay so or so?
    /// let game = RiichiGame::new(Rules::TENHOU_HALF, 5);
    /// let oya = game.asked()[0];
    /// let table: Table = game.table(oya);
    /// let mut rng = Rng::keyed(&[1]);
    /// for _ in 0..10 {
    ///     let mut sample = RiichiGame::from_table(&table, &Hidden::shuffled(&table, &mut rng))?;
    ///     assert_eq!(sample.legal_actions(oya), table.legal_actions());
    ///     while !sample.awaits_wall() && !sample.is_over() {
    ///         for seat in sample.asked() {
    ///             let legal = sample.legal_actions(seat);
    ///             sample.answer(seat, safe_answer(&legal).unwrap_or(legal[0])).expect("it is legal");
    ///         }
    ///     }
    /// }
    /// # Ok::<(), riichi::game::SetupError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If no player has anything to decide at this moment, or the tiles are not those that can be
    /// there.
    pub fn from_table(table: &Table, hidden: &Hidden) -> Result<Self, SetupError> {
        let public = table.public();
        let phase = public.phase;
        let draws_next =
            matches!(phase, Phase::Kan { .. } | Phase::Kita { .. }) && public.tiles_left == 0;
        if !phase.is_running()
            || matches!(phase, Phase::Draw(_) | Phase::Accepted { .. })
            || draws_next
        {
            return Err(SetupError::NothingToDecide(phase));
        }
        let hands = hands(table, hidden)?;
        let wall = wall(public, &hands, hidden)?;
        let mut game = Self {
            state: WholeTable::in_round(public.clone(), hands),
            wall,
            seed: None,
            stage: Stage::Playing,
            asked: ArrayVec::new(),
            answers: PerSeat::from_fn(public.rules.players, |_| None),
            events: ArrayVec::new(),
            wins: ArrayVec::new(),
        };
        match phase {
            Phase::Turn(seat) | Phase::Called(seat) | Phase::Declared(seat) => game.ask(seat),
            Phase::Discarded { by, .. } => game.offer_discard(by),
            Phase::Kan { by, .. } | Phase::Kita { by } => game.offer_kan(by),
            _ => {}
        }
        match game
            .asked
            .iter()
            .find(|&&seat| game.legal_actions(seat).is_empty())
        {
            Some(&seat) => Err(SetupError::NoLegalAction { seat }),
            None => Ok(game),
        }
    }
}

/// Each seat's knowledge of itself.
fn hands(table: &Table, hidden: &Hidden) -> Result<PerSeat<Own>, SetupError> {
    let public = table.public();
    let players = public.rules.players;
    let mut hands = PerSeat::from_fn(players, |_| *table.own());
    for (seat, own) in hands.iter_mut().filter(|(seat, _)| *seat != table.seat()) {
        let (hand, melds) = (hidden.hands[seat], public.players[seat].melds.len());
        let bad = |fault| SetupError::Hand { seat, fault };
        let concealed = ConcealedHand::new(*hand.counts(), melds, players).map_err(bad)?;
        let tiles = concealed.counts().total();
        if tiles as usize != public.concealed_tiles(seat) {
            return Err(bad(BadHand::Tiles {
                tiles,
                melds: concealed.melds(),
            }));
        }
        let drawn = if public.has_drawn(seat) {
            let drawn = hidden.drawn.filter(|&tile| hand.count(tile) > 0);
            Some(drawn.ok_or(SetupError::NotHeld {
                seat,
                drawn: hidden.drawn,
            })?)
        } else {
            None
        };
        *own = public.own_in_round(seat, hand, drawn);
    }
    Ok(hands)
}

/// The wall; tiles that have left it are in arbitrary order.
fn wall(public: &Public, hands: &PerSeat<Own>, hidden: &Hidden) -> Result<Wall, SetupError> {
    let held = hands.iter().flat_map(|(_, own)| own.hand.tiles());
    let gone: ArrayVec<Tile, MAX_WALL> = public.played_tiles().chain(held).take(MAX_WALL).collect();
    let (markers, all) = (&public.dora_markers, all_tiles(&public.rules));
    let count = |tiles: &[Tile], wanted: Tile| tiles.iter().filter(|&&tile| tile == wanted).count();
    for tile in Tile::all() {
        let found = count(&gone, tile) + count(markers, tile) + count(&hidden.wall, tile);
        let expected = count(&all, tile);
        if found != expected {
            return Err(SetupError::Tile {
                tile,
                found,
                expected,
            });
        }
    }
    let dealt = HAND_SIZE * usize::from(public.rules.players);
    let drawn = usize::from(public.rules.drawable_tiles() - public.tiles_left);
    if gone.len() != dealt + drawn {
        return Err(SetupError::Drawn {
            found: gone.len() - dealt.min(gone.len()),
            expected: drawn,
        });
    }
    let norths: usize = public
        .players
        .iter()
        .map(|(_, player)| usize::from(player.kita))
        .sum();
    // A kan that may still be robbed has drawn nothing yet.
    let pending = matches!(public.phase, Phase::Kan { .. } | Phase::Kita { .. });
    let replaced = public.kans() + norths - usize::from(pending);
    Ok(Wall::in_round(&gone, replaced, markers, &hidden.wall))
}
