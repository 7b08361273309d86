//! The environment of a policy in its process, and who may start one.

use std::fs::File;
use std::process::{Command, Stdio};

use rustix::io::{FdFlags, fcntl_setfd};

use crate::common::libraries::PROGRAM;
use crate::common::logged::Log;
use crate::common::questions::question;
use crate::isolation::child::{PATIENCE, misbehaving, start};

/// The policy's log about that.
fn found(token_variables: &[&str]) -> String {
    let log = Log::of_this_thread();
    let mut spec = misbehaving("look-around");
    spec.options.launch.token_variables = token_variables
        .iter()
        .map(|&name| name.to_owned())
        .collect();
    start(&spec)
        .decide(&question(), PATIENCE)
        .expect("it decides");
    log.text()
}

#[test]
fn variables_with_tokens_are_not_there() {
    assert!(found(&[]).contains("variable PATH "));
    let found = found(&["PATH"]);
    assert!(
        found.contains("variable ") && !found.contains("variable PATH "),
        "{found}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn files_that_the_runner_has_open_are_not_there() {
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    let inherited = File::open(file.path()).expect("it can be opened");
    // As a library in the runner may have opened it.
    fcntl_setfd(&inherited, FdFlags::empty()).expect("it can be left open");
    let found = found(&[]);
    assert!(found.contains("open /dev/null "), "{found}");
    assert!(
        !found.contains(&file.path().display().to_string()),
        "{found}"
    );
}

#[test]
fn the_command_of_a_process_is_hidden_and_says_whose_it_is() {
    let help = Command::new(PROGRAM)
        .arg("--help")
        .output()
        .expect("it starts");
    assert!(!String::from_utf8_lossy(&help.stdout).contains("policy-child"));
    let alone = Command::new(PROGRAM)
        .arg("policy-child")
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    assert_eq!(alone.status.code(), Some(1));
    let said = String::from_utf8_lossy(&alone.stderr).into_owned();
    assert!(
        said.contains("which only the runner itself can start: no order to load a library"),
        "{said}"
    );
}
