//! Random changes.

use std::collections::BTreeMap;

use lab::replayed::ReplayedGame;
use riichi::rng::Rng;
use serde_json::Value;

use super::judged;

/// Share of the changes that may be missed, in percent.
const MAX_MISSED: usize = 1;

/// The places of all values of a line, as JSON pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, value)| places(value, &format!("{at}/{name}"), found)),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(place, item)| places(item, &format!("{at}/{place}"), found));
        }
        Value::Null => {}
        _ => found.push(at.to_owned()),
    }
}

/// Changes one thing of a record, with the name of the change; `None` if nothing is changed.
fn changed(
    lines: &[String],
    seats: usize,
    tiles: &[&str],
    rng: &mut Rng,
) -> Option<(String, Vec<String>)> {
    let mut lines = lines.to_vec();
    // The last line has more to change than a line of the middle.
    let line = if rng.below(6) == 0 {
        lines.len() - 1
    } else {
        rng.below(lines.len())
    };
    let name = match rng.below(6) {
        0 => {
            lines.remove(line);
            "dropped".to_owned()
        }
        1 => {
            lines.insert(line, lines[line].clone());
            "doubled".to_owned()
        }
        2 => {
            let other = if rng.below(3) == 0 {
                rng.below(lines.len())
            } else {
                (line + 1) % lines.len()
            };
            lines.swap(line, other);
            "exchanged".to_owned()
        }
        _ => {
            let mut event: Value = serde_json::from_str(&lines[line]).expect("JSON");
            let mut found = Vec::new();
            places(&event, "", &mut found);
            let at = rng.pick(&found)?.clone();
            let value = event.pointer_mut(&at)?;
            let field: String = at
                .chars()
                .filter(|letter| !letter.is_ascii_digit())
                .collect();
            *value = match (
                value.as_i64(),
                value.as_f64(),
                value.as_bool(),
                value.as_str(),
            ) {
                (Some(_), ..)
                    if matches!(
                        &*field,
                        "/actor" | "/outcome/winner" | "/outcome/from" | "/outcome/landlord"
                    ) =>
                {
                    rng.below(seats).into()
                }
                (Some(_), ..)
                    if field.contains("cards")
                        || field.contains("hands")
                        || field.contains("public") =>
                {
                    rng.below(54).into()
                }
                (Some(number), ..) => (number + rng.pick(&[1, -1, 2])?).into(),
                (None, Some(number), ..) => (number + rng.pick(&[1.0, -1.0, 3.0])?).into(),
                (.., Some(truth), _) => (!truth).into(),
                (.., Some(text)) if text.len() <= 2 => (*rng.pick(tiles)?).into(),
                _ => return None,
            };
            lines[line] = event.to_string();
            field
        }
    };
    Some((name, lines))
}

/// Changes the records at random: each change is found, or the changed record is that of a game.
pub(super) fn all_found<G: ReplayedGame>(
    records: &[Vec<String>],
    seats: usize,
    tiles: &[&str],
    is_played: impl Fn(&[String]) -> bool,
) {
    let number =
        std::env::var("CHANGES").map_or(2_000, |text| text.parse().expect("CHANGES is a number"));
    let mut rng = Rng::keyed(&[41]);
    let mut seen = BTreeMap::<String, [usize; 3]>::new();
    let (mut tried, mut missed) = (0, Vec::new());
    while tried < number {
        let record = rng.pick(records).expect("there are records");
        assert!(is_played(record), "{record:?}");
        let Some((name, lines)) = changed(record, seats, tiles, &mut rng) else {
            continue;
        };
        let parsed = |lines: &[String]| -> Vec<Value> {
            lines
                .iter()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect()
        };
        if parsed(&lines) == parsed(record) {
            continue;
        }
        tried += 1;
        let counts = seen.entry(name.clone()).or_default();
        let found = judged::<G>(&lines)
            .is_ok_and(|replayed| replayed.contradiction().is_none() && replayed.rounds > 0);
        if !found {
            counts[0] += 1;
        } else if is_played(&lines) {
            counts[1] += 1;
        } else {
            counts[2] += 1;
            let at = (0..lines.len())
                .find(|&at| lines.get(at) != record.get(at))
                .unwrap_or(lines.len() - 1);
            let line = |lines: &[String]| {
                lines
                    .get(at)
                    .map_or_else(String::new, |line| line.chars().take(300).collect())
            };
            missed.push(format!(
                "{name}, line {}: {} instead of {}",
                at + 1,
                line(&lines),
                line(record)
            ));
        }
    }
    for (change, [refused, played, missed]) in &seen {
        eprintln!("{change}: {refused} refused, {played} are games of their own, {missed} missed");
    }
    missed.iter().for_each(|words| eprintln!("missed: {words}"));
    assert!(
        missed.len() * 100 <= tried * MAX_MISSED,
        "{} of {tried} are missed",
        missed.len()
    );
}
