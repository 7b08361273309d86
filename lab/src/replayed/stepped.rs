//! Judges records in the form of [`protocol::game_record`].

use std::borrow::Cow;

use protocol::game_record::RecordForm;
use riichi::{EventOf, Finding};
use serde_json::Value;

use super::ReplayedGame;
use crate::course::RecordedCourse;
use crate::game::SteppedGame;
use crate::judgement::{JudgedGame, RecordFinding};

/// The type of an event whose line this is.
pub(super) fn type_of(line: &str) -> Cow<'static, str> {
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    line["type"].as_str().unwrap_or_default().to_owned().into()
}

/// Judges a game by its deals and events, as the referee of the game does, and by its last line.
pub(super) fn judged_by<G: ReplayedGame + SteppedGame>(
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
        findings: Vec::new(),
        cut: (!course.has_end).then(String::new),
    };
    let found = match (referee(&deals, &events), &course.wrong_end) {
        (Err((Some(place), finding)), _) => {
            let (line, event) = &course.events[place];
            RecordFinding {
                line: *line,
                finding,
                event: G::line_of(event),
            }
        }
        (Err((None, finding)), _) => RecordFinding {
            line: course.dealt,
            finding,
            event: G::Record::deal_line(&course.deals),
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
