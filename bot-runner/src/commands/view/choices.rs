//! What a bot's record says of its decisions, put where they were made.

use lab::replayed::{RecordDecision, ReplayedGame};
use policy_host::{Decided, Fault};
use riichi::game::RiichiGame;
use riichi::{Action, Seat};
use view::page::{OtherChoice, OwnChoice, PageDecision, ShownRiichi, Walk, riichi_action};

use client::decision_note::RecordedDecision;

/// A moment of the game at which the seat had a choice.
pub(super) struct Point {
    after: usize,
    legal: Vec<Action>,
    done: Option<Action>,
    other: Option<Advised>,
    /// What each action came to in simulations, places above the last.
    simulated: Option<Vec<f32>>,
}

/// What another policy would have done.
pub(super) enum Advised {
    Decided(Decided),
    Fault(Fault),
}

impl Point {
    /// The moment of a decision, in a record of so many events.
    pub(super) fn of(
        decision: &RecordDecision<'_, RiichiGame>,
        events: usize,
        other: Option<Advised>,
        simulated: Option<Vec<f32>>,
    ) -> Self {
        let after = events.saturating_sub(decision.next.len() + 1);
        Self { after, legal: decision.legal.clone(), done: RiichiGame::done(decision), other, simulated }
    }

    /// Whether a bot was asked this: the same actions, in whatever order.
    fn fits(&self, note: &RecordedDecision) -> bool {
        self.legal.len() == note.legal.len() && self.legal.iter().all(|action| note.legal.contains(action))
    }

    /// As the page has it; `None` where it ends before.
    fn decision(
        self,
        note: Option<(RecordedDecision, bool)>,
        seat: Seat,
        walk: &Walk<ShownRiichi>,
    ) -> Option<PageDecision> {
        let (round, step) = walk.place_after(self.after)?;
        let legal = note.as_ref().map_or_else(|| self.legal.clone(), |(note, _)| note.legal.clone());
        let chosen = note.as_ref().and_then(|(note, _)| note.legal.get(note.chosen?).copied());
        // What a bot chose is what it did, even where another's claim came first.
        let own = chosen.or(self.done);
        let other = self.other.map(|choice| other_choice(choice, &self.legal, &legal, own));
        let simulated = self.simulated.map(|values| {
            let value =
                |action: &Action| self.legal.iter().position(|other| other == action).map(|index| values[index]);
            legal.iter().map(|action| value(action).unwrap_or(f32::NAN)).collect()
        });
        Some(PageDecision {
            round,
            step,
            seat: seat.index(),
            done: self.done.and_then(|done| legal.iter().position(|&action| action == done)),
            legal: legal.iter().map(riichi_action).collect(),
            own: note.map(|(note, desync)| OwnChoice::of(note, desync)),
            other,
            simulated,
        })
    }
}

/// Another's choice among `asked`, told for the actions as they are `shown`.
fn other_choice(choice: Advised, asked: &[Action], shown: &[Action], own: Option<Action>) -> OtherChoice {
    match choice {
        Advised::Fault(fault) => {
            OtherChoice { reason: fault.to_string(), agrees: own.map(|_| false), ..OtherChoice::default() }
        }
        Advised::Decided(decided) => {
            let advice = asked.get(decided.index);
            let value = |action: &Action| {
                let index = asked.iter().position(|other| other == action);
                index.and_then(|index| decided.values.get(index).copied()).unwrap_or(f32::NAN)
            };
            OtherChoice {
                chosen: advice.and_then(|advice| shown.iter().position(|action| action == advice)),
                values: if decided.values.is_empty() { Vec::new() } else { shown.iter().map(value).collect() },
                agrees: own.map(|own| advice.is_some_and(|advice| RiichiGame::is_same(&own, advice))),
                reason: decided.reason,
            }
        }
    }
}

/// The decisions of a game with what the bot's record says of them, and how many of the record's fit nowhere.
///
/// A note belongs to the next moment with the same legal actions. Where as many notes as moments are left between two such,
/// they belong together as well, and the arena's actions were not those of the rules: a desync.
pub(super) fn decisions(
    points: Vec<Point>,
    notes: impl Iterator<Item = RecordedDecision>,
    seat: Seat,
    walk: &Walk<ShownRiichi>,
) -> (Vec<PageDecision>, usize) {
    let (placed, unplaced) = place(&points, notes);
    let decisions =
        points.into_iter().zip(placed).filter_map(|(point, note)| point.decision(note, seat, walk)).collect();
    (decisions, unplaced)
}

/// The note of each moment, and whether it is a desync; and how many notes fit nowhere.
fn place(
    points: &[Point],
    notes: impl Iterator<Item = RecordedDecision>,
) -> (Vec<Option<(RecordedDecision, bool)>>, usize) {
    let mut placed: Vec<Option<(RecordedDecision, bool)>> = points.iter().map(|_| None).collect();
    let mut unplaced = 0;
    let mut from = 0;
    let mut waiting: Vec<RecordedDecision> = Vec::new();
    let mut settle = |waiting: &mut Vec<RecordedDecision>, placed: &mut [Option<(RecordedDecision, bool)>]| {
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
    use riichi::{Seat, Tile};

    use super::*;

    fn discard(name: &str) -> Action {
        Action::Dahai { tile: name.parse::<Tile>().expect("a tile"), tsumogiri: false }
    }

    fn point(after: usize, tiles: &[&str]) -> Point {
        let legal = tiles.iter().map(|name| discard(name)).collect();
        Point { after, legal, done: Some(discard(tiles[0])), other: None, simulated: None }
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
    fn placed(points: Vec<Point>, notes: Vec<RecordedDecision>) -> (Vec<Option<bool>>, usize) {
        let (placed, unplaced) = place(&points, notes.into_iter());
        (placed.iter().map(|note| note.as_ref().map(|(_, desync)| *desync)).collect(), unplaced)
    }

    #[test]
    fn a_note_belongs_to_the_next_moment_with_the_same_actions_in_whatever_order() {
        let points = vec![point(3, &["1m", "2m"]), point(5, &["3m", "4m"]), point(9, &["1m", "2m"])];
        let notes = vec![note(&["4m", "3m"]), note(&["1m", "2m"])];
        assert_eq!(placed(points, notes), (vec![None, Some(false), Some(false)], 0));
    }

    #[test]
    fn a_note_with_other_actions_between_two_that_fit_is_a_desync_of_the_moment_between() {
        let points = vec![point(3, &["1m", "2m"]), point(5, &["3m", "4m"]), point(9, &["5m", "6m"])];
        let notes = vec![note(&["1m", "2m"]), note(&["3m"]), note(&["5m", "6m"])];
        assert_eq!(placed(points, notes), (vec![Some(false), Some(true), Some(false)], 0));
    }

    #[test]
    fn notes_that_fit_nowhere_are_counted() {
        let points = vec![point(3, &["1m", "2m"]), point(5, &["3m", "4m"])];
        let notes = vec![note(&["7m"]), note(&["8m"]), note(&["3m", "4m"])];
        assert_eq!(placed(points, notes), (vec![None, Some(false)], 2));
    }
}
