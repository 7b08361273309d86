//! Rounds of riichi mahjong.

use riichi::event::StartKyoku;
use riichi::{Event, PerSeat, Rules, Seat, Table, Tile, Wind};

const OWN: u8 = 0;

/// As seat 0 hears of them. With three players there is the first alone.
pub(in crate::games) fn scripts(players: u8) -> Vec<(Table, Vec<Event>)> {
    let of_four = [nine_terminals, calls, riichi, robbed_kan]
        .into_iter()
        .filter(|_| players == 4);
    let rounds = std::iter::once(first(players)).chain(of_four.map(|round| round()));
    let rules = Rules::TENHOU_HALF.with_players(players);
    rounds
        .map(|round| (Table::new(rules, Seat::FIRST), round))
        .collect()
}

/// Two discards, the second of them with riichi, a pon, and a win, with tiles that three players
/// have too.
fn first(players: u8) -> Vec<Event> {
    let others = |thrown: &[&str]| -> Vec<Event> {
        (1..players)
            .zip(thrown)
            .flat_map(|(seat, thrown)| turn(seat, thrown))
            .collect()
    };
    let mut events = vec![
        start(players, 0, "1p 1p 3p 4p 5p 6p 7p 8p 2s 3s 9s E E"),
        draw("9m"),
        throw(OWN, "9m", true),
    ];
    events.extend(others(&["E", "C", "C"]));
    events.extend([draw("1s"), throw(OWN, "9s", false)]);
    events.extend(others(&["E"]));
    events
}

/// A deal that may be given up.
fn nine_terminals() -> Vec<Event> {
    vec![
        start(4, 0, "1m 9m 1p 9p 1s 9s E S W N 2m 3m 4p"),
        draw("5m"),
    ]
}

/// A triplet or kan, a run in two ways, another triplet, and a tile to be added to it.
fn calls() -> Vec<Event> {
    let mut events = vec![
        start(4, 0, "3p 3p 3p 5s 6s E E 4m 5mr 6m 2s 3s 8s"),
        draw("9m"),
        throw(OWN, "9m", true),
    ];
    events.extend(turn(1, "W"));
    events.extend(turn(2, "3p"));
    events.extend(turn(3, "4s"));
    events.push(Event::Chi {
        actor: seat(OWN),
        target: seat(3),
        tile: tile("4s"),
        consumed: [tile("5s"), tile("6s")],
    });
    events.push(throw(OWN, "8s", false));
    events.extend(turn(1, "E"));
    events.push(Event::Pon {
        actor: seat(OWN),
        target: seat(1),
        tile: tile("E"),
        consumed: [tile("E"); 2],
    });
    events.push(throw(OWN, "2s", false));
    events.extend([turn(1, "P"), turn(2, "P"), turn(3, "P")].concat());
    events.push(draw("E"));
    events
}

/// A closed kan, a riichi with a choice of discards, a tile to win on, and after it was passed a
/// win by the own draw.
fn riichi() -> Vec<Event> {
    let mut events = vec![
        start(4, 0, "1m 1m 1m 2p 3p 4p 6s 7s 8s 9p 9p 4s W"),
        draw("1m"),
        throw(OWN, "W", false),
    ];
    events.extend([turn(1, "C"), turn(2, "C"), turn(3, "F")].concat());
    events.extend([
        draw("5s"),
        Event::Reach { actor: seat(OWN) },
        throw(OWN, "1m", false),
    ]);
    events.push(Event::ReachAccepted {
        actor: seat(OWN),
        scores: None,
    });
    events.extend([turn(1, "N"), turn(2, "6s"), turn(3, "F")].concat());
    events.push(draw("3s"));
    events
}

/// A tile added to another seat's triplet that completes the own hand.
fn robbed_kan() -> Vec<Event> {
    let mut events = vec![start(4, 1, "1m 2m 3m 4m 5m 6m 7s 8s 9s 4p 6p E E")];
    events.extend(turn(1, "5p"));
    events.push(Event::Pon {
        actor: seat(2),
        target: seat(1),
        tile: tile("5p"),
        consumed: [tile("5p"); 2],
    });
    events.push(throw(2, "C", false));
    events.extend(turn(3, "C"));
    events.extend([draw("9m"), throw(OWN, "9m", true)]);
    events.extend(turn(1, "F"));
    events.push(Event::Tsumo {
        actor: seat(2),
        tile: None,
    });
    events.push(Event::Kakan {
        actor: seat(2),
        tile: tile("5pr"),
        consumed: [tile("5p"); 3],
    });
    events
}

fn start(players: u8, oya: u8, hand: &str) -> Event {
    let hand: Vec<Tile> = hand.split(' ').map(tile).collect();
    let hand = hand.try_into().expect("thirteen tiles are written in here");
    Event::StartKyoku(StartKyoku {
        bakaze: Wind::East,
        kyoku: oya + 1,
        honba: 0,
        kyotaku: 0,
        oya: seat(oya),
        dora_marker: tile("7p"),
        scores: None,
        tehais: PerSeat::from_fn(players, |owner| (owner == seat(OWN)).then_some(hand)),
    })
}

fn draw(drawn: &str) -> Event {
    Event::Tsumo {
        actor: seat(OWN),
        tile: Some(tile(drawn)),
    }
}

fn throw(actor: u8, thrown: &str, tsumogiri: bool) -> Event {
    Event::Dahai {
        actor: seat(actor),
        tile: tile(thrown),
        tsumogiri,
    }
}

fn turn(actor: u8, thrown: &str) -> Vec<Event> {
    vec![
        Event::Tsumo {
            actor: seat(actor),
            tile: None,
        },
        throw(actor, thrown, false),
    ]
}

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("there is such a seat")
}

fn tile(name: &str) -> Tile {
    name.parse().expect("it is written in here")
}

#[cfg(test)]
mod tests {
    use policy_abi::action::{ACTION_DAHAI, ACTION_HORA, ACTION_NONE, ACTION_PON, ACTION_REACH};
    use policy_abi::view::View;
    use riichi::Action;

    use super::*;
    use crate::games::{GameKind, scripted_questions};
    use crate::view::Asked;

    #[test]
    fn the_first_round_asks_for_discards_riichi_a_call_and_a_win_of_four_players_and_of_three() {
        for players in [4, 3] {
            let kinds: Vec<Vec<u8>> =
                (GameKind::Riichi.definition().admission_views)(players, Asked::default())
                    .iter()
                    .map(|view| {
                        let mut kinds: Vec<u8> = view
                            .typed::<View>()
                            .1
                            .iter()
                            .map(|action| action.kind)
                            .collect();
                        kinds.dedup();
                        kinds
                    })
                    .collect();
            let expected: [&[u8]; 4] = [
                &[ACTION_DAHAI],
                &[ACTION_PON, ACTION_NONE],
                &[ACTION_DAHAI, ACTION_REACH],
                &[ACTION_HORA, ACTION_PON, ACTION_NONE],
            ];
            assert_eq!(kinds, expected, "{players} players");
        }
    }

    #[test]
    fn there_is_a_win_on_a_discard_by_the_own_draw_and_on_an_added_tile() {
        let questions = scripted_questions::<Table>(4, Asked::default());
        let wins = questions
            .iter()
            .flat_map(|question| &question.legal)
            .filter_map(|action| match action {
                Action::Hora { target, tile } => Some(format!("{tile} from {target}")),
                _ => None,
            });
        assert_eq!(
            wins.collect::<Vec<_>>(),
            ["E from 1", "6s from 2", "3s from 0", "5pr from 2"]
        );
    }
}
