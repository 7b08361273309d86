//! Properties that hold for any log.

use std::io::{self, BufRead, Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use game_logs::{Log, LogFacts, LogForm, LogGame, each_log, log_lines, looks_like_logs, read_text};
use protocol::game_record::RecordStart;
use protocol::{Parsed, parse_recorded};
use riichi::Event;

/// A file of logs: an archive, gzip, or a text in any encoding. Nothing panics.
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
    let visited = each_log::<io::Error>(file(), &mut |_| Ok(()));
    drop(visited);
}

/// A text of one of these forms. Nothing panics, and gzip changes nothing. The lines are those of a
/// record, and begin a game that says from where it is. Returns whether the text seems to be of one
/// of the forms.
pub(crate) fn log_of(forms: &[LogForm], bytes: &[u8]) -> bool {
    let is_archive = bytes.starts_with(b"PK") || bytes.get(257..262) == Some(b"ustar");
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|_| !is_archive) else {
        return false;
    };
    let form = match read_text(text) {
        Some(Ok(games)) => {
            games.iter().for_each(is_record);
            games.first().map(|game| game.facts.form)
        }
        Some(Err(why)) => Some(why.form),
        None => None,
    };
    let plain = only_log(bytes.to_vec());
    assert_eq!(only_log(gzipped(bytes)), plain);
    if let Ok((LogForm::Lines, lines)) = &plain {
        for line in lines.lines() {
            let _ = parse_recorded(line);
        }
    }
    let form = form.or(plain.ok().map(|(form, _)| form));
    form.is_some_and(|form| forms.contains(&form))
}

/// Fails unless the lines are those of a record.
fn is_record(game: &LogGame) {
    let Some(first) = game.lines.first() else {
        panic!("a game has no line");
    };
    let Some(facts) = LogFacts::of_line(first) else {
        // Lists of events are taken as they are.
        return;
    };
    assert_eq!(facts.form, game.facts.form);
    if RecordStart::read(first).is_some() {
        return;
    }
    for line in &game.lines {
        match parse_recorded(line).map(|read| read.parsed) {
            Ok(Parsed::Event(Event::StartGame { .. })) => assert_eq!(line, first),
            Ok(Parsed::Event(_)) => {}
            other => panic!("{other:?}: {line}"),
        }
    }
}

/// The log of a file that is no archive.
fn only_log(bytes: Vec<u8>) -> Result<(LogForm, String), String> {
    let mut found = Err("there is none".to_owned());
    let visited = each_log::<io::Error>(Cursor::new(bytes), &mut |Log { read, .. }| {
        found = read.map_err(|why| why.to_string());
        Ok(())
    });
    visited.map_err(|why| why.to_string()).and(found)
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), Compression::none());
    file.write_all(bytes)
        .and_then(|()| file.finish())
        .expect("it is written to memory")
}
