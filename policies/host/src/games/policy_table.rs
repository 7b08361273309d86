//! A seat's table with all that its policy is shown of it.

use std::ops::Deref;

use game_core::SeatTable;
use policy_abi::head::GameView;

use crate::view::{Asked, ViewBuffer};

/// A seat's table that can be shown to a policy as a view.
pub trait ShownTable: SeatTable + Sized {
    /// The view, in the boundary's plain form.
    type View: GameView;
    /// The events, which a view needs besides the table.
    type Log;

    fn empty_log() -> Self::Log;

    /// Takes an event that the table has just applied into the log.
    fn log(&self, log: &mut Self::Log, event: &Self::Event);

    /// Fills a view with the seat's knowledge and legal actions.
    fn fill(&self, log: &Self::Log, view: &mut ViewBuffer, legal: &[Self::Action], asked: &Asked);

    /// Games for this many players that take the same course whatever the answers: the table of
    /// seat 0, and its events.
    fn scripts(players: u8) -> Vec<(Self, Vec<Self::Event>)>;

    /// Whether an event of the own seat carries out this action, if it is a call, a kan or a
    /// riichi. A policy that has not chosen it may not know what to do afterwards.
    fn is_declared(&self, _event: &Self::Event, _action: &Self::Action) -> bool {
        false
    }

    /// Number of these games that a policy plays before it is admitted.
    const SCRIPTS_AT_ADMISSION: usize = 1;
}

/// A seat's table with its log.
///
/// The caller feeds it with events and, when the seat has a choice, asks the policy with a filled
/// view and uses the answer as an index into [`legal`](SeatTable::legal).
#[derive(Debug, Clone)]
pub struct PolicyTable<T: ShownTable> {
    table: T,
    log: T::Log,
}

impl<T: ShownTable> PolicyTable<T> {
    /// A table before its first event.
    pub fn new(table: T) -> Self {
        Self {
            table,
            log: T::empty_log(),
        }
    }

    /// Takes in an event.
    ///
    /// # Errors
    ///
    /// As [`SeatTable::apply`].
    pub fn apply(&mut self, event: &T::Event) -> Result<(), T::Contradiction> {
        self.table.apply(event)?;
        self.table.log(&mut self.log, event);
        Ok(())
    }

    /// Fills a view with the seat's knowledge and legal actions.
    pub fn fill(&self, view: &mut ViewBuffer, legal: &[T::Action], asked: &Asked) {
        view.fill(&self.table, &self.log, legal, asked);
    }
}

impl ViewBuffer {
    /// Fills the view with the knowledge and legal actions of the table's seat.
    pub fn fill<T: ShownTable>(
        &mut self,
        table: &T,
        log: &T::Log,
        legal: &[T::Action],
        asked: &Asked,
    ) {
        table.fill(log, self, legal, asked);
    }
}

impl<T: ShownTable> Deref for PolicyTable<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.table
    }
}

/// A decision to be made.
#[derive(Debug)]
pub struct ScriptedQuestion<A> {
    pub view: ViewBuffer,
    pub legal: Vec<A>,
    /// The earlier questions, by their numbers, whose answer the seat has declared since, with that
    /// answer. An engine that has answered otherwise cannot get into this situation.
    pub declared: Vec<(usize, A)>,
}

impl<A> ScriptedQuestion<A> {
    /// A question of a game that went as the seat answered.
    pub fn new(view: ViewBuffer, legal: Vec<A>) -> Self {
        Self {
            view,
            legal,
            declared: Vec::new(),
        }
    }
}

/// All questions to seat 0 in the scripted games for this many players. The decisions are numbered
/// from `asked`'s on.
pub fn scripted_questions<T: ShownTable>(
    players: u8,
    asked: Asked,
) -> Vec<ScriptedQuestion<T::Action>> {
    questions_of::<T>(T::scripts(players), asked)
}

/// The views of seat 0 in the scripted games that a policy plays before it is admitted.
pub(super) fn admission_views<T: ShownTable>(players: u8, asked: Asked) -> Vec<ViewBuffer> {
    let scripts = T::scripts(players)
        .into_iter()
        .take(T::SCRIPTS_AT_ADMISSION);
    questions_of::<T>(scripts, asked)
        .into_iter()
        .map(|question| question.view)
        .collect()
}

fn questions_of<T: ShownTable>(
    scripts: impl IntoIterator<Item = (T, Vec<T::Event>)>,
    mut asked: Asked,
) -> Vec<ScriptedQuestion<T::Action>> {
    let mut questions: Vec<ScriptedQuestion<T::Action>> = Vec::new();
    for (table, events) in scripts {
        let mut table = PolicyTable::new(table);
        let (mut last, mut declared) = (None, Vec::new());
        for event in &events {
            let before = last.and_then(|number: usize| Some((number, questions.get(number)?)));
            declared.extend(before.and_then(|(number, question)| {
                let action = question
                    .legal
                    .iter()
                    .find(|action| table.is_declared(event, action))?;
                Some((number, action.clone()))
            }));
            table.apply(event).expect("the games can be played");
            let legal = table.legal();
            if T::leaves_choice(&legal) {
                let mut view = ViewBuffer::default();
                table.fill(&mut view, &legal, &asked);
                last = Some(questions.len());
                questions.push(ScriptedQuestion {
                    view,
                    legal,
                    declared: declared.clone(),
                });
                asked.decision += 1;
            }
        }
    }
    questions
}
