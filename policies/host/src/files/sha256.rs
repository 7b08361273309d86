//! The identity of a library's build.

use std::fmt;

use sha2::Digest;

/// Identifies a build of a library by the SHA-256 of its content, under any file name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// Reads 64 hexadecimal digits, as `sha256sum` prints them.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut bytes = [0; 32];
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// The first twelve digits, enough for users to distinguish builds.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

/// The hash of content that comes part by part.
#[derive(Default)]
pub(crate) struct Sha256Stream(sha2::Sha256);

impl Sha256Stream {
    pub(crate) fn push(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    pub(crate) fn finish(self) -> Sha256 {
        Sha256(self.0.finalize().into())
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha256({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_equals_the_output_of_sha256sum() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Sha256::of(b"abc").to_string(), abc);
        assert_eq!(Sha256::parse(&abc.to_uppercase()), Some(Sha256::of(b"abc")));
        assert_eq!(Sha256::parse(&abc[1..]), None);
        assert_eq!(Sha256::parse(&abc.replace('b', "g")), None);
        assert_eq!(Sha256::parse(&"é".repeat(32)), None);
    }
}
