//! The program of `[alerts]`: what it hears, and what it does not.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{config, playing, runner};
use crate::common::server::Server;
use crate::configs::{Folder, POLICY, arena};

/// A section whose program appends its line, and its environment, to files.
fn section(folder: &Folder) -> String {
    let file = |name: &str| folder.path().join(name).display().to_string();
    folder.file(
        "alert.sh",
        format!("cat >> {}\nenv >> {}\n", file("heard"), file("environment")),
    );
    "[alerts]\ncommand = \"sh ../alert.sh\"\n".to_owned()
}

/// The alerts so far.
fn heard(folder: &Folder) -> Vec<Value> {
    let text = fs::read_to_string(folder.path().join("heard")).unwrap_or_default();
    // The last line may be half written.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_hears_of_a_refused_change_a_stop_a_return_and_a_config_without_a_bot() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let alerts = section(&folder);
    config(
        &folder,
        "neko.toml",
        "neko",
        &server.address(),
        &format!("colour = \"red\"\n{alerts}"),
    );
    config(&folder, "kuma.toml", "kuma", &server.address(), &alerts);
    let mut running = runner(
        &folder,
        &["run", "bots", "--watch-ms=20"],
        &["kuma", "neko"],
    )
    .start();
    let client = server.accept().await;
    let events = || {
        heard(&folder)
            .iter()
            .map(|alert| alert["event"].as_str().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let hears = |bot: &str, event: &str, words: &str| {
        super::until(event, || {
            heard(&folder).iter().any(|alert| {
                let reason = alert["reason"].as_str().expect("a text");
                alert["bot"] == bot && alert["event"] == event && reason.contains(words)
            })
        });
    };
    hears("neko.toml", "does_not_play", "arena.colour: unknown key");
    config(
        &folder,
        "kuma.toml",
        "kuma",
        &server.address(),
        &format!("colour = \"red\"\n{alerts}"),
    );
    hears("kuma", "change_refused", "arena.colour");
    config(&folder, "kuma.toml", "kuma", &server.address(), &alerts);
    drop(client);
    server
        .refuse("Token verification failed: Invalid token")
        .await;
    hears("kuma", "stopped", "Invalid token");
    config(
        &folder,
        "kuma.toml",
        "kuma",
        &server.address(),
        &format!("queue_together = true\n{alerts}"),
    );
    let _client = server.accept().await;
    hears("kuma", "returned", "");
    let first = &heard(&folder)[0];
    assert!(
        first["time"]
            .as_str()
            .is_some_and(|time| time.ends_with('Z')),
        "{first}"
    );
    assert_eq!(
        (&first["until"], &first["dropped"]),
        (&Value::Null, &0.into())
    );
    let count = events().len();
    assert_eq!(count, 4, "each once: {:?}", heard(&folder));
    running.interrupt();
    running.line_with("neko.toml: does not play");
    running.finish().exited(1);
    for file in ["heard", "environment"] {
        let text = fs::read_to_string(folder.path().join(file)).expect("it was written");
        assert!(!text.contains("token-of-"), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_hears_that_the_last_bot_has_stopped() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let alerts = section(&folder);
    let config = config(&folder, "kuma.toml", "kuma", &server.address(), &alerts);
    let file = config.to_str().expect("UTF-8");
    let running = runner(&folder, &["run", file], &["kuma"]).start();
    server
        .refuse("Token verification failed: Invalid token")
        .await;
    running.finish().exited(1);
    let alerts = heard(&folder);
    assert!(
        alerts.len() == 1 && alerts[0]["event"] == "stopped" && alerts[0]["bot"] == "kuma",
        "{alerts:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn each_config_that_does_not_play_has_a_name_of_its_own_and_is_heard_of() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let alerts = section(&folder);
    config(&folder, "kuma.toml", "kuma", &server.address(), "");
    // The name of each is taken by the first.
    for part in ["one", "two"] {
        let bots = folder.path().join(part).join("bots");
        fs::create_dir_all(&bots).expect("a folder can be made");
        let command = format!(
            "[alerts]\ncommand = \"sh {}/alert.sh\"\n",
            folder.path().display()
        );
        let text = format!(
            "name = \"kuma\"\n{}{command}{POLICY}",
            arena(&server.address(), "TOKEN_OTHER")
        );
        fs::write(bots.join("x.toml"), text).expect("it can be written");
    }
    drop(alerts);
    let mut running = runner(&folder, &["run", "bots", "one/bots", "two/bots"], &["kuma"])
        .env("TOKEN_OTHER", "token-of-other")
        .start();
    let _client = server.accept().await;
    super::until("both alerts", || heard(&folder).len() == 2);
    let mut names: Vec<String> = heard(&folder)
        .iter()
        .map(|alert| alert["bot"].as_str().expect("a text").to_owned())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["one/bots/x.toml", "two/bots/x.toml"]);
    running.interrupt();
    running.line_with("does not play");
    running.finish().exited(1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_config_whose_name_changes_while_it_waits_is_heard_of() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let first = config(&folder, "neko.toml", "neko", &server.address(), "");
    for part in ["one", "two"] {
        fs::create_dir_all(folder.path().join(part).join("bots")).expect("a folder can be made");
        folder.file(&format!("{part}/bots/{part}.toml"), "name = 1\n");
    }
    let args = ["run", "bots", "one/bots", "two/bots", "--watch-ms=20"];
    let mut running = runner(&folder, &args, &["neko"]).start();
    let mut neko = server.accept().await;
    super::begin(&mut neko).await;
    // Its bot leaves after the game, and two configs wait for its name.
    super::remove(&first);
    let alerts = format!(
        "{}{}",
        section(&folder).replace("../", &format!("{}/", folder.path().display())),
        POLICY
    );
    let of_neko = format!(
        "name = \"neko\"\n{}",
        arena(&server.address(), "NEKO_TOKEN")
    );
    let waits = |name: &str| {
        super::until(name, || {
            super::bots(&folder).iter().any(|bot| bot["bot"] == name)
        });
    };
    folder.file("one/bots/x.toml", format!("{of_neko}{alerts}"));
    waits("x.toml");
    config(&folder, "again.toml", "neko", &server.address(), "");
    waits("again.toml");
    folder.file("two/bots/x.toml", "name = 1\n");
    waits("two/bots/x.toml");
    neko.finish().await;
    super::until("an alert", || !heard(&folder).is_empty());
    let alert = &heard(&folder)[0];
    assert_eq!(alert["bot"], "one/bots/x.toml", "{alert}");
    running.interrupt();
    running.line_with("does not play");
    running.finish().exited(1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_never_ends_delays_no_bot_and_does_not_outlive_the_run() {
    let (folder, server) = (Folder::new(), Server::open().await);
    // It ends with its runner at the latest, so that a test that fails leaves nothing behind.
    folder.file(
        "alert.sh",
        "echo $$ > begun; while kill -0 $PPID; do sleep 0.1; done 2> /dev/null\n",
    );
    config(
        &folder,
        "neko.toml",
        "neko",
        &server.address(),
        "colour = \"red\"\n[alerts]\ncommand = \"sh ../alert.sh\"\n",
    );
    let (running, mut kuma) = playing(&folder, &server, &[]).await;
    let begun = folder.path().join("bots/begun");
    super::until("the program begins", || {
        fs::read_to_string(&begun).is_ok_and(|text| text.ends_with('\n'))
    });
    super::plays_on(&mut kuma, 4).await;
    kuma.finish().await;
    running.interrupt();
    let finished = running.finish();
    finished.exited(1);
    assert!(
        finished.err.contains("an alert may be lost"),
        "{}",
        finished.err
    );
    let process = fs::read_to_string(begun).expect("it was written");
    assert!(
        !Path::new("/proc").join(process.trim()).exists(),
        "it lives on"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_fails_costs_a_warning_with_its_first_words_however_much_it_writes() {
    let (folder, server) = (Folder::new(), Server::open().await);
    folder.file(
        "alert.sh",
        "echo no mail today >&2; head -c 1000000 /dev/zero | tr '\\0' 'x' >&2; exit 3\n",
    );
    let alerts = "colour = \"red\"\n[alerts]\ncommand = \"sh ../alert.sh\"\n";
    config(&folder, "neko.toml", "neko", &server.address(), alerts);
    config(&folder, "kuma.toml", "kuma", &server.address(), "");
    let mut running = runner(&folder, &["run", "bots"], &["kuma", "neko"]).start();
    let line = running.error_with("an alert may be lost");
    assert!(
        line.contains("sh ended with exit code 3: no mail today") && line.len() < 1000,
        "{line}"
    );
    running.interrupt();
    running.finish().exited(1);
}

#[test]
fn a_program_that_cannot_be_run_is_a_mistake() {
    let folder = Folder::new();
    for (command, words) in [
        ("./none.sh", "none.sh cannot be run: No such file"),
        (
            "no-such-program-at-all",
            "is not on the PATH; correct the name",
        ),
        ("sh 'x", "a quote is left open"),
        ("", "found no program"),
    ] {
        config(
            &folder,
            "kuma.toml",
            "kuma",
            "ws://127.0.0.1:1",
            &format!("[alerts]\ncommand = {command:?}\n"),
        );
        let finished = runner(&folder, &["check", "bots"], &["kuma"]).run();
        let out = finished.exited(1);
        assert!(
            out.contains("bots/kuma.toml: alerts.command: ") && out.contains(words),
            "{out}"
        );
    }
}
