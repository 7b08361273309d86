//! Records as lines, as `play` writes them, and what the referee finds in them.

use protocol::{Parsed, event_json, parse_recorded, won_json};
use riichi::game::{RiichiGame, Wall};
use riichi::referee::{Judgement, RecordedFacts, judge};
use riichi::rng::Rng;
use riichi::{Event, FindingKind, Rules, Seat};

use crate::choice::Style;

/// The lines of a game of random choices.
pub(crate) fn game(rules: Rules, number: u64) -> Vec<String> {
    let style = Style::of_game(number);
    let mut rng = Rng::keyed(&[number, 9]);
    let wall = |rng: &mut Rng| Wall::shuffled(&rules, rng).tiles().to_vec();
    let mut game = RiichiGame::with_wall(rules, &wall(&mut rng)).expect("a wall");
    let mut lines = Vec::new();
    loop {
        let mut wins = game.wins().iter();
        lines.extend(game.events().iter().map(|event| match event {
            Event::Hora(hora) => won_json(hora, wins.next().expect("each win has a value")),
            event => event_json(event),
        }));
        if game.is_over() {
            return lines;
        }
        if game.awaits_wall() {
            let tiles = wall(&mut rng);
            game.deal(&tiles).expect("a wall");
            continue;
        }
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            let action = style.choose(&game, seat, &legal, &mut rng);
            game.answer(seat, action).expect("it is legal");
        }
    }
}

/// The events of a record, and what its lines say besides, each with the place of its event.
type ReadRecord = (Vec<Event>, Vec<(usize, RecordedFacts)>);

/// Reads a record; an error if a line cannot be read.
pub(crate) fn read(lines: &[String]) -> Result<ReadRecord, String> {
    let (mut events, mut told) = (Vec::new(), Vec::new());
    for line in lines {
        let recorded = parse_recorded(line).map_err(|error| error.to_string())?;
        if let Parsed::Event(event) = recorded.parsed {
            told.push((events.len(), recorded.told));
            events.push(event);
        }
    }
    Ok((events, told))
}

/// The record as one seat sees it.
pub(crate) fn seen_from(lines: &[String], seat: Seat) -> Vec<String> {
    let (events, _) = read(lines).expect("the record is sound");
    events
        .into_iter()
        .map(|event| event_json(&event.masked_for(seat)))
        .collect()
}

pub(crate) fn judged(lines: &[String]) -> Judgement {
    let (events, told) = read(lines).expect("the lines can be read");
    judge(&events, &told)
}

/// The impossible event: its place and its field, with the words.
pub(crate) fn impossible(judgement: &Judgement) -> Option<(usize, String)> {
    let (place, found) = judgement.findings.last()?;
    (found.kind == FindingKind::Impossible).then(|| (*place, found.to_string()))
}
