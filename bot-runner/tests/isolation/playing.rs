//! A policy that does nothing wrong plays as it would in the runner itself.

use std::path::Path;
use std::time::Instant;

use bot_runner::config::{LibraryChoice, PolicyConfig};
use bot_runner::plugin::child::{ChildLibrary, ChildSpec, describe, probe};
use bot_runner::plugin::{ChosenPolicy, Decided, Job, Libraries, PolicyThread, ViewBuffer};
use mahjong::{Action, Tile};

use crate::child::{PATIENCE, Raw, asked, decide, file, launch, misbehaving, question, spec, start};
use crate::common::libraries::{GREEDY_TENPAI, MISBEHAVE, misbehave_raw};
use crate::common::logged::Log;

/// What the same policy decides on a thread of this process.
async fn on_a_thread(spec: &ChildSpec, view: ViewBuffer) -> Decided {
    let ChildLibrary::File { file, .. } = &spec.library else { panic!("it is in a file") };
    let config = PolicyConfig::of(LibraryChoice::Path(file.clone()), None);
    let found = Libraries::new(launch()).find(Path::new("kuma.toml"), &config, 4).expect("it loads");
    let policy = ChosenPolicy { params: spec.params.clone(), ..found };
    let mut thread = PolicyThread::start(policy, spec.options.clone()).await.expect("it starts");
    assert!(thread.submit(Job { generation: 1, view: Box::new(view), until: Instant::now() + PATIENCE }));
    let answer = thread.answer().await.expect("its thread lives");
    answer.result.expect("it is wanted").expect("it decides")
}

#[tokio::test]
async fn it_decides_with_the_values_and_the_reason_that_it_gives_on_a_thread() {
    let spec = spec(file(&GREEDY_TENPAI), "");
    let decided = decide(&spec).expect("it decides");
    assert!(!decided.values.is_empty());
    // Actions without a value have NaN, which equals nothing.
    assert_eq!(format!("{decided:?}"), format!("{:?}", on_a_thread(&spec, question()).await));
}

#[tokio::test]
async fn every_byte_of_a_view_arrives_as_on_a_thread() {
    let throw = |index: u8| Action::Dahai { tile: Tile::new(index % 37).expect("a tile"), tsumogiri: index > 36 };
    let most: Vec<Action> = (0..64).map(throw).collect();
    let raw = Raw::of("digest");
    let mut policy = start(&raw.spec);
    for (actions, more_events) in [(&most[..1], 0), (&most[..], 254)] {
        let view = || asked(Some(actions), more_events, 1_000);
        let decided = policy.decide(&view(), PATIENCE).expect("it decides");
        let told = format!("{} actions, {} events, ", actions.len(), more_events + 2);
        assert!(decided.reason.starts_with(&told), "{decided:?}");
        assert_eq!(decided, on_a_thread(&raw.spec, view()).await);
    }
}

#[test]
fn it_decides_again_and_again() {
    let mut policy = start(&spec(ChildLibrary::Builtin, ""));
    for _ in 0..1_000 {
        policy.decide(&question(), PATIENCE).expect("it decides");
    }
}

#[test]
fn a_library_is_described_without_being_loaded_here() {
    let library = misbehave_raw(&["BUILD=\"build 17\""]);
    let described = describe(&launch(), &file(&library.file), "kuma", PATIENCE).expect("it is described");
    assert_eq!(described.build_id, "build 17");
    let config = PolicyConfig::of(LibraryChoice::Path(library.file.clone()), None);
    let here = Libraries::new(launch()).find(Path::new("kuma.toml"), &config, 4).expect("it loads");
    assert_eq!(described.policies, here.library.policies);
}

#[test]
fn a_library_of_an_earlier_or_later_minor_version_plays() {
    for version in ["SHORTER", "LONGER"] {
        let library = misbehave_raw(&[version]);
        start(&spec(file(&library.file), "")).decide(&question(), PATIENCE).expect("it decides");
    }
}

#[test]
fn a_sound_policy_passes_the_probe() {
    let description = probe(&misbehaving("none"), PATIENCE).expect("it passes");
    assert_eq!(description.policies[0].id, "misbehave");
}

#[test]
fn a_policy_that_goes_wrong_in_the_scripted_round_does_not_pass_the_probe() {
    let spec = spec(file(&MISBEHAVE), "fault = \"abort\"\nat = 2");
    let error = probe(&spec, PATIENCE).expect_err("it dies").to_string();
    assert_eq!(error, "asked for decision 3 of 4 in a scripted round: its process was killed by signal 6 (abort)");
}

#[test]
fn a_policy_that_does_not_start_does_not_pass_the_probe() {
    let error = probe(&misbehaving("fail-create"), PATIENCE).expect_err("it refuses").to_string();
    assert!(error.contains("it fails on purpose"), "{error}");
}

#[test]
fn its_lines_go_to_the_log_with_the_bots_name() {
    let log = Log::of_this_thread();
    start(&misbehaving("log")).decide(&question(), PATIENCE).expect("it decides");
    let text = log.text();
    let line = text.lines().find(|line| line.contains("said on purpose")).expect("it is logged");
    assert!(line.contains("WARN") && line.contains("bot=\"kuma\""), "{line}");
}

#[test]
fn a_line_of_garbage_is_told_as_such_and_a_long_one_is_cut() {
    let log = Log::of_this_thread();
    start(&Raw::of("log-garbage").spec).decide(&question(), PATIENCE).expect("it decides");
    start(&Raw::of("log-long").spec).decide(&question(), PATIENCE).expect("it decides");
    let text = log.text();
    assert!(text.contains("a line that is not UTF-8"), "{text}");
    assert!(text.lines().any(|line| line.contains(&"a".repeat(4096)) && line.len() < 4300), "{text}");
}

#[test]
fn what_it_prints_goes_to_the_log_and_disturbs_no_decision() {
    let log = Log::of_this_thread();
    let mut policy = start(&misbehaving("print"));
    for _ in 0..3 {
        policy.decide(&question(), PATIENCE).expect("it decides");
    }
    drop(policy);
    let text = log.text();
    for out in ["output", "error"] {
        let line = text.lines().find(|line| line.contains(&format!("noise on standard {out}"))).expect("it is logged");
        assert!(line.contains("bot=\"kuma\"") && line.contains("\\u{1b}[2J"), "{line}");
    }
}

#[test]
fn it_is_told_when_its_budget_is_over() {
    let decided = start(&misbehaving("until-unwanted")).decide(&asked(None, 0, 20), PATIENCE).expect("it decides");
    assert_eq!(decided.reason, "not wanted any more");
}
