//! The operations for replaying the records of a game: when a seat is asked, its action, and its
//! actions as text.

mod doudizhu;
mod mcr;
mod riichi;
mod stepped;

use std::borrow::Cow;
use std::io::BufRead;

use ::riichi::{ActionOf, EventOf, SeatTable, WholeGame};
use policy_host::{PolicyTable, ShownTable};
use protocol::game_record::GameOutcome;

use crate::course::{ReadCourses, RecordedCourse};
use crate::game::LabGame;
use crate::judgement::JudgedGame;

/// A moment of a record at which the watched seat has a choice.
pub struct RecordDecision<'a, G: LabGame> {
    pub seat: usize,
    /// Line of the record after which it is asked, from 1.
    pub line: u64,
    /// Number of the round in the record, from 1.
    pub round: u64,
    /// Number of the decision in the round, from 1.
    pub number: u64,
    /// The game from the point of view of the seat.
    pub table: &'a PolicyTable<G::Table>,
    pub legal: Vec<ActionOf<G>>,
    pub next: &'a [(u64, EventOf<G>)],
    /// The outcome of the game, if it is recorded separately.
    pub outcome: Option<&'a GameOutcome>,
}

/// The error of a table that refuses an event.
pub type ContradictionOf<G> = <<G as WholeGame>::Table as SeatTable>::Contradiction;

pub trait ReplayedGame: LabGame<Table: ShownTable<Event: Sync>> {
    /// The word for the pieces in a hand: tiles or cards.
    const PIECES: &'static str = "tiles";
    /// The sorts of decisions, by the chosen action.
    const SORTS: &'static [&'static str];

    /// The games of a record.
    ///
    /// # Errors
    ///
    /// If it has no deal, in a game whose records begin with it.
    fn courses(lines: Box<dyn BufRead>) -> ReadCourses<Self>;

    /// The index of an action's sort among these.
    fn decision_sort(action: &ActionOf<Self>) -> usize;

    fn words(action: &ActionOf<Self>) -> String;

    /// The moment of a decision and the seat's hand, as text.
    fn moment(table: &Self::Table) -> String;

    fn line_of(event: &EventOf<Self>) -> String;

    /// The name of the event's type.
    fn name_of(event: &EventOf<Self>) -> Cow<'static, str>;

    /// Judges a game by its rules: by all hands that its record shows, or as one seat sees it.
    fn judged(course: &RecordedCourse<Self>, seat: Option<usize>) -> JudgedGame;

    /// Whether a table takes an event over although it contradicts earlier ones.
    fn takes_effect(_: &ContradictionOf<Self>) -> bool {
        false
    }

    fn begins_round(_: &EventOf<Self>) -> bool {
        false
    }

    /// Whether the seat is asked before the next event; that event may belong to the previous one.
    fn is_asked(_: &Self::Table, _next: Option<&EventOf<Self>>) -> bool {
        true
    }

    /// The action of the seat, if the next events show it.
    fn done(decision: &RecordDecision<'_, Self>) -> Option<ActionOf<Self>>;

    /// Whether two actions differ only in irrelevant details.
    fn is_same(one: &ActionOf<Self>, other: &ActionOf<Self>) -> bool {
        one == other
    }
}

impl<G: LabGame> RecordDecision<'_, G> {
    /// The legal action for which `wanted` is true.
    fn listed(&self, wanted: impl Fn(&ActionOf<G>) -> bool) -> Option<ActionOf<G>> {
        self.legal.iter().find(|action| wanted(action)).cloned()
    }
}
