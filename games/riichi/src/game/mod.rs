//! The whole game: all hands, the wall, and the consequences of the seats' actions.
//!
//! [`RiichiGame::new`] deals. Then the seats that are asked ([`RiichiGame::asked`]) each choose one
//! of their [legal actions](RiichiGame::legal_actions), and [`RiichiGame::answer`] plays on when
//! the last of them has answered, until a player is asked again or the game is over.
//! [`RiichiGame::events`] holds the events since then; each seat hears them
//! [masked](crate::Event::masked_for).
//!
//! ```
//! use riichi::game::RiichiGame;
//! use riichi::{Rules, safe_answer};
//!
//! let mut game = RiichiGame::new(Rules::TENHOU_HALF, 7);
//! let mut events = game.events().len();
//! while !game.is_over() {
//!     for seat in game.asked() {
//!         let legal = game.legal_actions(seat);
//!         game.answer(seat, safe_answer(&legal).unwrap_or(legal[0]))?;
//!     }
//!     events += game.events().len();
//! }
//! assert_eq!(game.scores().as_slice().iter().sum::<i32>(), 100_000);
//! # assert!(events > 500);
//! # Ok::<(), riichi::game::AnswerError>(())
//! ```
//!
//! The same rules, seed and answers give the same game. There is no I/O and no clock, and nothing
//! is allocated, so a game is cheap to copy (2.8 kB, 150 ns in mid-round).
//! [`RiichiGame::from_table`] begins in the middle of a round, for simulations.
//!
//! # Rules beyond a seat's own
//!
//! Legal actions, the value of a win and its payments follow the rules of [`Table`],
//! [`score`](crate::score) and [`yaku`](crate::yaku). The following rules are added, by both
//! presets unless stated otherwise, as in RiichiEnv 0.4.11, the engine behind RiichiLab:
//!
//! * **Claims.** A win comes before a pon or open kan, and these before a run. Several may win on
//!   one tile: the nearest after the discarder has the riichi sticks and is paid for the repeat
//!   counters.
//! * **Dora of kans.** A closed kan turns its indicator at once, before the replacement draw. An
//!   open or added kan turns it before its seat's next discard, or with that seat's next kan or
//!   North, so that a win on the replacement draw is without it.
//! * **Chankan.** A kan that others may win on is complete when they have all passed. A closed kan
//!   is shown before any player may rob it.
//! * **Riichi.** The stick is paid when no player has won on the discard, before a call of it.
//! * **Abortive draws** (the dealer deals again, with one more repeat counter): nine terminals;
//!   four equal winds discarded in an unbroken first go-round, four riichi (both of four players
//!   only); four kans of more than one seat, after the discard that follows; three winners on one
//!   tile ([`Rules::triple_ron_is_draw`](crate::Rules)). But for the last, a win on the discard
//!   comes first.
//! * **Exhaustive draw.** Seats that are not tenpai pay 3,000 points in all to those that are,
//!   2,000 with three players. A player who has discarded only terminals and honours, none of them
//!   called, is paid like a tsumo of mangan instead (nagashi mangan), without repeat counters;
//!   several such players are each paid.
//! * **Repeat.** The dealer deals again after its own win, and after an exhaustive draw in which it
//!   is tenpai.
//! * **End.** After the last round of its length the game continues until a player has
//!   [`return_points`](crate::Rules), at most through the next wind; a repeat comes before that end
//!   (according to Tenhou's manual, <https://tenhou.net/man/#RULE>, on its sudden death). From the
//!   last regular round on it ends when the dealer would repeat and is in first place with enough
//!   points (agari-yame, tenpai-yame). It ends at once when a player has less than 0 points. Sticks
//!   left on the table go to the first place, except in a game of a [single](crate::rules::Length)
//!   round.

mod course;
mod draws;
mod error;
mod play;
mod setup;
mod state;
mod wall;
mod wins;

use std::borrow::Cow;

use arrayvec::ArrayVec;
use game_core::{PerSeat, Seat, WholeGame};
use tiles::{ConcealedHand, Counts, KindSet, Tile};

pub use course::{RoundId, RoundVerdict};
pub use error::AnswerError;
pub use setup::{Hidden, SetupError};
pub use wall::{MAX_WALL, Wall, WallError, all_tiles};

use crate::action::{Action, LegalActions};
use crate::event::{Event, Points};
use crate::hand::Hand;
use crate::rng::Rng;
use crate::rules::Rules;
use crate::score::Score;
use crate::table::{Phase, PlayerState, Public, Table, TableRef};
use state::WholeTable;

/// Maximum number of events that follow from one answer: a riichi with a due dora indicator, a draw
/// of the round, and the next.
const MAX_EVENTS: usize = 12;

/// Keeps the walls apart from other uses of a seed.
const WALLS: u64 = 1;

/// The seed of the walls of one of many games that share a seed: see [`RiichiGame::new`].
pub fn seed_of_walls(seed: u64, number: u64) -> u64 {
    Rng::keyed(&[seed, number, WALLS]).next_u64()
}

/// A game with all hands and the wall.
#[derive(Debug, Clone)]
pub struct RiichiGame {
    state: WholeTable,
    wall: Wall,
    /// The seed of the walls; `None` if they are given.
    seed: Option<u64>,
    stage: Stage,
    asked: ArrayVec<Seat, 4>,
    answers: PerSeat<Option<Action>>,
    events: ArrayVec<Event, MAX_EVENTS>,
    /// The values of the wins among the events, in their order.
    wins: ArrayVec<Score, 4>,
}

/// The stage of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// A round is being played.
    Playing,
    /// The next round waits for its wall.
    Between(RoundId),
    /// The game has ended.
    Over,
}

impl RiichiGame {
    /// A game whose walls are all shuffled from the seed, with the first round dealt.
    pub fn new(rules: Rules, seed: u64) -> Self {
        let mut game = Self::before_deal(rules, Wall::of_round(&rules, seed, 0), Some(seed));
        game.begin();
        game
    }

    /// A game whose first round is played on this wall, in the order of [`Wall`]. After each round
    /// it waits for the next wall ([`awaits_wall`](Self::awaits_wall), [`deal`](Self::deal)).
    ///
    /// ```
    /// use riichi::game::{RiichiGame, Wall};
    /// use riichi::rng::Rng;
    /// use riichi::rules::Length;
    /// use riichi::{Event, Rules, safe_answer};
    ///
    /// let rules = Rules::MAHJONG_SOUL_HALF.with_players(3).with_length(Length::East);
    /// let mut rng = Rng::keyed(&[1]);
    /// let mut wall = || Wall::shuffled(&rules, &mut rng).tiles().to_vec();
    /// let mut game = RiichiGame::with_wall(rules, &wall())?;
    /// assert!(matches!(game.events(), [Event::StartGame { .. }, Event::StartKyoku(_), Event::Tsumo { .. }]));
    /// while !game.is_over() {
    ///     if game.awaits_wall() {
    ///         game.deal(&wall())?;
    ///     }
    ///     for seat in game.asked() {
    ///         let legal = game.legal_actions(seat);
    ///         game.answer(seat, safe_answer(&legal).unwrap_or(legal[0])).expect("it is legal");
    ///     }
    /// }
    /// let first = game.scores().iter().find(|(seat, _)| game.scores().place(*seat) == 1);
    /// assert!(first.is_some_and(|(_, &points)| points >= 35_000));
    /// # Ok::<(), riichi::game::WallError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If these are not the tiles that the rules play with.
    pub fn with_wall(rules: Rules, tiles: &[Tile]) -> Result<Self, WallError> {
        let mut game = Self::before_deal(rules, Wall::new(&rules, tiles)?, None);
        game.begin();
        Ok(game)
    }

    fn before_deal(rules: Rules, wall: Wall, seed: Option<u64>) -> Self {
        Self {
            state: WholeTable::new(rules),
            wall,
            seed,
            stage: Stage::Playing,
            asked: ArrayVec::new(),
            answers: PerSeat::from_fn(rules.players, |_| None),
            events: ArrayVec::new(),
            wins: ArrayVec::new(),
        }
    }

    fn begin(&mut self) {
        self.tell(Event::StartGame { seat: None });
        self.begin_round(RoundId::FIRST);
    }

    /// The rules played by.
    pub fn rules(&self) -> &Rules {
        &self.state.public().rules
    }

    /// The seats that have to answer before the game continues, in seat order. None when the game
    /// is over or waits for a wall.
    pub fn asked(&self) -> ArrayVec<Seat, 4> {
        self.asked.clone()
    }

    /// The legal actions of a seat; none if it is not asked, or has answered.
    pub fn legal_actions(&self, seat: Seat) -> LegalActions {
        if self.asked.contains(&seat) {
            self.state.view(seat).legal_actions()
        } else {
            LegalActions::new()
        }
    }

    /// Takes the answer of a seat that is asked, and plays on when it was the last.
    ///
    /// # Errors
    ///
    /// If the seat is not asked or the action is not legal. Nothing has happened then.
    pub fn answer(&mut self, seat: Seat, action: Action) -> Result<(), AnswerError> {
        let Some(place) = self.asked.iter().position(|&asked| asked == seat) else {
            return Err(AnswerError::NotAsked { seat });
        };
        // Seats are asked for claims only if they have one, which they may always let pass.
        let passes = action == Action::None
            && !matches!(
                self.phase(),
                Phase::Turn(_) | Phase::Called(_) | Phase::Declared(_)
            );
        if !passes && !self.state.view(seat).is_legal(action) {
            return Err(AnswerError::NotLegal { seat, action });
        }
        self.asked.remove(place);
        self.answers[seat] = Some(action);
        if self.asked.is_empty() {
            self.forget_events();
            self.play_on();
        }
        Ok(())
    }

    /// The events, nothing hidden, from the last answer that the game waited for until the seats of
    /// [`asked`](Self::asked) were asked; after a deal, those that came with it.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether the game has ended.
    pub const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over)
    }

    /// Whether the next round waits for its wall.
    pub const fn awaits_wall(&self) -> bool {
        matches!(self.stage, Stage::Between(_))
    }

    /// The round that waits for its wall, if one does.
    pub const fn next_round(&self) -> Option<RoundId> {
        match self.stage {
            Stage::Between(next) => Some(next),
            Stage::Playing | Stage::Over => None,
        }
    }

    /// Deals the next round from this wall, in the order of [`Wall`]. Does nothing unless the game
    /// [waits](Self::awaits_wall) for one.
    ///
    /// # Errors
    ///
    /// If these are not the tiles that the rules play with.
    pub fn deal(&mut self, tiles: &[Tile]) -> Result<(), WallError> {
        if let Stage::Between(next) = self.stage {
            self.wall = Wall::new(self.rules(), tiles)?;
            self.forget_events();
            self.begin_round(next);
        }
        Ok(())
    }

    /// The values of the wins among [`events`](Self::events), in their order.
    pub fn wins(&self) -> &[Score] {
        &self.wins
    }

    /// Points of each seat. At the end the sticks left on the table are with the first.
    pub fn scores(&self) -> &Points {
        &self.state.public().scores
    }

    /// Riichi sticks on the table.
    pub fn kyotaku(&self) -> u8 {
        self.state.public().kyotaku
    }

    /// The public state of each seat.
    pub fn players(&self) -> &PerSeat<PlayerState> {
        &self.state.public().players
    }

    /// Tiles that can still be drawn.
    pub fn tiles_left(&self) -> u8 {
        self.state.public().tiles_left
    }

    /// The phase of the round, with the seat to move.
    pub fn phase(&self) -> Phase {
        self.state.public().phase
    }

    /// The closed tiles of a seat, the drawn one included.
    pub fn hand(&self, seat: Seat) -> &Hand {
        &self.state.own(seat).hand
    }

    /// The tile that a seat has just drawn, until it discards.
    pub fn drawn(&self, seat: Seat) -> Option<Tile> {
        self.state.own(seat).drawn
    }

    /// Kinds that a seat's hand waits for without its drawn tile; empty right after a call.
    pub fn waits(&self, seat: Seat) -> KindSet {
        self.state.own(seat).waits
    }

    /// The closed tiles of a seat, the drawn one included, as shanten and acceptance take them;
    /// `None` before the first round.
    pub fn concealed(&self, seat: Seat) -> Option<ConcealedHand> {
        self.state.view(seat).concealed()
    }

    /// Copies of each kind that all seats have seen: in rivers, melds, set aside, and the
    /// indicators. Kinds that the game does not use count as seen four times.
    pub fn shown(&self) -> Counts {
        *self.state.public().shown_counts()
    }

    /// The round being played.
    pub fn round(&self) -> RoundId {
        let &Public {
            bakaze, oya, honba, ..
        } = self.state.public();
        RoundId { bakaze, oya, honba }
    }

    /// Dora indicators turned so far.
    pub fn dora_markers(&self) -> &[Tile] {
        &self.state.public().dora_markers
    }

    /// The game as a seat may know it, borrowed.
    pub fn view(&self, seat: Seat) -> TableRef<'_> {
        self.state.view(seat)
    }

    /// The game as a seat may know it.
    pub fn table(&self, seat: Seat) -> Table {
        Table::of_seat(self.state.public(), seat, self.state.own(seat))
    }

    /// The wall of the round. In a game [set up](Self::from_table) from a table, the tiles that
    /// have left it are in arbitrary order.
    pub const fn wall(&self) -> &Wall {
        &self.wall
    }

    /// Announces an event to all seats.
    #[inline]
    fn forget_events(&mut self) {
        self.events.clear();
        self.wins.clear();
    }

    fn tell(&mut self, event: Event) {
        self.events.push(event);
        self.apply_last();
    }

    #[inline(never)]
    fn apply_last(&mut self) {
        self.events
            .last()
            .into_iter()
            .for_each(|event| self.state.apply(event));
    }

    fn ask(&mut self, seat: Seat) {
        self.asked.push(seat);
    }
}

/// Its walls equal those of the embedded arena's game with this seed and number.
impl WholeGame for RiichiGame {
    type Rules = Rules;
    type Table = Table;
    type Refusal = AnswerError;

    fn usual_rules(players: u8) -> Rules {
        Rules::TENHOU_HALF.with_players(players)
    }

    fn seat_count(rules: &Rules) -> usize {
        rules.players.into()
    }

    fn numbered(rules: Rules, seed: u64, number: u64) -> Self {
        Self::new(rules, seed_of_walls(seed, number))
    }

    fn seat_table(rules: Rules, seat: usize) -> Table {
        Table::new(rules, Seat::at(seat).expect("there are at most four seats"))
    }

    fn deal_for(&self, _: usize) -> Option<Event> {
        None
    }

    fn news(&self) -> &[Event] {
        &self.events
    }

    fn heard_by(event: &Event, seat: usize) -> Cow<'_, Event> {
        event.seen_by(Seat::at(seat).expect("there are at most four seats"))
    }

    fn table_of(&self, seat: usize) -> Table {
        self.table(Seat::at(seat).expect("there are at most four seats"))
    }

    fn legal_of(&self, seat: usize, legal: &mut Vec<Action>) {
        self.view(Seat::at(seat).expect("there are at most four seats"))
            .list_legal(legal);
    }

    fn seats_asked(&self) -> impl Iterator<Item = usize> {
        self.asked.iter().map(|seat| seat.index())
    }

    fn answer_all(&mut self, answers: &[(usize, Action)]) -> Result<(), AnswerError> {
        let mut answers = answers.iter();
        answers.try_for_each(|&(seat, action)| {
            self.answer(
                Seat::at(seat).expect("there are at most four seats"),
                action,
            )
        })
    }

    #[inline]
    fn end_scores(&self) -> Option<Vec<f64>> {
        self.is_over().then(|| {
            self.scores()
                .as_slice()
                .iter()
                .map(|&points| points.into())
                .collect()
        })
    }
}
