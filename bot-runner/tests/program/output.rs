//! Standard output that cannot be written, or that nobody reads any more.

use std::fs::File;
use std::io::pipe;
use std::process::{Command, Output, Stdio};

use super::configs::Folder;
use crate::common::libraries::PROGRAM;

/// A command whose output is its result.
fn check(folder: &Folder, out: impl Into<Stdio>) -> Output {
    let mut command = Command::new(PROGRAM);
    command.arg("check").arg(folder.bot("kuma")).env_remove("BOT_RUNNER_LOG").stdout(out);
    command.output().expect("the program starts")
}

#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    let full = File::options().write(true).open("/dev/full").expect("it is there");
    let Output { status, stderr, .. } = check(&Folder::new(), full);
    let err = String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(1), "{err}");
    assert!(err.contains("standard output cannot be written, so the result is not complete: No space left"), "{err}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let (reader, writer) = pipe().expect("there are pipes");
    drop(reader);
    let Output { status, stderr, .. } = check(&Folder::new(), writer);
    assert_eq!((status.code(), &*String::from_utf8_lossy(&stderr)), (Some(0), ""));
}
