//! Recorded games of any game.

use std::io::{self, BufRead, Read};
use std::iter::Peekable;
use std::path::Path;

use policy_host::PolicyTable;
use protocol::game_record::{GameOutcome, RecordForm, RecordStart, RecordedGame, WrongEnd};
use riichi::event::StartKyoku;
use riichi::game::RiichiGame;
use riichi::referee::RecordedFacts;
use riichi::{Event, EventOf, Rules, Seat};

use crate::game::{LabGame, SteppedGame};
use crate::record::{RecordError, RecordedEvent, open_lines};

#[derive(Debug)]
pub struct RecordedCourse<G: LabGame> {
    /// Its rules, as far as the record shows them.
    pub rules: G::Rules,
    /// The line of the first deal, from 1.
    pub dealt: u64,
    /// The deal from the point of view of each seat, if it is not an event.
    pub deals: Vec<Option<EventOf<G>>>,
    /// The events, each with its line.
    pub events: Vec<(u64, EventOf<G>)>,
    /// What the lines say besides the events, each with the place of its event; nothing for most.
    pub told: Vec<(usize, G::Facts)>,
    /// The seats whose tiles or cards are known.
    pub known: Vec<usize>,
    /// The outcome, if it is recorded separately from the events.
    pub outcome: Option<GameOutcome>,
    /// Whether it has a line of its own for the end of the game.
    pub has_end: bool,
    /// Why the recorded end cannot be that of these events.
    pub wrong_end: Option<WrongEnd>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotWatch {
    #[error("line {line}: a game of {players} players has no seat {seat}; allowed: 0 to {}", players - 1)]
    NoSuchSeat {
        /// Line of the first deal, from 1.
        line: u64,
        seat: usize,
        players: usize,
    },
    /// Its tiles or cards are unknown.
    #[error("line {line}: the hand of seat {seat} is hidden")]
    Hidden {
        /// Line of the deal, from 1.
        line: u64,
        seat: usize,
    },
}

impl<G: LabGame> RecordedCourse<G> {
    #[must_use]
    pub fn players(&self) -> usize {
        G::seat_count(&self.rules)
    }

    /// Checks that the game can be watched from a seat.
    ///
    /// # Errors
    ///
    /// If it has no such seat, or the seat's deal is hidden but needed.
    pub fn check_seat(&self, seat: usize) -> Result<(), CannotWatch> {
        match (self.deals.get(seat), self.players()) {
            (_, players) if seat >= players => Err(CannotWatch::NoSuchSeat {
                line: self.dealt,
                seat,
                players,
            }),
            (Some(None), _) => Err(CannotWatch::Hidden {
                line: self.dealt,
                seat,
            }),
            _ => Ok(()),
        }
    }

    /// The table of a seat before the deal.
    pub(crate) fn table(&self, seat: usize) -> Result<PolicyTable<G::Table>, CannotWatch> {
        self.check_seat(seat)?;
        Ok(PolicyTable::new(G::seat_table(self.rules, seat)))
    }

    /// The deal from the point of view of a seat, if it is not an event.
    pub(crate) fn deal(&self, seat: usize) -> Option<&EventOf<G>> {
        self.deals.get(seat).and_then(Option::as_ref)
    }
}

/// The games of a record, as far as it can be read, with the reason why the rest cannot; an error
/// without a deal that is needed.
pub type ReadCourses<G> = Result<(Vec<RecordedCourse<G>>, Option<RecordError>), RecordError>;

/// The games of a record of riichi. The number of players comes from the first round of each; all
/// other rules are the defaults.
pub(crate) fn riichi_courses(
    events: impl IntoIterator<Item = Result<RecordedEvent, RecordError>>,
) -> ReadCourses<RiichiGame> {
    let mut courses: Vec<RecordedCourse<RiichiGame>> = Vec::new();
    for entry in events {
        let RecordedEvent { line, event, told } = match entry {
            Ok(entry) => entry,
            Err(why) => return Ok((courses, Some(why))),
        };
        if courses.is_empty() || matches!(event, Event::StartGame { .. }) {
            let (rules, known) = (Rules::TENHOU_HALF, Vec::new());
            courses.push(RecordedCourse {
                rules,
                dealt: 0,
                deals: Vec::new(),
                events: Vec::new(),
                told: Vec::new(),
                known,
                outcome: None,
                has_end: false,
                wrong_end: None,
            });
        }
        let Some(course) = courses.last_mut() else {
            continue;
        };
        if let (Event::StartKyoku(StartKyoku { tehais, .. }), 0) = (&event, course.dealt) {
            (course.dealt, course.rules) =
                (line, Rules::TENHOU_HALF.with_players(tehais.players()));
            let shown = |seat: &Seat| tehais[*seat].is_some();
            course.known = Seat::all(tehais.players())
                .filter(shown)
                .map(Seat::index)
                .collect();
        }
        if told != RecordedFacts::default() {
            course.told.push((course.events.len(), told));
        }
        course.events.push((line, event));
    }
    Ok((courses, None))
}

/// The games of a record in the form of [`protocol::game_record`].
pub(crate) fn stepped_courses<G: SteppedGame>(lines: Box<dyn BufRead>) -> ReadCourses<G> {
    let mut lines = (1..).zip(lines.lines()).peekable();
    let mut courses = Vec::new();
    loop {
        match stepped_course::<G>(&mut lines) {
            Ok((course, None)) => courses.push(course),
            Ok((course, broken)) => {
                courses.push(course);
                return Ok((courses, broken));
            }
            Err(why) if courses.is_empty() => return Err(why),
            Err(why) => return Ok((courses, Some(why))),
        }
        if lines.peek().is_none() {
            return Ok((courses, None));
        }
    }
}

/// The next game of a record, with the reason why the rest of it cannot be read.
fn stepped_course<G: SteppedGame>(
    lines: &mut Peekable<impl Iterator<Item = (u64, io::Result<String>)>>,
) -> Result<(RecordedCourse<G>, Option<RecordError>), RecordError> {
    let mut record =
        RecordedGame::<G::Record>::after_lines(lines.peek().map_or(0, |(number, _)| number - 1));
    let mut unread = None;
    let is_start = |line: &str| RecordStart::read(line).is_some();
    // After the end of a game another may follow.
    while let Some((_, line)) = lines.next_if(|(_, line)| {
        record.end.is_none() || line.as_ref().is_ok_and(|line| !is_start(line))
    }) {
        match line {
            Ok(line) => _ = record.line(&line),
            Err(why) => unread = Some(RecordError::from(why)),
        }
        if unread.is_some() || record.broken.is_some() {
            break;
        }
    }
    let broken = unread.or(record.broken.take().map(RecordError::Line));
    let known: Vec<usize> = (0..record.deals.len())
        .filter(|&seat| record.deals[seat].is_some())
        .collect();
    if known.is_empty() {
        return Err(broken.unwrap_or(RecordError::NothingDealt));
    }
    let course = RecordedCourse {
        rules: G::Record::rules(&record),
        dealt: record.dealt,
        outcome: record.outcome(),
        has_end: record.end.is_some(),
        wrong_end: record.wrong_end(),
        deals: record.deals,
        events: record.event_lines.into_iter().zip(record.events).collect(),
        told: Vec::new(),
        known,
    };
    Ok((course, broken))
}

/// The first line of a record, unless it is an mjai record.
///
/// # Errors
///
/// If it cannot be read.
pub fn record_start(path: &Path) -> io::Result<Option<RecordStart>> {
    let mut line = Vec::new();
    open_lines(path)?
        .take(protocol::MAX_FRAME as u64)
        .read_until(b'\n', &mut line)?;
    Ok(RecordStart::read(&String::from_utf8_lossy(&line)))
}
