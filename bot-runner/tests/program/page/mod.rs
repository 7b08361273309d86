//! The page of a running process, requested on real sockets. `.ci/pages` tests its look in a
//! browser.

mod access;
pub(super) mod bots;
mod slow;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::configs::{Folder, POLICY, arena};
use crate::program::{Runner, Running};

const BOTS: [&str; 4] = ["kuma", "neko", "risu", "tanuki"];

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// In small letters.
    pub(super) head: String,
    pub(super) body: String,
}

impl Answer {
    fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        serde_json::from_str(&self.body).expect("JSON")
    }
}

#[track_caller]
pub(super) fn ask(address: &str, request: &str, headers: &[&str]) -> Answer {
    ask_with_body(address, request, headers, "")
}

#[track_caller]
pub(super) fn ask_with_body(address: &str, request: &str, headers: &[&str], body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).expect("the page listens");
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .expect("a time");
    let length = body.len();
    let head: String = headers
        .iter()
        .map(|header| format!("{header}\r\n"))
        .collect();
    let text = format!(
        "{request} HTTP/1.1\r\n{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .expect("an answer in UTF-8");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .expect("a status");
    Answer {
        status,
        head: head.to_lowercase(),
        body: body.to_owned(),
    }
}

/// Asks as a browser on this machine does.
#[track_caller]
pub(super) fn get(address: &str, path: &str) -> Answer {
    ask(
        address,
        &format!("GET {path}"),
        &[&format!("Host: {address}")],
    )
}

/// The address of the page that a command serves.
#[track_caller]
pub(super) fn address(running: &mut Running) -> String {
    let line = running.line_with("page: http://");
    line.trim_start_matches("page: http://")
        .trim_end_matches('/')
        .to_owned()
}

/// An arena, and four bots there with these arguments of `run`.
fn at_work(folder: &Folder, args: &[&str]) -> (Running, Running) {
    let mut server = Runner::new([
        "arena",
        "--length",
        "east",
        "--seed",
        "2",
        "--pace-ms",
        "20",
    ])
    .start();
    let url = server
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    let bots = folder.path().join("bots");
    std::fs::create_dir_all(&bots).expect("a folder can be made");
    for name in BOTS {
        config(folder, name, &url, "");
    }
    (server, runner(folder, args).start())
}

fn config(folder: &Folder, name: &str, url: &str, more: &str) -> PathBuf {
    let section = arena(url, &format!("{}_TOKEN", name.to_uppercase()));
    folder.file(
        &format!("bots/{name}.toml"),
        format!("name = {name:?}\n{section}{more}{POLICY}"),
    )
}

fn runner(folder: &Folder, args: &[&str]) -> Runner {
    let runtime = folder.private("runtime");
    let mut runner = Runner::new(["run", "bots"].iter().chain(args));
    for bot in BOTS {
        runner = runner.env(
            &format!("{}_TOKEN", bot.to_uppercase()),
            &format!("token-of-{bot}"),
        );
    }
    runner
        .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
        .in_folder(folder.path())
}
