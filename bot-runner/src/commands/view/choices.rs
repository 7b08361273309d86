//! The notes in a bot's record, matched with the decisions that they belong to.

use client::decision_note::RecordedDecision;
use lab::comparison::agrees;
use lab::replayed::RecordDecision;
use policy_host::{Decided, Fault};
use protocol::game_record::LineForm;
use riichi::{ActionOf, Seat, SeatTable};
use view::page::{OtherChoice, OwnChoice, PageDecision, ShownAction, SimulatedValue};

use super::viewed::ViewedGame;

/// A moment of the game at which the seat had a choice.
pub(super) struct Point<G: ViewedGame> {
    /// Number of events so far, not counting a deal that is not an event.
    pub(super) heard: usize,
    legal: Vec<ActionOf<G>>,
    /// The same in their written form, sorted.
    written: Vec<String>,
    done: Option<ActionOf<G>>,
    other: Option<Advised>,
    /// The simulated outcome of each action.
    simulated: Option<Vec<SimulatedValue>>,
}

/// Another policy's choice.
pub(super) enum Advised {
    Decided(Decided),
    Fault(Fault),
}

impl<G: ViewedGame> Point<G> {
    /// The moment of a decision, in a record with this many events.
    pub(super) fn of(
        decision: &RecordDecision<'_, G>,
        events: usize,
        other: Option<Advised>,
        simulated: Option<Vec<SimulatedValue>>,
    ) -> Self {
        let heard = events.saturating_sub(decision.next.len());
        Self {
            heard,
            legal: decision.legal.clone(),
            written: written::<G>(&decision.legal, Seat::at(decision.seat)),
            done: G::done(decision),
            other,
            simulated,
        }
    }

    pub(super) fn legal(&self) -> Vec<ActionOf<G>> {
        self.legal.clone()
    }

    /// The decision for the page at this round and step, with these actions and the bot's own note.
    pub(super) fn decision(
        self,
        legal: &[ActionOf<G>],
        note: Option<OwnChoice>,
        seat: usize,
        (round, step): (usize, usize),
    ) -> PageDecision {
        let other = self
            .other
            .map(|choice| other_choice::<G>(choice, &self.legal, legal, self.done.as_ref()));
        let simulated = self.simulated.map(|values| {
            let value = |action| {
                self.legal
                    .iter()
                    .position(|other| other == action)
                    .map(|index| values[index])
            };
            legal
                .iter()
                .map(|action| value(action).unwrap_or(SimulatedValue::NONE))
                .collect()
        });
        PageDecision {
            round,
            step,
            seat,
            done: self.done.and_then(|done| {
                let exact = legal.iter().position(|action| *action == done);
                exact.or_else(|| legal.iter().position(|action| G::is_same(action, &done)))
            }),
            legal: legal.iter().map(ShownAction::of).collect(),
            own: note,
            other,
            simulated,
            loss: None,
        }
    }
}

/// Actions in their written form, sorted.
fn written<G: ViewedGame>(legal: &[ActionOf<G>], seat: Option<Seat>) -> Vec<String> {
    let seat = seat.unwrap_or(Seat::FIRST);
    let action = |action| G::Form::action(action, seat).get().to_owned();
    let mut written: Vec<String> = legal.iter().map(action).collect();
    written.sort_unstable();
    written
}

/// A note with its actions.
struct Note<G: ViewedGame> {
    note: RecordedDecision,
    legal: Vec<ActionOf<G>>,
    written: Vec<String>,
}

impl<G: ViewedGame> Note<G> {
    /// `None` if the game has not all of its actions.
    fn of(note: RecordedDecision) -> Option<Self> {
        let legal = note.actions::<G::Form>()?;
        Some(Self {
            written: written::<G>(&legal, Some(note.seat)),
            legal,
            note,
        })
    }
}

/// Another policy's choice among `asked`, converted to the actions as `shown`.
fn other_choice<G: ViewedGame>(
    choice: Advised,
    asked: &[ActionOf<G>],
    shown: &[ActionOf<G>],
    done: Option<&ActionOf<G>>,
) -> OtherChoice {
    match choice {
        Advised::Fault(fault) => OtherChoice {
            reason: fault.to_string(),
            agrees: agrees::<G>(done, None),
            ..OtherChoice::default()
        },
        Advised::Decided(decided) => {
            let advice = asked.get(decided.index);
            let value = |action| {
                let index = asked.iter().position(|other| other == action);
                index
                    .and_then(|index| decided.values.get(index).copied())
                    .unwrap_or(f32::NAN)
            };
            OtherChoice {
                chosen: advice.and_then(|advice| shown.iter().position(|action| action == advice)),
                values: if decided.values.is_empty() {
                    Vec::new()
                } else {
                    shown.iter().map(value).collect()
                },
                agrees: agrees::<G>(done, advice),
                reason: decided.reason,
            }
        }
    }
}

/// The decisions of a seat with the matching notes of the bot's record, each at the place that
/// `place_after` gives for a number of events, and the number of notes that match none.
///
/// A note belongs to the next moment with the same legal actions, unless it comes after a later one
/// of its game. If the numbers of notes and moments between two such matches are equal, these
/// belong together as well, and the arena's actions differed from the rules: a desync.
pub(super) fn decisions<G: ViewedGame>(
    points: Vec<Point<G>>,
    notes: impl Iterator<Item = RecordedDecision>,
    seat: usize,
    place_after: impl Fn(usize) -> Option<(usize, usize)>,
) -> (Vec<PageDecision>, usize) {
    let (placed, unplaced) = place(&points, notes);
    let decision = |(point, placed): (Point<G>, PlacedNote<G>)| {
        let place = place_after(point.heard)?;
        let Some((Note { note, legal, .. }, desync)) = placed else {
            let legal = point.legal();
            return Some(point.decision(&legal, None, seat, place));
        };
        let own = Some(OwnChoice::of(note, desync));
        Some(point.decision(&legal, own, seat, place))
    };
    let decided = points.into_iter().zip(placed).filter_map(decision);
    (decided.collect(), unplaced)
}

/// The note of a moment, if there is one, and whether it is a desync.
type PlacedNote<G> = Option<(Note<G>, bool)>;

/// The note of each moment; and how many notes fit nowhere.
fn place<G: ViewedGame>(
    points: &[Point<G>],
    notes: impl Iterator<Item = RecordedDecision>,
) -> (Vec<PlacedNote<G>>, usize) {
    let mut placed: Vec<PlacedNote<G>> = points.iter().map(|_| None).collect();
    let mut unplaced = 0;
    let (mut from, mut last) = (0, None);
    let mut waiting: Vec<Note<G>> = Vec::new();
    let settle = |waiting: &mut Vec<Note<G>>, placed: &mut [PlacedNote<G>]| {
        let notes = std::mem::take(waiting);
        if notes.len() != placed.len() {
            return notes.len();
        }
        for (place, note) in placed.iter_mut().zip(notes) {
            *place = Some((note, true));
        }
        0
    };
    for note in notes {
        let number = note.decision;
        let is_late = number.is_some() && number <= last;
        let Some(note) = Note::<G>::of(note).filter(|_| !is_late) else {
            unplaced += 1;
            continue;
        };
        // An arena may ask though there is nothing to choose.
        if !G::Table::leaves_choice(&note.legal) {
            continue;
        }
        let mut ahead = points[from..].iter();
        match ahead.position(|point| point.written == note.written) {
            Some(ahead) => {
                unplaced += settle(&mut waiting, &mut placed[from..from + ahead]);
                placed[from + ahead] = Some((note, false));
                from += ahead + 1;
                last = number.or(last);
            }
            None => waiting.push(note),
        }
    }
    unplaced += settle(&mut waiting, &mut placed[from..]);
    (placed, unplaced)
}

#[cfg(test)]
mod tests {
    use protocol::game_record::RiichiLineForm;
    use riichi::game::RiichiGame;
    use riichi::{Action, Tile};

    use super::*;

    fn discard(name: &str) -> Action {
        Action::Dahai {
            tile: name.parse::<Tile>().expect("a tile"),
            tsumogiri: false,
        }
    }

    fn point(heard: usize, tiles: &[&str]) -> Point<RiichiGame> {
        let legal: Vec<Action> = tiles.iter().map(|name| discard(name)).collect();
        Point {
            heard,
            written: written::<RiichiGame>(&legal, Some(Seat::FIRST)),
            legal,
            done: Some(discard(tiles[0])),
            other: None,
            simulated: None,
        }
    }

    fn note(tiles: &[&str]) -> RecordedDecision {
        let written = |name: &&str| {
            let written = RiichiLineForm::action(&discard(name), Seat::FIRST);
            serde_json::from_str(written.get()).expect("JSON")
        };
        RecordedDecision {
            decision: None,
            seat: Seat::FIRST,
            legal: tiles.iter().map(written).collect(),
            chosen: Some(0),
            policy: String::new(),
            took_us: None,
            values: Vec::new(),
            reason: String::new(),
            safe_answer: None,
        }
    }

    /// Of each moment: whether it has a note, and whether that is a desync.
    fn placed(
        points: Vec<Point<RiichiGame>>,
        notes: Vec<RecordedDecision>,
    ) -> (Vec<Option<bool>>, usize) {
        let (placed, unplaced) = place(&points, notes.into_iter());
        (
            placed
                .iter()
                .map(|note| note.as_ref().map(|(_, desync)| *desync))
                .collect(),
            unplaced,
        )
    }

    #[test]
    fn a_note_belongs_to_the_next_moment_with_the_same_actions_in_whatever_order() {
        let points = vec![
            point(3, &["1m", "2m"]),
            point(5, &["3m", "4m"]),
            point(9, &["1m", "2m"]),
        ];
        let notes = vec![note(&["4m", "3m"]), note(&["1m", "2m"])];
        assert_eq!(
            placed(points, notes),
            (vec![None, Some(false), Some(false)], 0)
        );
    }

    #[test]
    fn a_note_with_other_actions_between_two_that_fit_is_a_desync_of_the_moment_between() {
        let points = vec![
            point(3, &["1m", "2m"]),
            point(5, &["3m", "4m"]),
            point(9, &["5m", "6m"]),
        ];
        let notes = vec![
            note(&["1m", "2m"]),
            note(&["3m", "7m"]),
            note(&["5m", "6m"]),
        ];
        assert_eq!(
            placed(points, notes),
            (vec![Some(false), Some(true), Some(false)], 0)
        );
    }

    #[test]
    fn notes_that_fit_nowhere_are_counted() {
        let points = vec![point(3, &["1m", "2m"]), point(5, &["3m", "4m"])];
        let notes = vec![
            note(&["7m", "1p"]),
            note(&["8m", "1p"]),
            note(&["3m", "4m"]),
        ];
        assert_eq!(placed(points, notes), (vec![None, Some(false)], 2));
    }

    #[test]
    fn a_note_that_comes_after_a_later_one_fits_nowhere() {
        let points = vec![point(3, &["1m", "2m"]), point(5, &["1m", "2m"])];
        let [first, second] = [0, 1].map(|number| RecordedDecision {
            decision: Some(number),
            ..note(&["1m", "2m"])
        });
        assert_eq!(
            placed(points, vec![second, first]),
            (vec![Some(false), None], 1)
        );
    }

    #[test]
    fn a_note_with_an_action_that_the_game_has_not_fits_nowhere() {
        let points = vec![point(3, &["1m", "2m"])];
        let mut unknown = note(&["1m", "2m"]);
        unknown.legal.push(serde_json::Value::Null);
        assert_eq!(placed(points, vec![unknown]), (vec![None], 1));
    }
}
