//! Replays a record: judges its games by their rules, and computes their luck.

use std::io::{BufRead, Cursor};

use protocol::game_record::LineForm;
use riichi::Finding;
use riichi::game::RiichiGame;
use serde_json::Value;

use crate::course::{CannotWatch, RecordedCourse};
use crate::game::SeatValues;
use crate::game::luck::WeightedLuck;
use crate::judgement::{JudgedGame, RecordFinding, cut_in, known_errors};
use crate::record::RecordError;
use crate::replayed::{ReplayedGame, courses, line_of};

#[derive(Debug, Default)]
pub struct Replayed {
    pub events: u64,
    /// Number of games begun.
    pub games: u64,
    /// Number of rounds begun.
    pub rounds: u64,
    /// The seats whose tiles or cards the last game shows, of those asked for; if it shows none,
    /// all of them.
    pub seats: Vec<usize>,
    /// Whether the tiles or cards of some seats that were asked for are hidden.
    pub some_hidden: bool,
    /// What is found, in order of lines. An impossible event is the last.
    pub findings: Vec<RecordFinding>,
    /// The moments in which games end before their end.
    pub cuts: Vec<String>,
}

impl Replayed {
    /// The first impossible event, if there is one.
    pub fn contradiction(&self) -> Option<&RecordFinding> {
        self.findings.iter().find(|found| found.is_impossible())
    }
}

/// The games of a whole record.
///
/// # Errors
///
/// If it cannot be read to its end, or has no deal but needs one.
pub fn whole_courses<G: ReplayedGame>(
    lines: Box<dyn BufRead>,
) -> Result<Vec<RecordedCourse<G>>, RecordError> {
    match courses::<G>(lines)? {
        (courses, None) => Ok(courses),
        (_, Some(why)) => Err(why),
    }
}

/// Judges a game as [`ReplayedGame::judged`] does, and takes over the length that its rounds show:
/// few records say it, and a policy's choices depend on it.
pub fn judge_course<G: ReplayedGame>(
    course: &mut RecordedCourse<G>,
    seat: Option<usize>,
) -> JudgedGame {
    let judged = G::judged(course, seat);
    if let Some(length) = judged.length {
        course.rules = G::with_length(course.rules, length);
    }
    judged
}

/// Judges the games of a record, up to the first impossible event: by all hands that it shows, or
/// as one seat sees it.
///
/// # Errors
///
/// If a game has no such seat, or its hand is hidden but needed.
pub fn replay<G: ReplayedGame>(
    courses: &[RecordedCourse<G>],
    seat: Option<usize>,
) -> Result<Replayed, CannotWatch> {
    let mut replayed = Replayed::default();
    for (number, course) in courses.iter().enumerate() {
        replayed.games += 1;
        let asked: Vec<usize> =
            seat.map_or_else(|| (0..course.players()).collect(), |seat| vec![seat]);
        let shown: Vec<usize> = asked
            .iter()
            .copied()
            .filter(|seat| course.known.contains(seat))
            .collect();
        replayed.some_hidden = !shown.is_empty() && shown.len() < asked.len();
        // In a record of one seat the tiles of the others are hidden.
        replayed.seats = if shown.is_empty() { asked } else { shown };
        replayed.events += course.events.len() as u64;
        let begun = course
            .events
            .iter()
            .filter(|(_, event)| G::Form::begins_round(event))
            .count();
        replayed.rounds += begun as u64 + u64::from(!course.deals.is_empty());
        if course.dealt == 0 {
            let Some((line, event)) = courses.get(number + 1).and_then(|next| next.events.first())
            else {
                continue;
            };
            let event = line_of::<G>(event);
            let fields: Value = serde_json::from_str(&event).unwrap_or_default();
            let kind = fields["type"].as_str().unwrap_or_default().to_owned();
            replayed.findings.push(RecordFinding {
                line: *line,
                finding: Finding::because("type", kind, "the game has begun already"),
                event,
            });
            return Ok(replayed);
        }
        if let Some(seat) = seat {
            course.check_seat(seat)?;
        }
        let JudgedGame { findings, cut, .. } = G::judged(course, seat);
        replayed.findings.extend(findings);
        if replayed.contradiction().is_some() {
            return Ok(replayed);
        }
        replayed.cuts.extend(cut);
    }
    Ok(replayed)
}

/// What the log of a whole game of riichi, with all hands, contradicts in the rules, in words;
/// `None` if nothing.
pub fn contradictions_of_log(log: &str) -> Option<String> {
    let lines = Box::new(Cursor::new(log.as_bytes().to_vec()));
    let replayed = match whole_courses::<RiichiGame>(lines) {
        Ok(courses) => replay(&courses, None),
        Err(error) => return Some(error.to_string()),
    };
    let replayed = match replayed {
        Ok(replayed) => replayed,
        Err(error) => return Some(error.to_string()),
    };
    let mut words = known_errors(&replayed.findings);
    words.extend(replayed.contradiction().map(ToString::to_string));
    words.extend(replayed.cuts.iter().map(|cut| cut_in(cut)));
    if words.is_empty() && replayed.rounds == 0 {
        words.push("it has no round".to_owned());
    }
    (!words.is_empty()).then(|| words.join("; "))
}

/// What luck has added to the measure of each seat in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LuckOfGame {
    /// By seat, in [parts](crate::game::luck::PARTS).
    pub of_seats: SeatValues,
    /// The version of the luck.
    pub version: &'static str,
}

/// The luck in the log of a whole game of riichi; `None` unless it shows all tiles, and nothing in
/// it contradicts the rules.
pub fn luck_of_log(log: &str) -> Option<LuckOfGame> {
    let lines = Box::new(Cursor::new(log.as_bytes().to_vec()));
    let mut courses = whole_courses::<RiichiGame>(lines).ok()?;
    let course = courses.first_mut()?;
    let judged = judge_course(course, None);
    let is_sound = judged.impossible().is_none() && judged.cut.is_none();
    let luck = is_sound.then(|| luck_of_course(course)).flatten();
    luck.filter(|_| courses.len() == 1)
}

/// The luck of a recorded game, as far as it is recorded; `None` if it hides a tile or card, or no
/// weights are fitted to its rules.
pub fn luck_of_course<G: ReplayedGame>(course: &RecordedCourse<G>) -> Option<LuckOfGame> {
    let mut luck = WeightedLuck::<G>::new(&course.rules)?;
    let hidden = course.events.iter().any(|(_, event)| G::is_hidden(event));
    if hidden || course.known.len() < course.players() {
        return None;
    }
    let tables = (0..course.players()).map(|seat| course.table(seat).ok());
    let mut tables: Vec<_> = tables.collect();
    for (seat, table) in tables.iter_mut().enumerate() {
        if let (Some(table), Some(deal)) = (table, course.deal(seat)) {
            table.apply(deal).ok()?;
        }
    }
    if !course.deals.is_empty() {
        luck.dealt(&course.deals);
    }
    for (_, event) in &course.events {
        for (seat, table) in tables.iter_mut().enumerate() {
            table.as_mut()?.apply(&G::heard_by(event, seat)).ok()?;
        }
        luck.heard(event, &tables);
    }
    Some(LuckOfGame {
        of_seats: luck.of_seats(),
        version: luck.version(),
    })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use riichi::event::StartKyoku;
    use riichi::game::RiichiGame;
    use riichi::{Event, PerSeat, Seat, Tile, Wind};

    use super::*;

    #[test]
    fn a_seat_that_a_game_for_three_has_not_is_refused() {
        let tile = Tile::new(0).expect("the first tile");
        let start = StartKyoku {
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: Seat::FIRST,
            dora_marker: tile,
            scores: None,
            tehais: PerSeat::from_fn(3, |_| None),
        };
        let events = [Event::StartGame { seat: None }, Event::StartKyoku(start)];
        let lines = events.iter().map(line_of::<RiichiGame>);
        let lines = Cursor::new(lines.collect::<Vec<_>>().join("\n"));
        let courses = whole_courses::<RiichiGame>(Box::new(lines)).expect("it can be read");
        let error = replay(&courses, Some(3)).expect_err("three play");
        assert_eq!(
            error.to_string(),
            "line 2: a game of 3 players has no seat 3; allowed: 0 to 2"
        );
    }
}
