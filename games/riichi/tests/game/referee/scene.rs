//! Records for examples: of scenes that are played, and of random games with a certain moment.

use protocol::{event_json, won_json};
use riichi::table::Phase;
use riichi::{Action, Event, FindingKind, Rules, safe_answer};
use serde_json::Value;

use super::lines::{game, judged};
use crate::deal::Deal;
use crate::play::Play;

/// A game that is played by examples, with its record.
pub(super) struct Scene {
    play: Play,
    pub(super) lines: Vec<String>,
}

impl Scene {
    pub(super) fn begin(deal: Deal, rules: Rules) -> Self {
        let mut scene = Self {
            play: deal.begin(rules),
            lines: Vec::new(),
        };
        scene.record();
        scene
    }

    fn record(&mut self) {
        let mut wins = self.play.game.wins().iter();
        self.lines
            .extend(self.play.game.events().iter().map(|event| match event {
                Event::Hora(hora) => won_json(hora, wins.next().expect("each win has a value")),
                event => event_json(event),
            }));
    }

    /// A seat does the legal action whose name begins so, once the others have passed.
    #[track_caller]
    pub(super) fn act(mut self, number: u8, begins: &str) -> Self {
        if !self.play.may(number, begins) {
            self.play.pass();
            self.record();
        }
        self.play.pass_but(number).act(number, begins);
        self.record();
        self
    }

    /// Every seat discards the tile it draws, and none claims, this many times.
    pub(super) fn idle(mut self, discards: usize) -> Self {
        let mut done = 0;
        while done < discards && !self.play.game.is_over() && !self.play.game.awaits_wall() {
            for asked in self.play.game.asked() {
                let legal = self.play.game.legal_actions(asked).into_iter();
                let quiet: Vec<Action> = legal
                    .filter(|action| !matches!(action, Action::Hora { .. }))
                    .collect();
                let action = safe_answer(&quiet).expect("a discard or a pass");
                done += usize::from(matches!(action, Action::Dahai { .. }));
                self.play.game.answer(asked, action).expect("it is legal");
            }
            self.record();
        }
        if matches!(self.play.game.phase(), Phase::Discarded { .. }) {
            self.play.pass();
            self.record();
        }
        self
    }

    /// What came after the last discard did not happen.
    pub(super) fn at_last_discard(mut self) -> Self {
        let last = self
            .lines
            .iter()
            .rposition(|line| line.contains("dahai"))
            .expect("a discard");
        self.lines.truncate(last + 1);
        self
    }

    /// Adds a line that the game would not have.
    pub(super) fn and(mut self, line: Value) -> Self {
        self.lines.push(line.to_string());
        self
    }

    /// The last line is refused for this reason.
    #[track_caller]
    pub(super) fn expect_refused(self, words: &str) {
        let last = self.lines.len() - 1;
        expect_refused(&self.lines, last, words);
    }
}

/// The lines as JSON.
pub(super) fn values(lines: &[String]) -> Vec<Value> {
    lines
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// The lines of values.
pub(super) fn written(values: &[Value]) -> Vec<String> {
    values.iter().map(Value::to_string).collect()
}

/// The first random game with such a moment.
pub(super) fn found(
    rules: Rules,
    moment: impl Fn(&[Value]) -> Option<usize>,
) -> (Vec<Value>, usize) {
    let games = (1..3000).map(|number| values(&game(rules, number)));
    games
        .filter_map(|values| Some((moment(&values)?, values)))
        .map(|(at, values)| (values, at))
        .next()
        .expect("it comes up")
}

/// The place of the first line of a type for which something holds.
pub(super) fn place(values: &[Value], kind: &str, holds: impl Fn(&Value) -> bool) -> Option<usize> {
    values
        .iter()
        .position(|value| value["type"] == kind && holds(value))
}

/// The first impossible event of a record is this one, for this reason.
#[track_caller]
pub(super) fn expect_refused(lines: &[String], at: usize, words: &str) {
    let judgement = judged(lines);
    let Some((place, found)) = judgement.findings.last() else {
        panic!("nothing is found; expected {words}")
    };
    assert_eq!(found.kind, FindingKind::Impossible, "{found}");
    assert_eq!(
        (*place, found.to_string().contains(words)),
        (at, true),
        "{place}: {found}; expected {at}: {words}"
    );
}

/// The record is sound but for an error that is known.
#[track_caller]
pub(super) fn is_known(lines: &[String], at: usize, words: &str) {
    let judgement = judged(lines);
    let all: Vec<String> = judgement
        .findings
        .iter()
        .map(|(place, found)| format!("{place}: {found}"))
        .collect();
    assert!(
        judgement
            .findings
            .iter()
            .all(|(_, found)| found.kind == FindingKind::KnownError),
        "{all:?}"
    );
    let named = judgement
        .findings
        .iter()
        .any(|(place, found)| *place == at && found.to_string().contains(words));
    assert!(named, "{all:?}; expected {at}: {words}");
}
