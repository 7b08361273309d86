//! Bot programs: a judge's input to one, and the program's output.
//!
//! In the first turn of its process a program gets the whole history of its seat: in JSON one line,
//! in the simple form one line for each message. A program that asks to keep running then gets only
//! the next request.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::mcr::json_of_text;
use crate::field::quoted;
use crate::json::MAX_FRAME;

/// The line after an answer by which a program asks to keep running.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// Maximum number of requests of a match that are read; no game of the two has more.
const MAX_REQUESTS: usize = 10_000;

/// Maximum length of a kept `debug`, in bytes.
const MAX_DEBUG: usize = 1024;

/// The form of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnForm {
    /// A line of plain text for each.
    Simple,
    Json,
}

/// The input of a process in its first turn: everything so far. Requests and responses are in the
/// form of the turn: plain lines, or JSON.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TurnHistory {
    /// All requests; the last one needs an answer.
    pub requests: Vec<String>,
    /// The seat's answers to all requests but the last.
    pub responses: Vec<String>,
    /// The data of its last turn, as JSON; `None` in the simple form, in which it follows the
    /// messages.
    pub data: Option<String>,
    /// The data of any match, also as JSON.
    pub globaldata: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnInput {
    /// The first turn of this process.
    First(TurnHistory),
    /// A later one: the request alone.
    Next(String),
}

/// Input that is not a turn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    #[error("{0} bytes in one line are too many: at most {MAX_FRAME} are read")]
    TooLong(usize),
    /// Neither of the two forms.
    #[error(
        "the first line is {0}; allowed is the number of requests (simple form, 1 to {MAX_REQUESTS}) or an object with \
         `requests` and `responses` (JSON form)"
    )]
    NoForm(String),
    /// JSON that is not a turn.
    #[error("not a turn in JSON: {0}")]
    NotJson(String),
    /// There is not exactly one more request than responses.
    #[error(
        "{requests} requests and {responses} responses; expected exactly one response fewer than requests"
    )]
    Unpaired { requests: usize, responses: usize },
}

/// Assembles turns from the lines that a program reads. The first line shows the form.
#[derive(Debug, Clone, Default)]
pub struct TurnReader(ReaderState);

#[derive(Debug, Clone, Default)]
enum ReaderState {
    #[default]
    Begin,
    /// Messages of the first turn are still to come.
    Messages { count: usize, history: TurnHistory },
    /// The first turn was read.
    Kept(TurnForm),
}

impl TurnReader {
    /// The form, once it is known.
    pub const fn form(&self) -> Option<TurnForm> {
        match self.0 {
            ReaderState::Begin => None,
            ReaderState::Messages { .. } => Some(TurnForm::Simple),
            ReaderState::Kept(form) => Some(form),
        }
    }

    /// Reads the next line, with or without its line break; returns the turn if the line completes
    /// it. After the first turn empty lines are skipped: a running program finds the empty lines of
    /// its first turn's data there.
    ///
    /// # Errors
    ///
    /// If the line cannot belong to a turn. The line is then ignored.
    pub fn take(&mut self, line: &str) -> Result<Option<TurnInput>, TurnError> {
        if line.len() > MAX_FRAME {
            return Err(TurnError::TooLong(line.len()));
        }
        let line = line.trim();
        match &mut self.0 {
            ReaderState::Begin if line.is_empty() => Ok(None),
            ReaderState::Begin if line.starts_with('{') => {
                let history = json_history(line)?;
                self.0 = ReaderState::Kept(TurnForm::Json);
                Ok(Some(TurnInput::First(history)))
            }
            ReaderState::Begin => {
                let count = line
                    .parse()
                    .ok()
                    .filter(|count| (1..=MAX_REQUESTS).contains(count));
                let count = count.ok_or_else(|| TurnError::NoForm(quoted(line)))?;
                self.0 = ReaderState::Messages {
                    count,
                    history: TurnHistory::default(),
                };
                Ok(None)
            }
            ReaderState::Messages { count, history } => {
                let (requests, responses) = (&mut history.requests, &mut history.responses);
                if requests.len() == responses.len() {
                    requests
                } else {
                    responses
                }
                .push(line.to_owned());
                if history.requests.len() < *count {
                    return Ok(None);
                }
                let history = std::mem::take(history);
                self.0 = ReaderState::Kept(TurnForm::Simple);
                Ok(Some(TurnInput::First(history)))
            }
            ReaderState::Kept(_) => {
                Ok((!line.is_empty()).then(|| TurnInput::Next(line.to_owned())))
            }
        }
    }
}

fn json_history(line: &str) -> Result<TurnHistory, TurnError> {
    #[derive(Deserialize)]
    struct Full<'a> {
        #[serde(borrow)]
        requests: Vec<&'a RawValue>,
        #[serde(borrow, default)]
        responses: Vec<&'a RawValue>,
        #[serde(borrow)]
        data: Option<&'a RawValue>,
        #[serde(borrow)]
        globaldata: Option<&'a RawValue>,
    }
    let full: Full<'_> =
        serde_json::from_str(line).map_err(|error| TurnError::NotJson(error.to_string()))?;
    let (requests, responses) = (full.requests.len(), full.responses.len());
    if requests != responses + 1 {
        return Err(TurnError::Unpaired {
            requests,
            responses,
        });
    }
    let texts = |values: Vec<&RawValue>| {
        values
            .into_iter()
            .map(|value| value.get().to_owned())
            .collect()
    };
    let text = |value: Option<&RawValue>| value.map(|value| value.get().to_owned());
    Ok(TurnHistory {
        requests: texts(full.requests),
        responses: texts(full.responses),
        data: text(full.data),
        globaldata: text(full.globaldata),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnReply<'a> {
    /// The response, in the form of the turn: a plain text, or JSON.
    pub response: &'a str,
    /// A text for the record; cut after 1,024 bytes.
    pub debug: &'a str,
    /// The data for the next turn, unchanged.
    pub data: Option<&'a str>,
    /// The data for further matches, unchanged.
    pub globaldata: Option<&'a str>,
}

impl TurnReply<'_> {
    /// The answer of a program that ends after it, with a line break at its end.
    pub fn text(&self, form: TurnForm) -> String {
        let debug = one_line(self.debug);
        match form {
            TurnForm::Simple => {
                let (data, globaldata) = (
                    self.data.unwrap_or_default(),
                    self.globaldata.unwrap_or_default(),
                );
                format!("{}\n{debug}\n{data}\n{globaldata}\n", self.response)
            }
            TurnForm::Json => {
                let (response, data) = (as_json(self.response), self.data.map(as_json));
                let globaldata = self.globaldata.map(as_json);
                json_line(&JsonReply {
                    response: &response,
                    debug: Some(&debug),
                    data: data.as_deref(),
                    globaldata: globaldata.as_deref(),
                })
            }
        }
    }

    /// The answer of a program that asks to keep running, with the line that does so: `debug`,
    /// `data` and `globaldata` do not work there.
    pub fn kept_text(&self, form: TurnForm) -> String {
        match form {
            TurnForm::Simple => format!("{}\n{KEEP_RUNNING}\n", self.response),
            TurnForm::Json => {
                let reply = JsonReply {
                    response: &as_json(self.response),
                    debug: None,
                    data: None,
                    globaldata: None,
                };
                format!("{}{KEEP_RUNNING}\n", json_line(&reply))
            }
        }
    }
}

#[derive(Serialize)]
struct JsonReply<'a> {
    response: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    debug: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    globaldata: Option<&'a RawValue>,
}

fn json_line(reply: &JsonReply<'_>) -> String {
    serde_json::to_string(reply).expect("texts and JSON have a JSON form") + "\n"
}

/// A JSON text unchanged; any other as a JSON string.
fn as_json(text: &str) -> Cow<'_, RawValue> {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(value) => Cow::Borrowed(value),
        Err(_) => {
            Cow::Owned(RawValue::from_string(json_of_text(text)).expect("a JSON string is JSON"))
        }
    }
}

/// A text without control characters, cut to the maximum length of `debug`.
fn one_line(text: &str) -> String {
    let mut line: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    let end = (0..=line.len().min(MAX_DEBUG))
        .rev()
        .find(|&end| line.is_char_boundary(end));
    line.truncate(end.unwrap_or(0));
    line
}
