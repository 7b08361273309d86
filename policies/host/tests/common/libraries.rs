//! Libraries of policies in their own files, built for the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use tempfile::TempDir;

const PACKAGES: [&str; 5] = [
    "cs-fan-plugin",
    "doudizhu-split-plugin",
    "greedy-tenpai-plugin",
    "misbehave",
    "mjai-engine-plugin",
];

/// The workspace's folder.
fn workspace() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let workspace = folders.find(|folder| folder.join("Cargo.lock").is_file());
    workspace.expect("this is a crate of the workspace")
}

/// The folder with the built libraries and programs.
static PROFILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let test = std::env::current_exe().expect("a program has a file");
    let folder = test.ancestors().nth(2);
    folder
        .expect("it lies in the folder of its profile, below `deps`")
        .to_owned()
});

/// The folder with the libraries, which is the program's. They are built at once, with its profile:
/// the program looks for libraries in this folder, and must not find one that another test is still
/// building.
pub(crate) static BUILT: LazyLock<&Path> = LazyLock::new(|| {
    let folder: &Path = &PROFILE;
    // The gate builds them before the tests, and compiles other things beside them, for which cargo
    // would wait here.
    if std::env::var_os("CI_LIBRARIES_BUILT").is_some() {
        return folder;
    }
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    // A build of these packages alone gives dependencies other features, and so compiles them
    // again. If an example is here of a crate that is at the edge of the workspace, the whole
    // workspace was built, and a build of all its libraries compiles nothing again.
    let what = if folder.join("examples/against-opponents").exists() {
        ["--workspace", "--lib", "--examples"]
            .map(str::to_owned)
            .to_vec()
    } else {
        PACKAGES
            .map(|package| format!("--package={package}"))
            .to_vec()
    };
    let mut cargo = Command::new(env!("CARGO"));
    // Cargo describes the package of a test in its environment. With other values than in the last
    // build, the build script of ring runs again, and all crates that use ring are compiled again.
    for (name, _) in std::env::vars_os() {
        let of_package = ["CARGO_MANIFEST_", "CARGO_PKG_", "OUT_DIR"];
        if of_package
            .iter()
            .any(|begin| name.to_string_lossy().starts_with(begin))
        {
            cargo.env_remove(name);
        }
    }
    let built = cargo
        .args(["build", "--quiet", "--profile", profile])
        .args(what)
        .arg("--target-dir")
        .arg(folder.parent().expect("profiles have a folder"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo starts");
    assert!(built.success(), "the libraries cannot be built");
    folder
});

pub(crate) static GREEDY_TENPAI: LazyLock<PathBuf> =
    LazyLock::new(|| built_library("greedy_tenpai"));

/// The library that misbehaves in safe Rust.
pub(crate) static MISBEHAVE: LazyLock<PathBuf> = LazyLock::new(|| built_library("misbehave"));

/// The library of one of the packages.
pub(crate) fn built_library(name: &str) -> PathBuf {
    let file = BUILT.join(format!("lib{name}{}", std::env::consts::DLL_SUFFIX));
    assert!(file.is_file(), "{} is missing", file.display());
    file
}

/// The program of one of the crate's own examples.
pub(crate) fn example(name: &str) -> PathBuf {
    let file = PROFILE
        .join("examples")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(file.is_file(), "{} is missing", file.display());
    file
}

/// A library in C, which goes with this.
pub(crate) struct Compiled {
    pub(crate) file: PathBuf,
    _folder: TempDir,
}

/// The library that misbehaves in C, compiled with these definitions.
pub(crate) fn misbehave_raw(definitions: &[&str]) -> Compiled {
    compile(
        "misbehave_raw",
        &workspace().join("policies/misbehave/misbehave.c"),
        definitions,
    )
}

/// A library in C, compiled by the system's compiler with these definitions.
pub(crate) fn compile(name: &str, source: &Path, definitions: &[&str]) -> Compiled {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    let file = folder
        .path()
        .join(format!("lib{name}{}", std::env::consts::DLL_SUFFIX));
    let compiled = Command::new("cc")
        .args([
            "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC",
        ])
        .args(
            definitions
                .iter()
                .map(|definition| format!("-D{definition}")),
        )
        .arg("-I")
        .arg(workspace().join("policies/abi/include"))
        .arg("-o")
        .arg(&file)
        .arg(source)
        .status()
        .expect("there is a C compiler");
    assert!(compiled.success(), "the library cannot be compiled");
    Compiled {
        file,
        _folder: folder,
    }
}

/// The file that all numbered builds are made from.
static NUMBERED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let source = workspace().join("policies/host/tests/common/numbered.c");
    fs::read(compile("numbered", &source, &[]).file).expect("it is there")
});

/// The file of a build that answers by its number, and says `numbered build 0042` with each
/// decision.
pub(crate) fn numbered(number: u32) -> Vec<u8> {
    with_text(
        &NUMBERED,
        "numbered build 0000",
        &format!("numbered build {number:04}"),
    )
}

/// The file that all mutated libraries are made from.
static MUTATED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let source = workspace().join("policies/misbehave/mutated.c");
    fs::read(compile("mutated", &source, &[]).file).expect("it is there")
});

/// The file of a library with its descriptors and answers mutated by this number, and if allowed
/// its functions too.
pub(crate) fn mutated(number: u32, functions: bool) -> Vec<u8> {
    let mode = if functions { 'f' } else { 't' };
    with_text(
        &MUTATED,
        "mutated library t00000000",
        &format!("mutated library {mode}{number:08}"),
    )
}

/// A built file in which another text replaces one that occurs once.
fn with_text(file: &[u8], text: &str, other: &str) -> Vec<u8> {
    assert_eq!(text.len(), other.len());
    let mut bytes = file.to_vec();
    let mut places = file
        .windows(text.len())
        .enumerate()
        .filter(|(_, bytes)| *bytes == text.as_bytes());
    let (Some((place, _)), None) = (places.next(), places.next()) else {
        panic!("{text:?} occurs once")
    };
    bytes[place..place + text.len()].copy_from_slice(other.as_bytes());
    bytes
}
