//! Policies whose trial hangs or lasts: no other bot waits for it.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{config, runner};
use crate::common::libraries::{GREEDY_TENPAI, MISBEHAVE, misbehave_raw, numbered};
use crate::common::server::Server;
use crate::configs::Folder;

/// Time limit for the decision of a bot next to others whose trials hang for a minute, on a busy
/// machine.
const BOUND: Duration = Duration::from_secs(20);

/// Puts the config of a bot with this policy into the folder `bots`, and returns its token's
/// variable.
fn bot(folder: &Folder, file: &str, name: &str, url: &str, library: &Path, params: &str) {
    let written = config(folder, file, name, url, "");
    let text = fs::read_to_string(&written).expect("it was written");
    let (text, _) = text.split_once("[policy]").expect("it has a policy");
    let policy = format!("[policy]\nlibrary = {library:?}\nparams = {{ {params} }}\n");
    let changed = folder.file("written", format!("{text}{policy}"));
    fs::rename(changed, written).expect("it can be renamed");
}

/// Puts the configs of this many bots into the folder; the policy of each fails like this in its
/// own trial.
fn hanging(folder: &Folder, count: usize, url: &str, fault: &str) -> Vec<String> {
    let names: Vec<String> = (0..count).map(|number| format!("hangs{number}")).collect();
    for (number, name) in names.iter().enumerate() {
        let params = format!("fault = {fault:?}, at = {number}");
        bot(
            folder,
            &format!("{name}.toml"),
            name,
            url,
            &MISBEHAVE,
            &params,
        );
    }
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_decides_at_once_however_many_others_hang_in_their_trials() {
    // Built before the clock starts.
    let (other, same) = (GREEDY_TENPAI.as_path(), MISBEHAVE.as_path());
    for (count, library) in [(1, other), (8, other), (8, same)] {
        let (folder, server) = (Folder::new(), Server::open().await);
        let mut names = hanging(&folder, count, &server.address(), "hang-create");
        bot(&folder, "neko.toml", "neko", &server.address(), library, "");
        names.push("neko".to_owned());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let started = Instant::now();
        let running = runner(&folder, &["run", "bots"], &names).start();
        let mut neko = server.accept().await;
        assert!(neko.authorization.contains("token-of-neko"), "{count}");
        super::begin(&mut neko).await;
        let took = started.elapsed();
        assert!(took < BOUND, "{count}, {}: {took:?}", library.display());
        drop(running);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_comes_later_decides_at_once_beside_forty_that_hang() {
    const MANY: usize = 40;
    let (folder, server) = (Folder::new(), Server::open().await);
    bot(
        &folder,
        "kuma.toml",
        "kuma",
        &server.address(),
        &GREEDY_TENPAI,
        "",
    );
    let hanging_names = (0..MANY).map(|number| format!("hangs{number}"));
    let names: Vec<String> = hanging_names
        .chain(["kuma".to_owned(), "neko".to_owned()])
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut running = runner(&folder, &["run", "bots", "--watch-ms=20"], &names).start();
    let mut kuma = server.accept().await;
    super::begin(&mut kuma).await;
    hanging(&folder, MANY, &server.address(), "hang-create");
    // Until those trials have begun that may, each in a process of its own: a library alone gets
    // half of `MAX_TRIALS`.
    let until = Instant::now() + BOUND;
    while running.children().len() < 16 {
        assert!(
            Instant::now() < until,
            "only {} trials begin",
            running.children().len()
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let started = Instant::now();
    bot(
        &folder,
        "neko.toml",
        "neko",
        &server.address(),
        &GREEDY_TENPAI,
        "calls = \"never\"",
    );
    running.line_with("neko: joins");
    let mut neko = server.accept().await;
    super::begin(&mut neko).await;
    let took = started.elapsed();
    assert!(took < BOUND, "{took:?}");
    super::plays_on(&mut kuma, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_decides_at_once_beside_twelve_whose_policies_hang_when_they_start_after_their_trials()
 {
    const MANY: usize = 12;
    let (folder, server) = (Folder::new(), Server::open().await);
    let mut names = hanging(&folder, MANY, &server.address(), "hang-second-create");
    names.push("neko".to_owned());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut running = runner(&folder, &["run", "bots", "--watch-ms=20"], &names).start();
    let tried = |number: usize| {
        folder
            .path()
            .join(format!("bots/created-{number}"))
            .exists()
    };
    let until = Instant::now() + BOUND;
    while !(0..MANY).all(tried) {
        assert!(Instant::now() < until, "they do not pass their trials");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // Until those that may start have started: one after the other, a tenth of a second apart.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let started = Instant::now();
    bot(
        &folder,
        "neko.toml",
        "neko",
        &server.address(),
        &GREEDY_TENPAI,
        "",
    );
    running.line_with("neko: joins");
    let mut neko = server.accept().await;
    assert!(neko.authorization.contains("token-of-neko"));
    super::begin(&mut neko).await;
    let took = started.elapsed();
    assert!(took < BOUND, "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_bots_of_one_name_the_first_plays_even_if_its_trial_lasts() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let slow = folder.file("libslow.so", numbered(1));
    bot(
        &folder,
        "a.toml",
        "kuma",
        &server.address(),
        &slow,
        "pause_ms = 300",
    );
    bot(
        &folder,
        "b.toml",
        "kuma",
        &server.address(),
        &GREEDY_TENPAI,
        "",
    );
    let mut running = runner(&folder, &["run", "bots"], &["kuma"]).start();
    running.error_with("b.toml: name: bots/a.toml names its bot \"kuma\" too");
    server.accept().await;
    running.line_with("kuma: queued");
    running.interrupt();
    let finished = running.finish();
    assert!(
        !finished.all().contains("by bots/b.toml"),
        "{}",
        finished.all()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_bots_of_one_name_the_second_plays_once_the_first_has_failed_its_trial() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let hangs = misbehave_raw(&["AT_LOAD_HANG"]);
    bot(
        &folder,
        "a.toml",
        "kuma",
        &server.address(),
        &hangs.file,
        "",
    );
    bot(
        &folder,
        "b.toml",
        "kuma",
        &server.address(),
        &GREEDY_TENPAI,
        "",
    );
    let mut running = runner(&folder, &["run", "bots"], &["kuma"]).start();
    running.error_with(
        "b.toml: name: bots/a.toml names its bot \"kuma\" too, and that one comes first",
    );
    running.error_with("the bot does not play: bots/a.toml: policy.library");
    running.line_with("kuma: joins, by bots/b.toml");
    server.accept().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_config_whose_policy_fails_its_trial_costs_its_own_bot_alone_and_the_exit_code() {
    let (folder, mut arena) = (
        Folder::new(),
        crate::program::Runner::new(["arena", "--length", "east", "--fill-after", "0"]).start(),
    );
    let url = arena
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    bot(
        &folder,
        "kuma.toml",
        "kuma",
        &url,
        &MISBEHAVE,
        "fault = \"fail-create\"",
    );
    bot(&folder, "neko.toml", "neko", &url, &GREEDY_TENPAI, "");
    let args = ["run", "bots/kuma.toml", "bots/neko.toml", "--games=1"];
    let finished = runner(&folder, &args, &["kuma", "neko"]).run();
    assert!(
        finished.exited(1).contains("neko: game over"),
        "{}",
        finished.out
    );
    assert!(
        finished
            .err
            .contains("the bot does not play: bots/kuma.toml: policy"),
        "{}",
        finished.err
    );

    let finished = runner(&folder, &["run", "bots/kuma.toml"], &["kuma"]).run();
    finished.exited(1);
    assert!(
        finished.err.contains("bots/kuma.toml: policy") && finished.err.contains("no bot can play")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_whose_policy_does_not_start_tries_again_after_a_minute() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let fault = "fault = \"fail-second-create\"";
    bot(
        &folder,
        "kuma.toml",
        "kuma",
        &server.address(),
        &MISBEHAVE,
        fault,
    );
    let mut running = runner(&folder, &["run", "bots"], &["kuma"]).start();
    running.line_with("kuma: stops: its policy does not start");
    let told = super::bot_that(&folder, "kuma", |bot| bot["trouble"].is_object());
    assert_eq!(told["trouble"]["kind"], "stopped");
    let why = told["trouble"]["why"].as_str().expect("it has a reason");
    assert!(why.contains("it fails on purpose"), "{why}");
    running.line_with("kuma: joins");
    let _kuma = server.accept().await;
    let told = super::bot_that(&folder, "kuma", |bot| bot["state"] == "queued");
    assert!(told["trouble"].is_null(), "{told}");
    running.interrupt();
    running.finish().exited(0);
}
