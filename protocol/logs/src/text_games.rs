//! The games of a text, whose form is told from it.

use serde_json::Value;

use crate::form::LogForm;
use crate::game::{LogError, LogGame};
use crate::{chinese_standard, mahjong_soul, majiang, mjai, mjlog, tenhou};

/// In how many characters the first round of Tenhou's JSON begins, if its other keys follow.
const TENHOU_HEAD: usize = 512;

/// Whether a line is an event or begins a record: a JSON object with a `type`.
pub(crate) fn is_event_line(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('{')
        && line.contains("\"type\"")
        && serde_json::from_str::<Value>(line).is_ok_and(|line| line["type"].is_string())
}

/// The games of a log; `None` if it is one of lines, which commands read as they are, or none that
/// is known.
///
/// # Errors
///
/// If the log is of a known form and malformed.
pub fn read_text(text: &str) -> Option<Result<Vec<LogGame>, LogError>> {
    let text = text.trim_start();
    if text.starts_with('<') {
        let read = |text| mjlog::read(text).map(|game| vec![game]);
        return mjlog::is_mjlog(text).then(|| read(text).map_err(|why| why.of(LogForm::Mjlog)));
    }
    if chinese_standard::is_competition(text) {
        let games = chinese_standard::read(text);
        return Some(games.map_err(|why| why.of(LogForm::ChineseStandard)));
    }
    if !text.starts_with(['{', '[']) || is_event_line(text.lines().next().unwrap_or_default()) {
        return None;
    }
    read_json(text)
}

/// The games of JSON values, of which there may be several.
fn read_json(text: &str) -> Option<Result<Vec<LogGame>, LogError>> {
    let mut games = Vec::new();
    let mut form = None;
    let mut lists = mjai::EventLists::default();
    for (number, value) in serde_json::Deserializer::from_str(text)
        .into_iter::<Value>()
        .enumerate()
    {
        let place = format!("value {}", number + 1);
        let value = match value {
            Ok(value) => value,
            // The first value is whole, and the form known.
            Err(why) => {
                let form = form.or_else(|| guessed(text))?;
                return Some(Err(LogError {
                    form,
                    place,
                    what: format!("it is not JSON, or cut: {why}"),
                }));
            }
        };
        if lists.take(&value) {
            form = Some(LogForm::MjaiLists);
            continue;
        }
        let documents = match value {
            Value::Array(values) if values.iter().any(|value| form_of(value).is_some()) => values,
            value => vec![value],
        };
        for document in documents {
            let Some(found) = form_of(&document) else {
                return Some(Err(LogError {
                    form: form?,
                    place,
                    what: "it is a value of no known form".to_owned(),
                }));
            };
            form = Some(found);
            let read = match found {
                LogForm::TenhouJson => tenhou::read(&document),
                LogForm::Majiang => majiang::read(&document),
                _ => mahjong_soul::read(&document),
            };
            match read {
                Ok(game) => games.push(game),
                Err(why) => return Some(Err(why.of(found))),
            }
        }
    }
    games.extend(lists.games());
    form.map(|_| Ok(games))
}

/// The form of a JSON value, by its keys.
fn form_of(value: &Value) -> Option<LogForm> {
    if tenhou::is_tenhou(value) {
        Some(LogForm::TenhouJson)
    } else if majiang::is_majiang(value) {
        Some(LogForm::Majiang)
    } else if mahjong_soul::is_mahjong_soul(value) {
        Some(LogForm::MahjongSoul)
    } else {
        None
    }
}

/// The form that the beginning of a text seems to have.
pub(crate) fn form_by_head(head: &str) -> Option<LogForm> {
    let head = head.trim_start();
    if is_event_line(head.lines().next().unwrap_or_default()) {
        Some(LogForm::Lines)
    } else if head.starts_with('<') {
        mjlog::is_mjlog(head).then_some(LogForm::Mjlog)
    } else if chinese_standard::is_competition(head) {
        Some(LogForm::ChineseStandard)
    } else if !head.starts_with(['{', '[']) {
        None
    } else if head.starts_with('[') && head.contains("\"start_game\"") {
        Some(LogForm::MjaiLists)
    } else {
        guessed(head)
    }
}

/// The form that a text that is not JSON seems to have: it may be cut.
fn guessed(text: &str) -> Option<LogForm> {
    let has = |key: &str| text.contains(key);
    // The first round of Tenhou's JSON begins with a list.
    let begins_rounds = || {
        let plain = text.chars().filter(|letter| !letter.is_whitespace());
        let head: String = plain.take(TENHOU_HEAD).collect();
        head.contains("\"log\":[[[")
    };
    if has("\"qipai\"") {
        Some(LogForm::Majiang)
    } else if has("RecordNewRound") {
        Some(LogForm::MahjongSoul)
    } else if begins_rounds()
        || has("\"log\"") && ["\"name\"", "\"rule\"", "\"ref\""].into_iter().any(has)
    {
        Some(LogForm::TenhouJson)
    } else {
        None
    }
}
