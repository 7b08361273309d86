//! The two basic traits: a whole game, and the game from one seat's point of view.

use std::borrow::Cow;
use std::fmt::Debug;

use crate::words::ActionWords;

/// The state of a game from the point of view of one seat.
///
/// It applies the events that the seat sees, and lists the seat's legal actions.
pub trait SeatTable {
    /// An event from the point of view of this seat.
    type Event: Clone + Debug;
    /// An action of the seat.
    type Action: ActionWords + Clone + Debug + PartialEq;
    /// The error for an impossible event.
    type Contradiction: std::error::Error;

    /// Applies an event.
    ///
    /// # Errors
    ///
    /// If the event contradicts earlier ones; the state is then unchanged.
    fn apply(&mut self, event: &Self::Event) -> Result<(), Self::Contradiction>;

    /// The seat's legal actions; empty if it has nothing to do.
    fn legal(&self) -> Vec<Self::Action>;

    /// Whether there is anything to decide among these actions.
    fn leaves_choice(legal: &[Self::Action]) -> bool {
        legal.len() > 1
    }

    /// The index of the safe action, which is played without a decision; `None` of an empty list.
    fn safe(&self, legal: &[Self::Action]) -> Option<usize>;
}

/// A whole game, with its walls or cards. Seats are numbered from 0.
///
/// Each seat has its own [`SeatTable`]. The deal and the news are applied to it in the form for
/// [that seat](Self::heard_by). The seats that are asked choose among their legal actions, until
/// the game has ended.
pub trait WholeGame: Sized {
    /// The settings that are agreed before the deal.
    type Rules: Copy + Debug + Send + Sync;
    /// The game from the point of view of one seat.
    type Table: SeatTable;
    /// The error for an action that is not legal.
    type Refusal: std::error::Error;

    /// The default rules for this many players.
    fn usual_rules(players: u8) -> Self::Rules;

    /// Number of seats at the table.
    fn seat_count(rules: &Self::Rules) -> usize;

    /// The game with this number in the series of a seed; the same numbers give the same game.
    fn numbered(rules: Self::Rules, seed: u64, number: u64) -> Self;

    /// A seat's table before the deal.
    fn seat_table(rules: Self::Rules, seat: usize) -> Self::Table;

    /// The deal from the point of view of a seat; `None` if the news begin with it.
    fn deal_for(&self, seat: usize) -> Option<EventOf<Self>>;

    /// The events since the last answers, with nothing hidden.
    fn news(&self) -> &[EventOf<Self>];

    /// An event from the point of view of a seat.
    fn heard_by(event: &EventOf<Self>, seat: usize) -> Cow<'_, EventOf<Self>>;

    /// The game from the point of view of a seat after all news: as a table that has heard them.
    fn table_of(&self, seat: usize) -> Self::Table;

    /// Adds the legal actions of a seat after all news: those of its table.
    fn legal_of(&self, seat: usize, legal: &mut Vec<ActionOf<Self>>) {
        legal.extend(self.table_of(seat).legal());
    }

    /// The seats whose answers the game waits for, in their order; none after the end.
    fn seats_asked(&self) -> impl Iterator<Item = usize>;

    /// Plays on from the answers of all asked seats, in their order.
    ///
    /// # Errors
    ///
    /// If an action is not legal.
    fn answer_all(&mut self, answers: &[(usize, ActionOf<Self>)]) -> Result<(), Self::Refusal>;

    /// The points of each seat, once the game has ended.
    fn end_scores(&self) -> Option<Vec<f64>>;
}

/// An event of a game.
pub type EventOf<G> = <<G as WholeGame>::Table as SeatTable>::Event;
/// An action in a game.
pub type ActionOf<G> = <<G as WholeGame>::Table as SeatTable>::Action;
