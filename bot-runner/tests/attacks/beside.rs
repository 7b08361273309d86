//! A bot that plays next to one under attack: it sends the same replies as without an attack.

use std::path::Path;
use std::sync::LazyLock;

use super::calm;
use crate::configs::{Folder, POLICY, arena};
use crate::program::{Runner, Running};

/// Its replies without an attack.
static AS_EVER: LazyLock<Vec<String>> = LazyLock::new(|| replies_beside(None, POLICY, |_, _| {}));

/// An arena with a table for one bot.
fn table(seed: &str) -> (Running, String) {
    let mut arena =
        Runner::new(["arena", "--length=east", "--fill-after=0", "--seed", seed]).start();
    let line = arena.line_with("listening on ");
    (arena, line.trim_start_matches("listening on ").to_owned())
}

/// Every reply of the bot `neko` while the bot `kuma` of the same process plays by this section, at
/// this address or at its own arena, and `disturb` changes the folder `bots` with their configs.
fn replies_beside(
    url: Option<&str>,
    policy: &str,
    disturb: impl FnOnce(&Path, &mut Running),
) -> Vec<String> {
    let _calm = calm();
    let folder = Folder::new();
    let bots = folder.private("bots");
    let ((_one, its_url), (_other, neighbours_url)) = (table("1"), table("2"));
    let write = |name: &str, url: &str, policy: &str| {
        let variable = format!("{}_TOKEN", name.to_uppercase());
        let text = format!("name = {name:?}\n{}{policy}", arena(url, &variable));
        std::fs::write(bots.join(format!("{name}.toml")), text).expect("it can be written");
    };
    write("kuma", url.unwrap_or(&its_url), policy);
    write("neko", &neighbours_url, POLICY);
    let mut running = Runner::new(["run", "bots", "--games=1", "--watch-ms=20"])
        .in_folder(folder.path())
        .env(
            "XDG_RUNTIME_DIR",
            folder.private("runtime").to_str().expect("UTF-8"),
        )
        .env("KUMA_TOKEN", "token-of-kuma")
        .env("NEKO_TOKEN", "token-of-neko")
        .env("BOT_RUNNER_LOG", "warn,client::bot=trace")
        .start();
    disturb(&bots, &mut running);
    running.line_with("neko: game over");
    let finished = running.stop();
    let replies = finished
        .err
        .lines()
        .filter(|line| line.contains("bot=\"neko\"") && line.contains(" reply {"));
    replies
        .map(|line| line.split_once(" reply ").expect("it is one").1.to_owned())
        .collect()
}

/// Checks that a bot's neighbour plays as ever while this happens; `kuma` has this policy.
#[track_caller]
pub(super) fn neighbour_plays_as_ever_beside(
    attack: &str,
    policy: &str,
    disturb: impl FnOnce(&Path, &mut Running),
) {
    assert!(AS_EVER.len() > 30, "{}", AS_EVER.len());
    assert_eq!(replies_beside(None, policy, disturb), *AS_EVER, "{attack}");
}

/// The same while `kuma` plays at this arena.
#[track_caller]
pub(super) fn neighbour_plays_as_ever_at(attack: &str, url: &str) {
    assert_eq!(
        replies_beside(Some(url), POLICY, |_, _| {}),
        *AS_EVER,
        "{attack}"
    );
}
