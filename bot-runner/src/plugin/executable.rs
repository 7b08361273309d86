//! Whether a file can be a library of this machine at all, found out before anything maps it.
//!
//! The loader maps what a file's head promises and touches it later: one cut short would kill the process.

use std::path::Path;

use object::{Architecture, File, Object, ObjectKind, ObjectSegment};

use super::load::LoadError;

/// What is wrong with a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// Something else than a library.
    Other(String),
    /// A library of which the end is missing.
    Incomplete(String),
}

impl Unfit {
    pub(super) fn of(self, path: &Path) -> LoadError {
        match self {
            Self::Other(reason) => LoadError::Unfit(path.to_owned(), reason),
            Self::Incomplete(reason) => LoadError::Incomplete(path.to_owned(), reason),
        }
    }
}

const OURS: Option<Architecture> = if cfg!(target_arch = "x86_64") {
    Some(Architecture::X86_64)
} else if cfg!(target_arch = "aarch64") {
    Some(Architecture::Aarch64)
} else {
    None
};

/// Checks a file's bytes.
pub(super) fn check(bytes: &[u8]) -> Result<(), Unfit> {
    if bytes.is_empty() {
        return Err(Unfit::Incomplete("it is empty".to_owned()));
    }
    let format = if cfg!(target_vendor = "apple") { "a Mach-O library" } else { "an ELF library" };
    let file = match File::parse(bytes) {
        Ok(file) => file,
        // A head of the right sort whose tables lie beyond the end.
        Err(error) if object::FileKind::parse(bytes).is_ok() => return Err(Unfit::Incomplete(error.to_string())),
        Err(_) => return Err(Unfit::Other(format!("it is not {format}"))),
    };
    let native = file.format() == object::BinaryFormat::native_object();
    if !native || !matches!(file.kind(), ObjectKind::Dynamic | ObjectKind::Executable) {
        return Err(Unfit::Other(format!("it is not {format}")));
    }
    if OURS.is_some_and(|ours| ours != file.architecture()) {
        let found = format!("{:?}", file.architecture()).to_lowercase();
        return Err(Unfit::Other(format!("it is built for {found}, this machine is {}", std::env::consts::ARCH)));
    }
    match file.segments().find_map(|segment| segment.data().err()) {
        Some(error) => Err(Unfit::Incomplete(error.to_string())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The program that runs this test.
    fn whole() -> Vec<u8> {
        std::fs::read(std::env::current_exe().expect("it has a file")).expect("it can be read")
    }

    #[test]
    fn a_file_cut_short_anywhere_is_incomplete() {
        let whole = whole();
        assert_eq!(check(&whole), Ok(()));
        for share in [0, 1, 10, 50, 90, 99] {
            let cut = &whole[..(whole.len() * share / 100).max(usize::from(share > 0) * 64)];
            assert!(matches!(check(cut), Err(Unfit::Incomplete(_))), "{share} %: {:?}", check(cut));
        }
        assert!(matches!(check(&whole[..whole.len() - 1]), Err(Unfit::Incomplete(_))));
    }

    #[test]
    fn a_text_is_no_library() {
        assert_eq!(check(b"#!/bin/sh\necho hello\n"), Err(Unfit::Other("it is not an ELF library".to_owned())));
    }

    #[test]
    fn a_library_of_another_machine_is_told_with_both() {
        let mut other = whole();
        // The machine in an ELF head: 0xf3 is RISC-V.
        other[18..20].copy_from_slice(&[0xf3, 0]);
        let Err(Unfit::Other(reason)) = check(&other) else { panic!("it is refused") };
        assert!(reason.contains("riscv64") && reason.contains(std::env::consts::ARCH), "{reason}");
    }
}
