//! Real games, intact and damaged.

use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use proptest::prelude::*;
use protocol::{Parsed, parse_event};
use riichi::{Event, Rules, Seat, Table};

use crate::consistency::{apply_or_refuse, assert_consistent, events_of, seats};
use crate::properties::any_tile;
use crate::round::state;

/// The events of each record next to this test.
pub(crate) static RECORDS: LazyLock<Vec<Vec<Event>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    [
        "riichienv-majiang-00003",
        "riichienv-majiang-00006",
        "riichienv-majiang-00007",
    ]
    .map(|name| record(&folder, name))
    .into()
});

fn record(folder: &Path, name: &str) -> Vec<Event> {
    let file = std::fs::File::open(folder.join(name).with_extension("jsonl.gz")).expect("a record");
    let mut text = String::new();
    GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("gzip");
    let event = |line| match parse_event(line) {
        Ok(Parsed::Event(event)) => event,
        other => panic!("{line}: {other:?}"),
    };
    text.lines().map(event).collect()
}

#[test]
fn a_record_replays_from_every_seat_and_the_table_stays_consistent() {
    for events in RECORDS.iter() {
        for seat in seats() {
            let mut table = Table::new(Rules::TENHOU_HALF, seat);
            for (number, event) in events.iter().enumerate() {
                if let Err(contradiction) = table.apply(event) {
                    panic!("event {number}, seat {seat}: {event:?}: {contradiction}");
                }
                assert_consistent(&table);
            }
        }
    }
}

#[test]
fn what_a_seat_did_in_a_record_was_legal() {
    for events in RECORDS.iter() {
        for seat in seats() {
            let mut table = Table::new(Rules::TENHOU_HALF, seat);
            let mut asked = table.clone();
            for event in events {
                if event.actor() == Some(seat) && is_a_choice(event) {
                    let legal = asked.legal_actions();
                    let chosen = |action: &riichi::Action| {
                        let first = events_of(&asked, *action).into_iter().next();
                        first.is_some_and(|first| same_choice(&first, event))
                    };
                    assert!(
                        legal.iter().any(chosen),
                        "seat {seat}: {event:?} is not in {legal:?}"
                    );
                }
                table.apply(event).expect("the record replays");
                // A request comes before these, so they do not change it.
                if !matches!(event, Event::ReachAccepted { .. } | Event::Hora(_)) {
                    asked = table.clone();
                }
            }
        }
    }
}

fn is_a_choice(event: &Event) -> bool {
    !matches!(event, Event::Tsumo { .. } | Event::ReachAccepted { .. })
}

fn same_choice(ours: &Event, theirs: &Event) -> bool {
    match (ours, theirs) {
        (Event::Hora(ours), Event::Hora(theirs)) => {
            (ours.actor, ours.target) == (theirs.actor, theirs.target)
        }
        (
            Event::Chi {
                tile: a,
                consumed: b,
                target: c,
                ..
            },
            Event::Chi {
                tile: x,
                consumed: y,
                target: z,
                ..
            },
        )
        | (
            Event::Pon {
                tile: a,
                consumed: b,
                target: c,
                ..
            },
            Event::Pon {
                tile: x,
                consumed: y,
                target: z,
                ..
            },
        ) => (a, sorted(b), c) == (x, sorted(y), z),
        (
            Event::Daiminkan {
                tile: a,
                consumed: b,
                ..
            },
            Event::Daiminkan {
                tile: x,
                consumed: y,
                ..
            },
        )
        | (
            Event::Kakan {
                tile: a,
                consumed: b,
                ..
            },
            Event::Kakan {
                tile: x,
                consumed: y,
                ..
            },
        ) => (a, sorted(b)) == (x, sorted(y)),
        (Event::Ankan { consumed: a, .. }, Event::Ankan { consumed: x, .. }) => {
            sorted(a) == sorted(x)
        }
        _ => ours == theirs,
    }
}

fn sorted<const N: usize>(tiles: &[riichi::Tile; N]) -> [riichi::Tile; N] {
    let mut tiles = *tiles;
    tiles.sort_unstable();
    tiles
}

#[test]
fn a_record_gives_the_same_table_masked_and_unmasked() {
    for events in RECORDS.iter() {
        for seat in seats() {
            let mut open = Table::new(Rules::TENHOU_HALF, seat);
            let mut masked = open.clone();
            for event in events {
                open.apply(event).expect("the record replays");
                masked
                    .apply(&event.masked_for(seat))
                    .expect("the record replays masked");
                assert_eq!(open.legal_actions(), masked.legal_actions());
                if matches!(
                    event,
                    Event::EndKyoku | Event::Dora { .. } | Event::Tsumo { .. }
                ) {
                    assert_eq!(state(&open), state(&masked));
                }
            }
        }
    }
}

/// Damage done to a record at one place.
#[derive(Debug, Clone)]
enum Damage {
    Drop,
    Repeat,
    SwapWithNext,
    MoveBy(usize),
    ChangeTile(riichi::Tile),
    ChangeActor(Seat),
}

fn damage() -> impl Strategy<Value = (prop::sample::Index, Damage)> {
    let seat = (0_u8..4).prop_map(|number| Seat::new(number).expect("a seat"));
    let what = prop_oneof![
        Just(Damage::Drop),
        Just(Damage::Repeat),
        Just(Damage::SwapWithNext),
        (2_usize..30).prop_map(Damage::MoveBy),
        any_tile().prop_map(Damage::ChangeTile),
        seat.prop_map(Damage::ChangeActor),
    ];
    (any::<prop::sample::Index>(), what)
}

fn damaged(mut events: Vec<Event>, all: &[(prop::sample::Index, Damage)]) -> Vec<Event> {
    for (place, damage) in all {
        let place = place.index(events.len());
        match *damage {
            Damage::Drop => {
                events.remove(place);
            }
            Damage::Repeat => events.insert(place, events[place]),
            Damage::SwapWithNext if place + 1 < events.len() => events.swap(place, place + 1),
            Damage::SwapWithNext => {}
            Damage::MoveBy(steps) => {
                let event = events.remove(place);
                events.insert((place + steps).min(events.len()), event);
            }
            Damage::ChangeTile(tile) => change_tile(&mut events[place], tile),
            Damage::ChangeActor(seat) => change_actor(&mut events[place], seat),
        }
    }
    events
}

fn change_tile(event: &mut Event, new: riichi::Tile) {
    match event {
        Event::Tsumo { tile, .. } => *tile = Some(new),
        Event::Dahai { tile, .. }
        | Event::Chi { tile, .. }
        | Event::Pon { tile, .. }
        | Event::Daiminkan { tile, .. }
        | Event::Kakan { tile, .. }
        | Event::Dora { marker: tile } => *tile = new,
        Event::Ankan { consumed, .. } => consumed[0] = new,
        Event::StartKyoku(start) => {
            for (_, hand) in start.tehais.iter_mut() {
                if let Some(hand) = hand {
                    hand[0] = new;
                }
            }
        }
        _ => {}
    }
}

fn change_actor(event: &mut Event, new: Seat) {
    match event {
        Event::Tsumo { actor, .. }
        | Event::Dahai { actor, .. }
        | Event::Chi { actor, .. }
        | Event::Pon { actor, .. }
        | Event::Daiminkan { actor, .. }
        | Event::Ankan { actor, .. }
        | Event::Kakan { actor, .. }
        | Event::Reach { actor }
        | Event::ReachAccepted { actor, .. } => *actor = new,
        Event::Hora(hora) => hora.actor = new,
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Undetected damage still leaves a possible game.
    #[test]
    fn a_damaged_record_is_refused_or_gives_a_consistent_table(
        record in 0_usize..3,
        seat in 0_u8..4,
        damage in prop::collection::vec(damage(), 1..12),
    ) {
        let seat = Seat::new(seat).expect("a seat");
        let events = damaged(RECORDS[record].clone(), &damage);
        let mut open = Table::new(Rules::TENHOU_HALF, seat);
        let mut masked = open.clone();
        for (number, event) in events.iter().enumerate() {
            let result = apply_or_refuse(&mut open, event);
            prop_assert_eq!(apply_or_refuse(&mut masked, &event.masked_for(seat)), result.clone(), "{:?}", event);
            if result.is_err() || number % 16 == 0 {
                assert_consistent(&open);
                prop_assert_eq!(state(&open), state(&masked));
            }
        }
    }
}

#[test]
fn a_round_after_the_damage_is_free_of_it() {
    let events = &RECORDS[0];
    let rounds: Vec<usize> = (0..events.len())
        .filter(|&at| matches!(events[at], Event::StartKyoku(_)))
        .collect();
    let mut table = Table::new(Rules::TENHOU_HALF, Seat::FIRST);
    let mut untouched = table.clone();
    for (number, event) in events.iter().enumerate() {
        untouched.apply(event).expect("the record replays");
        // The third discard of the second round is lost.
        if number == rounds[1] + 6 {
            continue;
        }
        let in_damaged_round = (rounds[1]..=rounds[2]).contains(&number);
        let result = table.apply(event);
        assert!(in_damaged_round || result.is_ok(), "{number}: {result:?}");
    }
    assert_eq!(state(&table), state(&untouched));
}
