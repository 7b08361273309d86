//! The decisions of one seat in a record.

use riichi::SeatTable;

use crate::course::{CannotWatch, RecordedCourse};
use crate::replayed::{RecordDecision, ReplayedGame};

/// The counts of a walk through a record.
#[derive(Debug, Default)]
pub struct Walked {
    /// Rounds begun.
    pub rounds: u64,
}

/// Goes through the games of a record from one seat and passes each of its decisions to `told`. It
/// ends at an event that the seat's table refuses; [`replay`](crate::replay::replay) says what is
/// wrong.
///
/// # Errors
///
/// If the seat cannot be watched, or with the first error of `told`.
pub fn each_decision<G: ReplayedGame, E: From<CannotWatch>>(
    courses: &[RecordedCourse<G>],
    seat: usize,
    mut told: impl FnMut(RecordDecision<'_, G>) -> Result<(), E>,
) -> Result<Walked, E> {
    let mut walked = Walked::default();
    for course in courses.iter().filter(|course| course.dealt > 0) {
        let mut table = course.table(seat)?;
        let mut number = 0;
        let dealt = course
            .deal(seat)
            .map(|deal| (course.dealt, deal, &course.events[..]));
        walked.rounds += u64::from(dealt.is_some());
        let happened = course.events.iter().enumerate();
        let happened =
            happened.map(|(place, (line, event))| (*line, event, &course.events[place + 1..]));
        for (line, event, next) in dealt.into_iter().chain(happened) {
            if G::begins_round(event) {
                walked.rounds += 1;
                number = 0;
            }
            if table
                .apply(&G::heard_by(event, seat))
                .is_err_and(|why| !G::takes_effect(&why))
            {
                return Ok(walked);
            }
            if !G::is_asked(&table, next.first().map(|(_, event)| event)) {
                continue;
            }
            let legal = table.legal();
            if !G::Table::leaves_choice(&legal) {
                continue;
            }
            number += 1;
            let (round, outcome) = (walked.rounds, course.outcome.as_ref());
            told(RecordDecision {
                seat,
                line,
                round,
                number,
                table: &table,
                legal,
                next,
                outcome,
            })?;
        }
    }
    Ok(walked)
}
