//! The module `bot_runner` of the Python package, with the program that was built.

use std::path::Path;
use std::process::Command;

use crate::common::libraries::PROGRAM;

#[test]
fn the_module_plays_games_and_reads_their_records() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/bot-runner");
    let tested = Command::new("python3")
        .args(["-B", "-m", "unittest", "discover", "--start-directory"])
        .arg(package.join("tests"))
        .env("PYTHONPATH", package.join("python"))
        .env("BOT_RUNNER", PROGRAM)
        .output()
        .expect("there is a Python");
    assert!(
        tested.status.success(),
        "{}",
        String::from_utf8_lossy(&tested.stderr)
    );
}
