//! Folders with configs.

use super::{config, runner};
use crate::common::server::Server;
use crate::configs::Folder;
use crate::program::{Runner, cell, table};

const BOTS: [&str; 4] = ["kuma", "neko", "risu", "tanuki"];

#[test]
fn check_goes_through_a_folder_too() {
    let folder = Folder::new();
    for bot in BOTS {
        config(&folder, &format!("{bot}.toml"), bot, "ws://127.0.0.1:1", "");
    }
    let finished = runner(&folder, &["check", "bots"], &BOTS).run();
    assert_eq!(
        finished.exited(0).matches(": ok: ").count(),
        4,
        "{}",
        finished.out
    );
}

#[test]
fn no_bot_begins_while_any_config_that_was_named_is_wrong_and_every_mistake_is_reported() {
    let folder = Folder::new();
    config(&folder, "kuma.toml", "kuma", "ws://127.0.0.1:1", "");
    let neko = config(
        &folder,
        "neko.toml",
        "neko",
        "ws://127.0.0.1:1",
        "colour = \"red\"\n",
    );
    config(&folder, "risu.toml", "kuma", "ws://127.0.0.1:1", "");
    let finished = runner(
        &folder,
        &["run", "bots", neko.to_str().expect("UTF-8")],
        &["kuma", "neko"],
    )
    .run();
    finished.exited(1);
    for words in [
        "neko.toml: arena.colour",
        "risu.toml: name",
        "risu.toml: arena.token_env",
    ] {
        assert!(finished.err.contains(words), "{words}: {}", finished.err);
    }
    assert!(!finished.out.contains("queued"), "{}", finished.out);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_config_of_a_folder_that_is_wrong_costs_its_own_bot_alone_until_it_is_right() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let url = server.address();
    config(&folder, "kuma.toml", "kuma", &url, "");
    config(&folder, "neko.toml", "neko", &url, "colour = \"red\"\n");
    std::fs::write(folder.path().join("bots/risu.toml"), "name = ").expect("it can be written");
    let mut running = runner(&folder, &["run", "bots"], &["kuma", "neko"]).start();
    assert!(
        server
            .accept()
            .await
            .authorization
            .contains("token-of-kuma")
    );
    for words in ["neko.toml: arena.colour", "risu.toml: line 1"] {
        assert!(
            running.error_with(words).contains("the bot does not play"),
            "{words}"
        );
    }
    config(&folder, "neko.toml", "neko", &url, "");
    running.line_with("neko: joins");
    running.interrupt();
    let finished = running.finish();
    assert!(
        finished
            .exited(1)
            .contains("risu.toml: does not play: line 1"),
        "{}",
        finished.out
    );
    assert!(
        !finished.out.contains("neko.toml: does not play"),
        "{}",
        finished.out
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_there_twice_keeps_a_bot_out_only_as_long_as_the_other_plays() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let url = server.address();
    // It is wrong anyhow, and blocks no other.
    config(&folder, "a.toml", "kuma", &url, "colour = \"red\"\n");
    let kuma = config(&folder, "b.toml", "kuma", &url, "");
    config(&folder, "c.toml", "kuma", &url, "players = 4\n");
    let mut running = runner(&folder, &["run", "bots"], &["kuma"]).start();
    running.error_with("c.toml: name");
    server.accept().await;
    running.line_with("kuma: queued");
    super::remove(&kuma);
    running.line_with("kuma: joins, by bots/c.toml");
    server.accept().await;
    running.interrupt();
    let finished = running.finish();
    assert!(
        finished
            .exited(1)
            .contains("a.toml: does not play: arena.colour"),
        "{}",
        finished.out
    );
    assert!(
        !finished.out.contains("c.toml: does not play"),
        "{}",
        finished.out
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_leads_to_no_file_is_reported_once_and_stops_no_other_bot() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let url = server.address();
    config(&folder, "kuma.toml", "kuma", &url, "");
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, folder.path().join("bots").join(name))
            .expect("it can be linked");
    };
    // Two that are there from the beginning, and two that come later.
    link("nowhere.toml", "dangling.toml");
    link("looping.toml", "looping.toml");
    let mut running = runner(
        &folder,
        &["run", "bots", "--watch-ms=20"],
        &["kuma", "neko"],
    )
    .start();
    assert!(
        server
            .accept()
            .await
            .authorization
            .contains("token-of-kuma")
    );
    let names = ["dangling", "looping", "later", "later-looping"];
    for (target, name) in [
        ("../neko", "later.toml"),
        ("later-looping.toml", "later-looping.toml"),
    ] {
        link(target, name);
        running.error_with(&format!("{name}: is a link"));
    }
    // The link's target exists now.
    let neko = config(&folder, "neko", "neko", &url, "");
    std::fs::rename(neko, folder.path().join("neko")).expect("it can be moved");
    running.line_with("neko: joins");
    server.accept().await;
    running.interrupt();
    let finished = running.finish();
    for name in names {
        let told =
            format!("the bot does not play: bots/{name}.toml: is a link that leads to no file");
        assert_eq!(
            finished.err.matches(&told).count(),
            1,
            "{name}: {}",
            finished.err
        );
    }
}

#[test]
fn a_folder_whose_configs_are_all_wrong_is_refused() {
    let folder = Folder::new();
    config(
        &folder,
        "kuma.toml",
        "kuma",
        "ws://127.0.0.1:1",
        "colour = \"red\"\n",
    );
    let finished = runner(&folder, &["run", "bots"], &["kuma"]).run();
    finished.exited(1);
    assert!(
        finished.err.contains("kuma.toml: arena.colour"),
        "{}",
        finished.err
    );
}

#[test]
fn a_folder_without_a_config_is_reported() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("bots")).expect("it can be made");
    for command in ["run", "check"] {
        let finished = runner(&folder, &[command, "bots"], &[]).run();
        finished.exited(1);
        assert!(
            finished.all().contains("bots: holds no config"),
            "{}",
            finished.all()
        );
    }
}

#[test]
fn no_more_games_are_on_at_once_than_allowed_and_every_bot_has_its_turn() {
    let (folder, mut arena) = (
        Folder::new(),
        Runner::new(["arena", "--length", "east", "--fill-after", "0"]).start(),
    );
    let url = arena
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    for bot in BOTS {
        config(&folder, &format!("{bot}.toml"), bot, &url, "");
    }
    let args = ["run", "bots", "--games", "2", "--games-at-once", "1"];
    let finished = runner(&folder, &args, &BOTS).run();
    let rows = table(finished.exited(0));
    assert_eq!(
        rows.iter().map(|row| cell(row, "bot")).collect::<Vec<_>>(),
        BOTS
    );
    assert!(
        rows.iter().all(|row| cell(row, "games") == "2"),
        "{}",
        finished.out
    );
    let mut on = 0;
    for line in finished.out.lines() {
        on += i32::from(line.contains(": queued")) - i32::from(line.contains(": game over"));
        assert!((0..=1).contains(&on), "{line}: {}", finished.out);
    }
}
