//! `bot-runner reload`, again and again.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use super::builds::{Build, reason};
use crate::common::libraries::misbehave_raw;
use crate::configs::Folder;
use crate::program::{Runner, Running};

const BOTS: [&str; 4] = ["kuma", "neko", "risu", "tanuki"];
/// Swaps after which memory is compared with that at the end.
const WARM: u32 = 10;
/// Maximum growth of memory, kB.
const GROWTH: u64 = 32 << 10;

/// Number of swaps of the library; `SWAPS=1000` is the long run.
fn swaps() -> u32 {
    std::env::var("SWAPS").map_or(50, |text| text.parse().expect("SWAPS is a number"))
}

/// A library that cannot be used: every kind in turn, and the message about it.
fn broken(number: u32) -> (Vec<u8>, &'static str) {
    let whole = Build::new(number).bytes;
    match number / 10 % 5 {
        0 => (whole[..whole.len() / 2].to_vec(), "is incomplete"),
        1 => (
            b"not a library at all".to_vec(),
            "is not a library this machine can load",
        ),
        2 => (Vec::new(), "is incomplete"),
        // Loaded into the runner itself, it would end all games.
        3 => {
            let crashing = misbehave_raw(&["AT_LOAD_SEGFAULT"]);
            (
                fs::read(&crashing.file).expect("it was compiled"),
                "was killed by signal 11",
            )
        }
        _ => {
            let (name, other) = (b"bot_policy_entry", b"bot_policy_emtry");
            let mut bytes = whole;
            while let Some(place) = bytes.windows(name.len()).position(|bytes| bytes == name) {
                bytes[place..place + other.len()].copy_from_slice(other);
            }
            (bytes, "exports no `bot_policy_entry`")
        }
    }
}

fn install(folder: &Path, bytes: &[u8]) {
    let new = folder.join("new");
    fs::write(&new, bytes).expect("it can be written");
    fs::rename(new, folder.join("libnumbered.so")).expect("it can be put in place");
}

/// Resident memory, kB.
fn memory(running: &Running) -> u64 {
    let status =
        fs::read_to_string(format!("/proc/{}/status", running.process())).expect("it runs");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .expect("it has memory");
    line.trim()
        .trim_end_matches(" kB")
        .parse()
        .expect("a number")
}

#[test]
fn every_decision_is_made_by_the_build_that_the_log_names_and_broken_ones_are_refused() {
    let folder = Folder::new();
    let runtime = folder.private("runtime");
    let first = Build::new(0);
    install(folder.path(), &first.bytes);
    let configs = BOTS.map(|name| {
        let policy = "[policy]\nlibrary = \"./libnumbered.so\"\n";
        folder.file(
            &format!("{name}.toml"),
            format!("name = {name:?}\n{policy}"),
        )
    });
    let mut arguments = vec![
        Path::new("play"),
        Path::new("--games=1000000"),
        Path::new("--seed=5"),
    ];
    arguments.extend(configs.iter().map(|config| config.as_path()));
    let mut running = Runner::new(arguments)
        .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
        .env("BOT_RUNNER_LOG", "warn,client::bot=debug,policy_host=info")
        .start();
    running.line_with("East 1-0");

    let mut names = HashMap::from([(first.hash(), 0)]);
    let mut warm = None;
    for number in 1..=swaps() {
        let reload = || {
            Runner::new(["reload"])
                .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
                .run()
        };
        if number % 10 == 0 {
            let (bytes, words) = broken(number);
            install(folder.path(), &bytes);
            let reloaded = reload();
            let out = reloaded.exited(1);
            assert_eq!(out.matches("the policy stays as it is").count(), 4, "{out}");
            assert_eq!(out.matches(words).count(), 4, "{out}");
        } else {
            let build = Build::new(number);
            install(folder.path(), &build.bytes);
            let reloaded = reload();
            let out = reloaded.exited(0);
            // On a busy machine a bot may have had nothing to decide for a while: it is ready then.
            assert_eq!(
                out.matches(&format!("sha256 {}) ", build.hash())).count(),
                4,
                "{out}"
            );
            names.insert(build.hash(), number);
        }
        if number == WARM {
            warm = Some(memory(&running));
        }
    }
    let (warm, end) = (warm.expect("there were that many"), memory(&running));
    eprintln!(
        "memory after {WARM} swaps {warm} kB, after {} {end} kB",
        swaps()
    );
    assert!(end <= warm + GROWTH, "memory grew from {warm} to {end} kB");

    running.interrupt();
    let finished = running.finish();
    let out = finished.exited(0);
    for trouble in ["safe answer", "answered", "rejected"] {
        assert!(!out.contains(trouble), "{out}");
    }
    let mut decisions = 0;
    for line in finished
        .err
        .lines()
        .filter(|line| line.contains("numbered build "))
    {
        let hash = line
            .split_once("sha256 ")
            .and_then(|(_, rest)| rest.get(..12))
            .expect("the build is named");
        let number = names[hash];
        assert!(line.contains(&reason(number)), "build {number}: {line}");
        decisions += 1;
    }
    assert!(decisions > 1_000, "{decisions}");
}
