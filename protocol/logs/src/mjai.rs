//! mjai's events in lists: a whole game, or what a seat hears at once (mjai.app).

use serde_json::Value;

use crate::form::LogForm;
use crate::game::{LogFacts, LogGame};

/// The events of the lists so far.
#[derive(Debug, Default)]
pub(crate) struct EventLists {
    lines: Vec<String>,
}

impl EventLists {
    /// Takes a list of events, or an event between lists; whether it is one.
    pub(crate) fn take(&mut self, value: &Value) -> bool {
        let is_event = |value: &Value| value["type"].is_string();
        match value {
            Value::Array(events) if !events.is_empty() && events.iter().all(is_event) => {
                self.lines.extend(events.iter().map(Value::to_string));
                true
            }
            Value::Array(events) if events.is_empty() && !self.lines.is_empty() => true,
            event if is_event(event) => {
                self.lines.push(event.to_string());
                true
            }
            _ => false,
        }
    }

    pub(crate) fn games(self) -> Option<LogGame> {
        (!self.lines.is_empty()).then(|| LogGame {
            facts: LogFacts::unknown(LogForm::MjaiLists),
            lines: self.lines,
        })
    }
}
