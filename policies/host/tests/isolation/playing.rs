//! A policy that does nothing wrong plays as it would in the runner itself.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mistakes::KeyProblem;
use policy_host::ChildLibrary;
use policy_host::child::{ChildSpec, describe};
use policy_host::{
    Admitted, Decided, GameKind, Isolation, Libraries, LibraryChoice, PolicyConfig, StartOptions,
    ViewBuffer,
};
use riichi::{Action, Tile};

use crate::child::{PATIENCE, Raw, decide, file, launch, misbehaving, spec, start};
use crate::common::libraries::{GREEDY_TENPAI, MISBEHAVE, misbehave_raw};
use crate::common::logged::Log;
use crate::common::questions::{asked, question};
use crate::common::seats::{admitted, decision};

/// The decision of the same policy on a thread of this process, with these parameters in TOML.
async fn on_a_thread(
    spec: &ChildSpec,
    params: &str,
    view: impl FnOnce(&mut ViewBuffer),
) -> Decided {
    let ChildLibrary::File { file, .. } = &spec.library else {
        panic!("it is in a file")
    };
    let params = params.parse().expect("TOML");
    let section = PolicyConfig {
        params,
        ..PolicyConfig::of(LibraryChoice::Path(file.clone()), None)
    };
    decision(&mut admitted(&section, launch()).await, view).await
}

#[tokio::test]
async fn it_decides_with_the_values_and_the_reason_that_it_gives_on_a_thread() {
    let spec = spec(file(&GREEDY_TENPAI), "");
    let decided = decide(&spec).expect("it decides");
    assert!(!decided.values.is_empty());
    // Actions without a value have NaN, which equals nothing.
    assert_eq!(
        format!("{decided:?}"),
        format!(
            "{:?}",
            on_a_thread(&spec, "", |view| *view = question()).await
        )
    );
}

#[tokio::test]
async fn every_byte_of_a_view_arrives_as_on_a_thread() {
    let throw = |index: u8| Action::Dahai {
        tile: Tile::new(index % 37).expect("a tile"),
        tsumogiri: index > 36,
    };
    let most: Vec<Action> = (0..64).map(throw).collect();
    let raw = Raw::of("digest");
    for (actions, more_events) in [(&most[..1], 0), (&most[..], 254)] {
        let view = || asked(Some(actions), more_events, Duration::from_secs(1));
        // Both are asked their first question.
        let decided = start(&raw.spec)
            .decide(&view(), PATIENCE)
            .expect("it decides");
        let told = format!("{} actions, {} events, ", actions.len(), more_events + 2);
        assert!(decided.reason.starts_with(&told), "{decided:?}");
        assert_eq!(
            decided,
            on_a_thread(&raw.spec, "fault = \"digest\"", |shown| *shown = view()).await
        );
    }
}

#[test]
fn it_decides_again_and_again() {
    let mut policy = start(&spec(ChildLibrary::Builtin("greedy-tenpai".to_owned()), ""));
    for _ in 0..1_000 {
        policy.decide(&question(), PATIENCE).expect("it decides");
    }
}

#[test]
fn a_library_is_described_without_being_loaded_here() {
    let library = misbehave_raw(&["BUILD=\"build 17\""]);
    let described = describe(&launch(), &file(&library.file), PATIENCE).expect("it is described");
    assert_eq!(described.build_id, "build 17");
    let section = PolicyConfig::of(LibraryChoice::Path(library.file.clone()), None);
    let Ok(Admitted::Ready(here)) = admit(&section) else {
        panic!("it is admitted")
    };
    assert_eq!(described, here.library.description);
}

#[test]
fn a_library_of_an_earlier_or_later_minor_version_plays() {
    for version in ["SHORTER", "LONGER"] {
        let library = misbehave_raw(&[version]);
        start(&spec(file(&library.file), ""))
            .decide(&question(), PATIENCE)
            .expect("it decides");
    }
}

fn admit(section: &PolicyConfig) -> Result<Admitted, Vec<KeyProblem>> {
    Libraries::new(launch(), Vec::new()).admit(section, &options(), None, Instant::now())
}

fn options() -> StartOptions {
    StartOptions {
        bot: "kuma".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: PathBuf::new(),
        launch: launch(),
    }
}

#[test]
fn a_library_behind_a_link_plays_with_the_rights_that_its_trial_had() {
    let [own, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder can be made"));
    let (link, target) = (
        own.path().join("libmine.so"),
        other.path().join("libmine.so"),
    );
    fs::copy(&*GREEDY_TENPAI, &target).expect("it can be copied");
    symlink(&target, &link).expect("it can be linked");
    let section = PolicyConfig {
        isolation: Isolation::Process,
        ..PolicyConfig::of(LibraryChoice::Path(link), None)
    };
    let Ok(Admitted::Ready(policy)) = admit(&section) else {
        panic!("it is admitted")
    };
    let confinement = policy.for_child(&options(), false).confinement;
    let readable = confinement.expect("it is confined").readable();
    let reads = |folder: &Path| readable.iter().any(|place| place == folder);
    assert!(reads(own.path()), "{readable:?}");
    assert!(!reads(other.path()), "{readable:?}");
}

/// Why the policy that goes wrong like this is not admitted.
#[track_caller]
fn refused(params: &str) -> String {
    let params = params.parse().expect("TOML");
    let section = PolicyConfig {
        params,
        ..PolicyConfig::of(LibraryChoice::Path(MISBEHAVE.clone()), None)
    };
    let problems = admit(&section).expect_err("it is not admitted");
    problems[0]
        .message
        .replace(&MISBEHAVE.display().to_string(), "FILE")
}

#[test]
fn a_policy_that_goes_wrong_in_the_scripted_round_is_not_admitted() {
    let died =
        "asked for decision 3 of 4 in a scripted round: its process was killed by signal 6 (abort)";
    let trial = "FILE was tried out in a process of its own";
    assert_eq!(
        refused("fault = \"abort\"\nat = 2"),
        format!("{trial}: {died}")
    );
}

#[test]
fn a_policy_that_uses_all_its_time_for_each_decision_is_admitted() {
    let section = PolicyConfig {
        params: "fault = \"until-unwanted\"".parse().expect("TOML"),
        think: Some(Duration::from_millis(50)),
        ..PolicyConfig::of(LibraryChoice::Path(MISBEHAVE.clone()), None)
    };
    assert!(matches!(admit(&section), Ok(Admitted::Ready(_))));
}

#[test]
fn a_policy_that_does_not_start_is_not_admitted() {
    let error = refused("fault = \"fail-create\"");
    assert!(error.contains("it fails on purpose"), "{error}");
}

#[test]
fn its_lines_go_to_the_log_with_the_bots_name() {
    let log = Log::of_this_thread();
    start(&misbehaving("log"))
        .decide(&question(), PATIENCE)
        .expect("it decides");
    let text = log.text();
    let line = text
        .lines()
        .find(|line| line.contains("said on purpose"))
        .expect("it is logged");
    assert!(
        line.contains("WARN") && line.contains("bot=\"kuma\""),
        "{line}"
    );
}

#[test]
fn a_decision_has_a_hundred_lines_in_the_log_which_counts_the_omitted_ones() {
    let log = Log::of_this_thread();
    start(&misbehaving("log-flood"))
        .decide(&question(), PATIENCE)
        .expect("it decides");
    let text = log.text();
    assert_eq!(
        text.lines()
            .filter(|line| line.contains("said on purpose"))
            .count(),
        100
    );
    assert!(text.contains("too much for the log: 4900 lines"), "{text}");
}

#[test]
fn a_line_of_garbage_is_reported_as_such_and_a_long_one_is_cut() {
    let log = Log::of_this_thread();
    start(&Raw::of("log-garbage").spec)
        .decide(&question(), PATIENCE)
        .expect("it decides");
    start(&Raw::of("log-long").spec)
        .decide(&question(), PATIENCE)
        .expect("it decides");
    let text = log.text();
    assert!(text.contains("a line that is not UTF-8"), "{text}");
    assert!(
        text.lines()
            .any(|line| line.contains(&"a".repeat(4096)) && line.len() < 4300),
        "{text}"
    );
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
        let line = text
            .lines()
            .find(|line| line.contains(&format!("noise on standard {out}")))
            .expect("it is logged");
        assert!(
            line.contains("bot=\"kuma\"") && line.contains("\\u{1b}[2J"),
            "{line}"
        );
    }
}

#[test]
fn it_is_reported_when_its_budget_is_over() {
    let decided = start(&misbehaving("until-unwanted"))
        .decide(&asked(None, 0, Duration::from_millis(20)), PATIENCE)
        .expect("it decides");
    assert_eq!(decided.reason, "not wanted any more");
}
