//! Bots that do not play: each has a row with the reason, everywhere.

use std::fs;

use serde_json::Value;

use super::{bot, bot_that, bots, config, runner};
use crate::common::libraries::MISBEHAVE;
use crate::common::server::{Client, Server, pon_or_pass};
use crate::configs::{Folder, POLICY, arena};
use crate::page::{address, get};
use crate::program::{Finished, Running};

/// The reason of a bot that does not play: its kind, and the words.
fn trouble(bot: &Value) -> (&str, &str) {
    let text = |key: &str| {
        bot["trouble"][key]
            .as_str()
            .unwrap_or_else(|| panic!("no trouble: {bot}"))
    };
    (text("kind"), text("why"))
}

/// The output of `status` for people.
fn status(folder: &Folder) -> String {
    runner(folder, &["status"], &[]).run().exited(0).to_owned()
}

/// Stops it at its end, after which its bots have not all played.
fn ended(running: Running) -> Finished {
    running.interrupt();
    let finished = running.finish();
    finished.exited(1);
    finished
}

#[tokio::test(flavor = "multi_thread")]
async fn a_config_that_is_wrong_has_a_row_until_it_is_right_or_gone() {
    let (folder, server) = (Folder::new(), Server::open().await);
    config(
        &folder,
        "b4.toml",
        "neko",
        &server.address(),
        "colour = \"red\"\n",
    );
    config(&folder, "kuma.toml", "kuma", &server.address(), "");
    let mut running = runner(
        &folder,
        &["run", "bots", "--watch-ms=20", "--page"],
        &["kuma", "neko"],
    )
    .start();
    let page = address(&mut running);
    let _kuma = server.accept().await;
    running.line_with("kuma: queued");
    let told = bot(&folder, "b4.toml");
    assert_eq!(told["state"], "does_not_play");
    let (kind, why) = trouble(&told);
    assert!(
        kind == "config" && why.starts_with("arena.colour: unknown key"),
        "{told}"
    );
    assert!(
        status(&folder).contains("does not play: arena.colour: unknown key"),
        "{}",
        status(&folder)
    );
    let of_page = get(&page, "/api/status").body;
    assert!(
        of_page.contains("\"b4.toml\"") && of_page.contains("does_not_play"),
        "{of_page}"
    );
    let metrics = get(&page, "/metrics").body;
    let figure = "bot_runner_trouble{bot=\"b4.toml\",reason=\"config\"} 1.0";
    assert!(metrics.contains(figure), "{metrics}");

    // One is added wrong, the first is mended, and in its place it has a row of its own.
    config(
        &folder,
        "b5.toml",
        "kuma",
        &server.address(),
        "players = 4\n",
    );
    super::until("it has a row", || {
        bots(&folder).iter().any(|bot| bot["bot"] == "b5.toml")
    });
    let told = bot(&folder, "b5.toml");
    assert!(
        trouble(&told).1.contains("names its bot \"kuma\" too"),
        "{told}"
    );
    config(
        &folder,
        "b4.toml",
        "neko",
        &server.address(),
        "queue_together = true\n",
    );
    running.line_with("neko: joins");
    bot_that(&folder, "neko", |bot| bot["trouble"].is_null());
    assert!(
        bots(&folder).iter().all(|bot| bot["bot"] != "b4.toml"),
        "{:?}",
        bots(&folder)
    );
    super::remove(&folder.path().join("bots/b5.toml"));
    super::until("its row is gone", || {
        bots(&folder).iter().all(|bot| bot["bot"] != "b5.toml")
    });
    config(
        &folder,
        "b6.toml",
        "risu",
        &server.address(),
        "colour = \"red\"\n",
    );
    running.error_with("b6.toml: arena.colour");
    running.signal(rustix::process::Signal::TERM);
    let finished = running.finish();
    assert!(
        finished
            .exited(1)
            .contains("\nb6.toml: does not play: arena.colour: unknown key"),
        "{}",
        finished.out
    );
    assert!(
        !finished.out.contains("b4.toml: does not play"),
        "{}",
        finished.out
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_its_arena_refuses_and_one_whose_library_is_missing_have_their_reasons() {
    let (folder, server) = (Folder::new(), Server::open().await);
    config(&folder, "kuma.toml", "kuma", &server.address(), "");
    let section = arena(&server.address(), "NEKO_TOKEN");
    folder.file(
        "bots/neko.toml",
        format!("name = \"neko\"\n{section}[policy]\nlibrary = \"./libnone.so\"\n"),
    );
    let mut running = runner(&folder, &["run", "bots"], &["kuma", "neko"]).start();
    server
        .refuse("Token verification failed: Invalid token")
        .await;
    running.line_with("kuma: stops: Token verification failed");
    let told = bot_that(&folder, "kuma", |bot| bot["state"] == "stopped");
    let (kind, why) = trouble(&told);
    assert!(kind == "stopped" && why.contains("Invalid token"), "{told}");
    let told = bot_that(&folder, "neko.toml", |bot| bot["state"] == "does_not_play");
    assert!(trouble(&told).1.contains("libnone.so"), "{told}");
    let finished = ended(running);
    assert!(
        finished
            .out
            .contains("\nkuma: stopped: Token verification failed"),
        "{}",
        finished.out
    );
    assert!(
        finished
            .out
            .contains("\nneko.toml: does not play: policy.library: "),
        "{}",
        finished.out
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_whose_new_name_is_taken_while_it_leaves_has_a_row() {
    let (folder, server) = (Folder::new(), Server::open().await);
    config(&folder, "neko.toml", "neko", &server.address(), "");
    let args = ["run", "bots", "--watch-ms=20"];
    let mut running = runner(&folder, &args, &["kuma", "neko", "risu"]).start();
    let mut neko = server.accept().await;
    super::begin(&mut neko).await;
    config(&folder, "neko.toml", "risu", &server.address(), "");
    running.line_with("neko: its config has changed");
    let section = arena(&server.address(), "KUMA_TOKEN");
    folder.file(
        "bots/other.toml",
        format!("name = \"risu\"\n{section}{POLICY}"),
    );
    running.line_with("risu: joins, by bots/other.toml");
    neko.finish().await;
    super::until("it has a row", || {
        bots(&folder).iter().any(|bot| bot["bot"] == "neko.toml")
    });
    let told = bot(&folder, "neko.toml");
    assert!(
        trouble(&told)
            .1
            .contains("bots/other.toml names its bot \"risu\" too"),
        "{told}"
    );
    assert!(
        ended(running)
            .out
            .contains("\nneko.toml: does not play: name: "),
        "it is said at the end"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_config_that_waits_for_another_bot_to_leave_has_a_row_and_counts_at_the_end() {
    let (folder, server) = (Folder::new(), Server::open().await);
    config(&folder, "neko.toml", "neko", &server.address(), "");
    let args = ["run", "bots", "--watch-ms=20"];
    let mut running = runner(&folder, &args, &["kuma", "neko"]).start();
    let mut neko = server.accept().await;
    super::begin(&mut neko).await;
    fs::rename(
        folder.path().join("bots/neko.toml"),
        folder.path().join("bots/other.toml"),
    )
    .expect("it is there");
    super::until("it has a row", || {
        bots(&folder).iter().any(|bot| bot["bot"] == "other.toml")
    });
    let told = bot(&folder, "other.toml");
    let waits = "waits until the bot of bots/neko.toml has left";
    assert!(trouble(&told).1.contains(waits), "{told}");
    // Nothing joins while everything ends.
    running.interrupt();
    running.line_with("played to their end");
    neko.finish().await;
    let finished = running.finish();
    assert!(
        finished
            .exited(1)
            .contains(&format!("\nother.toml: does not play: {waits}")),
        "{}",
        finished.out
    );
}

/// Deals and offers until the policy, which fails in each decision, is set aside.
async fn fail_often(client: &mut Client) {
    client.deal().await;
    client.offer(3).await;
    client.reply().await;
    for request in 4..13 {
        client.say(pon_or_pass(request)).await;
        client.reply().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_whose_policy_is_set_aside_says_so_in_its_game_and_after_it_and_comes_back() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let section = arena(&server.address(), "KUMA_TOKEN");
    // A trial asks the decisions 0 to 3, with the number of the decision in the game.
    let policy = format!(
        "[policy]\nlibrary = {:?}\nparams = {{ fault = \"fail\", from = 4 }}\n",
        &*MISBEHAVE
    );
    fs::create_dir_all(folder.path().join("bots")).expect("a folder can be made");
    folder.file(
        "bots/kuma.toml",
        format!("name = \"kuma\"\n{section}{policy}"),
    );
    let mut running = runner(&folder, &["run", "bots", "--page"], &["kuma"]).start();
    let page = address(&mut running);
    let mut client = server.accept().await;
    fail_often(&mut client).await;
    for request in 13..17 {
        client.say(pon_or_pass(request)).await;
        client.reply().await;
    }
    let told = bot_that(&folder, "kuma", |bot| !bot["trouble"].is_null());
    assert_eq!(
        (&told["state"], trouble(&told)),
        (
            &"playing".into(),
            ("set_aside", "it failed 10 times in one game")
        )
    );
    let shown = status(&folder);
    assert!(
        shown.contains(
            "playing; its policy is set aside: it failed 10 times in one game; it is tried"
        ),
        "{shown}"
    );
    let metrics = get(&page, "/metrics").body;
    assert!(
        metrics.contains("bot_runner_trouble{bot=\"kuma\",reason=\"set_aside\"} 1.0"),
        "{metrics}"
    );
    client.finish().await;
    running.line_with("kuma: its policy is set aside; it waits");
    let told = bot_that(&folder, "kuma", |bot| bot["state"] == "set_aside");
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("after 1970")
        .as_secs();
    let wait = told["trouble"]["until"]
        .as_u64()
        .expect("a time")
        .saturating_sub(now);
    assert!((30..=60).contains(&wait), "{told}");
    assert!(
        status(&folder).contains("set aside: it failed 10 times"),
        "{}",
        status(&folder)
    );

    let reloaded = runner(&folder, &["reload", "kuma"], &[]).run();
    reloaded.exited(0);
    let _client = server.accept().await;
    bot_that(&folder, "kuma", |bot| {
        bot["state"] == "queued" && bot["trouble"].is_null()
    });
    running.interrupt();
    running.finish().exited(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_ends_while_a_policy_is_set_aside_says_so() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let section = arena(&server.address(), "KUMA_TOKEN");
    let policy = format!(
        "[policy]\nlibrary = {:?}\nparams = {{ fault = \"fail\", from = 4 }}\n",
        &*MISBEHAVE
    );
    let file = folder.file("kuma.toml", format!("name = \"kuma\"\n{section}{policy}"));
    let running = runner(
        &folder,
        &["run", file.to_str().expect("UTF-8"), "--games=1"],
        &["kuma"],
    )
    .start();
    let mut client = server.accept().await;
    fail_often(&mut client).await;
    for request in 13..17 {
        client.say(pon_or_pass(request)).await;
        client.reply().await;
    }
    client.finish().await;
    let finished = running.finish();
    let words = "kuma: its policy is set aside: it failed 10 times in one game";
    assert!(finished.exited(1).contains(words), "{}", finished.out);
}
