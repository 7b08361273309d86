//! A panic of a policy ends that instance, and nothing else.

use policy_abi::entry::Entry;
use policy_abi::params::Value;
use policy_abi::status::{STATUS_FAILED, STATUS_PANICKED, STATUS_POISONED};

use crate::testing::{Situation, TestInstance};
use crate::{
    Answer, Choice, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View,
    entry, policy,
};

/// Panics where its parameter says.
struct Panicking {
    at: &'static str,
}

const PLACES: &[Choice] = &[
    Choice::new("create"),
    Choice::new("decide"),
    Choice::new("drop"),
    Choice::new("payload"),
    Choice::new("refuse"),
];

impl Policy for Panicking {
    type Game = crate::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "panicking",
        name: "Panicking",
        version: "1",
        summary: "Panics where its parameter says.",
        games: Games::Both,
        params: &[Param::choice(
            "at",
            "decide",
            PLACES,
            "Step at which to panic.",
        )],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        let at = params.choice("at")?;
        assert_ne!(at, "create", "no such luck");
        Ok(Self { at })
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        match self.at {
            "decide" => panic!("lost in thought"),
            "payload" => std::panic::panic_any(Bomb),
            "refuse" => Err(DecideError::Failed("not this one".to_owned())),
            _ => Ok(0),
        }
    }
}

impl Drop for Panicking {
    fn drop(&mut self) {
        assert_ne!(self.at, "drop", "not going");
    }
}

/// A payload that panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("and again");
    }
}

static ENTRY: Entry = entry("test", &[policy::<Panicking>()]);

fn bot(at: &str) -> Result<TestInstance, crate::testing::Refused> {
    TestInstance::create(
        &ENTRY,
        "panicking",
        &[("at", Value::text(policy_abi::params::VALUE_CHOICE, at))],
    )
}

fn scene() -> crate::testing::Scene {
    Situation::drew("123m 456p 789s 1122z", "3z").build()
}

#[test]
fn a_panic_while_creating_is_a_status_and_a_text_and_no_instance() {
    let refused = bot("create").unwrap_err();
    assert_eq!(refused.status, STATUS_PANICKED);
    assert!(refused.text.contains("no such luck"), "{}", refused.text);
}

#[test]
fn a_panic_while_deciding_is_a_status_and_a_text() {
    let refused = bot("decide").unwrap().decide(&scene()).unwrap_err();
    assert_eq!(
        (refused.status, refused.text.as_str()),
        (STATUS_PANICKED, "lost in thought")
    );
}

#[test]
fn an_instance_that_panicked_is_poisoned_and_can_still_be_destroyed() {
    let mut bot = bot("decide").unwrap();
    bot.decide(&scene()).unwrap_err();
    assert_eq!(bot.decide(&scene()).unwrap_err().status, STATUS_POISONED);
    bot.destroy().unwrap();
}

#[test]
fn a_poisoned_instance_leaves_others_of_its_library_alone() {
    bot("decide").unwrap().decide(&scene()).unwrap_err();
    bot("drop").unwrap().decide(&scene()).unwrap();
}

#[test]
fn a_refusal_poisons_nothing() {
    let mut bot = bot("refuse").unwrap();
    for _ in 0..2 {
        let refused = bot.decide(&scene()).unwrap_err();
        assert_eq!(
            (refused.status, refused.text.as_str()),
            (STATUS_FAILED, "not this one")
        );
    }
}

#[test]
fn a_panic_while_destroying_is_a_status_and_a_text() {
    let refused = bot("drop").unwrap().destroy().unwrap_err();
    assert_eq!(refused.status, STATUS_PANICKED);
    assert!(refused.text.contains("not going"), "{}", refused.text);
}

#[test]
fn a_payload_that_panics_when_dropped_stays_in_the_library() {
    let refused = bot("payload").unwrap().decide(&scene()).unwrap_err();
    assert_eq!(
        (refused.status, refused.text.as_str()),
        (STATUS_PANICKED, "a panic without a text")
    );
}
