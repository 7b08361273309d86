//! Engines that start, end, and are ended.

use std::thread::sleep;
use std::time::{Duration, Instant};

use policy_process::MAX_RESTARTS;
use policy_sdk::abi::params::Value;
use policy_sdk::abi::status::{STATUS_BAD_PARAMETER, STATUS_FAILED};
use rustix::process::{Pid, test_kill_process};
use serde_json::json;

use super::*;

fn is_alive(pid: i32) -> bool {
    test_kill_process(Pid::from_raw(pid).unwrap()).is_ok()
}

#[test]
fn a_command_is_needed() {
    let refused = TestInstance::create(&ENTRY, "mjai-engine", &[]).unwrap_err();
    let text = "parameter `command` is missing; allowed: text".to_owned();
    assert_eq!((refused.status, refused.text), (STATUS_BAD_PARAMETER, text));
}

#[test]
fn a_program_that_is_not_there_is_reported_when_the_policy_is_made() {
    let refused = create("./no-such-engine", &[]).unwrap_err();
    assert_eq!(refused.status, STATUS_FAILED);
    assert!(
        refused
            .text
            .starts_with("the engine: cannot start ./no-such-engine: "),
        "{}",
        refused.text
    );
}

#[test]
fn an_engine_that_cannot_decide_is_reported_with_its_status_and_its_last_words() {
    let stage = Stage::new(&[]);
    stage.follow(&[json!({"complain": "no weights here", "exit": 3})]);
    let refused = create(&stage.command(), &[]).unwrap_err();
    let ended = "the engine: it ended (exit status: 3; the last it wrote was: no weights here); `replies` sets ";
    assert!(refused.text.starts_with(ended), "{}", refused.text);
}

#[test]
fn an_engine_that_never_decides_is_given_up_with_the_lines_that_came_and_went_and_the_keys() {
    let when_asked = "while read line; do case $line in *can_act*) ;; *) echo \"{}\";; esac; done";
    for (kind, script, counts) in [
        (
            "when-asked",
            "cat >/dev/null",
            "lines sent: 5, answers: 0 of 1",
        ),
        ("every-line", when_asked, "lines sent: 5, answers: 1 of 5"),
    ] {
        let command = shell_words::join(["sh", "-c", &format!("echo thinking >&2; {script}")]);
        let refused = create(
            &command,
            &[replies(kind), ("start_ms", Value::integer(2_000))],
        )
        .unwrap_err();
        let says = format!(
            "the engine: it did not decide a trial round within 2000 ms ({counts}; signal: 9 (SIGKILL); the last it wrote was: \
             thinking); `start_ms` sets how long it has; `replies` sets which lines it gets, and which it answers"
        );
        assert_eq!(refused.text, says);
    }
}

#[test]
fn an_engine_whose_answer_to_the_trial_round_is_not_legal_is_refused_with_both_and_the_key() {
    // The test's host cuts the text.
    for (answer, says) in [
        (
            json!({"type": "kita"}),
            "dahai 9s, dahai P, dahai W tsumogiri]; `replies` se",
        ),
        (
            json!({"type": "kita"}),
            r#"it answered {"type": "kita"}; legal is [dahai 1m, dahai 2p, "#,
        ),
        (
            json!({"type": "dahai", "pai": "9m", "tsumogiri": false}),
            r#""pai": "9m""#,
        ),
        (json!({"type": "tsumo"}), "cannot be read"),
    ] {
        let stage = Stage::new(&[]);
        stage.follow(&[json!({"answer": answer})]);
        let text = create(&stage.command(), &[]).unwrap_err().text;
        assert!(
            text.starts_with("the engine: asked for the first discard of a trial round, it"),
            "{text}"
        );
        assert!(text.contains(says), "{text}");
    }
}

#[test]
fn an_engine_that_fails_the_trial_of_a_restart_is_started_once_more() {
    let stage = Stage::new(&[json!({"exit": 1}), json!({"answer": {"type": "kita"}})]);
    let mut bot = stage.bot();
    let says = "the engine: asked for the first discard of a trial round, ";
    assert!(
        bot.decide(&turn(&begun()))
            .unwrap_err()
            .text
            .starts_with(says)
    );
    assert_eq!(bot.decide(&turn(&begun())).unwrap().action, drawn("F"));
    assert_eq!(stage.pids().len(), 3);
}

#[test]
fn an_engine_that_ends_is_restarted_with_the_round_and_asked_again() {
    let stage = Stage::new(&[throw("F"), json!({"exit": 1}), json!({}), throw("C")]);
    let mut bot = stage.bot();
    bot.decide(&turn(&begun())).unwrap();
    stage.heard();
    assert_eq!(bot.decide(&turn(&gone_on())).unwrap().action, drawn("C"));
    let around = "dahai tsumo dahai tsumo dahai tsumo dahai tsumo!";
    let trial = "start_game start_kyoku tsumo dahai tsumo!";
    assert_eq!(
        stage.heard(),
        format!("{around} {trial} end_kyoku start_game start_kyoku tsumo {around}")
    );
    assert_eq!(stage.pids().len(), 2);
}

#[test]
fn an_engine_that_always_ends_is_given_up_until_the_next_game() {
    let stage = Stage::new(&[]);
    let mut bot = stage.bot();
    stage.follow(&vec![json!({"complain": "out of memory", "exit": 1}); 100]);
    let mut last = String::new();
    for _ in 0..10 {
        last = bot.decide(&turn(&begun())).unwrap_err().text;
    }
    assert_eq!(stage.pids().len(), 1 + MAX_RESTARTS as usize);
    assert!(
        last.contains("started again 5 times") && last.contains("exit status: 1"),
        "{last}"
    );
    assert!(
        last.ends_with("the last it wrote was: out of memory)"),
        "no word of `replies`, which was right: {last}"
    );
    stage.follow(&[]);
    let next_game = turn_of(&begun()).keys(0, 1, 0);
    assert_eq!(
        bot.decide(&with_time(next_game, AMPLE)).unwrap().action,
        drawn("F")
    );
}

#[test]
fn an_engine_whose_command_names_its_seat_is_started_for_each() {
    let stage = Stage::new(&[]);
    stage.follow(&[]);
    let mut bot = create(&format!("{} {{seat}}", stage.command()), &[]).unwrap();
    let heard = |seat: u8| fs::read_to_string(stage.path(&format!("heard-{seat}"))).unwrap();
    for seat in 0..4 {
        let start: Json = serde_json::from_str(heard(seat).lines().next().unwrap()).unwrap();
        assert_eq!(start["id"], seat);
    }
    let before = heard(1);
    let second = Situation::drew(HAND, "6z").seat(1).events(&[
        deal(),
        draw(0, None),
        dahai(0, "9s", true),
        draw(1, Some("F")),
    ]);
    assert_eq!(
        bot.decide(&with_time(second, AMPLE)).unwrap().action,
        drawn("F")
    );
    assert_eq!(
        (
            heard(0).lines().count(),
            heard(1).lines().count() - before.lines().count()
        ),
        (5, 6)
    );
}

#[test]
fn nothing_is_left_of_an_engine_when_the_policy_ends() {
    let stage = Stage::new(&[]);
    let bot = stage.bot();
    let pids = stage.pids();
    assert!(is_alive(pids[0]));
    bot.destroy().unwrap();
    assert!(!is_alive(pids[0]));
}

#[test]
fn engines_of_four_seats_that_do_not_end_are_ended_together() {
    let stage = Stage::new(&[]);
    stage.follow(&[]);
    fs::write(stage.path("linger"), "").unwrap();
    let bot = create(&format!("{} {{seat}}", stage.command()), &[]).unwrap();
    let pids = stage.pids();
    assert_eq!(pids.len(), 4);
    bot.destroy().unwrap();
    assert!(!pids.into_iter().any(is_alive));
    // Each engine gets half a second; one that outlives another by that time was waited for
    // separately.
    let outlived = fs::read_to_string(stage.path("outlived")).unwrap_or_default();
    assert_eq!(outlived, "", "engines that outlived the first");
}

#[test]
fn what_an_engine_has_started_ends_with_it() {
    let stage = Stage::new(&[]);
    let left = stage.path("left");
    // It holds the engine's pipes open, too.
    let script = format!(
        "sleep 1000 & echo $! >{}; {}",
        left.display(),
        stage.command()
    );
    let bot = create(&shell_words::join(["sh", "-c", &script]), &[]).unwrap();
    bot.destroy().unwrap();
    let pid = fs::read_to_string(left).unwrap().trim().parse().unwrap();
    // Its new parent reaps it at some later time.
    let until = Instant::now() + Duration::from_millis(AMPLE.into());
    let is_reaped_later =
        || fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z "));
    while is_alive(pid) && !is_reaped_later() {
        assert!(Instant::now() < until, "it lives on");
        sleep(Duration::from_millis(5));
    }
}
