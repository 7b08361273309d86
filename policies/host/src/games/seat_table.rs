//! What every game brings: the state of one seat from public events, what it may do, what its policy is shown, and what is
//! right when nothing was decided.

use crate::view::{Asked, ViewBuffer};

/// A game as one seat may know it, and as its policy is shown it.
///
/// Whoever seats a bot feeds it with events, and where the seat has a choice asks the policy with a filled view and takes the
/// answer as an index into [`legal`](Self::legal).
pub trait SeatTable {
    /// What happens, as this seat hears of it.
    type Event;
    /// What the seat may do.
    type Action: Clone + PartialEq;
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

    /// Whether a policy is asked at all: what leaves no choice is not.
    fn leaves_choice(&self, legal: &[Self::Action]) -> bool {
        legal.len() > 1
    }

    /// The index of what is right when nothing was decided; `None` of an empty list.
    fn safe(&self, legal: &[Self::Action]) -> Option<usize>;

    /// Fills a view with what the seat may know, and with what it may do.
    fn fill(&self, view: &mut ViewBuffer, legal: &[Self::Action], asked: &Asked);
}

/// A decision to be made.
#[derive(Debug)]
pub struct ScriptedQuestion<A> {
    /// What the policy is shown.
    pub view: ViewBuffer,
    /// What may be done.
    pub legal: Vec<A>,
}

/// Everything that a seat is asked in a game that takes its course whatever is answered, and of which it hears by these events.
/// The decisions are numbered from `asked`'s on.
///
/// # Panics
///
/// When the game cannot be played.
#[must_use]
pub fn scripted_questions<T: SeatTable>(
    table: &mut T,
    events: &[T::Event],
    mut asked: Asked,
) -> Vec<ScriptedQuestion<T::Action>> {
    let mut questions = Vec::new();
    for event in events {
        if let Err(contradiction) = table.apply(event) {
            panic!("the game cannot be played: {contradiction}");
        }
        let legal = table.legal();
        if table.leaves_choice(&legal) {
            let mut view = ViewBuffer::default();
            table.fill(&mut view, &legal, &asked);
            questions.push(ScriptedQuestion { view, legal });
            asked.decision += 1;
        }
    }
    questions
}
