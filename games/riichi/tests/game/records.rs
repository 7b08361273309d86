//! Recorded games, played again: from their hands, draws and choices come the very events that were
//! recorded.
//!
//! The records in the tests' folder are always played. `RECORDS=<folder>` also plays those in
//! another folder.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use protocol::{Parsed, parse_event};
use riichi::event::{Hora, Points, StartKyoku};
use riichi::game::{RiichiGame, Wall};
use riichi::rng::Rng;
use riichi::{Action, Event, Rules, Seat, Tile};

use crate::against::in_order;
use crate::deal::Deal;

/// The records of a folder: all that is gzipped there.
pub(crate) fn records(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "gz"));
    files.sort();
    files
}

fn read(path: &Path) -> Vec<Event> {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).expect("a record"))
        .read_to_string(&mut text)
        .expect("gzip");
    let event = |line| match parse_event(line) {
        Ok(Parsed::Event(event)) => event,
        other => panic!("{}: {line}: {other:?}", path.display()),
    };
    text.lines().map(event).map(in_order).collect()
}

/// A recorded event, with missing facts, and facts that the record alone has, replaced by the
/// game's.
fn completed(recorded: Event, ours: &Event, scores: &Points) -> Event {
    let agreeing = |told: Option<Points>| {
        told.inspect(|told| assert_eq!(told, scores, "after {recorded:?}"));
    };
    match (recorded, ours) {
        (Event::StartKyoku(told), Event::StartKyoku(start)) => Event::StartKyoku(StartKyoku {
            scores: told.scores.or(start.scores),
            ..told
        }),
        (
            Event::ReachAccepted {
                actor,
                scores: told,
            },
            _,
        ) => {
            agreeing(told);
            Event::ReachAccepted {
                actor,
                scores: None,
            }
        }
        (Event::Hora(told), Event::Hora(hora)) => {
            agreeing(told.scores);
            Event::Hora(Hora {
                deltas: told.deltas.or(hora.deltas),
                scores: None,
                ..told
            })
        }
        (
            Event::Ryukyoku {
                deltas: told,
                scores,
                reason: why,
            },
            Event::Ryukyoku { deltas, reason, .. },
        ) => {
            agreeing(scores);
            Event::Ryukyoku {
                deltas: told.or(*deltas),
                scores: None,
                reason: why.or(*reason),
            }
        }
        _ => recorded,
    }
}

/// The scores after an event of the game.
fn count(scores: &mut Points, event: &Event) {
    let deltas = match event {
        Event::Hora(hora) => hora.deltas,
        Event::Ryukyoku { deltas, .. } => *deltas,
        Event::ReachAccepted { actor, .. } => {
            scores[*actor] -= 1000;
            None
        }
        Event::StartKyoku(start) => {
            *scores = start.scores.expect("the game has them");
            None
        }
        _ => None,
    };
    if let Some(deltas) = deltas {
        scores
            .iter_mut()
            .for_each(|(seat, points)| *points += deltas[seat]);
    }
}

/// The wall of a round, as far as its events show it.
pub(crate) fn wall(rules: &Rules, start: &StartKyoku, round: &[Event]) -> Vec<Tile> {
    let mut deal = Deal::new(*rules).dealer(start.oya).dora(start.dora_marker);
    for (seat, hand) in start.tehais.iter() {
        deal = deal.hand(seat, &hand.expect("nothing is hidden"));
    }
    let mut replacement = false;
    for event in round {
        deal = match event {
            Event::Tsumo {
                tile: Some(tile), ..
            } if replacement => deal.replacement(*tile),
            Event::Tsumo {
                tile: Some(tile), ..
            } => deal.draw(*tile),
            Event::Dora { marker } => deal.dora(*marker),
            Event::Hora(hora) => deal.ura(&hora.ura_markers.to_vec()),
            _ => deal,
        };
        replacement = match event {
            Event::Daiminkan { .. }
            | Event::Ankan { .. }
            | Event::Kakan { .. }
            | Event::Kita { .. } => true,
            Event::Dora { .. } => replacement,
            _ => false,
        };
    }
    deal.wall()
}

/// The seat's action at a request, derived from the events that followed.
pub(crate) fn choice(seat: Seat, legal: &[Action], next: &[Event]) -> Action {
    let mut next = next
        .iter()
        .filter(|event| !matches!(event, Event::Dora { .. } | Event::ReachAccepted { .. }));
    let wanted = match next.next().map(|event| (event.actor(), *event)) {
        Some((
            Some(actor),
            Event::Dahai {
                tile, tsumogiri, ..
            },
        )) if actor == seat => Action::Dahai { tile, tsumogiri },
        Some((Some(actor), Event::Reach { .. })) if actor == seat => match next.next() {
            Some(&Event::Dahai {
                tile, tsumogiri, ..
            }) => Action::Reach { tile, tsumogiri },
            other => panic!("after a riichi comes {other:?}"),
        },
        Some((
            Some(actor),
            Event::Chi {
                target,
                tile,
                consumed,
                ..
            },
        )) if actor == seat => Action::Chi {
            target,
            tile,
            consumed,
        },
        Some((
            Some(actor),
            Event::Pon {
                target,
                tile,
                consumed,
                ..
            },
        )) if actor == seat => Action::Pon {
            target,
            tile,
            consumed,
        },
        Some((
            Some(actor),
            Event::Daiminkan {
                target,
                tile,
                consumed,
                ..
            },
        )) if actor == seat => Action::Daiminkan {
            target,
            tile,
            consumed,
        },
        Some((Some(actor), Event::Ankan { consumed, .. })) if actor == seat => {
            Action::Ankan { consumed }
        }
        Some((Some(actor), Event::Kakan { tile, consumed, .. })) if actor == seat => {
            Action::Kakan { tile, consumed }
        }
        Some((Some(actor), Event::Kita { .. })) if actor == seat => Action::Kita,
        Some((_, Event::Hora(first))) => {
            let others = next.take_while(|event| matches!(event, Event::Hora(_)));
            let wins =
                first.actor == seat || others.into_iter().any(|event| event.actor() == Some(seat));
            let win = legal
                .iter()
                .copied()
                .find(|action| matches!(action, Action::Hora { .. }));
            if wins {
                win.expect("a recorded win is legal")
            } else {
                Action::None
            }
        }
        Some((_, Event::Ryukyoku { .. })) if legal.contains(&Action::Ryukyoku) => Action::Ryukyoku,
        _ => Action::None,
    };
    let find = |wanted: Action| {
        legal
            .iter()
            .find(|action| in_any_order(**action) == in_any_order(wanted))
    };
    // By Mahjong Soul's rules the dealer's first discard is announced as one from the hand.
    let drawn = match wanted {
        Action::Dahai { tile, .. } => Action::Dahai {
            tile,
            tsumogiri: true,
        },
        Action::Reach { tile, .. } => Action::Reach {
            tile,
            tsumogiri: true,
        },
        other => other,
    };
    *find(wanted)
        .or_else(|| find(drawn))
        .unwrap_or_else(|| panic!("seat {seat}: {wanted:?} is not in {legal:?}"))
}

/// The action with its own tiles sorted as in events that are [`in_order`].
fn in_any_order(mut action: Action) -> Action {
    match &mut action {
        Action::Chi { consumed, .. } | Action::Pon { consumed, .. } => consumed.sort_unstable(),
        Action::Daiminkan { consumed, .. } | Action::Kakan { consumed, .. } => {
            consumed.sort_unstable()
        }
        Action::Ankan { consumed } => consumed.sort_unstable(),
        _ => {}
    }
    action
}

/// Plays a record again; how many rounds it has.
fn replay(rules: Rules, events: &[Event]) -> usize {
    let round = |from: usize| -> Option<Vec<Tile>> {
        let Event::StartKyoku(start) = events.get(from)? else {
            return None;
        };
        let length = events[from..]
            .iter()
            .position(|event| matches!(event, Event::EndKyoku))
            .expect("it ends");
        Some(wall(&rules, start, &events[from..from + length]))
    };
    let mut game = RiichiGame::with_wall(rules, &round(1).expect("a round begins"))
        .expect("the tiles are a wall");
    let (mut at, mut rounds) = (0, 1);
    let mut scores = *game.scores();
    loop {
        for event in game.events() {
            count(&mut scores, event);
            assert_eq!(
                in_order(*event),
                completed(events[at], event, &scores),
                "event {at}"
            );
            at += 1;
        }
        if game.is_over() {
            break;
        }
        if game.awaits_wall() {
            game.deal(&round(at).expect("a round begins"))
                .expect("the tiles are a wall");
            rounds += 1;
            continue;
        }
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            game.answer(seat, choice(seat, &legal, &events[at..]))
                .expect("it is legal");
        }
    }
    assert_eq!(at, events.len());
    rounds
}

/// Plays all records of a folder again; how many rounds they have.
fn replay_all(folder: &Path) -> usize {
    let rounds = records(folder).into_iter().map(|path| {
        let events = read(&path);
        let Some(Event::StartKyoku(start)) = events.get(1) else {
            panic!("{}: no round begins", path.display())
        };
        let rounds = replay(
            Rules::TENHOU_HALF.with_players(start.tehais.players()),
            &events,
        );
        eprintln!(
            "{}: {} events, {rounds} rounds",
            path.display(),
            events.len()
        );
        rounds
    });
    rounds.sum()
}

#[test]
fn a_recorded_game_is_played_again_event_by_event() {
    assert!(replay_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records")) >= 20);
    if let Some(folder) = std::env::var_os("RECORDS") {
        assert!(
            replay_all(Path::new(&folder)) > 0,
            "there are no records in {}",
            folder.display()
        );
    }
}

#[test]
fn a_game_of_random_choices_is_played_again_event_by_event() {
    for (number, rules) in [Rules::TENHOU_HALF, Rules::MAHJONG_SOUL_HALF.with_players(3)]
        .into_iter()
        .enumerate()
    {
        let (mut rng, style) = (
            Rng::keyed(&[number as u64]),
            crate::choice::Style::of_game(4),
        );
        let mut game =
            RiichiGame::with_wall(rules, Wall::shuffled(&rules, &mut rng).tiles()).expect("a wall");
        let mut events: Vec<Event> = Vec::new();
        loop {
            events.extend(game.events().iter().copied().map(in_order));
            if game.is_over() {
                break;
            }
            if game.awaits_wall() {
                game.deal(Wall::shuffled(&rules, &mut rng).tiles())
                    .expect("a wall");
                continue;
            }
            for seat in game.asked() {
                let legal = game.legal_actions(seat);
                let action = style.choose(&game, seat, &legal, &mut rng);
                game.answer(seat, action).expect("it is legal");
            }
        }
        replay(rules, &events);
    }
}
