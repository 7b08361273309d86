//! Libraries that know version 1.0 of the boundary and nothing later load, and play as they always
//! did (docs/boundary.md).

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use tempfile::TempDir;

use crate::configs::Folder;
use crate::program::{Runner, table};

/// The two libraries in their own folder, built from the frozen files alone.
struct Frozen {
    c: PathBuf,
    rust: PathBuf,
    _folder: TempDir,
}

const FILES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../policies/abi/tests/boundary-1.0"
);

static FROZEN: LazyLock<Frozen> = LazyLock::new(|| {
    let sources = Path::new(FILES);
    let folder = TempDir::new().expect("a folder can be made");
    let file = |name: &str| {
        folder
            .path()
            .join(format!("lib{name}{}", std::env::consts::DLL_SUFFIX))
    };
    let (c, rust) = (file("c"), file("rust"));
    let mut cc = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    cc.args(["-std=c11", "-O1", "-fPIC", "-shared", "-fvisibility=hidden"]);
    built(
        cc.arg("-I")
            .arg(sources)
            .arg("-o")
            .arg(&c)
            .arg(sources.join("policy.c")),
    );
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args([
        "--edition=2021",
        "--crate-type=cdylib",
        "--crate-name=frozen",
        "-Cpanic=abort",
        "--cap-lints=allow",
    ]);
    built(rustc.arg("-o").arg(&rust).arg(sources.join("policy.rs")));
    Frozen {
        c,
        rust,
        _folder: folder,
    }
});

#[track_caller]
fn built(compiler: &mut Command) {
    let built = compiler.output().expect("there is a compiler");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
}

/// The parameters of the libraries in C and of the SDK; they check that they arrive.
const PARAMS: &str = "[policy.params]\nwhole = -7\nnumber = 0.5\nchoice = \"second\"\n";

/// Has a policy of a library play in both isolations: every decision was its own, and it found
/// everything as 1.0 has it.
#[track_caller]
fn plays(library: &Path, policy: &str, more: &str, options: &[&str]) {
    for isolation in ["thread", "process"] {
        let folder = Folder::new();
        let section = format!(
            "[policy]\nlibrary = {library:?}\nid = {policy:?}\nisolation = {isolation:?}\n"
        );
        let bot = folder.file("kuma.toml", format!("name = \"kuma\"\n{section}{more}"));
        let args = ["play", "--seed=5"]
            .iter()
            .chain(options)
            .map(PathBuf::from)
            .chain([bot]);
        let played = Runner::new(args).env("BOT_RUNNER_LOG", "info").run();
        played.exited(0);
        assert!(
            !played.err.contains("WARN") && !played.err.contains("ERROR"),
            "{isolation}: {}",
            played.err
        );
        assert!(
            !played.out.contains("safe answer"),
            "{isolation}: {}",
            played.out
        );
        let rows = table(&played.out);
        let faults: Vec<_> = rows
            .iter()
            .flatten()
            .filter(|(heading, _)| heading == "faults")
            .collect();
        assert!(
            faults.iter().all(|(_, faults)| faults == "0"),
            "{isolation}: {}",
            played.out
        );
        assert!(
            played.err.contains("a library of 1.0"),
            "it has a line in the log: {}",
            played.err
        );
    }
}

#[test]
fn a_library_in_c_plays_riichi_with_four_players_and_with_three() {
    plays(&FROZEN.c, "riichi", PARAMS, &[]);
    let of_three = "[arena]\nkind = \"riichilab\"\ntoken_env = \"NO_TOKEN\"\nplayers = 3\n";
    plays(&FROZEN.c, "riichi", &format!("{PARAMS}{of_three}"), &[]);
}

#[test]
fn a_library_in_c_plays_the_other_games() {
    plays(
        &FROZEN.c,
        "chinese-standard",
        PARAMS,
        &["--game=chinese-standard", "--games=2"],
    );
    plays(
        &FROZEN.c,
        "doudizhu",
        PARAMS,
        &["--game=doudizhu", "--games=5"],
    );
}

#[test]
fn a_library_in_rust_without_the_sdk_plays() {
    plays(&FROZEN.rust, "riichi", "", &[]);
}

/// The stored file is a build for this platform only; the two above are built for any.
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
#[test]
fn a_library_that_was_built_with_the_sdk_of_1_0_plays_all_games() {
    let folder = TempDir::new().expect("a folder can be made");
    let library = folder.path().join("libsdk_of_1_0.so");
    let kept = File::open(Path::new(FILES).join("sdk-x86_64-linux.so.gz")).expect("it is there");
    let mut written = File::create(&library).expect("it can be written");
    std::io::copy(&mut flate2::read::GzDecoder::new(kept), &mut written).expect("it is whole");
    plays(&library, "riichi", PARAMS, &[]);
    plays(
        &library,
        "chinese-standard",
        PARAMS,
        &["--game=chinese-standard", "--games=2"],
    );
    plays(
        &library,
        "doudizhu",
        PARAMS,
        &["--game=doudizhu", "--games=5"],
    );
}

#[test]
fn it_is_shown_with_the_version_that_it_was_built_for() {
    let shown = Runner::new(["plugin".as_ref(), "inspect".as_ref(), FROZEN.c.as_os_str()]).run();
    assert!(
        shown.exited(0).contains("boundary  1.0 (this runner: 1."),
        "{}",
        shown.out
    );
}
