//! Logs of other programs: read by all commands, converted, reviewed.

mod convert;
mod review;
mod suite;

use std::path::{Path, PathBuf};

use super::configs::Folder;
use super::program::{Finished, Runner};

fn run(args: &[&str], paths: &[&Path]) -> Finished {
    let args = args.iter().map(|arg| (*arg).into());
    let paths = paths.iter().map(|path| path.to_path_buf().into_os_string());
    Runner::new(args.chain(paths).collect::<Vec<std::ffi::OsString>>()).run()
}

/// A folder of so many games of built-in bots.
fn games(folder: &Folder, count: u32, more: &[&str]) -> PathBuf {
    let games = folder.path().join("games");
    let count = format!("--games={count}");
    let args = ["play", &count, "--seed=3", "--length=east"];
    let args: Vec<&str> = args
        .into_iter()
        .chain(more.iter().copied())
        .chain(["--record"])
        .collect();
    run(&args, &[&games]).exited(0);
    games
}

/// A config of a policy.
fn policy(folder: &Folder, id: &str) -> PathBuf {
    folder.file(
        &format!("{id}.toml"),
        format!("name = {id:?}\n[policy]\nid = {id:?}\nlibrary = \"builtin\"\n"),
    )
}
