//! A disk without space: a limit for the size of files, set while the program plays. The behaviour
//! equals that on a full disk, except for the words.

use std::thread::sleep;
use std::time::{Duration, Instant};

use client::records::RecordState;
use rustix::process::{Pid, Resource, Rlimit, prlimit};

use super::{arena_alone, recorded, run};
use crate::common::records::{files, names, sound_records};
use crate::configs::Folder;
use crate::program::{Finished, Runner};

const PATIENCE: Duration = Duration::from_secs(60);

/// Plays games while no file may become larger than this, from the first game on.
fn played_with_room_for(bytes: u64, games: u32, folder: &Folder) -> Finished {
    let (_arena, url) = arena_alone();
    let mut running = run(recorded(folder, "kuma", &url, ""), games).start();
    running.line_with("kuma: game started");
    // Another thread creates the record, which may be later than the line.
    let until = Instant::now() + PATIENCE;
    while !files(&folder.path().join("records"))
        .iter()
        .any(|file| file.ends_with("manifest.json"))
    {
        assert!(Instant::now() < until, "no record begins");
        sleep(Duration::from_millis(10));
    }
    let process = i32::try_from(running.process())
        .ok()
        .and_then(Pid::from_raw);
    let limit = Rlimit {
        current: Some(bytes),
        maximum: None,
    };
    prlimit(process, Resource::Fsize, limit).expect("the limit may be lowered");
    let finished = running.finish();
    let out = finished.exited(0);
    assert_eq!(
        out.matches("kuma: game over after").count(),
        games as usize,
        "{out}"
    );
    for trouble in ["safe answer", "rejected", "answered"] {
        assert!(
            !out.lines()
                .any(|line| line.starts_with("kuma: ") && line.contains(trouble)),
            "{out}"
        );
    }
    finished
}

#[test]
fn a_full_disk_costs_one_warning_and_the_rest_of_the_records_and_no_action() {
    let folder = Folder::new();
    let played = played_with_room_for(20_000, 2, &folder);
    assert_eq!(
        played.err.matches("WARN").count(),
        1,
        "two games, and one disk that is full: {}",
        played.err
    );
    assert!(
        played
            .err
            .contains("the record of this game ends early: File too large"),
        "{}",
        played.err
    );
    assert!(
        played
            .out
            .contains("kuma: records of 0 whole games, 2 cut off"),
        "{}",
        played.out
    );
    for record in sound_records(&folder.path().join("records")) {
        let manifest = &record.manifest;
        assert_eq!(manifest.state, RecordState::Cut);
        // The remaining room is enough for a correct manifest.
        assert!(
            manifest
                .cut
                .as_ref()
                .is_some_and(|why| why.contains("File too large")),
            "{manifest:?}"
        );
        assert!(
            manifest
                .played
                .as_ref()
                .is_some_and(|played| played.place.is_some()),
            "{manifest:?}"
        );
        assert!(
            manifest.missing.frames > 0 && manifest.kept.events > 10,
            "{manifest:?}"
        );
    }
}

#[test]
fn a_disk_that_takes_not_even_the_end_of_a_record_costs_the_missing_part_and_the_next_start_finishes_it()
 {
    let folder = Folder::new();
    let played = played_with_room_for(100, 1, &folder);
    assert!(played.err.contains("File too large"), "{}", played.err);
    assert!(
        played.out.contains("without a finished record: 1 game;"),
        "{}",
        played.out
    );
    let records = folder.path().join("records");
    assert!(
        names(&records)
            .iter()
            .all(|name| name.starts_with(".unfinished-")),
        "{:?}",
        names(&records)
    );
    Runner::new(["records", "list", records.to_str().expect("UTF-8")])
        .run()
        .exited(0);
    let [record] = &sound_records(&records)[..] else {
        panic!("{:?}", names(&records))
    };
    let manifest = &record.manifest;
    assert!(
        manifest.state == RecordState::Cut && manifest.cut.is_some() && manifest.played.is_none(),
        "{manifest:?}"
    );
}
