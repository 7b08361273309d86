//! The table on real records: applying events, and parsing and applying them together.
//!
//! `cargo bench -p bot-runner --bench table`; the items are events of one seat, so items/s and its
//! inverse are the figures to look at.

use std::path::PathBuf;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use lab::record::Record;
use protocol::{Parsed, event_json, parse_event};
use riichi::{Event, Rules, Seat, Table};

fn main() {
    divan::main();
}

/// The events of all records, as each seat hears them.
fn seats() -> Vec<(Seat, Vec<Event>)> {
    let folder = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../games/riichi/tests/records"
    ));
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the records are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "gz"))
        .collect();
    files.sort();
    let mut heard = Vec::new();
    for seat in Seat::all(4) {
        for file in &files {
            let record = Record::open(file).expect("the record opens");
            let events = record
                .map(|event| event.expect("the record is sound").1.masked_for(seat))
                .collect();
            heard.push((seat, events));
        }
    }
    heard
}

fn count(heard: &[(Seat, Vec<Event>)]) -> ItemsCount {
    ItemsCount::new(heard.iter().map(|(_, events)| events.len()).sum::<usize>())
}

#[divan::bench]
fn apply(bencher: Bencher<'_, '_>) {
    let heard = seats();
    bencher.counter(count(&heard)).bench(|| {
        for (seat, events) in &heard {
            let mut table = Table::new(Rules::TENHOU_HALF, *seat);
            for event in events {
                table
                    .apply(black_box(event))
                    .expect("the record has no contradiction");
            }
            black_box(&table);
        }
    });
}

#[divan::bench]
fn parse_and_apply(bencher: Bencher<'_, '_>) {
    let heard = seats();
    let lines: Vec<(Seat, Vec<String>)> = heard
        .iter()
        .map(|(seat, events)| (*seat, events.iter().map(event_json).collect()))
        .collect();
    bencher.counter(count(&heard)).bench(|| {
        for (seat, lines) in &lines {
            let mut table = Table::new(Rules::TENHOU_HALF, *seat);
            for line in lines {
                if let Ok(Parsed::Event(event)) = parse_event(black_box(line)) {
                    table
                        .apply(&event)
                        .expect("the record has no contradiction");
                }
            }
            black_box(&table);
        }
    });
}

/// The extra cost of a request: our own list of legal actions, at every event of the records.
#[divan::bench]
fn apply_and_list_legal_actions(bencher: Bencher<'_, '_>) {
    let heard = seats();
    bencher.counter(count(&heard)).bench(|| {
        for (seat, events) in &heard {
            let mut table = Table::new(Rules::TENHOU_HALF, *seat);
            for event in events {
                table
                    .apply(black_box(event))
                    .expect("the record has no contradiction");
                black_box(table.legal_actions());
            }
        }
    });
}
