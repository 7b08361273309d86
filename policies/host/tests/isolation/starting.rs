//! Libraries and policies that fail before the first decision: the message names the fault and the
//! step.

use std::path::{Path, PathBuf};
use std::time::Duration;

use policy_host::ParamValues;
use policy_host::child::{ChildPolicy, ChildSpec, describe};
use policy_host::{ChildError, ChildLibrary, Doing, ProcessEnd};

use crate::child::{PATIENCE, Raw, file, launch, misbehaving, refusal, spec, start};
use crate::common::libraries::misbehave_raw;

/// The message about a library compiled like this.
#[track_caller]
fn undescribed(definition: &str) -> String {
    let library = misbehave_raw(&[definition]);
    let error =
        describe(&launch(), &file(&library.file), PATIENCE).expect_err("it is not described");
    error
        .to_string()
        .replace(&library.file.display().to_string(), "FILE")
}

#[test]
fn a_library_that_ends_its_process_while_loading_is_reported_with_how() {
    assert_eq!(
        undescribed("AT_LOAD_EXIT"),
        "the policy's process ended with exit code 0 while loading"
    );
    let killed = "the policy's process was killed by signal 11 (segmentation fault) while loading";
    assert_eq!(undescribed("AT_LOAD_SEGFAULT"), killed);
    assert_eq!(
        undescribed("AT_LOAD_ABORT"),
        "the policy's process was killed by signal 6 (abort) while loading"
    );
}

#[test]
fn a_library_that_hangs_while_loading_is_killed() {
    let library = misbehave_raw(&["AT_LOAD_HANG"]);
    let within = Duration::from_millis(300);
    let error = describe(&launch(), &file(&library.file), within).expect_err("it hangs");
    assert!(
        matches!(
            error,
            ChildError::Hung {
                doing: Doing::Loading,
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(
        error.to_string(),
        "the policy's process did not finish loading within 300 ms and was killed"
    );
}

#[test]
fn a_file_that_is_no_policy_library_is_refused_in_the_words_of_a_load() {
    assert_eq!(
        undescribed("NO_SYMBOL"),
        "FILE is not a policy library: it exports no `bot_policy_entry`"
    );
    assert!(undescribed("NO_ENTRY").contains("does not want to be used"));
    assert!(undescribed("WRONG_MAGIC").contains("something else than an entry (magic 0xdeadbeef)"));
    assert!(undescribed("NO_POLICIES").contains("it lists 0 policies"));
    assert!(undescribed("NO_FUNCTION").contains("a function is missing"));
    assert!(undescribed("GARBAGE_ID").contains("the id is not UTF-8"));
}

#[test]
fn a_library_of_another_major_version_is_refused_with_both_numbers_and_its_build() {
    let error = undescribed("WRONG_MAJOR");
    assert!(
        error.contains("speaks version 8 of the policy boundary, this runner version 1"),
        "{error}"
    );
    assert!(error.contains("build \"misbehave-raw\""), "{error}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let missing = Path::new("/nowhere/libmine.so");
    let error = describe(&launch(), &file(missing), PATIENCE).expect_err("there is none");
    assert!(error.to_string().contains("/nowhere/libmine.so"), "{error}");
}

#[test]
fn a_policy_that_refuses_to_start_is_quoted() {
    let error = refusal(&misbehaving("fail-create"));
    assert_eq!(
        error.to_string(),
        "the policy could not be started: it fails on purpose"
    );
    let error = refusal(&misbehaving("panic-create"));
    assert_eq!(
        error.to_string(),
        "the policy could not be started: on purpose"
    );
    let error = refusal(&Raw::of("create-nothing").spec);
    assert!(error.to_string().contains("made nothing"), "{error}");
    let error = refusal(&Raw::of("create-garbage").spec);
    assert!(error.to_string().contains("not UTF-8"), "{error}");
}

#[test]
fn a_policy_that_ends_its_process_while_starting_is_reported_with_how() {
    for (spec, expected) in [
        (misbehaving("exit-create"), ProcessEnd::Exit(0)),
        (Raw::of("create-segfault").spec, ProcessEnd::Signal(11)),
        (Raw::of("create-abort").spec, ProcessEnd::Signal(6)),
    ] {
        let error = refusal(&spec);
        let ChildError::Died {
            doing: Doing::Creating,
            end,
        } = error
        else {
            panic!("{error:?}")
        };
        assert_eq!(end, expected);
    }
}

#[test]
fn a_policy_that_hangs_while_starting_is_killed() {
    let error = ChildPolicy::start(&misbehaving("hang-create"), Duration::from_millis(300))
        .expect_err("it hangs");
    assert!(
        matches!(
            error,
            ChildError::Hung {
                doing: Doing::Creating,
                ..
            }
        ),
        "{error:?}"
    );
}

#[test]
fn a_policy_that_the_library_does_not_hold_is_reported_with_those_it_holds() {
    let spec = ChildSpec {
        policy: "other".to_owned(),
        ..misbehaving("none")
    };
    let error = refusal(&spec).to_string();
    assert!(
        error.contains("no policy \"other\"; it holds `misbehave`"),
        "{error}"
    );
    let spec = ChildSpec {
        library: ChildLibrary::Builtin("other".to_owned()),
        params: ParamValues::default(),
        ..spec
    };
    assert!(
        refusal(&spec)
            .to_string()
            .contains("no policy \"other\" is built in")
    );
}

/// A policy in a process of another program.
fn run_by(program: &str) -> ChildSpec {
    let mut spec = spec(ChildLibrary::Builtin("greedy-tenpai".to_owned()), "");
    spec.options.launch.program = PathBuf::from(program);
    spec
}

#[test]
fn a_program_that_cannot_be_started_is_named() {
    let error = refusal(&run_by("/nowhere/bot-runner"));
    assert!(error.to_string().contains("/nowhere/bot-runner"), "{error}");
}

#[test]
fn a_program_that_is_none_of_ours_is_no_policy() {
    let error = refusal(&run_by("/bin/echo"));
    assert!(matches!(error, ChildError::BadFrame { .. }), "{error:?}");
}

#[test]
fn after_one_that_did_not_start_another_does() {
    refusal(&misbehaving("exit-create"));
    start(&misbehaving("none"));
}
