//! Records that `run` keeps, and the commands for them.

mod commands;
mod full_disk;
mod kills;
mod tenhou;

use std::path::PathBuf;

use super::configs::{Folder, POLICY, arena};
use super::program::{Runner, Running};

/// An arena with short games, where built-in bots take the empty seats at once; and its address.
fn arena_alone() -> (Running, String) {
    let mut running = Runner::new(["arena", "--length", "east", "--fill-after", "0"]).start();
    let url = running
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    (running, url)
}

/// A bot that keeps records next to its config; `more` are lines of its `[records]` section.
fn recorded(folder: &Folder, name: &str, url: &str, more: &str) -> PathBuf {
    let text = format!(
        "name = {name:?}\n{}{POLICY}\n[records]\n{more}\n",
        arena(url, "BOT_TOKEN")
    );
    folder.file(&format!("{name}.toml"), text)
}

fn run(config: PathBuf, games: u32) -> Runner {
    Runner::new(["run".into(), format!("--games={games}").into(), config])
        .env("BOT_TOKEN", "token-of-a-bot")
}
