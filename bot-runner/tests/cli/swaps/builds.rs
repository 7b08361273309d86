//! A library of which there are as many builds as there are numbers.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use bot_runner::content_hash::ContentHash;

/// What the library's file holds in place of its number.
const PLACE: &[u8] = b"numbered build 0000";

/// The file that all builds are made from.
static BUILD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("numbered.so");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiled = Command::new("cc")
        .args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"])
        .arg(here.join("../policies/abi/include"))
        .arg("-o")
        .arg(&file)
        .arg(here.join("tests/cli/swaps/numbered.c"))
        .status()
        .expect("there is a C compiler");
    assert!(compiled.success());
    fs::read(&file).expect("it is there")
});

/// One build of the library.
pub(crate) struct Build {
    pub(crate) bytes: Vec<u8>,
}

impl Build {
    pub(crate) fn new(number: u32) -> Self {
        let mut bytes = BUILD.clone();
        let mut places = bytes.windows(PLACE.len()).enumerate().filter(|(_, bytes)| *bytes == PLACE);
        let (place, None) = (places.next().expect("the number stands there").0, places.next()) else {
            panic!("the number stands there twice")
        };
        bytes[place..place + PLACE.len()].copy_from_slice(reason(number).as_bytes());
        Self { bytes }
    }

    /// Its hash as the log shows it.
    pub(crate) fn hash(&self) -> String {
        ContentHash::of(&self.bytes).short()
    }
}

/// What a build says with each decision.
pub(crate) fn reason(number: u32) -> String {
    format!("numbered build {number:04}")
}
