//! Whole games in which the policy has a seat.

use std::fmt::Debug;

use policy_host::{Asked, ScriptedQuestion, SeatTable, ViewBuffer};

use super::subject::Subject;

/// What decides walls and the policy's randomness in all trials, so that two of the same library are the same.
pub const SEED: u64 = 1;

/// One decision of so many is kept, to be asked again.
const KEPT: u32 = 16;

/// Why a game cannot be played out. None has been seen to happen; they are faults of the runner.
#[derive(Debug, thiserror::Error)]
pub enum TrialGameError {
    /// The rules engine fails, or refuses what our own list allows.
    #[error(transparent)]
    Engine(#[from] arena::ArenaGameError),
    /// The table refuses what the engine says.
    #[error("the table cannot take in {event}: {why}")]
    Table {
        /// What happened.
        event: String,
        /// Why it cannot have.
        why: String,
    },
    /// Nobody is asked, and the game is not over.
    #[error("nobody is asked, and the game is not over")]
    Stuck,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrialGame {
    /// The policy's place, from 1.
    pub place: u8,
    /// Its points.
    pub points: f64,
    /// Whether it won, where a game is won or lost.
    pub won: Option<bool>,
}

/// The games of one policy.
#[derive(Debug)]
pub struct TrialGames<A> {
    /// Decisions that the policy was asked for.
    pub decisions: u32,
    /// Some of its decisions, to be asked again.
    pub kept: Vec<(ScriptedQuestion<A>, A)>,
}

impl<A> Default for TrialGames<A> {
    fn default() -> Self {
        Self { decisions: 0, kept: Vec::new() }
    }
}

impl<A: Clone + PartialEq> TrialGames<A> {
    /// What the policy does, or the safe answer.
    ///
    /// # Panics
    ///
    /// When there is nothing that the seat may do.
    pub(super) fn act<T: SeatTable<Action = A>>(&mut self, chair: &mut TrialChair<T>, subject: &mut Subject) -> A {
        let mut legal = chair.table.legal();
        let safe = chair.table.safe(&legal).expect("something may be done");
        if !chair.table.leaves_choice(&legal) {
            return legal.swap_remove(safe);
        }
        chair.table.fill(&mut chair.view, &legal, &chair.asked);
        let place = format!("game {}, decision {}", chair.asked.game + 1, chair.asked.decision + 1);
        chair.asked.decision += 1;
        self.decisions += 1;
        let Some(answer) = subject.ask(&chair.view, &legal, &place) else { return legal.swap_remove(safe) };
        if self.decisions.is_multiple_of(KEPT) {
            let view = std::mem::take(&mut chair.view);
            self.kept.push((ScriptedQuestion { view, legal }, answer.action.clone()));
        }
        answer.action
    }
}

/// A seat with all it knows.
pub(super) struct TrialChair<T> {
    pub(super) table: T,
    view: ViewBuffer,
    asked: Asked,
}

impl<T: SeatTable<Event: Debug>> TrialChair<T> {
    /// A seat before the deal of the game with this number, counted from 1.
    pub(super) fn new(table: T, number: u64, asked: Asked) -> Self {
        Self { table, view: ViewBuffer::default(), asked: Asked { game: number - 1, seed: SEED, ..asked } }
    }

    pub(super) fn hear(&mut self, event: &T::Event) -> Result<(), TrialGameError> {
        let why = |contradiction: T::Contradiction| TrialGameError::Table {
            event: format!("{event:?}"),
            why: contradiction.to_string(),
        };
        self.table.apply(event).map_err(why)
    }
}
