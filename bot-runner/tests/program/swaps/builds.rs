//! A library with a build for every number.

use policy_host::Sha256;

use crate::common::libraries::numbered;

/// One build of the library.
pub(crate) struct Build {
    pub(crate) bytes: Vec<u8>,
}

impl Build {
    pub(crate) fn new(number: u32) -> Self {
        Self {
            bytes: numbered(number),
        }
    }

    /// Its hash as the log shows it.
    pub(crate) fn hash(&self) -> String {
        Sha256::of(&self.bytes).short()
    }
}

/// The reason that a build gives with each decision.
pub(crate) fn reason(number: u32) -> String {
    format!("numbered build {number:04}")
}
