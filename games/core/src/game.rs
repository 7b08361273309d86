//! The two traits of which all else is made: a whole game, and the game as one seat may know it.

use std::fmt::Debug;

/// A game as one of its seats may know it.
///
/// It is fed with what the seat hears, and says what the seat may do.
pub trait SeatTable {
    /// What happens, as this seat hears of it.
    type Event: Clone + Debug;
    /// What the seat may do.
    type Action: Clone + Debug + PartialEq;
    /// Why an event cannot have happened.
    type Contradiction: std::error::Error;

    /// Takes in an event.
    ///
    /// # Errors
    ///
    /// When it contradicts what came before; the state is then as it was.
    fn apply(&mut self, event: &Self::Event) -> Result<(), Self::Contradiction>;

    /// What the seat may do now; empty where it has nothing to do.
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
/// Each seat keeps a [`SeatTable`] of its own and applies the deal and the news to it, as it [hears](Self::heard_by) of them. The
/// seats that are asked choose among what their tables allow, until the game has ended.
pub trait WholeGame: Sized {
    /// What is agreed before the deal.
    type Rules: Copy + Debug + Send + Sync;
    /// The game as one of its seats may know it.
    type Table: SeatTable;

    /// The rules for so many players, where nothing else is agreed.
    fn usual_rules(players: u8) -> Self::Rules;

    /// How many seats the table has.
    fn seat_count(rules: &Self::Rules) -> usize;

    /// The game with this number among those of a seed, which is the same for the same numbers.
    fn numbered(rules: Self::Rules, seed: u64, number: u64) -> Self;

    /// A seat's table before the deal.
    fn seat_table(rules: Self::Rules, seat: usize) -> Self::Table;

    /// The deal as a seat hears of it; `None` where the news begin with it.
    fn deal_for(&self, seat: usize) -> Option<EventOf<Self>>;

    /// What has happened since the last answers, nothing hidden.
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

/// What happens in a game.
pub type EventOf<G> = <<G as WholeGame>::Table as SeatTable>::Event;
/// What is done in a game.
pub type ActionOf<G> = <<G as WholeGame>::Table as SeatTable>::Action;
