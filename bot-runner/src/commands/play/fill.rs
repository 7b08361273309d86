//! The bots on the seats that the configs leave empty.

use std::path::Path;

use anyhow::bail;
use policy_host::{GameKind, is_policy_id};

use super::super::words::{library_words, policy_words};
use crate::builtin;
use crate::config::RawConfig;
use crate::fleet::ReadyBot;

/// The value of `--fill` for seats without a policy.
const NONE: &str = "none";

/// The default policy: a quick one that plays for its own hand.
const fn usual(game: GameKind) -> &'static str {
    match game {
        GameKind::Riichi => "greedy-tenpai",
        GameKind::Mcr => "cs-eight-step",
        GameKind::DouDizhu => "doudizhu-split",
    }
}

/// A config for each empty seat; none if no policy is to play there.
///
/// # Errors
///
/// If the argument cannot be the id of a policy.
pub(super) fn fillers(game: GameKind, fill: Option<&str>, empty: usize) -> anyhow::Result<Vec<RawConfig>> {
    let id = fill.unwrap_or(usual(game));
    if id == NONE {
        return Ok(Vec::new());
    }
    if !is_policy_id(id) {
        bail!("--fill: found {id:?}; allowed are the id of a policy, such as {}, and {NONE}", usual(game));
    }
    let library = if builtin::IDS.contains(&id) { "library = \"builtin\"\n" } else { "" };
    let text = format!("name = \"{id}\"\n[policy]\nid = \"{id}\"\n{library}");
    // No file has this name, which messages show.
    Ok(vec![RawConfig::parse(Path::new("--fill"), &text); empty])
}

/// A sentence about the bots on the other seats; `safe` describes seats without a policy.
pub(super) fn fill_words(fillers: &[ReadyBot], empty: usize, [one, several]: [&str; 2]) -> String {
    match (fillers.first(), empty) {
        (_, 0) => String::new(),
        (None, 1) => format!("\nThe other seat {one}."),
        (None, _) => format!("\nThe other {empty} seats {several}."),
        (Some(bot), _) => {
            let seats = if empty == 1 { "seat".to_owned() } else { format!("{empty} seats") };
            let (policy, library) = (policy_words(&bot.policy), library_words(&bot.policy.library.origin));
            format!("\nOn the other {seats}: {policy}, {library} (--fill POLICY takes another).")
        }
    }
}
