//! The environment of a policy in its process.

use std::fs::File;

use rustix::io::{FdFlags, fcntl_setfd};

use crate::child::{PATIENCE, misbehaving, start};
use crate::common::logged::Log;
use crate::common::questions::question;

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
