//! Random changes of sound records: each is refused, unless the changed record is that of a game as
//! well.
//!
//! `CHANGES=20000` tries more, and `RECORDS=<folder>` changes the gzipped records of a folder, too.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use riichi::referee::judge;
use riichi::rng::Rng;
use riichi::{Event, Rules, Tile};
use serde_json::Value;

use super::lines::{game, impossible, judged, read};
use super::played::is_played;
use crate::records::records;

/// Share of the changes that may be missed, in percent.
const MAX_MISSED: usize = 1;

/// A sort of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Tile,
    Seat,
    Points,
    Number,
    Flag,
    Dropped,
    Doubled,
    Exchanged,
}

const CHANGES: [Change; 8] = [
    Change::Tile,
    Change::Seat,
    Change::Points,
    Change::Number,
    Change::Flag,
    Change::Dropped,
    Change::Doubled,
    Change::Exchanged,
];

/// The records that are changed.
pub(super) fn sound_records() -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let rules = [
        Rules::TENHOU_HALF,
        Rules::TENHOU_HALF.with_players(3),
        Rules::MAHJONG_SOUL_HALF,
        Rules::MAHJONG_SOUL_HALF.with_players(3),
    ];
    for rules in rules {
        all.extend((1..=14).map(|number| game(rules, number)));
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    let folders = std::iter::once(own).chain(std::env::var_os("RECORDS").map(Into::into));
    for file in folders.flat_map(|folder| records(&folder)) {
        let mut text = String::new();
        GzDecoder::new(std::fs::File::open(file).expect("a record"))
            .read_to_string(&mut text)
            .expect("gzip");
        all.push(text.lines().map(str::to_owned).collect());
    }
    all
}

/// The places of all values of a line that are of a kind, as JSON pointers.
fn places(value: &Value, at: &str, wanted: &dyn Fn(&str, &Value) -> bool, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(name, value)| places(value, &format!("{at}/{name}"), wanted, found));
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(place, item)| places(item, &format!("{at}/{place}"), wanted, found));
        }
        value if wanted(at, value) => found.push(at.to_owned()),
        _ => {}
    }
}

fn is_wanted(change: Change, at: &str, value: &Value) -> bool {
    let field = at.split('/').nth(1).unwrap_or_default();
    match change {
        Change::Tile => matches!(
            field,
            "pai" | "consumed" | "tehais" | "dora_marker" | "ura_markers"
        ),
        Change::Seat => matches!(field, "actor" | "target" | "oya"),
        Change::Points => matches!(field, "deltas" | "scores"),
        Change::Number => {
            matches!(field, "han" | "fu" | "honba" | "kyotaku" | "kyoku")
                || field == "yaku" && value.is_number()
        }
        Change::Flag => field == "tsumogiri",
        Change::Dropped | Change::Doubled | Change::Exchanged => false,
    }
}

/// Changes one thing of a record; `None` if this line has nothing to change so.
fn changed(lines: &[String], change: Change, players: usize, rng: &mut Rng) -> Option<Vec<String>> {
    let mut lines = lines.to_vec();
    let words: &[&str] = match change {
        Change::Points => &["deltas", "scores"],
        Change::Number => &["\"han\"", "honba"],
        _ => &[""],
    };
    let among: Vec<usize> = (0..lines.len())
        .filter(|&at| words.iter().any(|word| lines[at].contains(word)))
        .collect();
    let line = *rng.pick(&among)?;
    match change {
        Change::Dropped => {
            lines.remove(line);
            return Some(lines);
        }
        Change::Doubled => {
            lines.insert(line, lines[line].clone());
            return Some(lines);
        }
        Change::Exchanged => {
            // Mostly with a neighbour.
            let other = if rng.below(3) == 0 {
                rng.below(lines.len())
            } else {
                (line + 1) % lines.len()
            };
            lines.swap(line, other);
            return Some(lines);
        }
        _ => {}
    }
    let mut event: Value = serde_json::from_str(&lines[line]).expect("JSON");
    let mut found = Vec::new();
    places(
        &event,
        "",
        &|at, value| is_wanted(change, at, value),
        &mut found,
    );
    let value = event.pointer_mut(rng.pick(&found)?)?;
    *value = match change {
        Change::Tile => {
            let tiles: Vec<Tile> = Tile::all().collect();
            rng.pick(&tiles)?.name().into()
        }
        Change::Seat => rng.below(players).into(),
        Change::Points => {
            let steps = [100, -100, 1000, -1000, 300, 3900, -8000];
            (value.as_i64()? + rng.pick(&steps)?).into()
        }
        Change::Number => {
            let steps = [1, -1, 2, 10];
            (value.as_i64()? + rng.pick(&steps)?).into()
        }
        _ => (!value.as_bool()?).into(),
    };
    lines[line] = event.to_string();
    Some(lines)
}

#[test]
fn what_changes_a_sound_record_is_found() {
    let number =
        std::env::var("CHANGES").map_or(2_000, |text| text.parse().expect("CHANGES is a number"));
    let records = sound_records();
    let (mut rng, mut seen) = (Rng::keyed(&[23]), BTreeMap::<Change, [usize; 3]>::new());
    let (mut tried, mut missed) = (0, Vec::new());
    while tried < number {
        let record = rng.pick(&records).expect("there are records");
        let change = *rng.pick(&CHANGES).expect("there are changes");
        let (before, told_before) = read(record).expect("it is sound");
        let Some(Event::StartKyoku(start)) = before.get(1) else {
            panic!("a round begins")
        };
        let Some(lines) = changed(record, change, start.tehais.players().into(), &mut rng) else {
            continue;
        };
        let Ok((events, told)) = read(&lines) else {
            tried += 1;
            seen.entry(change).or_default()[0] += 1;
            continue;
        };
        if events == before && told == told_before {
            continue;
        }
        tried += 1;
        let counts = seen.entry(change).or_default();
        let judgement = judge(&events, &told);
        if impossible(&judgement).is_some() {
            counts[0] += 1;
        } else if events != before && is_played(&events) {
            counts[1] += 1;
        } else {
            counts[2] += 1;
            let at = (0..lines.len())
                .find(|&at| lines.get(at) != record.get(at))
                .unwrap_or(lines.len() - 1);
            let line = |lines: &[String]| {
                lines
                    .get(at)
                    .map_or_else(String::new, |line| line.chars().take(200).collect())
            };
            missed.push(format!(
                "{change:?}, line {}: {} instead of {}",
                at + 1,
                line(&lines),
                line(record)
            ));
        }
    }
    for (change, [refused, played, missed]) in &seen {
        eprintln!(
            "{change:?}: {refused} refused, {played} are games of their own, {missed} missed"
        );
    }
    missed.iter().for_each(|words| eprintln!("missed: {words}"));
    assert!(
        missed.len() * 100 <= tried * MAX_MISSED,
        "{} of {tried} are missed",
        missed.len()
    );
    assert!(
        records
            .iter()
            .all(|record| impossible(&judged(record)).is_none()),
        "the records are sound themselves"
    );
}
