//! The players of a game of riichi, from the head of its record.

use std::io::{BufRead, Read};
use std::path::Path;

use lab::record::open_lines;
use serde_json::Value;

/// In how many of the first lines the names are looked for.
const HEAD_LINES: usize = 8;

/// The names of the players in a record, if it has them.
pub(super) fn names_of_record(path: &Path) -> Vec<String> {
    open_lines(path).map(|mut lines| names_of(&mut lines)).unwrap_or_default()
}

/// The names of the players, where `start_game` has them.
pub(super) fn names_of(lines: &mut dyn BufRead) -> Vec<String> {
    let mut line = Vec::new();
    for _ in 0..HEAD_LINES {
        line.clear();
        let read = lines.take(protocol::MAX_FRAME as u64).read_until(b'\n', &mut line);
        if !read.is_ok_and(|read| read > 0) {
            break;
        }
        let Ok(event) = serde_json::from_slice::<Value>(&line) else { continue };
        if event["type"] == "start_game" {
            let names = event["names"].as_array().into_iter().flatten();
            return names.map(|name| name.as_str().unwrap_or("?").to_owned()).take(riichi::MAX_PLAYERS).collect();
        }
    }
    Vec::new()
}
