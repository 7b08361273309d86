//! The tables that a host reads, made from policies.

use policy_abi::descriptor::{PolicyDescriptor, PolicyDescriptorArray};
use policy_abi::entry::{ABI_MAJOR, ABI_MINOR, ENTRY_MAGIC, Entry};
use policy_abi::head::GameView;
use policy_abi::layout::struct_size;
use policy_abi::params::ParamDescriptorArray;
use policy_abi::text::Text;

use crate::boundary;
use crate::game::Game;
use crate::params::Param;
use crate::policy::Policy;

/// The table through which a host uses the policy `P`.
pub const fn policy<P: Policy>() -> PolicyDescriptor {
    let descriptor = P::DESCRIPTOR;
    PolicyDescriptor {
        id: Text::new(descriptor.id),
        name: Text::new(descriptor.name),
        version: Text::new(descriptor.version),
        summary: Text::new(descriptor.summary),
        players: descriptor.games.bits(),
        game: <<P::Game as Game>::CodedView as GameView>::GAME,
        params: ParamDescriptorArray {
            items: descriptor.params.as_ptr().cast(),
            len: descriptor.params.len() as u32,
            stride: size_of::<Param>() as u32,
        },
        create: Some(boundary::create::<P>),
        decide: Some(boundary::decide::<P>),
        destroy: Some(boundary::destroy::<P>),
        get_extension: Some(boundary::get_extension::<P>),
    }
}

/// The entry of a library that holds these policies, also used by a host that has them built in.
///
/// `build_id` identifies the build for users, for instance by name and version.
///
/// # Panics
///
/// Without a policy; while compiling, when the entry is a static.
pub const fn entry(build_id: &'static str, policies: &'static [PolicyDescriptor]) -> Entry {
    assert!(!policies.is_empty(), "a library holds at least one policy");
    Entry {
        struct_size: struct_size::<Entry>(),
        magic: ENTRY_MAGIC,
        abi_major: ABI_MAJOR,
        abi_minor: ABI_MINOR,
        build_id: Text::new(build_id),
        policies: PolicyDescriptorArray {
            items: policies.as_ptr(),
            len: policies.len() as u32,
            stride: struct_size::<PolicyDescriptor>(),
        },
    }
}
