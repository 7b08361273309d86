//! The data behind the one exported symbol.

use crate::descriptor::PolicyDescriptorArray;
use crate::layout::plain;
use crate::text::Text;

/// The major version: both sides must have the same.
pub const ABI_MAJOR: u32 = 1;

/// The minor version: raised when something is added at the end.
pub const ABI_MINOR: u32 = 0;

/// The name of the exported function, an [`EntryFn`].
pub const ENTRY_SYMBOL: &str = "bot_policy_entry";

/// The value of [`Entry::magic`]: `BotP` read as a little-endian number.
pub const ENTRY_MAGIC: u32 = 0x5074_6f42;

const _: () = assert!(ENTRY_MAGIC == u32::from_le_bytes(*b"BotP"));

/// The exported function: returns the library's entry. `[any-thread]`
///
/// The entry and all data that it points to stay valid and unchanged as long as the library is loaded. The host may
/// call it several times, even at once, so it must not set anything up: use `create` for that. Null means that the
/// library refuses to be used.
pub type EntryFn = unsafe extern "C" fn() -> *const Entry;

/// The description of a library and its policies.
///
/// The fields up to and including `build_id` keep their places in every major version, so that a host can name the
/// library that it refuses.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Entry {
    /// Size of this struct as the library knows it, bytes.
    pub struct_size: u32,
    /// [`ENTRY_MAGIC`].
    pub magic: u32,
    /// [`ABI_MAJOR`] as the library knows it.
    pub abi_major: u32,
    /// [`ABI_MINOR`] as the library knows it.
    pub abi_minor: u32,
    /// The build of the library, for users; for instance a name and a version.
    pub build_id: Text,
    /// The policies in the library, at least one; their ids differ. They live as long as the entry.
    pub policies: PolicyDescriptorArray,
}

plain!(Entry {
    struct_size,
    magic,
    abi_major,
    abi_minor,
    build_id,
    policies
});

// SAFETY: what an entry points to is static and never written to.
unsafe impl Sync for Entry {}
