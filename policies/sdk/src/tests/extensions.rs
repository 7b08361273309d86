//! The extensions of both sides, found by name.
#![allow(unsafe_code, reason = "a host calls C functions")]

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use policy_abi::create::CreateArgs;
use policy_abi::descriptor::{Instance, PolicyDescriptor};
use policy_abi::host::Host;
use policy_abi::layout::struct_size;
use policy_abi::params::{ParamValue, ParamValueArray};
use policy_abi::status::STATUS_OK;
use policy_abi::text::Text;

use crate::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View, policy,
};

static OFFERED: u32 = 7;

/// Offers a number, and panics when it is asked for something else.
struct Offering;

impl Policy for Offering {
    type Game = crate::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "offering",
        name: "Offering",
        version: "1",
        summary: "Offers a number.",
        games: Games::Both,
        params: &[],
    };

    fn create(_: &Params, env: &Env) -> Result<Self, CreateError> {
        assert_eq!(
            env.extension("host/1")
                .map(NonNull::as_ptr)
                .unwrap()
                .cast_const(),
            (&raw const OFFERED).cast()
        );
        assert_eq!(env.extension("host/2"), None);
        Ok(Self)
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(0)
    }

    fn extension(&self, name: &str) -> Option<NonNull<c_void>> {
        assert_ne!(name, "panic/1", "no such luck");
        (name == "offered/1").then_some(NonNull::from(&OFFERED).cast())
    }
}

unsafe extern "C" fn host_extension(_: *mut c_void, name: Text) -> *const c_void {
    // SAFETY: the text lives for the call.
    if unsafe { name.read() } == Ok("host/1") {
        (&raw const OFFERED).cast()
    } else {
        ptr::null()
    }
}

/// Has an instance asked for its extensions, by names in their order; whether each was there.
fn asked(names: &[&str]) -> Vec<bool> {
    const TABLE: PolicyDescriptor = policy::<Offering>();
    let host = Host {
        struct_size: struct_size::<Host>(),
        reserved: 0,
        context: ptr::null_mut(),
        log: None,
        monotonic_ns: None,
        still_wanted: None,
        get_extension: Some(host_extension),
    };
    let args = CreateArgs {
        struct_size: struct_size::<CreateArgs>(),
        players: 4,
        host: &raw const host,
        params: ParamValueArray {
            items: ptr::null(),
            len: 0,
            stride: struct_size::<ParamValue>(),
        },
        library_folder: Text::EMPTY,
        config_folder: Text::EMPTY,
        budget_us: 0,
    };
    let mut instance: *mut Instance = ptr::null_mut();
    // SAFETY: everything passed in lives for the calls, and the instance is ended once.
    unsafe {
        assert_eq!(
            TABLE.create.unwrap()(&raw const args, &raw mut instance, ptr::null_mut()),
            STATUS_OK
        );
        let get = TABLE.get_extension.unwrap();
        let found = names
            .iter()
            .map(|name| !get(instance, Text::new(name)).is_null())
            .collect();
        assert_eq!(TABLE.destroy.unwrap()(instance, ptr::null_mut()), STATUS_OK);
        found
    }
}

#[test]
fn an_extension_is_found_by_its_name_and_number() {
    assert_eq!(asked(&["offered/1", "offered/2", ""]), [true, false, false]);
}

#[test]
fn a_panic_while_asked_is_none_and_poisons_the_instance() {
    assert_eq!(asked(&["panic/1", "offered/1"]), [false, false]);
}

#[test]
fn without_an_instance_there_is_no_extension() {
    let get = policy::<Offering>().get_extension.unwrap();
    // SAFETY: the function accepts null instead of an instance.
    assert!(unsafe { get(ptr::null_mut(), Text::new("offered/1")) }.is_null());
}
