//! Real records, watched from every seat.

use std::path::{Path, PathBuf};

use lab::record::{Record, open_lines};
use lab::replay::{replay, whole_courses};
use riichi::event::Hora;
use riichi::game::RiichiGame;
use riichi::table::{Contradiction, Phase};
use riichi::{Action, Event, Rules, Seat, Table, Tile};

fn records() -> Vec<PathBuf> {
    let folder = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../games/riichi/tests/records"
    ));
    let entries = std::fs::read_dir(folder).expect("the records are there");
    let files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "gz"))
        .collect()
}

fn events(path: &Path) -> Vec<(u64, Event)> {
    Record::open(path)
        .expect("the record opens")
        .map(|event| event.expect("the record is sound"))
        .collect()
}

fn seats() -> Vec<Seat> {
    Seat::all(4).collect()
}

#[test]
fn real_games_hold_no_contradiction_from_any_seat() {
    for path in records() {
        let courses = whole_courses::<RiichiGame>(open_lines(&path).expect("the record opens"))
            .expect("the record is sound");
        let replayed = replay(&courses, None).expect("it has the seats");
        assert!(
            replayed.contradiction().is_none(),
            "{}: {}",
            path.display(),
            replayed.contradiction().unwrap()
        );
        assert!(
            replayed.rounds >= 3,
            "{}: {} rounds",
            path.display(),
            replayed.rounds
        );
    }
}

fn sorted<const N: usize>(mut tiles: [Tile; N]) -> [Tile; N] {
    tiles.sort_unstable();
    tiles
}

fn was_listed(event: &Event, legal: &[Action]) -> bool {
    match *event {
        Event::Dahai {
            tile, tsumogiri, ..
        } => legal.contains(&Action::Dahai { tile, tsumogiri }),
        Event::Chi {
            target,
            tile,
            consumed,
            ..
        } => legal.contains(&Action::Chi {
            target,
            tile,
            consumed: sorted(consumed),
        }),
        Event::Pon {
            target,
            tile,
            consumed,
            ..
        } => legal.contains(&Action::Pon {
            target,
            tile,
            consumed: sorted(consumed),
        }),
        Event::Daiminkan {
            target,
            tile,
            consumed,
            ..
        } => legal.contains(&Action::Daiminkan {
            target,
            tile,
            consumed: sorted(consumed),
        }),
        Event::Ankan { consumed, .. } => legal.contains(&Action::Ankan {
            consumed: sorted(consumed),
        }),
        Event::Kakan { tile, consumed, .. } => legal.contains(&Action::Kakan {
            tile,
            consumed: sorted(consumed),
        }),
        Event::Reach { .. } => legal
            .iter()
            .any(|action| matches!(action, Action::Reach { .. })),
        Event::Hora(Hora { target, .. }) => legal
            .iter()
            .any(|action| matches!(action, Action::Hora { target: from, .. } if *from == target)),
        _ => true,
    }
}

#[test]
fn whatever_was_done_in_real_games_was_listed_as_legal() {
    let mut looked_at = 0;
    for path in records() {
        let mut tables: Vec<Table> = seats()
            .into_iter()
            .map(|seat| Table::new(Rules::TENHOU_HALF, seat))
            .collect();
        let mut before = tables.clone();
        for (line, event) in events(&path) {
            // A call after a riichi was accepted, and the second of two winners, chose before the
            // event in between.
            let late =
                |table: &Table| matches!(table.phase(), Phase::Accepted { .. } | Phase::Won { .. });
            if let Some(actor) = event.actor() {
                let now = &tables[actor.index()];
                let then = if late(now) {
                    &before[actor.index()]
                } else {
                    now
                };
                let legal = then.legal_actions();
                assert!(
                    was_listed(&event, &legal),
                    "{}:{line}: {event:?} is not in {legal:?}",
                    path.display()
                );
                looked_at += 1;
            }
            before.clone_from(&tables);
            for table in &mut tables {
                table
                    .apply(&event.masked_for(table.seat()))
                    .expect("the record has no contradiction");
            }
        }
    }
    assert!(looked_at > 3000, "{looked_at}");
}

#[test]
fn a_discard_that_is_not_in_the_hand_is_a_contradiction_to_its_owner_alone() {
    let events = events(&records()[0]);
    let at = events
        .iter()
        .position(|(_, event)| matches!(event, Event::Dahai { .. }))
        .expect("there are discards");
    let Event::Dahai { actor, .. } = events[at].1 else {
        unreachable!()
    };
    for seat in seats() {
        let mut table = Table::new(Rules::TENHOU_HALF, seat);
        for (_, event) in &events[..at] {
            table
                .apply(event)
                .expect("the replay follows the record up to here");
        }
        let held = |tile: Tile| table.hand().count(tile) > 0;
        let other = (0..37)
            .filter_map(Tile::new)
            .find(|&tile| !held(tile))
            .expect("no hand holds every tile");
        let result = table.apply(&Event::Dahai {
            actor,
            tile: other,
            tsumogiri: false,
        });
        if seat == actor {
            assert_eq!(result, Err(Contradiction::NotHeld { tile: other }));
        } else {
            assert_eq!(result, Ok(()));
        }
    }
}

#[test]
fn scores_that_do_not_follow_from_the_last_round_are_a_contradiction_but_take_effect() {
    let events = events(&records()[0]);
    let mut table = Table::new(Rules::TENHOU_HALF, Seat::FIRST);
    let mut rounds = 0;
    for (_, event) in &events {
        let mut event = *event;
        if let Event::StartKyoku(start) = &mut event {
            rounds += 1;
            if rounds == 2 {
                let mut wrong = start.scores.expect("the record has the scores");
                wrong[Seat::FIRST] += 100;
                start.scores = Some(wrong);
                assert!(
                    matches!(table.apply(&event), Err(Contradiction::Scores { given, .. }) if given == wrong)
                );
                assert_eq!(*table.scores(), wrong);
                return;
            }
        }
        table
            .apply(&event)
            .expect("the replay follows the record up to here");
    }
    panic!("the record has two rounds");
}
