//! Admission of policies: a bad policy affects only its own bot, and a policy that bots share is
//! tried out once.

use std::collections::HashSet;
use std::fs;

use crate::common::libraries::{GREEDY_TENPAI, misbehave_raw};
use crate::common::server::Server;
use crate::configs::{Folder, arena};
use crate::program::Runner;

/// Things that a library may do while it is loaded, and the message about each.
const AT_LOAD: [(&str, &str); 4] = [
    (
        "AT_LOAD_ABORT",
        "the policy's process was killed by signal 6 (abort) while loading",
    ),
    (
        "AT_LOAD_EXIT",
        "the policy's process ended with exit code 0 while loading",
    ),
    (
        "AT_LOAD_SEGFAULT",
        "the policy's process was killed by signal 11 (segmentation fault) while loading",
    ),
    (
        "AT_LOAD_HANG",
        "the policy's process did not finish loading within 10000 ms and was killed",
    ),
];

/// Puts a library that does this while it is loaded, and a bot that it decides for, into the folder
/// `bots`.
fn broken_bot(folder: &Folder, definition: &str, url: &str) {
    let library = misbehave_raw(&[definition]);
    let bots = folder.private("bots");
    fs::copy(&library.file, bots.join(format!("lib{definition}.so"))).expect("it can be copied");
    let policy = format!("[policy]\nlibrary = \"./lib{definition}.so\"\n");
    let config = format!("name = {definition:?}\n{}{policy}", arena(url, definition));
    fs::write(bots.join(format!("{definition}.toml")), config).expect("it can be written");
}

fn runner(folder: &Folder, args: &[&str]) -> Runner {
    let runtime = folder.private("runtime");
    let mut runner = Runner::new(args).in_folder(folder.path());
    for (definition, _) in AT_LOAD {
        runner = runner.env(definition, definition);
    }
    runner
        .env("KUMA_TOKEN", "token-of-kuma")
        .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
}

#[test]
fn check_names_a_library_that_ends_or_hangs_its_process_while_it_is_loaded() {
    let folder = Folder::new();
    for (definition, _) in AT_LOAD {
        broken_bot(&folder, definition, "ws://127.0.0.1:1");
    }
    let finished = runner(&folder, &["check", "bots"]).run();
    let out = finished.exited(1);
    for (definition, words) in AT_LOAD {
        let line = out
            .lines()
            .find(|line| line.starts_with(&format!("bots/{definition}.toml: policy.library: ")));
        let line = line.unwrap_or_else(|| panic!("nothing is said of {definition}: {out}"));
        assert!(line.ends_with(words), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_other_bots_of_a_folder_play_while_one_librarys_loading_ends_its_process() {
    let (folder, server) = (Folder::new(), Server::open().await);
    for (definition, _) in &AT_LOAD[..3] {
        broken_bot(&folder, definition, &server.address());
    }
    let policy = "[policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\n";
    let kuma = format!(
        "name = \"kuma\"\n{}{policy}",
        arena(&server.address(), "KUMA_TOKEN")
    );
    fs::write(folder.path().join("bots/kuma.toml"), kuma).expect("it can be written");
    let running = runner(&folder, &["run", "bots", "--games=1"]).start();
    let mut client = server.accept().await;
    assert!(client.authorization.contains("token-of-kuma"));
    client.deal().await;
    client.finish().await;
    let finished = running.finish();
    finished.exited(1);
    assert!(finished.out.contains("kuma: game over"), "{}", finished.out);
    for (definition, words) in &AT_LOAD[..3] {
        assert!(
            finished.err.contains(definition) && finished.err.contains(words),
            "{}",
            finished.err
        );
    }
}

#[test]
fn twenty_bots_on_one_library_try_it_out_once_and_a_touch_never() {
    let folder = Folder::new();
    let bots = folder.private("bots");
    fs::copy(&*GREEDY_TENPAI, bots.join("libmine.so")).expect("it can be copied");
    let config = |name: &str, more: &str| {
        // No server listens at that address, so the bots wait as long as the test needs.
        let section = arena("ws://127.0.0.1:1", &name.to_uppercase());
        format!("name = {name:?}\n{section}[policy]\nlibrary = \"./libmine.so\"\n{more}")
    };
    let mut runner = runner(&folder, &["run", "bots", "--watch-ms=20"])
        .env("BOT_RUNNER_LOG", "warn,policy_host=debug");
    for number in 0..20 {
        let name = format!("bot{number}");
        fs::write(bots.join(format!("{name}.toml")), config(&name, "")).expect("it can be written");
        runner = runner.env(&name.to_uppercase(), &name);
    }
    let mut running = runner.start();
    let mut begun = HashSet::new();
    while begun.len() < 20 {
        begun.extend(
            running
                .line_with(": no connection")
                .split(':')
                .next()
                .map(str::to_owned),
        );
    }
    let trials = |log: &str| log.matches("trying out").count();
    let content = fs::read(bots.join("libmine.so")).expect("it is there");
    fs::write(bots.join("libmine.so"), content).expect("it can be written over");
    // A change that counts comes after the touch: when it has been dealt with, so has the touch.
    fs::write(
        bots.join("bot0.toml"),
        config("bot0", "[policy.params]\ncalls = \"yaku\"\n"),
    )
    .expect("it can be written");
    running.line_with("bot0: now decides");
    running.signal(rustix::process::Signal::KILL);
    let finished = running.finish();
    assert_eq!(
        trials(&finished.err),
        2,
        "one for all, and one for the changed parameters: {}",
        finished.err
    );
}
