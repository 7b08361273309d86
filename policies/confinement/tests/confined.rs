//! A process that confines itself, without a policy.
#![cfg(target_os = "linux")]

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use confinement::{Confinement, ProcessLimits};

const DONE: &str = "done";
const DENIED: &str = "permission denied";
const TOO_MANY: &str = "operation would block";

/// The example of this crate.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a program has a file");
    let profile = test.ancestors().nth(2).expect("it lies below `deps`");
    profile.join("examples/confined")
}

/// The outcome of an attempt in a process with these limits that may also read these files; `None`
/// if the system cannot enforce a limit.
fn attempt_with(limits: ProcessLimits, own: &[&Path], what: &str, with: &str) -> Option<String> {
    let own = own.iter().map(|path| path.to_path_buf()).collect();
    let confinement = serde_json::to_string(&Confinement::new(limits, own)).expect("JSON");
    let done = Command::new(program())
        .args([&confinement, what, with])
        .output()
        .expect("it can be started");
    let text = |bytes| String::from_utf8_lossy(bytes).trim().to_owned();
    let (found, missing) = (text(&done.stdout), text(&done.stderr));
    if missing.contains("this system cannot") {
        eprintln!("SKIPPED: {missing}");
        return None;
    }
    assert!(done.status.success(), "{what} {with}: {missing}");
    Some(found)
}

fn attempt(limits: ProcessLimits, what: &str, with: &str) -> Option<String> {
    attempt_with(limits, &[], what, with)
}

fn assert_outcome(found: Option<String>, wanted: &str) {
    assert!(
        found.as_deref().is_none_or(|found| found == wanted),
        "{found:?} and not {wanted:?}"
    );
}

fn nothing() -> ProcessLimits {
    ProcessLimits::default()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn it_reads_the_systems_files_its_own_and_those_in_its_limits() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("weights");
    fs::write(&file, "weights").expect("it can be written");
    assert_outcome(attempt(nothing(), "read", text(&file)), DENIED);
    assert_outcome(attempt(nothing(), "read", "/proc/self/status"), DONE);
    assert_outcome(attempt_with(nothing(), &[&file], "read", text(&file)), DONE);
    let limits = ProcessLimits {
        read: vec![folder.path().to_owned()],
        ..nothing()
    };
    assert_outcome(attempt(limits, "read", text(&file)), DONE);
}

#[test]
fn it_writes_only_where_its_limits_say() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("notes");
    fs::write(&file, "kept").expect("it can be written");
    let read = ProcessLimits {
        read: vec![folder.path().to_owned()],
        ..nothing()
    };
    assert_outcome(attempt(read, "write", text(&file)), DENIED);
    assert_eq!(fs::read(&file).expect("it is there"), b"kept");
    let write = ProcessLimits {
        write: vec![folder.path().to_owned()],
        ..nothing()
    };
    assert_outcome(attempt(write, "write", text(&file)), DONE);
}

#[test]
fn it_reaches_the_network_only_if_its_limits_say_so() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback is there");
    let address = listener.local_addr().expect("it is bound").to_string();
    assert_outcome(attempt(nothing(), "connect", &address), DENIED);
    let limits = ProcessLimits {
        network: true,
        ..nothing()
    };
    assert_outcome(attempt(limits, "connect", &address), DONE);
}

#[test]
fn it_runs_only_the_programs_in_its_limits() {
    assert_outcome(attempt(nothing(), "run", "/bin/true"), DENIED);
    let limits = || ProcessLimits {
        execute: vec![PathBuf::from("/usr/bin")],
        ..nothing()
    };
    assert_outcome(attempt(limits(), "run", "/usr/bin/true"), DONE);
    assert_outcome(attempt(limits(), "run", "/usr/sbin/ldconfig"), DENIED);
}

#[test]
fn it_has_no_more_threads_than_its_limits_allow() {
    let limits = || ProcessLimits {
        threads: Some(3),
        ..nothing()
    };
    assert_outcome(attempt(limits(), "start threads", "3"), DONE);
    assert_outcome(attempt(limits(), "start threads", "4"), TOO_MANY);
}

#[test]
fn it_has_no_more_memory_than_its_limits_allow() {
    let limits = || ProcessLimits {
        memory_mib: Some(256),
        ..nothing()
    };
    assert_outcome(attempt(limits(), "take memory", "64"), DONE);
    assert_outcome(attempt(limits(), "take memory", "512"), "out of memory");
}

#[test]
fn what_it_leaves_behind_ends_with_it() {
    let limits = ProcessLimits {
        execute: vec![PathBuf::from("/usr/bin")],
        ..nothing()
    };
    let start = Instant::now();
    // The output ends once the last process that holds it has ended.
    assert_outcome(attempt(limits, "leave behind", "600"), DONE);
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}
