//! Many bots in one process: who plays, who comes and goes, their status, and what ends the
//! process.

mod absent;
mod alerts;
mod changes;
mod ending;
mod folders;
mod logs;
mod slow_checks;
mod status;
mod tokens;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::server::{Client, Server, pon_or_pass};
use crate::configs::{Folder, POLICY, arena};
use crate::program::{Runner, Running};

/// The environment variable with each bot's token.
fn variable(bot: &str) -> String {
    format!("{}_TOKEN", bot.to_uppercase())
}

/// A command of the program with the tokens of these bots, with its own runtime folder.
pub(crate) fn runner(folder: &Folder, args: &[&str], bots: &[&str]) -> Runner {
    let runtime = folder.private("runtime");
    let mut runner = Runner::new(args).env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"));
    for bot in bots {
        runner = runner.env(&variable(bot), &format!("token-of-{bot}"));
    }
    runner.in_folder(folder.path())
}

/// Puts the config of a bot at this arena into the folder `bots`, under a name that is its own only
/// when it is complete.
fn config(folder: &Folder, file: &str, bot: &str, url: &str, more: &str) -> PathBuf {
    let bots = folder.path().join("bots");
    std::fs::create_dir_all(&bots).expect("a folder can be made");
    let section = arena(url, &variable(bot));
    let written = folder.file(
        "written",
        format!("name = {bot:?}\n{section}{more}{POLICY}"),
    );
    let path = bots.join(file);
    std::fs::rename(written, &path).expect("it can be renamed");
    path
}

/// The output of `status --json` for the bots of the only runner.
#[track_caller]
fn bots(folder: &Folder) -> Vec<Value> {
    let finished = runner(folder, &["status", "--json"], &[]).run();
    let told: Value = serde_json::from_str(finished.exited(0)).expect("JSON");
    assert_eq!(told.as_array().map(Vec::len), Some(1), "{told}");
    told[0]["bots"].as_array().expect("a list").clone()
}

/// The output of `status --json` for a bot.
#[track_caller]
fn bot(folder: &Folder, name: &str) -> Value {
    let bots = bots(folder);
    bots.iter()
        .find(|bot| bot["bot"] == name)
        .unwrap_or_else(|| panic!("no {name} in {bots:?}"))
        .clone()
}

/// The same once it says this under this key.
#[track_caller]
fn bot_with(folder: &Folder, name: &str, key: &str, value: impl Into<Value>) -> Value {
    let value = value.into();
    bot_that(folder, name, |bot| bot[key] == value)
}

/// The same once this holds of it: a bot shows its figures a moment after its reply.
#[track_caller]
pub(crate) fn bot_that(folder: &Folder, name: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let bot = bot(folder, name);
        if holds(&bot) {
            return bot;
        }
        assert!(Instant::now() < until, "it never holds: {bot}");
    }
}

/// A bot of the folder `bots`, connected to this server and in a game, in which it has answered
/// once.
async fn playing(folder: &Folder, server: &Server, args: &[&str]) -> (Running, Client) {
    config(folder, "kuma.toml", "kuma", &server.address(), "");
    let args: Vec<&str> = ["run", "bots", "--watch-ms=20"]
        .iter()
        .chain(args)
        .copied()
        .collect();
    let mut running = runner(folder, &args, &["kuma", "neko"]).start();
    let mut client = server.accept().await;
    begin(&mut client).await;
    running.line_with("kuma: game started");
    (running, client)
}

/// Deals and hears the first answer.
async fn begin(client: &mut Client) {
    client.deal().await;
    client.offer(3).await;
    client.reply().await;
}

/// Shows that the bot of this game still plays.
async fn plays_on(client: &mut Client, request: u64) {
    client.say(pon_or_pass(request)).await;
    assert_eq!(client.reply().await["request_id"], request);
}

/// Waits until this holds.
#[track_caller]
fn until(what: &str, holds: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < until, "never: {what}");
    }
}

fn remove(path: &Path) {
    std::fs::remove_file(path).expect("it is there");
}
