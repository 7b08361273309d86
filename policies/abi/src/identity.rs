//! The extension `identity/1` of an instance: the name and version of the program that decides for it.
//!
//! A descriptor is static, so a policy that asks a program cannot name that program there.

use crate::layout::plain;
use crate::text::Text;

/// The name of the extension.
pub const IDENTITY: &str = "identity/1";

/// What an instance returns for [`IDENTITY`]. The host reads it once, after it has created the instance.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Identity {
    /// Size of this struct as the policy knows it, bytes.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The name for users; empty: the policy's own.
    pub name: Text,
    /// The version for users; empty: the policy's own.
    pub version: Text,
}

plain!(Identity {
    struct_size,
    reserved,
    name,
    version
});
