//! `plugin inspect`.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use policy_host::Sha256;

use crate::common::libraries::{MISBEHAVE, misbehave_raw};
use crate::configs::Folder;
use crate::library::alone;
use crate::program::{Finished, Runner};

fn inspect(library: impl AsRef<OsStr>) -> Finished {
    Runner::new([
        OsStr::new("plugin"),
        OsStr::new("inspect"),
        library.as_ref(),
    ])
    .run()
}

#[track_caller]
fn refusal(file: &Path) -> String {
    let finished = inspect(file);
    assert_eq!(finished.exited(1), "");
    assert!(
        finished
            .err
            .contains(file.file_name().and_then(OsStr::to_str).expect("a name")),
        "{}",
        finished.err
    );
    finished.err
}

#[test]
fn a_library_is_shown_with_its_build_and_the_version_of_the_boundary() {
    let finished = inspect(&*MISBEHAVE);
    let out = finished.exited(0);
    let hash = Sha256::of(&fs::read(&*MISBEHAVE).expect("it is there")).to_string();
    assert!(
        out.contains(concat!(
            "build     \"misbehave ",
            env!("CARGO_PKG_VERSION"),
            "\""
        )),
        "{out}"
    );
    assert!(out.contains(&format!("sha256    {hash}")), "{out}");
    assert!(out.contains("boundary  1.0 (this runner: 1.0)"), "{out}");
}

#[test]
fn each_policy_is_shown_with_its_summary_and_its_parameters() {
    let finished = inspect(&*MISBEHAVE);
    let out = finished.exited(0);
    assert!(
        out.contains(concat!(
            "policy misbehave ",
            env!("CARGO_PKG_VERSION"),
            " (Misbehave)\n  Misbehaves on purpose, for tests."
        )),
        "{out}"
    );
    assert!(out.contains("plays with four players or three"), "{out}");
    let row = |name: &str| {
        out.lines()
            .find(|line| line.trim().starts_with(name))
            .unwrap_or_default()
            .to_owned()
    };
    let at = row("at ");
    assert!(
        at.contains("-1") && at.contains("whole numbers from -1 to 10000"),
        "{at}"
    );
    assert!(
        row("fault ").contains("\"none\"") && row("fault ").contains("\"panic\", \"out-of-range\""),
        "{out}"
    );
}

#[test]
fn a_built_in_policy_is_shown_by_its_id() {
    let (_folder, program) = alone();
    let finished = Runner::of(&program, ["plugin", "inspect", "greedy-tenpai"]).run();
    let out = finished.exited(0);
    assert!(
        out.contains("library   built in")
            && out.contains(concat!("policy greedy-tenpai ", env!("CARGO_PKG_VERSION"))),
        "{out}"
    );
}

#[test]
fn a_file_that_is_no_policy_library_is_refused_with_the_reason() {
    let folder = Folder::new();
    assert!(refusal(&folder.path().join("libmissing.so")).contains("build the library first"));
    assert!(
        refusal(&folder.file("libtext.so", "a text"))
            .contains("is not a library this machine can load")
    );
    let program = refusal(&folder.file(
        "policy.py",
        "print('a program long enough to have the head of a library in it')\n",
    ));
    assert!(
        program.contains("policy.params.command")
            && program.contains("plugin new NAME --lang python"),
        "{program}"
    );
    assert!(
        refusal(&folder.file("bot.toml", ""))
            .contains("is a config; name a library or the id of a policy")
    );
    assert!(refusal(&folder.file("libempty.so", "")).contains("is incomplete: it is empty"));
    let whole = fs::read(&*MISBEHAVE).expect("it is there");
    assert!(refusal(&folder.file("libhalf.so", &whole[..8192])).contains("is incomplete"));
    let open = folder.file("libopen.so", &whole);
    fs::set_permissions(&open, Permissions::from_mode(0o666)).expect("it is ours");
    assert!(refusal(&open).contains("all users may write to it"));
}

#[test]
fn a_library_with_a_bad_entry_is_refused_with_the_reason() {
    for (definition, reason) in [
        ("NO_SYMBOL", "it exports no `bot_policy_entry`"),
        ("NO_ENTRY", "does not want to be used"),
        ("WRONG_MAGIC", "something else than an entry"),
        (
            "WRONG_MAJOR",
            "speaks version 8 of the policy boundary, this runner version 1",
        ),
        ("NO_POLICIES", "it lists 0 policies"),
        ("GARBAGE_ID", "the id is not UTF-8"),
    ] {
        let err = refusal(&misbehave_raw(&[definition]).file);
        assert!(err.contains(reason), "{definition}: {err}");
    }
}

#[test]
fn a_library_that_crashes_when_it_is_loaded_does_not_crash_the_command() {
    let err = refusal(&misbehave_raw(&["AT_LOAD_SEGFAULT"]).file);
    assert!(
        err.contains("was killed by signal 11 (segmentation fault) while loading"),
        "{err}"
    );
}

#[test]
fn an_unknown_name_is_reported_with_the_places_searched() {
    let finished = inspect("nobody");
    finished.exited(1);
    assert!(
        finished.err.contains("libnobody.so") && finished.err.contains("built in are"),
        "{}",
        finished.err
    );
}
