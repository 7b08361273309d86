//! The time to read one mjai event, on whole records.

use std::io::Read;
use std::path::Path;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use flate2::read::GzDecoder;

fn main() {
    divan::main();
}

/// The lines of all records, as every seat together sees them.
fn lines() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/riichi/tests/records");
    let mut lines = Vec::new();
    for name in [
        "riichienv-majiang-00003",
        "riichienv-majiang-00006",
        "riichienv-majiang-00007",
    ] {
        let file = std::fs::File::open(folder.join(name).with_extension("jsonl.gz"))
            .expect("the record is there");
        let mut text = String::new();
        GzDecoder::new(file)
            .read_to_string(&mut text)
            .expect("the record is gzip of text");
        lines.extend(text.lines().map(str::to_owned));
    }
    lines
}

#[divan::bench]
fn events(bencher: Bencher<'_, '_>) {
    let lines = lines();
    bencher
        .counter(ItemsCount::new(lines.len()))
        .bench_local(|| {
            for line in &lines {
                _ = black_box(protocol::parse_event(black_box(line)));
            }
        });
}

#[divan::bench(args = [
    r#"{"actor":0,"pai":"C","type":"tsumo"}"#,
    r#"{"actor":1,"pai":"4p","tsumogiri":false,"type":"dahai"}"#,
    r#"{"actor":0,"consumed":["P","P"],"pai":"P","target":1,"type":"pon"}"#,
])]
fn event(bencher: Bencher<'_, '_>, line: &str) {
    bencher.bench_local(|| protocol::parse_event(black_box(line)));
}

#[divan::bench]
fn frames(bencher: Bencher<'_, '_>) {
    let lines = lines();
    bencher
        .counter(ItemsCount::new(lines.len()))
        .bench_local(|| {
            for line in &lines {
                _ = black_box(protocol::riichilab::parse_frame(black_box(line)));
            }
        });
}
