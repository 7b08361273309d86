//! The two basic traits: a whole game, and the game from one seat's point of view.

use std::fmt::Debug;

/// A game as one of its seats may know it.
///
/// It receives the events that the seat hears, and lists the seat's legal actions.
pub trait SeatTable {
    /// An event, as this seat hears it.
    type Event: Clone + Debug;
    /// An action of the seat.
    type Action: Clone + Debug + PartialEq;
    /// Why an event cannot have happened.
    type Contradiction: std::error::Error;

    /// Takes in an event.
    ///
    /// # Errors
    ///
    /// If the event contradicts earlier ones; the state is then unchanged.
    fn apply(&mut self, event: &Self::Event) -> Result<(), Self::Contradiction>;

    /// The seat's legal actions; empty if it has nothing to do.
    fn legal(&self) -> Vec<Self::Action>;

    /// Whether there is anything to decide among these actions.
    #[must_use]
    fn leaves_choice(legal: &[Self::Action]) -> bool {
        legal.len() > 1
    }

    /// The index of the action that is right when nothing was decided; `None` of an empty list.
    fn safe(&self, legal: &[Self::Action]) -> Option<usize>;
}

/// A whole game, with its walls or cards. Seats are numbered from 0.
///
/// Each seat has its own [`SeatTable`] and applies the deal and the news to it, as it [hears](Self::heard_by) them. The
/// seats that are asked choose among their legal actions, until the game has ended.
pub trait WholeGame: Sized {
    /// The settings that are agreed before the deal.
    type Rules: Copy + Debug + Send + Sync;
    /// The game as one of its seats may know it.
    type Table: SeatTable;

    /// The default rules for this many players.
    fn usual_rules(players: u8) -> Self::Rules;

    /// Number of seats at the table.
    fn seat_count(rules: &Self::Rules) -> usize;

    /// The game with this number in the series of a seed; the same numbers give the same game.
    fn numbered(rules: Self::Rules, seed: u64, number: u64) -> Self;

    /// A seat's table before the deal.
    fn seat_table(rules: Self::Rules, seat: usize) -> Self::Table;

    /// The deal as a seat hears it; `None` if the news begin with it.
    fn deal_for(&self, seat: usize) -> Option<EventOf<Self>>;

    /// The events since the last answers, with nothing hidden.
    fn news(&self) -> &[EventOf<Self>];

    /// An event as a seat hears of it.
    fn heard_by(event: &EventOf<Self>, seat: usize) -> EventOf<Self>;

    /// The seats whose answers the game waits for, in their order; none after the end.
    fn seats_asked(&self) -> impl Iterator<Item = usize>;

    /// Plays on from the answers of all asked seats, in their order.
    ///
    /// # Errors
    ///
    /// When an action is not legal, in words.
    fn answer_all(&mut self, answers: &[(usize, ActionOf<Self>)]) -> Result<(), String>;

    /// The points of each seat, once the game has ended.
    fn end_scores(&self) -> Option<Vec<f64>>;
}

/// An event of a game.
pub type EventOf<G> = <<G as WholeGame>::Table as SeatTable>::Event;
/// An action in a game.
pub type ActionOf<G> = <<G as WholeGame>::Table as SeatTable>::Action;
