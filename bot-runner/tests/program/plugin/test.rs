//! `plugin test`.

use std::path::Path;
use std::sync::LazyLock;

use crate::common::libraries::{GREEDY_TENPAI, MISBEHAVE};
use crate::configs::Folder;
use crate::program::{Finished, Runner};

fn test(library: &Path, more: &[&Path]) -> Finished {
    let command = [Path::new("plugin"), Path::new("test"), library];
    Runner::new(command.iter().chain(more)).run()
}

/// The test of a good policy.
static GOOD: LazyLock<Finished> = LazyLock::new(|| test(&GREEDY_TENPAI, &[]));

/// Milliseconds for a decision that is in time even if the machine stalls.
const ENOUGH_MS: u64 = 10_000;
/// Milliseconds for a decision that is late on purpose.
const SHORT_MS: u64 = 200;

/// Tests the library that misbehaves, as instructed by these parameters.
fn misbehaving(think_ms: u64, params: &str) -> Finished {
    let folder = Folder::new();
    let text = format!(
        "name = \"kuma\"\n[policy]\nlibrary = \"any\"\nthink_ms = {think_ms}\n[policy.params]\n{params}\n"
    );
    test(
        &MISBEHAVE,
        &[Path::new("--config"), &folder.file("kuma.toml", text)],
    )
}

/// The faults of a library that fails.
#[track_caller]
fn faults(think_ms: u64, params: &str) -> Vec<String> {
    let finished = misbehaving(think_ms, params);
    let out = finished.exited(1);
    assert!(
        out.lines()
            .last()
            .is_some_and(|line| line.starts_with("verdict: failed")),
        "{out}"
    );
    out.lines()
        .filter_map(|line| line.strip_prefix("fault: "))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_good_policy_passes_and_its_answers_times_and_memory_are_reported() {
    let out = GOOD.exited(0);
    assert!(
        out.starts_with(concat!("greedy-tenpai ", env!("CARGO_PKG_VERSION"), " (")),
        "{out}"
    );
    assert!(
        out.contains("20 of 20 games") && out.contains("places 1 to 4: "),
        "{out}"
    );
    assert!(
        out.contains(" decisions: p50 ") && out.contains("memory of its process: "),
        "{out}"
    );
    assert!(out.contains("it is repeatable"), "{out}");
    assert_eq!(out.lines().last(), Some("verdict: passed"));
}

#[test]
fn a_policy_is_tested_in_games_of_its_own_game() {
    for (policy, opponents, situation) in [
        (
            "cs-eight-step",
            "three bots that play a random legal action",
            "pass, kong, pung",
        ),
        (
            "doudizhu-split",
            "two bots that play a random legal action",
            "pass, single, bomb, rocket",
        ),
    ] {
        let folder = Folder::new();
        let text = format!("name = \"panda\"\n[policy]\nlibrary = \"builtin\"\nid = {policy:?}\n");
        let finished = test(&folder.file("panda.toml", text), &[]);
        let out = finished.exited(0);
        assert!(
            out.starts_with(&format!("{policy} {} (", env!("CARGO_PKG_VERSION"))),
            "{out}"
        );
        assert!(
            out.contains(&format!("20 of 20 games against {opponents}")) && out.contains(" won; +"),
            "{out}"
        );
        assert!(out.lines().any(|line| line.starts_with(situation)), "{out}");
        assert!(
            out.contains("s of 3000.0 ms") && out.contains("it is repeatable"),
            "{out}"
        );
        assert_eq!(out.lines().last(), Some("verdict: passed"));
    }
}

#[test]
fn a_policy_of_another_game_than_the_configs_fails() {
    let folder = Folder::new();
    let arena =
        "kind = \"botzone\"\ngame = \"chinese-standard\"\nuser = \"0a1b\"\nsecret_env = \"S\"";
    let text = format!(
        "name = \"panda\"\n[arena]\n{arena}\n[policy]\nlibrary = \"builtin\"\nid = \"doudizhu-split\"\n"
    );
    let finished = test(&folder.file("panda.toml", text), &[]);
    let out = finished.exited(1);
    assert!(
        out.contains("plays doudizhu, and this bot plays chinese-standard"),
        "{out}"
    );
}

#[test]
fn it_shows_the_action_in_each_situation() {
    let out = GOOD.exited(0);
    let row = |may: &str| {
        out.lines()
            .find(|line| line.starts_with(may))
            .unwrap_or_default()
            .to_owned()
    };
    assert!(row("hora, none").contains("hora"), "{out}");
    assert!(row("dahai, ryukyoku").contains("ryukyoku"), "{out}");
    assert!(row("dahai, reach, ankan").contains("reach 1m"), "{out}");
}

#[test]
fn an_unavailable_action_fails_the_test_and_the_games_continue_for_a_while() {
    let faults = faults(ENOUGH_MS, "fault = \"out-of-range\"\nat = 3");
    assert!(
        faults[0].starts_with("situation 4 (") && faults[0].contains("legal action"),
        "{faults:?}"
    );
    assert!(
        faults
            .iter()
            .any(|fault| fault.starts_with("game 2, decision 4")),
        "{faults:?}"
    );
    let more_like_it = |fault: &String| {
        fault
            .split_once(", and ")?
            .1
            .split_once(" more like it")?
            .0
            .parse::<usize>()
            .ok()
    };
    let counted: usize = faults
        .iter()
        .map(|fault| 1 + more_like_it(fault).unwrap_or(0))
        .sum();
    assert_eq!(counted, 10, "enough is enough: {faults:?}");
}

#[test]
fn what_ends_the_policy_fails_it_with_how_it_ended() {
    assert_eq!(
        faults(ENOUGH_MS, "fault = \"panic\"\nat = 0"),
        ["situation 1 (dahai): it panicked: on purpose"]
    );
    let ended = "situation 1 (dahai): its process ended with exit code 0";
    assert_eq!(faults(ENOUGH_MS, "fault = \"exit\"\nat = 0"), [ended]);
}

#[test]
fn an_answer_after_its_time_fails_it() {
    let faults = faults(SHORT_MS, "fault = \"late\"\nat = 0");
    assert!(
        faults[0].contains("it took ") && faults[0].ends_with("of 200 ms"),
        "{faults:?}"
    );
}

#[test]
fn a_policy_that_hangs_is_killed_and_fails() {
    let faults = faults(SHORT_MS, "fault = \"hang\"\nat = 1");
    assert!(
        faults.len() == 1 && faults[0].contains("its process was killed"),
        "{faults:?}"
    );
}

#[test]
fn a_policy_that_does_not_start_fails_in_its_own_words() {
    assert_eq!(
        faults(ENOUGH_MS, "fault = \"fail-create\""),
        ["the policy could not be started: it fails on purpose"]
    );
}

#[test]
fn a_policy_that_decides_by_earlier_questions_passes_with_a_remark() {
    let finished = misbehaving(ENOUGH_MS, "fault = \"remember\"");
    let out = finished.exited(0);
    assert!(
        out.contains("it does not repeat itself: a fresh instance answers "),
        "{out}"
    );
}

#[test]
fn memory_that_grows_from_game_to_game_is_reported() {
    let finished = misbehaving(ENOUGH_MS, "fault = \"leak\"\nat = 0");
    assert!(
        finished.exited(0).contains("warning: it grew by "),
        "{}",
        finished.out
    );
}

#[test]
fn a_library_that_cannot_be_used_fails() {
    let folder = Folder::new();
    let finished = test(&folder.file("libtext.so", "a text"), &[]);
    let out = finished.exited(1);
    assert!(
        out.contains("is not a library this machine can load") && out.contains("verdict: failed"),
        "{out}"
    );
}

#[test]
fn a_policy_that_the_library_does_not_hold_is_reported_with_those_it_holds() {
    let finished = test(&GREEDY_TENPAI, &[Path::new("--policy"), Path::new("other")]);
    assert!(
        finished
            .exited(1)
            .contains("holds no policy \"other\"; it holds `greedy-tenpai`"),
        "{}",
        finished.out
    );
}

#[test]
fn parameters_of_the_config_are_checked() {
    let finished = misbehaving(ENOUGH_MS, "at = -2");
    assert!(
        finished.exited(1).contains("policy.params.at: found -2"),
        "{}",
        finished.out
    );
}
