//! What it takes to replay the records of a game: when a seat is asked, what it did, and its actions in words.

mod doudizhu;
mod mcr;
mod riichi;

use ::riichi::{ActionOf, EventOf};
use policy_host::{PolicyTable, ShownTable};
use protocol::game_record::GameOutcome;

use crate::game::LabGame;

/// A moment of a record at which the watched seat has a choice.
pub struct RecordDecision<'a, G: LabGame> {
    /// The seat.
    pub seat: usize,
    /// Line of the record after which it is asked, from 1.
    pub line: u64,
    /// Number of the round in the record, from 1.
    pub round: u64,
    /// Number of the decision in the round, from 1.
    pub number: u64,
    /// The game as the seat knows it.
    pub table: &'a PolicyTable<G::Table>,
    /// What it may do.
    pub legal: Vec<ActionOf<G>>,
    /// What comes next in the record.
    pub next: &'a [(u64, EventOf<G>)],
    /// How the game ended, where that is recorded apart.
    pub outcome: Option<&'a GameOutcome>,
}

/// A game whose records can be replayed.
pub trait ReplayedGame: LabGame<Table: ShownTable<Event: Sync>> {
    /// What a seat holds: tiles or cards.
    const PIECES: &'static str = "tiles";
    /// The sorts of decision, by what was done.
    const SORTS: &'static [&'static str];

    /// The place of an action's sort among these.
    fn decision_sort(action: &ActionOf<Self>) -> usize;

    /// An action in words.
    fn words(action: &ActionOf<Self>) -> String;

    /// When a seat is asked and what it holds, in words.
    fn moment(table: &Self::Table) -> String;

    /// What happened, as the line of a record has it.
    fn line_of(event: &EventOf<Self>) -> String;

    /// Whether a round begins with this.
    fn begins_round(_: &EventOf<Self>) -> bool {
        false
    }

    /// Whether the seat is asked before what comes next, which may belong to what came before.
    fn is_asked(_: &Self::Table, _next: Option<&EventOf<Self>>) -> bool {
        true
    }

    /// What the seat did, as far as what came next shows it.
    fn done(decision: &RecordDecision<'_, Self>) -> Option<ActionOf<Self>>;

    /// Whether two actions differ in nothing but what makes no difference.
    fn is_same(one: &ActionOf<Self>, other: &ActionOf<Self>) -> bool {
        one == other
    }
}

impl<G: LabGame> RecordDecision<'_, G> {
    /// The action among those that it may do.
    fn listed(&self, wanted: impl Fn(&ActionOf<G>) -> bool) -> Option<ActionOf<G>> {
        self.legal.iter().find(|action| wanted(action)).cloned()
    }
}
