//! Bots of the same process at other tables.

use super::{misbehaving, policy};
use crate::common::libraries::GREEDY_TENPAI;
use crate::configs::{Folder, arena};
use crate::program::{Runner, Running};

/// An arena with a table for one bot.
fn table(seed: &str) -> (Running, String) {
    let mut arena =
        Runner::new(["arena", "--length=east", "--fill-after=0", "--seed", seed]).start();
    let line = arena.line_with("listening on ");
    (arena, line.trim_start_matches("listening on ").to_owned())
}

/// Every reply that the sound bot sends while another bot of the process goes wrong like this.
fn replies_beside(isolation: &str, fault: &str) -> Vec<String> {
    let folder = Folder::new();
    let ((_one, its_url), (_other, url)) = (table("1"), table("2"));
    let odd = misbehaving(&folder, isolation, &format!("fault = {fault:?}, at = 5"));
    let text = std::fs::read_to_string(&odd).expect("it was written");
    let odd = folder.file(
        "kuma.toml",
        format!("{text}{}", arena(&its_url, "KUMA_TOKEN")),
    );
    let sound = policy(&GREEDY_TENPAI, "thread", "");
    let sound = folder.file(
        "neko.toml",
        format!("name = \"neko\"\n{sound}{}", arena(&url, "NEKO_TOKEN")),
    );
    let finished = Runner::new(["run".into(), "--games=1".into(), odd, sound])
        .env("KUMA_TOKEN", "token-of-kuma")
        .env("NEKO_TOKEN", "token-of-neko")
        .env(
            "BOT_RUNNER_LOG",
            "warn,client::bot=trace,bot_runner::commands::crew=info",
        )
        .run();
    finished.exited(0);
    let replies = finished
        .err
        .lines()
        .filter(|line| line.contains("bot=\"neko\"") && line.contains(" reply {"));
    replies
        .map(|line| line.split_once(" reply ").expect("it is one").1.to_owned())
        .collect()
}

#[test]
fn a_bot_at_another_table_sends_byte_for_byte_what_it_sends_anyway() {
    let sound = replies_beside("thread", "none");
    assert!(sound.len() > 30, "{}", sound.len());
    // One of each way to disturb others; `one_game.rs` has all faults.
    for (isolation, fault) in [
        ("thread", "panic"),
        ("thread", "hang"),
        ("thread", "print"),
        ("thread", "log"),
        ("thread", "leak"),
        ("process", "print"),
        ("process", "hang"),
        ("process", "abort"),
    ] {
        assert_eq!(
            replies_beside(isolation, fault),
            sound,
            "{fault} in a {isolation}"
        );
    }
}
