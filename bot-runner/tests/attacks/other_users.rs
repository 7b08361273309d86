//! Attacks by other users and by other processes of the same user. A test that only root can run
//! says so. More of them: links and files of others among records in
//! `tests/program/records/commands.rs` and `src/records/leftovers.rs`, the name of a token's lock
//! in `bot-runner/client/src/token_lock.rs`.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

use super::{PROBE, storm};
use crate::common::libraries::PROGRAM;
use crate::configs::{Folder, POLICY, arena};
use crate::program::Runner;

/// A user other than root.
const OTHER_USER: u32 = 65_534;

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The words before a command that has this user, who is not root, run it.
fn as_an_ordinary_user() -> Vec<String> {
    if is_root() {
        [
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
        ]
        .map(str::to_owned)
        .to_vec()
    } else {
        vec!["env".to_owned()]
    }
}

/// Gives a folder and its contents to that user.
fn give(path: &Path) {
    if is_root() {
        chown(path, Some(OTHER_USER), Some(OTHER_USER)).expect("root can");
        if path.is_dir() {
            fs::read_dir(path)
                .expect("it is there")
                .flatten()
                .for_each(|entry| give(&entry.path()));
        }
    }
}

fn program<S: AsRef<OsStr>>(folder: &Folder, args: impl IntoIterator<Item = S>) -> Runner {
    let words = as_an_ordinary_user();
    let (first, rest) = words.split_first().expect("there is a word");
    let mut all: Vec<_> = rest
        .iter()
        .map(|word| OsStr::new(word).to_owned())
        .collect();
    all.push(PROGRAM.into());
    all.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
    let runtime = folder.private("runtime");
    give(folder.path());
    Runner::of(Path::new(first), all)
        .in_folder(folder.path())
        .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
        .env("KUMA_TOKEN", "canary-of-kuma")
}

/// Whether that user may run the program at its path.
fn can_run(folder: &Folder) -> bool {
    let words = as_an_ordinary_user();
    give(folder.path());
    let ran = Command::new(&words[0])
        .args(&words[1..])
        .args([PROGRAM, "--version"])
        .output();
    let can = ran.is_ok_and(|ran| ran.status.success());
    if !can {
        eprintln!("SKIPPED: an ordinary user cannot be had here, or cannot run {PROGRAM}");
    }
    can
}

#[test]
#[cfg(target_os = "linux")]
fn other_processes_of_the_user_read_neither_the_environment_nor_the_memory_of_a_runner() {
    let folder = Folder::new();
    if !can_run(&folder) {
        return;
    }
    folder.file(
        "kuma.toml",
        format!(
            "name = \"kuma\"\n{}{POLICY}",
            arena("ws://127.0.0.1:1", "KUMA_TOKEN")
        ),
    );
    let mut running = program(&folder, ["run", "kuma.toml"]).start();
    running.line_with("kuma: no connection to ");
    let words = as_an_ordinary_user();
    for file in ["environ", "mem", "maps"] {
        let path = format!("/proc/{}/{file}", running.process());
        let read = Command::new(&words[0])
            .args(&words[1..])
            .args(["head", "-c", "1", &path])
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&read.stderr);
        assert!(
            !read.status.success() && said.contains("Permission denied"),
            "{file}: {said}"
        );
    }
    running.stop();
}

#[test]
fn an_ordinary_users_policy_starts_no_more_processes_than_it_may() {
    let folder = Folder::new();
    if !can_run(&folder) {
        return;
    }
    fs::copy(&PROBE.file, folder.path().join("libprobe.so")).expect("it can be copied");
    let _storm = storm();
    for (processes, expected) in [(0, "Operation not permitted"), (100_000, "done")] {
        let limits =
            format!("[policy.limits]\nprocesses = {processes}\n[policy.params]\nwhat = \"fork\"\n");
        let policy =
            format!("[policy]\nlibrary = \"./libprobe.so\"\nisolation = \"process\"\n{limits}");
        folder.file("kuma.toml", format!("name = \"kuma\"\n{policy}"));
        let finished = program(
            &folder,
            ["plugin", "test", "libprobe.so", "--config", "kuma.toml"],
        )
        .run();
        assert!(
            finished.out.contains(expected),
            "{processes}: {}",
            finished.all()
        );
    }
}

#[test]
fn a_library_that_others_can_write_is_refused() {
    let folder = Folder::new();
    let library = folder.path().join("libprobe.so");
    fs::copy(&PROBE.file, &library).expect("it can be copied");
    fs::set_permissions(&library, fs::Permissions::from_mode(0o777)).expect("it is ours");
    let config = folder.file(
        "kuma.toml",
        "name = \"kuma\"\n[policy]\nlibrary = \"./libprobe.so\"\n",
    );
    let finished = Runner::new(["check".into(), config]).run();
    assert!(
        finished.exited(1).contains("all users may write to it"),
        "{}",
        finished.out
    );
}
