//! Positions with the actions that are right, as tests of policies.

use std::collections::BTreeMap;
use std::io::Cursor;

use doudizhu::DouDizhuGame;
use mcr::McrGame;
use policy_host::{Asked, GameKind, RoundLog, ViewBuffer};
use protocol::game_record::RecordStart;
use riichi::game::RiichiGame;
use riichi::rules::Length;
use riichi::{Rules, Wind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::advisor::{Advisor, NoAdvice};
use crate::analyze::{HandPosition, PositionError, TypedHand};
use crate::decisions::each_decision;
use crate::replay::whole_courses;
use crate::replayed::ReplayedGame;
use crate::tournament::TournamentLength;

/// What is added to the words of a discard of the drawn tile.
const DRAWN: &str = " (drawn)";

/// A position, one line of a suite: a hand, or the events of a game up to the decision.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuitePosition {
    pub name: String,
    /// Why the right actions are right.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The hand, as `analyze` takes it: the drawn tile is the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub melds: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub dora: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub river: String,
    /// The wind of the seat with the hand; South if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wind: Option<String>,
    /// The number of players of a hand; 4 if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<u8>,
    /// The length of a game of riichi; half if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<TournamentLength>,
    /// The lines of a record up to the decision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Value>,
    /// The seat of the events whose last decision it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// The right actions, in the words of `replay`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub right: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<String>,
    /// The values of actions; without right and wrong ones the best is right.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, f64>,
}

/// Why a position is none.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error("{0}")]
    Position(String),
    #[error(transparent)]
    Policy(#[from] NoAdvice),
}

/// The answer of a policy to a position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuiteAnswer {
    /// The action that it chose; `None` if it did not decide.
    pub action: Option<String>,
    pub passes: bool,
    /// By how much its action is worth less than the best, if the position has values.
    pub loss: Option<f64>,
    pub reason: String,
}

fn wrong<T>(why: impl Into<String>) -> Result<T, SuiteError> {
    Err(SuiteError::Position(why.into()))
}

/// What is wrong with a hand, with the key of the position in place of the option of `analyze`.
fn with_keys(why: &PositionError) -> String {
    let why = why.to_string();
    let options = [
        ("HAND: ", "hand"),
        ("--melds: ", "melds"),
        ("--dora: ", "dora"),
        ("--river: ", "river"),
        ("--seat: ", "wind"),
    ];
    let named = options.iter().find_map(|(option, key)| {
        let rest = why.strip_prefix(option)?;
        Some(format!("`{key}`: {rest}"))
    });
    named.unwrap_or(why)
}

/// The words of an action without how the tile came.
fn plain(words: &str) -> &str {
    words.strip_suffix(DRAWN).unwrap_or(words)
}

impl SuitePosition {
    /// Reads a line of a suite.
    ///
    /// # Errors
    ///
    /// If it is not a position; the text says why.
    pub fn read(line: &str) -> Result<Self, SuiteError> {
        let read: Self = serde_json::from_str(line)
            .map_err(|why| SuiteError::Position(format!("it is no position: {why}")))?;
        match (&read.hand, read.events.is_empty(), read.seat) {
            (Some(_), true, None) | (None, false, Some(_)) => {}
            _ => {
                return wrong("a position has a `hand`, or `events` and the `seat` that is asked");
            }
        }
        if read.right.is_empty() && read.wrong.is_empty() && read.values.is_empty() {
            return wrong("a position has actions that are `right` or `wrong`, or `values`");
        }
        if let Some(both) = read.right.iter().find(|action| read.wrong.contains(action)) {
            return wrong(format!("{both:?} is both `right` and `wrong`"));
        }
        if let Some(players) = read.players.filter(|players| !(3..=4).contains(players)) {
            return wrong(format!("`players` is {players}, and allowed are 3 and 4"));
        }
        Ok(read)
    }

    /// The game, and its number of players.
    ///
    /// # Errors
    ///
    /// If the events are not those of a game.
    pub fn kind(&self) -> Result<(GameKind, u8), SuiteError> {
        if self.hand.is_some() {
            return Ok((GameKind::Riichi, self.players.unwrap_or(4)));
        }
        let first = self
            .events
            .first()
            .map(Value::to_string)
            .unwrap_or_default();
        let other = RecordStart::read(&first).and_then(|start| start.game.parse().ok());
        match other {
            Some(kind) if kind != GameKind::Riichi => Ok((kind, kind.players()[0])),
            _ => {
                let courses = self.courses::<RiichiGame>()?;
                let players = courses.first().filter(|course| course.dealt > 0);
                match players {
                    Some(course) => Ok((GameKind::Riichi, course.players() as u8)),
                    None => wrong("the events have no round"),
                }
            }
        }
    }

    fn courses<G: ReplayedGame>(
        &self,
    ) -> Result<Vec<crate::course::RecordedCourse<G>>, SuiteError> {
        let lines: Vec<String> = self.events.iter().map(Value::to_string).collect();
        let mut courses = whole_courses::<G>(Box::new(Cursor::new(lines.join("\n"))))
            .map_err(|why| SuiteError::Position(why.to_string()))?;
        if let Some(length) = self.length {
            for course in &mut courses {
                course.rules = G::with_length(course.rules, length.into());
            }
        }
        Ok(courses)
    }

    /// Asks a policy for the game of this position.
    ///
    /// # Errors
    ///
    /// If the position is impossible or names an action that is not legal, or the policy cannot be
    /// asked.
    pub fn ask(&self, advisor: &mut Advisor<'_>) -> Result<SuiteAnswer, SuiteError> {
        match (&self.hand, self.kind()?.0) {
            (Some(hand), _) => self.ask_about_hand(hand, advisor),
            (None, GameKind::Riichi) => self.ask_about_events::<RiichiGame>(advisor),
            (None, GameKind::Mcr) => self.ask_about_events::<McrGame>(advisor),
            (None, GameKind::DouDizhu) => self.ask_about_events::<DouDizhuGame>(advisor),
        }
    }

    fn ask_about_hand(
        &self,
        hand: &str,
        advisor: &mut Advisor<'_>,
    ) -> Result<SuiteAnswer, SuiteError> {
        let typed = TypedHand {
            hand: hand.to_owned(),
            melds: self.melds.clone(),
            dora: self.dora.clone(),
            river: self.river.clone(),
        };
        let wind = match &self.wind {
            None => Wind::South,
            Some(name) => {
                let named = |wind: &Wind| wind.name().eq_ignore_ascii_case(name);
                match Wind::ALL.into_iter().find(named) {
                    Some(wind) => wind,
                    None => {
                        return wrong(format!(
                            "`wind` is {name:?}, and allowed are east, south, west, north"
                        ));
                    }
                }
            }
        };
        let players = self.players.unwrap_or(4);
        let length = self.length.map_or(Length::Half, Length::from);
        let rules = Rules::TENHOU_HALF.with_players(players).with_length(length);
        let position = HandPosition::read(&typed, wind, (Wind::East, 1), rules)
            .map_err(|why| SuiteError::Position(with_keys(&why)))?;
        if position.drawn.is_none() {
            return wrong("the hand has drawn nothing; add the drawn tile to its end");
        }
        let table = position.table();
        let legal = table.legal_actions();
        let words: Vec<String> = legal.iter().map(ToString::to_string).collect();
        let fill = |view: &mut ViewBuffer, asked: &Asked| {
            view.fill(&table, &RoundLog::default(), &legal, asked);
        };
        self.judged(&words, advisor.ask(fill))
    }

    fn ask_about_events<G: ReplayedGame>(
        &self,
        advisor: &mut Advisor<'_>,
    ) -> Result<SuiteAnswer, SuiteError> {
        let courses = self.courses::<G>()?;
        let seat = self.seat.unwrap_or_default();
        let mut last = None;
        let walked = each_decision::<G, NoAdvice>(&courses, seat, |decision| {
            if decision.next.is_empty() {
                let words: Vec<String> = decision.legal.iter().map(ToString::to_string).collect();
                let asked =
                    advisor.ask(|view, asked| decision.table.fill(view, &decision.legal, asked));
                last = Some((words, asked));
            }
            Ok(())
        });
        walked?;
        match last {
            Some((words, asked)) => self.judged(&words, asked),
            None => wrong(format!(
                "seat {seat} has nothing to decide after the last event"
            )),
        }
    }

    fn judged(
        &self,
        legal: &[String],
        asked: Result<policy_host::Decided, NoAdvice>,
    ) -> Result<SuiteAnswer, SuiteError> {
        let named = self
            .right
            .iter()
            .chain(&self.wrong)
            .chain(self.values.keys());
        for action in named {
            if !legal.iter().any(|legal| plain(legal) == plain(action)) {
                return wrong(format!(
                    "{action:?} is not legal; legal are: {}",
                    legal.join(", ")
                ));
            }
        }
        let decided = match asked {
            Ok(decided) => decided,
            Err(NoAdvice::Fault(fault)) => {
                return Ok(SuiteAnswer {
                    action: None,
                    passes: false,
                    loss: None,
                    reason: fault.to_string(),
                });
            }
            Err(why) => return Err(why.into()),
        };
        let action = legal.get(decided.index).cloned().unwrap_or_default();
        let is = |other: &String| plain(other) == plain(&action);
        let best = self
            .values
            .values()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let value = self
            .values
            .iter()
            .find(|(action, _)| is(action))
            .map(|(_, value)| *value);
        let loss = value.map(|value| best - value);
        let passes = if !self.right.is_empty() {
            self.right.iter().any(is)
        } else if !self.wrong.is_empty() {
            !self.wrong.iter().any(is)
        } else {
            loss.is_some_and(|loss| loss <= 0.0)
        };
        Ok(SuiteAnswer {
            action: Some(action),
            passes,
            loss,
            reason: decided.reason,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_says_what_it_lacks() {
        let why = |line: &str| {
            SuitePosition::read(line)
                .expect_err("it is none")
                .to_string()
        };
        assert!(why(r#"{"name":"a","right":["pass"]}"#).contains("a `hand`, or `events`"));
        assert!(why(r#"{"name":"a","hand":"1m"}"#).contains("`right` or `wrong`, or `values`"));
        assert!(why(r#"{"name":"a","hand":"1m","rihgt":[]}"#).contains("unknown field `rihgt`"));
        assert!(
            why(r#"{"name":"a","hand":"1m","right":["discard 1m"],"wrong":["discard 1m"]}"#)
                .contains("\"discard 1m\" is both `right` and `wrong`")
        );
        assert!(
            why(r#"{"name":"a","hand":"1m","right":["discard 1m"],"players":5}"#)
                .contains("`players` is 5, and allowed are 3 and 4")
        );
        assert!(
            why(r#"{"name":"a","hand":"1m","right":["discard 1m"],"length":"long"}"#)
                .contains("expected one of `east`, `half`, `single`")
        );
        let position = r#"{"name":"a","hand":"1m","wrong":["discard 1m"]}"#;
        assert!(SuitePosition::read(position).is_ok());
    }
}
