//! What a page shows.

use riichi::{Action, Event, Seat};

/// A game to be shown, with what is known of the decisions of one seat.
///
/// All texts may come from strangers: they are shown as texts, long ones cut.
#[derive(Debug, Default)]
pub struct GamePage {
    /// What the game is called.
    pub title: String,
    /// Names of the seats in their order; missing ones are called by their numbers.
    pub names: Vec<String>,
    /// The seat at the bottom, whose decisions are shown.
    pub seat: Option<Seat>,
    /// What else is known of the game: a word, and what is to be said of it.
    pub facts: Vec<(String, String)>,
    /// What is wrong with the record.
    pub warnings: Vec<String>,
    /// The events of one game, in order. What comes after the first that cannot have happened is left out, and the page says
    /// so.
    pub events: Vec<Event>,
    /// The moments at which the seat had a choice, in order.
    pub decisions: Vec<PageDecision>,
    /// Who else was asked at each of them.
    pub other: Option<String>,
    /// Where the bot's picture of the game and the arena's differed.
    pub desyncs: Vec<PageDesync>,
}

/// A moment at which a bot's picture of the game and the arena's differed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageDesync {
    /// Index of the event after which that was.
    pub after: usize,
    /// In what they differed.
    pub kind: String,
}

/// A moment at which the seat had a choice.
#[derive(Debug)]
pub struct PageDecision {
    /// Index of the event after which it was asked.
    pub after: usize,
    /// What it could do.
    pub legal: Vec<Action>,
    /// What it did, where the game shows it.
    pub done: Option<Action>,
    /// What the bot's record says of it.
    pub own: Option<OwnChoice>,
    /// What the other policy would have done.
    pub other: Option<OtherChoice>,
    /// A figure for each action by simulation, where one was made.
    pub simulated: Option<Vec<f32>>,
}

/// What a bot decided, by its own record.
#[derive(Debug, Default)]
pub struct OwnChoice {
    /// Which of the actions it chose.
    pub chosen: Option<usize>,
    /// Its value of each action; not a number where it gave none.
    pub values: Vec<f32>,
    /// Why.
    pub reason: String,
    /// Which policy decided: name and version.
    pub policy: String,
    /// How long it took, microseconds.
    pub took_us: Option<u64>,
    /// Why the safe answer was given in its place, if it was.
    pub safe_answer: Option<String>,
    /// Whether the arena's list of actions differs from that of the rules.
    pub desync: bool,
}

/// What another policy would have done.
#[derive(Debug, Default)]
pub struct OtherChoice {
    /// Which of the actions it would choose.
    pub chosen: Option<usize>,
    /// Its value of each action; not a number where it gave none.
    pub values: Vec<f32>,
    /// Why, or why it did not decide.
    pub reason: String,
    /// Whether that is what was done; `None` when it is not known what was done.
    pub agrees: Option<bool>,
}
