//! A game of any sort as steps: each holds the whole position, in rows of pieces.
//!
//! What a position is, the caller says; the page draws it and knows no rules. Riichi has a page of its own,
//! [`GamePage`](crate::GamePage).

use serde_json::{Value, json};

use crate::data::numbers;
use crate::game::OwnChoice;
use crate::text::shown;

/// What the game is played with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pieces {
    /// Tiles of two characters each: `5m`, `7z`; `??` is a back.
    Tiles,
    /// Cards of a character each: `3` to `9`, `T`, `J`, `Q`, `K`, `A`, `2`, `x`, `X`; `?` is a back.
    Cards,
}

/// A game to be shown. All texts may come from strangers: they are shown as texts, long ones cut.
#[derive(Debug)]
pub struct StepPage {
    /// What the game is called.
    pub title: String,
    /// What it is played with.
    pub pieces: Pieces,
    /// Names of the seats in their order.
    pub names: Vec<String>,
    /// What else is known of the game: a word, and what is to be said of it.
    pub facts: Vec<(String, String)>,
    /// What is wrong with the record.
    pub warnings: Vec<String>,
    /// The deal and what happened after it, in order.
    pub steps: Vec<GameStep>,
    /// What was decided, in the order of the steps.
    pub decisions: Vec<StepDecision>,
}

/// A moment of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameStep {
    /// What happened, in words.
    pub event: String,
    /// How each seat stands after it.
    pub seats: Vec<StepSeat>,
}

/// How a seat stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepSeat {
    /// What there is to say of it in a few words.
    pub note: String,
    /// Whether it did what happened.
    pub acted: bool,
    /// Its pieces.
    pub rows: Vec<StepRow>,
}

/// Pieces that lie in a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepRow {
    /// What they are, such as `hand`.
    pub label: &'static str,
    /// The pieces, those that belong together in one text.
    pub groups: Vec<String>,
    /// Indices of the groups that are no longer there.
    pub gone: Vec<usize>,
}

/// A decision of a seat.
#[derive(Debug)]
pub struct StepDecision {
    /// Index of the step after which it was asked.
    pub step: usize,
    /// The seat.
    pub seat: usize,
    /// What it could do, in words.
    pub legal: Vec<String>,
    /// What the record says of it.
    pub own: OwnChoice,
}

impl StepPage {
    /// The page's data as the scripts read it, JSON.
    #[must_use]
    pub fn json(&self) -> String {
        let texts = |texts: &[String]| texts.iter().map(|text| shown(text)).collect::<Vec<_>>();
        json!({
            "title": shown(&self.title),
            "pieces": match self.pieces { Pieces::Tiles => "tiles", Pieces::Cards => "cards" },
            "names": texts(&self.names),
            "facts": self.facts.iter().map(|(what, text)| [shown(what), shown(text)]).collect::<Vec<_>>(),
            "warnings": texts(&self.warnings),
            "steps": self.steps.iter().map(GameStep::json).collect::<Vec<_>>(),
            "decisions": self.decisions.iter().map(StepDecision::json).collect::<Vec<_>>(),
        })
        .to_string()
    }
}

impl GameStep {
    fn json(&self) -> Value {
        let row = |row: &StepRow| json!([row.label, row.groups.join(" "), row.gone]);
        let seat = |seat: &StepSeat| json!([seat.note, seat.acted, seat.rows.iter().map(row).collect::<Vec<_>>()]);
        json!([self.event, self.seats.iter().map(seat).collect::<Vec<_>>()])
    }
}

impl StepDecision {
    fn json(&self) -> Value {
        json!({
            "step": self.step,
            "seat": self.seat,
            "legal": self.legal,
            "chosen": self.own.chosen,
            "values": numbers(&self.own.values),
            "reason": shown(&self.own.reason),
            "policy": shown(&self.own.policy),
            "us": self.own.took_us,
            "safe": self.own.safe_answer.as_deref().map(shown),
        })
    }
}
