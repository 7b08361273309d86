//! Records in which the deal and the result have their own lines.

use protocol::game_record::{LineForm, RecordForm, RecordedGame};
use riichi::{EventOf, Finding};

use super::{ReplayedGame, line_of};
use crate::course::RecordedCourse;
use crate::game::SteppedGame;
use crate::judgement::{JudgedGame, RecordFinding};

/// The recorded game, if a hand is known: what [`ReplayedGame::course`] returns for such a game.
pub fn course_of<G: SteppedGame>(record: RecordedGame<G::Form>) -> Option<RecordedCourse<G>> {
    let known: Vec<usize> = (0..record.deals.len())
        .filter(|&seat| record.deals[seat].is_some())
        .collect();
    (!known.is_empty()).then(|| RecordedCourse {
        rules: G::Form::rules(&record),
        dealt: record.dealt,
        outcome: record.outcome(),
        has_end: record.end.is_some(),
        wrong_end: record.wrong_end(),
        deals: record.deals,
        events: record.event_lines.into_iter().zip(record.events).collect(),
        told: record.facts,
        known,
    })
}

/// Judges a game by its deals and events, as the referee of the game does, and by its last line.
/// The referee returns what is wrong, with the place of the event, or none for the deal.
pub fn judged_by<G: ReplayedGame + SteppedGame>(
    course: &RecordedCourse<G>,
    seat: Option<usize>,
    referee: impl Fn(&[Option<EventOf<G>>], &[EventOf<G>]) -> Result<(), (Option<usize>, Finding)>,
) -> JudgedGame {
    let is_watched = |known: usize| seat.is_none_or(|seat| seat == known);
    let deals: Vec<Option<EventOf<G>>> = course
        .deals
        .iter()
        .enumerate()
        .map(|(known, deal)| deal.clone().filter(|_| is_watched(known)))
        .collect();
    let heard = |event: &EventOf<G>| {
        seat.map_or_else(
            || event.clone(),
            |seat| G::heard_by(event, seat).into_owned(),
        )
    };
    let events: Vec<EventOf<G>> = course
        .events
        .iter()
        .map(|(_, event)| heard(event))
        .collect();
    let mut judged = JudgedGame {
        cut: (!course.has_end).then(String::new),
        ..JudgedGame::default()
    };
    let found = match (referee(&deals, &events), &course.wrong_end) {
        (Err((Some(place), finding)), _) => {
            let (line, event) = &course.events[place];
            RecordFinding {
                line: *line,
                finding,
                event: line_of::<G>(event),
            }
        }
        (Err((None, finding)), _) => RecordFinding {
            line: course.dealt,
            finding,
            event: G::Form::deal_line(&course.deals).unwrap_or_default(),
        },
        (Ok(()), Some(wrong)) => RecordFinding {
            line: wrong.line,
            finding: wrong.finding.clone(),
            event: wrong.end.clone(),
        },
        (Ok(()), None) => return judged,
    };
    judged.findings.push(found);
    judged
}
