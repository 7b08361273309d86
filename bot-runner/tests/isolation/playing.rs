//! A policy that does nothing wrong.

use bot_runner::plugin::child::{ChildLibrary, describe, probe};

use crate::child::{PATIENCE, built_in, launch, question, spec};

#[test]
fn a_policy_decides_again_and_again() {
    let mut policy = built_in();
    for _ in 0..1_000 {
        policy.decide(&question(), PATIENCE).expect("it decides");
    }
}

#[test]
fn a_library_is_described() {
    let described = describe(&launch(), &ChildLibrary::Builtin, "kuma", PATIENCE).expect("it is described");
    assert_eq!(described.policies[0].id, "greedy-tenpai");
}

#[test]
fn a_sound_policy_passes_the_probe() {
    probe(&spec(ChildLibrary::Builtin, "greedy-tenpai"), PATIENCE).expect("it passes");
}
