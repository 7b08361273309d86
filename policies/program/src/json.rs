//! Views as JSON.

use serde::Serialize;

/// A view as JSON on one line, with its line break.
pub(crate) fn line_of(view: &impl Serialize) -> String {
    let mut line = serde_json::to_string(view)
        .expect("texts, numbers and lists of them always have a JSON form");
    line.push('\n');
    line
}
