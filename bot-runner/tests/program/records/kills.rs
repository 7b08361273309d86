//! A runner that keeps records, killed at any moment.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use client::records::{GameRecord, MANIFEST, RecordState};
use rustix::process::Signal;

use super::arena_alone;
use crate::common::libraries::numbered;
use crate::common::records::{names, sound_records};
use crate::configs::{Folder, arena};
use crate::program::Runner;

/// The beginning of the name of a record that is not published yet.
const UNFINISHED: &str = ".unfinished-";
/// Maximum time that a runner plays before it is killed.
const MAX_LIFE: Duration = Duration::from_millis(600);

/// Number of kills; `KILLS=50` is the long run.
fn kills() -> u32 {
    std::env::var("KILLS").map_or(4, |text| text.parse().expect("KILLS is a number"))
}

/// Games that were on when their runner was killed, by records that are not published yet.
fn broken_off(records: &Path) -> Vec<String> {
    let playing = |name: &String| {
        let manifest = fs::read_to_string(records.join(name).join(MANIFEST)).unwrap_or_default();
        name.starts_with('.') && manifest.contains("\"state\": \"playing\"")
    };
    names(records).into_iter().filter(playing).collect()
}

fn has_hidden(records: &Path) -> bool {
    names(records).iter().any(|name| name.starts_with('.'))
}

#[test]
fn killed_at_any_moment_it_leaves_records_that_are_whole_or_marked_as_cut_and_the_next_start_clears_up()
 {
    let folder = Folder::new();
    let (records, temporary) = (folder.path().join("records"), folder.private("temporary"));
    folder.file("libnumbered.so", numbered(0));
    let (_arena, url) = arena_alone();
    let policy =
        "\n[policy]\nlibrary = \"./libnumbered.so\"\nparams = { pause_ms = 1 }\n\n[records]\n";
    let config = folder.file(
        "kuma.toml",
        format!("name = \"kuma\"\n{}{policy}", arena(&url, "KUMA_TOKEN")),
    );
    // The arena plays a lost game on, so each life logs in under another name.
    let start = |life: u32, more: &[&str]| {
        let args = [&["run", config.to_str().expect("UTF-8")], more].concat();
        let runner = Runner::new(args).env("KUMA_TOKEN", &format!("token-{life}"));
        runner
            .env("TMPDIR", temporary.to_str().expect("UTF-8"))
            .start()
    };
    let copies = || {
        names(&temporary)
            .iter()
            .filter(|name| name.starts_with("bot-runner-policies-"))
            .count()
    };
    let (mut left_over, mut cut) = (HashSet::new(), 0);
    for life in 1..=kills() {
        let mut running = start(life, &[]);
        running.line_with("kuma: game started");
        // A bot that begins to play has cleaned up after its predecessors.
        assert_eq!(copies(), 1);
        sleep(MAX_LIFE.mul_f64(fastrand::f64()));
        running.signal(Signal::KILL);
        drop(running);
        left_over.extend(broken_off(&records));
        if life % 2 == 0 {
            // The list finishes records as well, though it removes nothing.
            Runner::new(["records", "list", records.to_str().expect("UTF-8")])
                .run()
                .exited(0);
            assert_eq!(broken_off(&records), Vec::<String>::new());
        }
        let all = sound_records(&records);
        let marked = all
            .iter()
            .filter(|record| record.manifest.state == RecordState::Cut)
            .count();
        assert!(marked >= cut, "a record is gone");
        cut = marked;
    }
    let last = start(0, &["--games", "1"]).finish();
    assert!(
        last.exited(0)
            .contains("kuma: records of 1 whole game, 0 cut off"),
        "{}",
        last.out
    );
    assert_eq!((copies(), has_hidden(&records)), (0, false));
    let all = sound_records(&records);
    let cut = all
        .iter()
        .filter(|record| record.manifest.state == RecordState::Cut)
        .count();
    let frames: u64 = all.iter().map(|record| record.manifest.kept.frames).sum();
    eprintln!(
        "{} kills: {} whole records, {cut} cut, {} found unfinished; {frames} frames",
        kills(),
        all.len() - cut,
        left_over.len()
    );
    // One that was killed between the end of a game and that of its record leaves a whole record.
    let is_left_over =
        |record: &&GameRecord| left_over.contains(&format!("{UNFINISHED}{}", record.name()));
    let whole = all
        .iter()
        .filter(|record| record.manifest.state == RecordState::Complete)
        .filter(is_left_over)
        .count();
    assert_eq!(
        cut + whole,
        left_over.len(),
        "each kill in a game leaves one record, which is whole or marked as cut"
    );
    assert!(cut > 0);
}
