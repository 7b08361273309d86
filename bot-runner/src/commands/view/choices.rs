//! The notes in a bot's record, matched with the decisions that they belong to.

use client::decision_note::RecordedDecision;
use lab::comparison::agrees;
use lab::replayed::RecordDecision;
use policy_host::{Decided, Fault};
use riichi::ActionOf;
use riichi::game::RiichiGame;
use view::page::{
    OtherChoice, OwnChoice, PageAction, PageDecision, ShownRiichi, SimulatedValue, Walk,
};

use super::viewed::ViewedGame;

/// A moment of the game at which the seat had a choice.
pub(super) struct Point<G: ViewedGame> {
    /// Number of events so far, not counting a deal that is not an event.
    pub(super) heard: usize,
    legal: Vec<ActionOf<G>>,
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
            done: G::done(decision),
            other,
            simulated,
        }
    }

    pub(super) fn legal(&self) -> Vec<ActionOf<G>> {
        self.legal.clone()
    }

    /// Whether a note is about this decision: the same actions, in any order.
    fn fits(&self, note: &RecordedDecision<ActionOf<G>>) -> bool {
        self.legal.len() == note.legal.len()
            && self.legal.iter().all(|action| note.legal.contains(action))
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
            legal: legal.iter().map(PageAction::shown).collect(),
            own: note,
            other,
            simulated,
        }
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

/// The decisions of a game with the matching notes of the bot's record, and the number of notes
/// that match none.
///
/// A note belongs to the next moment with the same legal actions. If the numbers of notes and
/// moments between two such matches are equal, these belong together as well, and the arena's
/// actions differed from the rules: a desync.
pub(super) fn decisions(
    points: Vec<Point<RiichiGame>>,
    notes: impl Iterator<Item = RecordedDecision>,
    seat: usize,
    walk: &Walk<ShownRiichi>,
) -> (Vec<PageDecision>, usize) {
    let (placed, unplaced) = place(&points, notes);
    let decision = |(point, note): (Point<RiichiGame>, Option<(RecordedDecision, bool)>)| {
        let place = walk.place_after(point.heard.checked_sub(1)?)?;
        let legal = note
            .as_ref()
            .map_or_else(|| point.legal(), |(note, _)| note.legal.clone());
        let own = note.map(|(note, desync)| OwnChoice::of(note, desync));
        Some(point.decision(&legal, own, seat, place))
    };
    (
        points
            .into_iter()
            .zip(placed)
            .filter_map(decision)
            .collect(),
        unplaced,
    )
}

/// The note of each moment, and whether it is a desync; and how many notes fit nowhere.
fn place(
    points: &[Point<RiichiGame>],
    notes: impl Iterator<Item = RecordedDecision>,
) -> (Vec<Option<(RecordedDecision, bool)>>, usize) {
    let mut placed: Vec<Option<(RecordedDecision, bool)>> = points.iter().map(|_| None).collect();
    let mut unplaced = 0;
    let mut from = 0;
    let mut waiting: Vec<RecordedDecision> = Vec::new();
    let mut settle = |waiting: &mut Vec<RecordedDecision>,
                      placed: &mut [Option<(RecordedDecision, bool)>]| {
        if waiting.len() == placed.len() {
            for (place, note) in placed.iter_mut().zip(waiting.drain(..)) {
                *place = Some((note, true));
            }
        }
        unplaced += waiting.len();
        waiting.clear();
    };
    for note in notes {
        match points[from..].iter().position(|point| point.fits(&note)) {
            Some(ahead) => {
                settle(&mut waiting, &mut placed[from..from + ahead]);
                placed[from + ahead] = Some((note, false));
                from += ahead + 1;
            }
            None => waiting.push(note),
        }
    }
    settle(&mut waiting, &mut placed[from..]);
    (placed, unplaced)
}

#[cfg(test)]
mod tests {
    use riichi::{Action, Seat, Tile};

    use super::*;

    fn discard(name: &str) -> Action {
        Action::Dahai {
            tile: name.parse::<Tile>().expect("a tile"),
            tsumogiri: false,
        }
    }

    fn point(heard: usize, tiles: &[&str]) -> Point<RiichiGame> {
        let legal = tiles.iter().map(|name| discard(name)).collect();
        Point {
            heard,
            legal,
            done: Some(discard(tiles[0])),
            other: None,
            simulated: None,
        }
    }

    fn note(tiles: &[&str]) -> RecordedDecision {
        RecordedDecision {
            decision: None,
            seat: Seat::FIRST,
            legal: tiles.iter().map(|name| discard(name)).collect(),
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
        let notes = vec![note(&["1m", "2m"]), note(&["3m"]), note(&["5m", "6m"])];
        assert_eq!(
            placed(points, notes),
            (vec![Some(false), Some(true), Some(false)], 0)
        );
    }

    #[test]
    fn notes_that_fit_nowhere_are_counted() {
        let points = vec![point(3, &["1m", "2m"]), point(5, &["3m", "4m"])];
        let notes = vec![note(&["7m"]), note(&["8m"]), note(&["3m", "4m"])];
        assert_eq!(placed(points, notes), (vec![None, Some(false)], 2));
    }
}
