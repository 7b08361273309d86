//! No process is left behind.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
#[cfg(target_os = "linux")]
use std::time::Duration;

use policy_host::child::describe;

use crate::common::libraries::MISBEHAVE;
use crate::common::logged::Log;
#[cfg(target_os = "linux")]
use policy_host::{Fault, ProcessEnd};

use crate::child::{PATIENCE, Raw, file, gone, launch, misbehaving, start};
use crate::common::questions::question;

#[test]
fn a_policy_is_destroyed_and_its_process_gone_when_it_is_dropped() {
    let log = Log::of_this_thread();
    let raw = Raw::of("destroy-fail");
    let policy = start(&raw.spec);
    let id = policy.id().expect("it is there");
    drop(policy);
    gone(id);
    let text = log.text();
    assert!(
        text.contains("a policy failed while ending: on purpose"),
        "{text}"
    );
}

#[test]
fn a_policy_that_hangs_when_it_is_destroyed_is_killed() {
    let log = Log::of_this_thread();
    let policy = start(&misbehaving("hang-destroy"));
    let id = policy.id().expect("it is there");
    drop(policy);
    gone(id);
    assert!(
        log.text().contains("a policy did not end within 2 s"),
        "{}",
        log.text()
    );
}

#[test]
fn a_policy_that_dies_when_it_is_destroyed_is_reported() {
    let log = Log::of_this_thread();
    let raw = Raw::of("destroy-segfault");
    drop(start(&raw.spec));
    let text = log.text();
    assert!(
        text.contains("its process was killed by signal 11 (segmentation fault)"),
        "{text}"
    );
}

/// The process that a policy has reported to have left behind.
#[cfg(target_os = "linux")]
fn daemon(log: &Log) -> u32 {
    let text = log.text();
    let (_, rest) = text.split_once("daemon ").expect("it is logged");
    rest.split(|letter: char| !letter.is_ascii_digit())
        .next()
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_policy_has_started_ends_with_it_wherever_it_has_gone() {
    for (fault, ended) in [
        ("daemon", None),
        ("daemon-hang", Some(Fault::Hung)),
        ("daemon-exit", Some(Fault::Died(ProcessEnd::Exit(3)))),
    ] {
        let log = Log::of_this_thread();
        let raw = Raw::of(fault);
        let mut policy = start(&raw.spec);
        let decided = policy.decide(&question(), Duration::from_millis(300));
        assert_eq!(decided.err(), ended, "{fault}");
        let daemon = daemon(&log);
        drop(policy);
        gone(daemon);
    }
}

/// In a process that is not the tests' own, this test plays a runner that is killed.
const RUNNER: &str = "PLAY_A_RUNNER";

#[test]
fn a_process_does_not_outlive_a_killed_runner_whatever_its_policy_is_doing() {
    if std::env::var_os(RUNNER).is_some() {
        let raw = Raw::of("outlive");
        let mut policy = start(&raw.spec);
        eprintln!("process {}", policy.id().expect("it is there"));
        let _ = policy.decide(&question(), PATIENCE);
        return;
    }
    describe(&launch(), &file(&MISBEHAVE), PATIENCE).expect("the library is built");
    let name = "ending::a_process_does_not_outlive_a_killed_runner_whatever_its_policy_is_doing";
    let mut runner = Command::new(std::env::current_exe().expect("it runs"))
        .args(["--exact", name, "--nocapture"])
        .env(RUNNER, "yes")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let stderr = BufReader::new(runner.stderr.take().expect("it is piped"));
    let id = stderr
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("process ")?.parse().ok());
    runner.kill().expect("it can be killed");
    runner.wait().expect("it was started");
    gone(id.expect("it has a process"));
}
