//! The game from one seat's point of view, based on the events that it hears.

mod apply;
mod contradiction;
mod draws;
mod hands;
mod legal;
mod player;
mod public;
mod shown;
mod snapshot;
mod table_ref;
mod win;

pub use contradiction::Contradiction;
pub(crate) use hands::{AllHands, Hands, Own};
pub use player::{Discard, MAX_RIVER, PlayerState, Riichi};
pub(crate) use public::Public;
pub(crate) use shown::ShownTiles;
pub use snapshot::{Difference, PlayerSnapshot, Snapshot};
pub use table_ref::TableRef;

use game_core::{PerSeat, Seat, SeatTable};
use tiles::{ConcealedHand, Counts, KindSet, Tile, Wind};

use crate::action::{Action, LegalActions, leaves_choice, safe_answer};
use crate::event::{Event, HAND_SIZE, Points, UraMarkers};
use crate::hand::Hand;
use crate::meld::MeldKind;
use crate::rules::Rules;
use crate::score::{Dora, NoWin, Score, WinSituation};

use hands::OneHand;

/// Maximum number of kans in a round, over all seats.
pub(crate) const MAX_KANS: usize = 4;

/// A game seen from one seat.
///
/// [`Table::apply`] applies an event: an answer of this seat has no effect before the arena
/// announces it. It has no field for another seat's closed tiles.
#[derive(Debug, Clone)]
pub struct Table {
    public: Public,
    own: OneHand,
}

/// The phase of the round, with the seat to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// No round is being played.
    Between,
    /// The seat draws next; no player can call.
    Draw(Seat),
    /// The seat has drawn and chooses what to do.
    Turn(Seat),
    /// The seat has called a run or triplet and must discard.
    Called(Seat),
    /// The seat has declared riichi and must discard.
    Declared(Seat),
    /// A tile was discarded and may be called or won.
    Discarded {
        /// The discarder.
        by: Seat,
        /// The tile.
        tile: Tile,
    },
    /// The same after a riichi was accepted: it may still be called, but not won.
    Accepted {
        /// The discarder.
        by: Seat,
        /// The tile.
        tile: Tile,
    },
    /// A kan was shown; unless it is robbed, its owner draws.
    Kan {
        /// The seat that showed it.
        by: Seat,
        /// The tile that might be robbed.
        tile: Tile,
        /// The kind of kan.
        kind: MeldKind,
    },
    /// A North was set aside (three players); unless it is won on, its owner draws.
    Kita {
        /// The seat that set it aside.
        by: Seat,
    },
    /// A player has won; further winners may follow, on the same discarder.
    Won {
        /// The seat that dealt in, or won by self-draw.
        target: Seat,
    },
    /// The round was drawn.
    Drawn,
}

impl Phase {
    /// Whether a round is being played and no player has won or drawn it yet.
    pub const fn is_running(self) -> bool {
        !matches!(self, Self::Between | Self::Won { .. } | Self::Drawn)
    }
}

/// The three ways in which a hand may not win on another's tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Furiten {
    /// A tile it waits for lies in its own river.
    pub river: bool,
    /// A tile it waits for has passed since its last discard, even one on which it had no yaku.
    pub temporary: bool,
    /// A tile it waits for has passed since its riichi.
    pub riichi: bool,
}

impl Furiten {
    /// Whether any of the three holds.
    pub const fn any(self) -> bool {
        self.river || self.temporary || self.riichi
    }
}

impl Table {
    /// A table before its first round.
    pub fn new(rules: Rules, seat: Seat) -> Self {
        Self {
            public: Public::new(rules),
            own: OneHand::new(seat),
        }
    }

    /// A table before its first round, without knowledge of any player's tiles: for records with
    /// all hands hidden. The own seat is the first, and has nothing to do.
    pub fn hidden(rules: Rules) -> Self {
        let mut table = Self::new(rules, Seat::FIRST);
        table.own.hidden = true;
        table
    }

    /// The rules played by.
    pub const fn rules(&self) -> &Rules {
        &self.public.rules
    }

    /// The own seat.
    pub const fn seat(&self) -> Seat {
        self.own.seat
    }

    /// The phase of the round.
    pub const fn phase(&self) -> Phase {
        self.public.phase
    }

    /// Number of rounds that have begun.
    pub const fn rounds(&self) -> u32 {
        self.public.rounds
    }

    /// Wind of the round.
    pub const fn bakaze(&self) -> Wind {
        self.public.bakaze
    }

    /// Number of the round within its wind, from 1.
    pub const fn kyoku(&self) -> u8 {
        self.public.kyoku
    }

    /// Repeat counters.
    pub const fn honba(&self) -> u8 {
        self.public.honba
    }

    /// Riichi sticks on the table.
    pub const fn kyotaku(&self) -> u8 {
        self.public.kyotaku
    }

    /// The dealer.
    pub const fn oya(&self) -> Seat {
        self.public.oya
    }

    /// Points of each seat, computed from sticks and deltas, and corrected by every score that the
    /// arena sends.
    pub const fn scores(&self) -> &Points {
        &self.public.scores
    }

    /// The final scores if the game ends now: sticks left on the table go to the first place,
    /// except in a game of a single round, where no player gets them.
    pub fn final_scores(&self) -> Points {
        self.public.final_scores()
    }

    /// Place of a seat by points, from 1; of equals the earlier seat is ahead.
    #[inline]
    pub fn place(&self, seat: Seat) -> u8 {
        self.public.scores.place(seat)
    }

    /// The wind of a seat in this round.
    pub const fn seat_wind(&self, seat: Seat) -> Wind {
        Wind::of_seat(seat, self.public.oya, self.public.rules.players)
    }

    /// Dora indicators turned so far.
    pub fn dora_markers(&self) -> &[Tile] {
        &self.public.dora_markers
    }

    /// Number of the last discard or call in the round's order, from 0; `None` before the first.
    pub const fn last_order(&self) -> Option<u8> {
        self.public.order.checked_sub(1)
    }

    /// Tiles that can still be drawn.
    pub const fn tiles_left(&self) -> u8 {
        self.public.tiles_left
    }

    /// The public state of a seat.
    pub fn player(&self, seat: Seat) -> &PlayerState {
        &self.public.players[seat]
    }

    /// The public state of each seat.
    pub const fn players(&self) -> &PerSeat<PlayerState> {
        &self.public.players
    }

    /// The own closed tiles, the drawn one included.
    pub const fn hand(&self) -> &Hand {
        &self.own.own.hand
    }

    /// The own closed tiles, the drawn one included, as shanten and yaku take them; `None` before
    /// the first round.
    #[inline]
    pub fn concealed(&self) -> Option<ConcealedHand> {
        self.view().concealed()
    }

    /// The tile this seat has just drawn, until it discards.
    pub const fn drawn(&self) -> Option<Tile> {
        self.own.own.drawn
    }

    /// The 13 tiles this seat was dealt in this round.
    pub const fn dealt(&self) -> Option<[Tile; HAND_SIZE]> {
        self.own.own.dealt
    }

    /// Whether the own drawn tile is the replacement after a kan.
    pub const fn is_rinshan(&self) -> bool {
        self.public.replacement && self.own.own.drawn.is_some()
    }

    /// Kinds the own hand waits for without the drawn tile; empty right after a call.
    pub const fn waits(&self) -> KindSet {
        self.own.own.waits
    }

    /// Why the own hand may not win on another's tile.
    #[inline]
    pub fn furiten(&self) -> Furiten {
        self.view().furiten()
    }

    /// Whether the own first turn is now or to come: no own discard yet, and no call or kan by any
    /// player.
    pub fn is_first_turn(&self) -> bool {
        self.view().is_first_turn()
    }

    /// Whether the next discard is announced as coming from the hand, even if it is the drawn tile.
    /// This holds for the dealer's first discard by Mahjong Soul's rules: its 14 tiles are dealt
    /// together.
    pub fn first_discard_counts_as_from_hand(&self) -> bool {
        self.view().first_discard_counts_as_from_hand()
    }

    /// Copies of each kind that this seat has not seen: not in its hand, a meld, a river, set aside
    /// or among the indicators. 0 for kinds that the game is not played with.
    #[inline]
    pub fn unseen(&self) -> Counts {
        self.view().unseen()
    }

    /// Red fives of each suit (characters, dots, bamboo) that this seat has seen.
    pub fn seen_reds(&self) -> [u8; 3] {
        self.view().seen_reds()
    }

    /// Everything this seat may do now. Empty when nothing is asked of it.
    ///
    /// Riichi is listed once for each discard that keeps the hand tenpai, and passing whenever a
    /// tile can be claimed.
    pub fn legal_actions(&self) -> LegalActions {
        if self.own.hidden {
            LegalActions::new()
        } else {
            self.view().legal_actions()
        }
    }

    /// The last tile shown and its seat, while others may still win on it; the tile of a closed kan
    /// only if this seat may.
    pub fn offered(&self) -> Option<(Seat, Tile)> {
        let passing = self.public.passing?;
        let own = &self.own.own;
        (!passing.for_orphans || passing.is_for(self.own.seat, own, self.view().player()))
            .then_some((passing.by, passing.tile))
    }

    /// The circumstances of a win of this seat, besides its tiles. It gets all repeat counters, as
    /// it does unless another winner on the same tile sits before it.
    pub fn situation(&self) -> WinSituation {
        self.view().situation(self.public.honba)
    }

    /// The value of winning now on this tile of `target`, or on the own drawn tile if `target` is
    /// the own seat: the minimum value of a listed [`Action::Hora`]. Ura are unknown and do not
    /// count.
    ///
    /// Furiten is not checked.
    ///
    /// # Errors
    ///
    /// If the hand is not complete with the tile or has no yaku.
    pub fn score_of(&self, target: Seat, tile: Tile) -> Result<Score, NoWin> {
        self.view()
            .score(target, tile, self.public.honba, Dora::NONE)
    }

    /// The value of this seat's win on a tile of `target`, or on the own drawn tile if `target` is
    /// the own seat, without repeat counters. The round is won already when a second seat wins on
    /// the same tile. So the caller passes the tile, and whether another seat showed a kan with it.
    ///
    /// # Errors
    ///
    /// If the hand is not complete with the tile or has no yaku.
    pub fn score_of_win(
        &self,
        target: Seat,
        (tile, robbed_kan): (Tile, bool),
        ura_markers: UraMarkers,
    ) -> Result<Score, NoWin> {
        let ura = Dora::named_by(self.rules(), ura_markers.to_vec());
        self.view()
            .score_of_tile(target, (tile, robbed_kan), 0, ura)
    }

    /// Applies the next event of the game, as this seat hears it; tiles it should not know are
    /// ignored.
    ///
    /// # Errors
    ///
    /// If the event contradicts earlier ones. The table is then unchanged, except in two cases in
    /// which the event takes effect anyway: a round that begins while another runs
    /// ([`Contradiction::RoundNotEnded`]), and scores other than those computed
    /// ([`Contradiction::Scores`]).
    pub fn apply(&mut self, event: &Event) -> Result<(), Contradiction> {
        self.public.apply(event, &mut self.own)
    }

    /// The table of a seat in a game whose hands are known.
    pub(crate) fn of_seat(public: &Public, seat: Seat, own: &Own) -> Self {
        Self {
            public: public.clone(),
            own: OneHand {
                seat,
                own: *own,
                hidden: false,
            },
        }
    }

    /// Whether the seat holds a tile that it has just drawn.
    pub fn has_drawn(&self, seat: Seat) -> bool {
        self.public.has_drawn(seat)
    }

    /// Number of concealed tiles of the seat.
    pub fn concealed_tiles(&self, seat: Seat) -> usize {
        self.public.concealed_tiles(seat)
    }

    /// Every tile that all seats have seen, once: those played and the indicators.
    pub fn shown_tiles(&self) -> impl Iterator<Item = Tile> {
        self.public.shown_tiles()
    }

    /// The kinds that the seat may not discard after its call.
    pub fn kuikae_of(&self, seat: Seat) -> KindSet {
        self.public.kuikae_of(seat)
    }

    /// The public state.
    pub(crate) const fn public(&self) -> &Public {
        &self.public
    }

    /// The own seat's private knowledge.
    pub(crate) const fn own(&self) -> &Own {
        &self.own.own
    }

    /// The table, borrowed.
    pub const fn view(&self) -> TableRef<'_> {
        TableRef::new(&self.public, self.own.seat, &self.own.own)
    }
}

impl SeatTable for Table {
    type Event = Event;
    type Action = Action;
    type Contradiction = Contradiction;

    fn apply(&mut self, event: &Event) -> Result<(), Contradiction> {
        self.apply(event)
    }

    fn legal(&self) -> Vec<Action> {
        self.legal_actions().to_vec()
    }

    fn leaves_choice(legal: &[Action]) -> bool {
        leaves_choice(legal)
    }

    fn safe(&self, legal: &[Action]) -> Option<usize> {
        let safe = safe_answer(legal)?;
        legal.iter().position(|&action| action == safe)
    }
}
