//! A game that a log holds.

use std::fmt;

use protocol::recorded_json;
use riichi::referee::RecordedFacts;
use riichi::{Event, Tile};
use serde_json::{Value, json};

use crate::form::LogForm;

/// A game of a log, as our records have it.
#[derive(Debug, Clone, PartialEq)]
pub struct LogGame {
    pub facts: LogFacts,
    /// The lines of its record, the first of them `start_game`.
    pub lines: Vec<String>,
}

/// What a log knows of a game besides its events. `None` is unknown: the form has no place for it,
/// or the log leaves it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFacts {
    pub form: LogForm,
    /// The names of the players in the order of their seats; empty if unknown.
    pub names: Vec<String>,
    /// The rules in the log's own words.
    pub rules: Option<String>,
    /// How many red fives there are.
    pub red_fives: Option<u8>,
    /// Whether an open hand may win with tanyao alone.
    pub open_tanyao: Option<bool>,
    /// When the game began, in the log's own words.
    pub began: Option<String>,
}

/// Why a log cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{form}, {place}: {what}")]
pub struct LogError {
    pub form: LogForm,
    /// Where in the log, such as `round 3`.
    pub place: String,
    /// What was found there, and what is allowed.
    pub what: String,
}

impl LogFacts {
    /// The facts of a game of which only the form is known.
    pub const fn unknown(form: LogForm) -> Self {
        Self {
            form,
            names: Vec::new(),
            rules: None,
            red_fives: None,
            open_tanyao: None,
            began: None,
        }
    }

    /// The first line of the game's record. Keys that mjai does not have are below `log`; `null`
    /// is unknown.
    pub(crate) fn start_line(&self) -> String {
        let mut line = json!({
            "type": "start_game",
            "log": {
                "form": self.form.to_string(),
                "rules": self.rules,
                "red_fives": self.red_fives,
                "open_tanyao": self.open_tanyao,
                "began": self.began,
            },
        });
        if !self.names.is_empty() {
            line["names"] = json!(self.names);
        }
        line.to_string()
    }

    /// The facts of a record with this first line; `None` if it is not a game that was read from a
    /// log of another form.
    pub fn of_line(line: &str) -> Option<Self> {
        let line: Value = serde_json::from_str(line).ok()?;
        let log = line.get("log").filter(|_| line["type"] == "start_game")?;
        let text = |key: &str| log[key].as_str().map(str::to_owned);
        let names = line["names"].as_array().into_iter().flatten();
        Some(Self {
            form: LogForm::named(log["form"].as_str()?)?,
            names: names
                .map(|name| name.as_str().unwrap_or("?").to_owned())
                .collect(),
            rules: text("rules"),
            red_fives: log["red_fives"]
                .as_u64()
                .and_then(|count| count.try_into().ok()),
            open_tanyao: log["open_tanyao"].as_bool(),
            began: text("began"),
        })
    }

    /// What is known of the rules, in words; `unknown` if nothing is.
    pub fn rules_in_words(&self) -> String {
        let reds = self.red_fives.map(|count| match count {
            0 => "no red fives".to_owned(),
            count => format!("{count} red fives"),
        });
        let tanyao = self.open_tanyao.map(|open| {
            let with = if open { "with" } else { "without" };
            format!("{with} open tanyao")
        });
        let known: Vec<String> = [self.rules.clone(), reds, tanyao]
            .into_iter()
            .flatten()
            .collect();
        if known.is_empty() {
            "unknown".to_owned()
        } else {
            known.join(", ")
        }
    }
}

/// The events of a game of riichi while it is read.
#[derive(Debug, Default)]
pub(crate) struct EventList {
    events: Vec<(Event, RecordedFacts)>,
}

impl EventList {
    pub(crate) fn push(&mut self, event: Event) {
        self.events.push((event, RecordedFacts::default()));
    }

    pub(crate) fn push_told(&mut self, event: Event, told: RecordedFacts) {
        self.events.push((event, told));
    }

    /// Turns an indicator. That of a closed kan is turned before the tile that replaces it is
    /// drawn, although some programs write it afterwards.
    pub(crate) fn turn_dora(&mut self, marker: Tile) {
        self.push(Event::Dora { marker });
        if let [.., (Event::Ankan { .. }, _), drawn, turned] = &mut *self.events
            && matches!(drawn.0, Event::Tsumo { .. })
        {
            std::mem::swap(drawn, turned);
        }
    }

    pub(crate) fn append(&mut self, others: &mut Self) {
        self.events.append(&mut others.events);
    }

    pub(crate) const fn len(&self) -> usize {
        self.events.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.events.truncate(len);
    }

    /// The record of the game with these facts.
    pub(crate) fn game(self, facts: LogFacts) -> LogGame {
        let events = self.events.iter();
        let lines = std::iter::once(facts.start_line())
            .chain(events.map(|(event, told)| recorded_json(event, told)))
            .collect();
        LogGame { facts, lines }
    }
}

/// An error of a reader: the place is in a log of this form.
#[derive(Debug)]
pub(crate) struct Malformed {
    pub(crate) place: String,
    pub(crate) what: String,
}

pub(crate) type ReadResult<T> = Result<T, Malformed>;

pub(crate) fn malformed<T>(place: impl fmt::Display, what: impl fmt::Display) -> ReadResult<T> {
    Err(Malformed {
        place: place.to_string(),
        what: what.to_string(),
    })
}

impl Malformed {
    pub(crate) fn of(self, form: LogForm) -> LogError {
        LogError {
            form,
            place: self.place,
            what: self.what,
        }
    }

    /// The same, in a larger part of the log.
    pub(crate) fn within(self, part: impl fmt::Display) -> Self {
        Self {
            place: format!("{part}, {}", self.place),
            ..self
        }
    }
}
