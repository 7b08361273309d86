//! Games of random choices, and what our records say of them.

use game_logs::read_text;
use protocol::{Parsed, RecordedLine, parse_recorded};
use riichi::game::RiichiGame;
use riichi::referee::{RecordedFacts, judge};
use riichi::rng::Rng;
use riichi::{Event, Rules};

use crate::choice::Style;

/// How many games are played by each rules.
pub(crate) fn games() -> u64 {
    std::env::var("GAMES").map_or(40, |text| text.parse().expect("GAMES is a number"))
}

/// The rules of four and of three players.
pub(crate) fn all_rules() -> [Rules; 4] {
    let presets = [Rules::TENHOU_HALF, Rules::MAHJONG_SOUL_HALF];
    [
        presets[0],
        presets[0].with_players(3),
        presets[1],
        presets[1].with_players(3),
    ]
}

/// The events of a game.
pub(crate) fn played(rules: Rules, number: u64) -> Vec<Event> {
    let style = Style::of_game(number);
    let mut rng = Rng::keyed(&[number, 77]);
    let mut game = RiichiGame::new(rules, number);
    let mut events = Vec::new();
    loop {
        events.extend_from_slice(game.events());
        if game.is_over() {
            return events;
        }
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            let action = style.choose(&game, seat, &legal, &mut rng);
            game.answer(seat, action).expect("it is legal");
        }
    }
}

/// Events and what their lines say besides, each with the place of its event.
pub(crate) type EventsAndFacts = (Vec<Event>, Vec<(usize, RecordedFacts)>);

/// The events of a record, with what its lines say besides.
pub(crate) fn read_lines<'a>(lines: impl IntoIterator<Item = &'a str>) -> EventsAndFacts {
    let (mut events, mut facts) = (Vec::new(), Vec::new());
    for line in lines {
        let RecordedLine { parsed, told, .. } =
            parse_recorded(line).unwrap_or_else(|why| panic!("{why}: {line}"));
        if let Parsed::Event(event) = parsed {
            if told != RecordedFacts::default() {
                facts.push((events.len(), told));
            }
            events.push(event);
        }
    }
    (events, facts)
}

/// The one game of a log of another form.
pub(crate) fn read_game(log: &str) -> EventsAndFacts {
    let games = read_text(log)
        .expect("it is of a known form")
        .unwrap_or_else(|why| panic!("{why}"));
    let [game] = games.as_slice() else {
        panic!("there are {} games", games.len());
    };
    read_lines(game.lines.iter().map(String::as_str))
}

/// Fails if the referee finds anything.
#[track_caller]
pub(crate) fn is_sound(name: &str, (events, facts): &EventsAndFacts) {
    let judgement = judge(events, facts);
    if let Some((place, found)) = judgement.findings.first() {
        panic!(
            "{name}, event {place}: {found}; {:?} of {:?}",
            events[*place],
            facts.iter().find(|(at, _)| at == place)
        );
    }
}
