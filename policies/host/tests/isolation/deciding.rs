//! Policies that fail when they decide: the fault is reported, and nothing else happens.

use std::time::Duration;

use policy_host::ProcessEnd;
use policy_host::{Decided, Fault};
use rustix::process::{Pid, Signal, kill_process};

use crate::child::{PATIENCE, Raw, decide, file, gone, misbehaving, spec, start};
use crate::common::libraries::MISBEHAVE;
use crate::common::logged::Log;
use crate::common::questions::question;

#[test]
fn a_process_that_its_policy_ends_is_reported_with_how() {
    for (spec, expected) in [
        (misbehaving("exit"), ProcessEnd::Exit(0)),
        (misbehaving("abort"), ProcessEnd::Signal(6)),
        (misbehaving("stack-overflow"), ProcessEnd::Signal(6)),
    ] {
        assert_eq!(decide(&spec), Err(Fault::Died(expected)));
    }
    for (fault, expected) in [
        ("segfault", ProcessEnd::Signal(11)),
        ("abort", ProcessEnd::Signal(6)),
        ("exit", ProcessEnd::Exit(0)),
    ] {
        assert_eq!(
            decide(&Raw::of(fault).spec),
            Err(Fault::Died(expected)),
            "{fault}"
        );
    }
}

#[test]
fn a_policy_that_hangs_is_killed_and_stays_so() {
    let mut policy = start(&misbehaving("hang"));
    let id = policy.id().expect("it is there");
    assert_eq!(
        policy.decide(&question(), Duration::from_millis(50)),
        Err(Fault::Hung)
    );
    gone(id);
    assert_eq!(policy.decide(&question(), PATIENCE), Err(Fault::Hung));
    assert_eq!(policy.id(), None);
}

#[test]
fn a_policy_that_only_logs_is_killed_too() {
    let log = Log::of_this_thread();
    let raw = Raw::of("log-for-ever");
    assert_eq!(
        start(&raw.spec).decide(&question(), Duration::from_secs(1)),
        Err(Fault::Hung)
    );
    assert!(log.text().contains("again"));
}

#[test]
fn a_policy_that_is_late_but_not_lost_has_decided() {
    assert!(decide(&misbehaving("late")).is_ok());
}

#[test]
fn a_kill_from_outside_is_distinguished_from_the_policys_own_deaths() {
    let mut policy = start(&misbehaving("none"));
    policy.decide(&question(), PATIENCE).expect("it decides");
    let id = policy
        .id()
        .expect("it is there")
        .try_into()
        .expect("a process id");
    kill_process(Pid::from_raw(id).expect("it is not 0"), Signal::KILL).expect("it can be killed");
    let fault = policy
        .decide(&question(), PATIENCE)
        .expect_err("it is dead");
    let Fault::Died(ended) = fault else {
        panic!("{fault:?}")
    };
    assert!(ended.is_from_outside());
    assert_eq!(ended.to_string(), "was killed by signal 9 (from outside)");
    assert!(!ProcessEnd::Signal(11).is_from_outside() && !ProcessEnd::Exit(9).is_from_outside());
}

#[test]
fn after_a_death_another_process_decides() {
    assert!(decide(&misbehaving("exit")).is_err());
    assert!(decide(&misbehaving("none")).is_ok());
}

#[test]
fn a_panic_leaves_the_process_but_no_policy() {
    let mut policy = start(&misbehaving("panic"));
    assert_eq!(
        policy.decide(&question(), PATIENCE),
        Err(Fault::Panicked("on purpose".to_owned()))
    );
    let again = policy.decide(&question(), PATIENCE);
    assert!(matches!(again, Err(Fault::Panicked(_))), "{again:?}");
    assert!(policy.id().is_some());
}

#[test]
fn a_failure_is_quoted_and_the_next_decision_may_succeed() {
    let mut policy = start(&misbehaving("fail"));
    for _ in 0..2 {
        assert_eq!(
            policy.decide(&question(), PATIENCE),
            Err(Fault::Failed("it fails on purpose".to_owned()))
        );
    }
    let odd = [
        ("unknown-status", "no reason given"),
        ("garbage-error", "its message is not UTF-8"),
    ];
    for (fault, text) in odd {
        assert_eq!(
            decide(&Raw::of(fault).spec),
            Err(Fault::Failed(text.to_owned())),
            "{fault}"
        );
    }
}

#[test]
fn a_choice_that_there_is_not_is_a_fault() {
    let beyond = |decided| match decided {
        Err(Fault::OutOfRange { index, of }) => (index, of),
        other => panic!("{other:?}"),
    };
    let (index, of) = beyond(decide(&Raw::of("out-of-range").spec));
    assert_eq!(index, of);
    assert_eq!(beyond(decide(&Raw::of("no-choice").spec)), (u32::MAX, of));
    assert_eq!(
        beyond(decide(&misbehaving("out-of-range"))),
        (of, of),
        "a policy of the SDK is no exception"
    );
}

#[test]
fn an_answer_to_another_question_is_a_fault() {
    let other = Fault::OtherQuestion {
        answered: 2,
        asked: 1,
    };
    assert_eq!(decide(&Raw::of("other-question").spec), Err(other));
}

#[test]
fn that_it_is_not_to_blame_comes_over_with_its_words() {
    let away = Fault::Unavailable("the server is away".to_owned());
    assert_eq!(decide(&Raw::of("unavailable").spec), Err(away));
}

#[test]
fn malformed_values_and_words_are_omitted() {
    for fault in ["boast", "garbage-reason"] {
        let decided = decide(&Raw::of(fault).spec).expect("the choice is sound");
        assert_eq!(
            decided,
            Decided {
                index: 0,
                values: vec![],
                reason: decided.reason.clone()
            },
            "{fault}"
        );
        assert!(
            decided.reason.len() <= 256 && !decided.reason.contains('\u{fffd}'),
            "{fault}: {decided:?}"
        );
    }
}

#[test]
fn garbage_in_the_hosts_own_pipe_is_noticed() {
    let fault = decide(&Raw::of("write-everywhere").spec).expect_err("it is not an answer");
    assert!(matches!(fault, Fault::BadFrame(_)), "{fault:?}");
    assert!(
        fault
            .to_string()
            .starts_with("its process was killed, since it sent a frame of the unknown kind")
    );
}

#[test]
fn a_process_that_closes_its_pipes_and_lives_on_is_killed() {
    let raw = Raw::of("close-everything");
    let mut policy = start(&raw.spec);
    let id = policy.id().expect("it is there");
    assert_eq!(
        policy.decide(&question(), PATIENCE),
        Err(Fault::Died(ProcessEnd::Silent))
    );
    gone(id);
}

#[test]
fn a_death_is_noticed_though_something_left_behind_holds_the_pipe() {
    assert_eq!(
        decide(&Raw::of("fork").spec),
        Err(Fault::Died(ProcessEnd::Exit(3)))
    );
}

#[test]
fn a_policy_that_answers_twice_is_killed_before_an_answer_is_taken_for_another_questions() {
    let raw = Raw::of("fork-answers");
    let mut policy = start(&raw.spec);
    let fault = (0..100)
        .find_map(|_| policy.decide(&question(), PATIENCE).err())
        .expect("it is noticed");
    // Two that read from one pipe may also take the questions from each other.
    assert!(
        matches!(fault, Fault::BadFrame(_) | Fault::Died(_)),
        "{fault:?}"
    );
    assert_eq!(policy.id(), None);
}

#[test]
fn what_goes_wrong_in_one_decision_leaves_the_others_alone() {
    let spec = spec(file(&MISBEHAVE), "fault = \"fail\"\nat = 1");
    assert!(
        decide(&spec).is_ok(),
        "the decision 0 is none of those that fail"
    );
}
