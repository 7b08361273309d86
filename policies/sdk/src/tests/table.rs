//! The data that a host reads before it creates an instance.
#![allow(unsafe_code, reason = "a host reads C structs")]

use policy_abi::descriptor::{PLAYERS_FOUR, PolicyDescriptor};
use policy_abi::entry::{ABI_MAJOR, ABI_MINOR, ENTRY_MAGIC, Entry};
use policy_abi::layout;
use policy_abi::params::{
    VALUE_BOOLEAN, VALUE_CHOICE, VALUE_INTEGER, VALUE_NONE, VALUE_NUMBER, VALUE_PATH,
};
use policy_abi::text::Text;

use crate::{
    Answer, Choice, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View,
    entry, policy,
};

macro_rules! described {
    ($name:ident, $id:literal) => {
        struct $name;

        impl Policy for $name {
            type Game = crate::RiichiMahjong;

            const DESCRIPTOR: Descriptor = Descriptor {
                id: $id,
                name: "A name",
                version: "1.2.3",
                summary: "A summary.",
                games: Games::FourPlayers,
                params: &[
                    Param::integer("depth", 3, 1, 9, "How deep."),
                    Param::number("weight", 0.5, 0.25, 1.0, "How heavy."),
                    Param::choice(
                        "speed",
                        "slow",
                        &[Choice::new("slow"), Choice::new("fast")],
                        "How fast.",
                    ),
                    Param::boolean("brave", true, "Whether brave."),
                    Param::path("weights", "Where."),
                ],
            };

            fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
                Ok(Self)
            }

            fn decide(
                &mut self,
                _: &View<'_>,
                _: &Env,
                _: &mut Answer,
            ) -> Result<usize, DecideError> {
                Ok(0)
            }
        }
    };
}

described!(First, "first");
described!(Second, "second");

static ENTRY: Entry = entry("a build", &[policy::<First>(), policy::<Second>()]);

mod exported {
    crate::export!(super::ENTRY);
}

fn read(text: Text) -> &'static str {
    // SAFETY: all texts of the entry are static.
    unsafe { text.read() }.unwrap()
}

fn policies() -> Vec<PolicyDescriptor> {
    let policies = ENTRY.policies;
    // SAFETY: the entry keeps its promises.
    (0..policies.len)
        .map(|index| unsafe { layout::read_element(policies.items, policies.stride, index) })
        .collect()
}

#[test]
fn the_exported_function_returns_the_entry_itself() {
    assert!(std::ptr::eq(exported::bot_policy_entry(), &raw const ENTRY));
}

#[test]
fn the_entry_says_size_magic_version_and_build() {
    assert_eq!(ENTRY.struct_size as usize, size_of::<Entry>());
    assert_eq!(
        (ENTRY.magic, ENTRY.abi_major, ENTRY.abi_minor),
        (ENTRY_MAGIC, ABI_MAJOR, ABI_MINOR)
    );
    assert_eq!(read(ENTRY.build_id), "a build");
}

#[test]
fn the_head_of_the_entry_has_the_places_that_every_major_version_keeps() {
    use std::mem::offset_of;
    assert_eq!(
        [
            offset_of!(Entry, struct_size),
            offset_of!(Entry, magic),
            offset_of!(Entry, abi_major),
            offset_of!(Entry, abi_minor),
            offset_of!(Entry, build_id)
        ],
        [0, 4, 8, 12, 16]
    );
}

#[test]
fn a_library_can_hold_several_policies() {
    let ids: Vec<_> = policies().iter().map(|policy| read(policy.id)).collect();
    assert_eq!(ids, ["first", "second"]);
}

#[test]
fn a_policy_describes_itself_and_has_all_functions() {
    let first = policies()[0];
    assert_eq!(
        [first.name, first.version, first.summary].map(read),
        ["A name", "1.2.3", "A summary."]
    );
    assert_eq!(first.players, PLAYERS_FOUR);
    assert!(first.create.is_some() && first.decide.is_some() && first.destroy.is_some());
    assert!(first.get_extension.is_some());
}

#[test]
fn a_policy_describes_its_parameters_with_type_default_range_and_help() {
    let params = policies()[0].params;
    // SAFETY: the entry keeps its promises.
    let params: Vec<_> = (0..params.len)
        .map(|index| unsafe { layout::read_element(params.items, params.stride, index) })
        .collect();
    let [depth, weight, speed, brave, weights] = params[..] else {
        panic!("five parameters: {params:?}")
    };
    assert_eq!(
        (read(depth.name), read(depth.help), depth.kind),
        ("depth", "How deep.", VALUE_INTEGER)
    );
    assert_eq!(
        (
            depth.default_value.integer,
            depth.integer_min,
            depth.integer_max
        ),
        (3, 1, 9)
    );
    assert_eq!(
        (weight.kind, weight.number_min, weight.number_max),
        (VALUE_NUMBER, 0.25, 1.0)
    );
    assert_eq!(
        (
            speed.kind,
            read(speed.default_value.text),
            speed.choices.len
        ),
        (VALUE_CHOICE, "slow", 2)
    );
    // SAFETY: as above.
    let second = unsafe { layout::read_element(speed.choices.items, speed.choices.stride, 1) };
    assert_eq!(read(second), "fast");
    assert_eq!(
        (brave.kind, brave.default_value.boolean),
        (VALUE_BOOLEAN, 1)
    );
    assert_eq!(
        (weights.kind, weights.default_value.kind),
        (VALUE_PATH, VALUE_NONE)
    );
}
