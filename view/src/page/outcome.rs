//! Outcomes of games, as text with the names of the players.

use protocol::game_record::{GameOutcome, RecordedFan, WinningTile};

use super::model::ShownEnd;
use super::words::tile_word;

/// The name of a seat. Seats with the same name, such as those without a bot, are distinguished by their numbers.
#[must_use]
pub fn seat_name(names: &[String], seat: usize) -> String {
    match names.get(seat) {
        Some(name) if names.iter().filter(|other| *other == name).count() == 1 => name.clone(),
        Some(name) => format!("{name} (seat {seat})"),
        None => format!("seat {seat}"),
    }
}

/// The winner, the winning hand, and the seat that discarded the winning tile.
#[must_use]
pub fn outcome_words(outcome: &GameOutcome, names: &[String]) -> String {
    let name = |seat: usize| seat_name(names, seat);
    match outcome {
        GameOutcome::Win { winner, from, with, tile, total, fan } => {
            let tile = tile.parse().map_or_else(|_| tile.clone(), tile_word);
            let how = match with {
                WinningTile::Draw => "its own draw".to_owned(),
                WinningTile::Discard => format!("discarded by {}", name(*from)),
                WinningTile::RobbedKong => format!("from the kong of {}", name(*from)),
            };
            // For a hidden hand only the sum is known, and for a hidden draw the tile is unknown.
            let tile = if tile.is_empty() { String::new() } else { format!("{tile}, ") };
            let each: Vec<String> = fan.iter().map(fan_words).collect();
            let each = if each.is_empty() { String::new() } else { format!(": {}", each.join(", ")) };
            format!("{} wins with {total} fan on {tile}{how}{each}", name(*winner))
        }
        GameOutcome::Drawn => "drawn: the wall is empty".to_owned(),
        GameOutcome::Fault { seat } => format!("{} is at fault: its answer was not legal", name(*seat)),
        GameOutcome::LastCard { landlord, landlord_won, bid, bombs, spring, stake } => {
            let ends = if *landlord_won { "wins" } else { "loses" };
            let bombs = match bombs {
                0 => None,
                1 => Some("1 bomb".to_owned()),
                bombs => Some(format!("{bombs} bombs")),
            };
            let facts = [
                bid.map(|bid| format!("bid {bid}")),
                bombs,
                spring.then(|| "spring".to_owned()),
                stake.map(|stake| format!("stake {stake}")),
            ];
            let facts: Vec<String> = facts.into_iter().flatten().collect();
            let told = if facts.is_empty() { String::new() } else { format!(": {}", facts.join(", ")) };
            format!("the landlord, {}, {ends}{told}", name(*landlord))
        }
        GameOutcome::Other => "the game is over".to_owned(),
    }
}

/// The outcome for the middle of the table: a headline, then each fan, or the bid and the bombs.
pub(crate) fn shown_end(outcome: &GameOutcome, names: &[String]) -> ShownEnd {
    let name = |seat: usize| seat_name(names, seat);
    let part = |what: &str, figure: String| (what.to_owned(), figure);
    match outcome {
        GameOutcome::Win { winner, from, with, tile, total, fan } => {
            let tile = tile.parse().map_or_else(|_| tile.clone(), tile_word);
            let how = match with {
                WinningTile::Draw => "own draw".to_owned(),
                WinningTile::Discard => format!("discarded by {}", name(*from)),
                WinningTile::RobbedKong => format!("from the kong of {}", name(*from)),
            };
            let times = |fan: &RecordedFan| match fan.times {
                1 => fan.value.to_string(),
                times => format!("{} \u{d7} {times}", fan.value),
            };
            ShownEnd {
                title: format!("{} wins", name(*winner)),
                about: [format!("{total} fan"), tile, how].into_iter().filter(|text| !text.is_empty()).collect(),
                parts: fan.iter().map(|fan| (fan.name.clone(), times(fan))).collect(),
            }
        }
        GameOutcome::Drawn => {
            ShownEnd { title: "Draw".to_owned(), about: vec!["the wall is empty".to_owned()], ..ShownEnd::default() }
        }
        GameOutcome::Fault { seat } => ShownEnd {
            title: format!("{} is at fault", name(*seat)),
            about: vec!["its answer was not legal".to_owned()],
            ..ShownEnd::default()
        },
        GameOutcome::LastCard { landlord, landlord_won, bid, bombs, spring, stake } => {
            let parts = [
                bid.map(|bid| part("bid", bid.to_string())),
                Some(part("bombs", bombs.to_string())),
                spring.then(|| part("spring", "\u{d7} 2".to_owned())),
                stake.map(|stake| part("stake", stake.to_string())),
            ];
            ShownEnd {
                title: if *landlord_won { "The landlord wins" } else { "The peasants win" }.to_owned(),
                about: vec![format!("landlord: {}", name(*landlord))],
                parts: parts.into_iter().flatten().collect(),
            }
        }
        GameOutcome::Other => ShownEnd { title: "The game is over".to_owned(), ..ShownEnd::default() },
    }
}

fn fan_words(RecordedFan { name, value, times }: &RecordedFan) -> String {
    if *times == 1 { format!("{name} {value}") } else { format!("{name} {value} × {times}") }
}

/// The payments of each seat; negative for a seat that paid.
#[must_use]
pub fn payment_words(scores: &[f64], names: &[String]) -> String {
    let each = scores.iter().enumerate().map(|(seat, score)| format!("{} {score:+}", seat_name(names, seat)));
    each.collect::<Vec<_>>().join(", ")
}
