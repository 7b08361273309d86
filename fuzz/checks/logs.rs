//! Properties that hold for any log.

use std::io::{BufRead, Cursor};

use game_logs::{LogFacts, each_log, log_lines, looks_like_logs, read_text};
use protocol::game_record::RecordStart;
use protocol::{Parsed, parse_recorded};
use riichi::Event;

/// A file of logs. Nothing panics; the lines of a log of another form are those of a record, and
/// begin a game that says from where it is.
pub(crate) fn logs(bytes: &[u8]) {
    let file = || Cursor::new(bytes.to_vec());
    let _ = looks_like_logs(file());
    if let Ok(lines) = log_lines(file()) {
        for line in lines.lines() {
            if line.is_err() {
                break;
            }
        }
    }
    let visited = each_log::<std::io::Error>(file(), &mut |_| Ok(()));
    drop(visited);
    let Some(Ok(games)) = std::str::from_utf8(bytes).ok().and_then(read_text) else {
        return;
    };
    for game in games {
        let Some(first) = game.lines.first() else {
            panic!("a game has no line");
        };
        let Some(facts) = LogFacts::of_line(first) else {
            // Lists of events are taken as they are.
            continue;
        };
        assert_eq!(facts.form, game.facts.form);
        if RecordStart::read(first).is_some() {
            continue;
        }
        for line in &game.lines {
            match parse_recorded(line).map(|read| read.parsed) {
                Ok(Parsed::Event(Event::StartGame { .. })) => assert_eq!(line, first),
                Ok(Parsed::Event(_)) => {}
                other => panic!("{other:?}: {line}"),
            }
        }
    }
}
