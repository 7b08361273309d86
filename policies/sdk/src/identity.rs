//! The name and version of a program that decides for a policy.

use std::ffi::c_void;
use std::ptr::NonNull;

use policy_abi::identity::{IDENTITY, Identity as RawIdentity};
use policy_abi::layout::struct_size;
use policy_abi::text::Text;

/// The name and version of a program that decides for a policy. The host shows them in place of the
/// policy's own.
#[derive(Debug)]
pub struct ProgramIdentity {
    /// Points into the two texts.
    raw: RawIdentity,
    name: String,
    version: String,
}

impl ProgramIdentity {
    /// A name and a version for users. The policy's own is shown in place of an empty one.
    pub fn new(name: String, version: String) -> Self {
        let raw = RawIdentity {
            struct_size: struct_size::<RawIdentity>(),
            reserved: 0,
            name: Text::new(&name),
            version: Text::new(&version),
        };
        Self { raw, name, version }
    }

    /// The name; empty if there is none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version; empty if there is none.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// This as the extension of that name, for [`Policy::extension`](crate::Policy::extension);
    /// `None` if the name is of another extension. The policy must keep this for as long as the
    /// instance lives.
    pub fn extension(&self, name: &str) -> Option<NonNull<c_void>> {
        (name == IDENTITY).then(|| NonNull::from(&self.raw).cast())
    }
}
