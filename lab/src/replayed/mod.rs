//! The operations for replaying the records of a game: when a seat is asked, and its action.

mod doudizhu;
mod mcr;
mod riichi;
mod stepped;

use std::io::BufRead;

use ::riichi::rules::Length;
use ::riichi::{ActionOf, EventOf, SeatTable, WholeGame};
use policy_host::{PolicyTable, ShownTable};
use protocol::game_record::{GameOutcome, LineForm, RecordedGame};

pub use self::stepped::{course_of, judged_by};
use crate::course::RecordedCourse;
use crate::game::LabGame;
use crate::judgement::JudgedGame;
use crate::record::{RecordError, TextLines};

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

/// A game whose records are replayed, judged, and reviewed decision by decision.
pub trait ReplayedGame: LabGame<Table: ShownTable<Event: Sync>> {
    /// The word for the pieces in a hand: tiles or cards.
    const PIECES: &'static str = "tiles";

    /// A recorded game; `None` if nothing can be replayed of it.
    fn course(record: RecordedGame<Self::Form>) -> Option<RecordedCourse<Self>>;

    /// The moment of a decision and the seat's hand, as text.
    fn moment(table: &Self::Table) -> String;

    /// Judges a game by its rules: by all hands that its record shows, or as one seat sees it.
    fn judged(course: &RecordedCourse<Self>, seat: Option<usize>) -> JudgedGame;

    /// The length of a game with these rules, if its games have one.
    fn length(_: &Self::Rules) -> Option<Length> {
        None
    }

    /// The rules of a game of this length; games without a length keep theirs.
    fn with_length(rules: Self::Rules, _: Length) -> Self::Rules {
        rules
    }

    /// Whether a table takes an event over although it contradicts earlier ones.
    fn takes_effect(_: &ContradictionOf<Self>) -> bool {
        false
    }

    /// Whether an event hides a tile or card from all seats, so that not the whole game is
    /// recorded.
    fn is_hidden(_: &EventOf<Self>) -> bool {
        false
    }

    /// Whether the seat is asked between two events; the next one may belong to the previous one.
    fn is_asked(_: &Self::Table, _previous: &EventOf<Self>, _next: Option<&EventOf<Self>>) -> bool {
        true
    }

    /// The action of the seat, if the next events show it.
    fn done(decision: &RecordDecision<'_, Self>) -> Option<ActionOf<Self>>;

    /// Whether two actions differ only in irrelevant details.
    fn is_same(one: &ActionOf<Self>, other: &ActionOf<Self>) -> bool {
        one == other
    }

    /// The kind of a decision, by the question and not by the answer.
    fn kind_of(decision: &RecordDecision<'_, Self>) -> &'static str;

    /// What distinguishes two actions besides their values, in a sentence; empty if nothing is
    /// known.
    fn difference(
        _: &RecordDecision<'_, Self>,
        _own: &ActionOf<Self>,
        _done: &ActionOf<Self>,
    ) -> String {
        String::new()
    }
}

/// The games of a record, as far as it can be read, with the reason why the rest cannot; an error
/// without a deal that is needed.
pub type ReadCourses<G> = Result<(Vec<RecordedCourse<G>>, Option<RecordError>), RecordError>;

/// The games of a record, in the form of the game's lines.
///
/// # Errors
///
/// If the first game has no deal, in a game whose records begin with it.
pub fn courses<G: ReplayedGame>(lines: Box<dyn BufRead>) -> ReadCourses<G> {
    let mut lines = TextLines::new(lines);
    let (mut courses, mut record) = (Vec::new(), RecordedGame::<G::Form>::default());
    let unread = loop {
        match lines.next() {
            Ok(Some((_, text))) if record.line(text) => {}
            Ok(Some((number, text))) => {
                let mut next = RecordedGame::after_lines(number - 1);
                next.line(text);
                let ended = std::mem::replace(&mut record, next);
                match G::course(ended) {
                    Some(course) => courses.push(course),
                    None if courses.is_empty() => return Err(RecordError::NothingDealt),
                    None => return Ok((courses, Some(RecordError::NothingDealt))),
                }
            }
            Ok(None) => break None,
            Err(why) => break Some(why),
        }
        if record.broken.is_some() {
            break None;
        }
    };
    let broken = unread.or(record.broken.take().map(RecordError::Line));
    match G::course(record) {
        Some(course) => courses.push(course),
        None if !G::Form::IS_DEAL_APART => {}
        None if courses.is_empty() => return Err(broken.unwrap_or(RecordError::NothingDealt)),
        None => return Ok((courses, Some(broken.unwrap_or(RecordError::NothingDealt)))),
    }
    Ok((courses, broken))
}

/// The line of an event in a record.
pub fn line_of<G: LabGame>(event: &EventOf<G>) -> String {
    G::Form::event_line(event).unwrap_or_default()
}

impl<G: LabGame> RecordDecision<'_, G> {
    /// The legal action for which `wanted` is true.
    fn listed(&self, wanted: impl Fn(&ActionOf<G>) -> bool) -> Option<ActionOf<G>> {
        self.legal.iter().find(|action| wanted(action)).cloned()
    }
}
