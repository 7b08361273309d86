//! What a game is: its rules, its seats, what they hear and answer, and its end.

use std::fmt;

use arrayvec::ArrayVec;
use lab_stats::SeatCounter;
use policy_host::{GameKind, SeatTable};
use protocol::game_record::RecordForm;
use riichi::MAX_PLAYERS;
use riichi::rng::Rng;

use super::measure::Measure;
use super::played::{GameEnd, GameId};

/// A whole game, with its walls or cards.
pub trait Game: Sized {
    /// What is agreed before the deal.
    type Rules: Copy + fmt::Debug + Send + Sync;
    /// The game as one of its seats knows it.
    type Table: SeatTable<Event: fmt::Debug + Clone, Action: fmt::Debug>;
    /// Which game it is.
    const KIND: GameKind;
    /// What bots are compared by.
    const MEASURE: Measure;

    /// The rules for so many players, where nothing else is agreed.
    fn usual_rules(players: u8) -> Self::Rules;

    /// How many sit at a table.
    fn players(rules: &Self::Rules) -> usize;

    /// The game with this wall, which is the same for the same numbers.
    fn new(rules: Self::Rules, seed: u64, wall: u64) -> Self;

    /// A seat's table before the deal.
    fn table(rules: Self::Rules, seat: usize) -> Self::Table;

    /// The deal as a seat hears of it; `None` where events tell it.
    fn deal(&self, _seat: usize) -> Option<EventOf<Self>> {
        None
    }

    /// What has happened since the last answers, nothing hidden.
    fn news(&self) -> &[EventOf<Self>];

    /// An event as a seat hears of it.
    fn heard(event: &EventOf<Self>, seat: usize) -> EventOf<Self>;

    /// The seats whose answers the game waits for, in their order.
    fn asked(&self) -> ArrayVec<usize, MAX_PLAYERS>;

    /// Plays on from the answers of all asked seats, in their order.
    ///
    /// # Errors
    ///
    /// When an action is not legal, in words.
    fn answer(&mut self, answers: &[(usize, ActionOf<Self>)]) -> Result<(), String>;

    /// How it ended, once it has.
    fn end(&self) -> Option<GameEnd>;

    /// Counts what an event says of its seats, whose tables have just taken it in.
    fn count(_counter: &mut SeatCounter, _event: &EventOf<Self>, _tables: &[Self::Table]) {}

    /// The seed of the policy on a seat.
    fn policy_seed(GameId { seed, wall, seating }: GameId, seat: usize) -> u64 {
        Rng::keyed(&[seed, wall, seating as u64, seat as u64]).next_u64()
    }
}

/// A game whose records are those of [`protocol::game_record`].
pub trait RecordedGame: Game {
    /// How it is recorded.
    type Record: RecordForm<Event = EventOf<Self>, Action = ActionOf<Self>>;
}

/// What happens in a game.
pub type EventOf<G> = <<G as Game>::Table as SeatTable>::Event;
/// What is done in a game.
pub type ActionOf<G> = <<G as Game>::Table as SeatTable>::Action;
