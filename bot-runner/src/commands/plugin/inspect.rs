//! `plugin inspect`: describes a library.

use std::process::ExitCode;

use anyhow::bail;
use policy_abi::entry::{ABI_MAJOR, ABI_MINOR};
use say::output::say;

use super::library_named;
use crate::commands::success;
use crate::commands::table::TextTable;
use policy_host::{Launch, Libraries, Library, PolicyInfo};

/// Prints a description of a library.
///
/// # Errors
///
/// The reason why it cannot be used.
pub(super) fn inspect(library: &str) -> anyhow::Result<ExitCode> {
    if library.ends_with(".toml") {
        bail!(
            "{library} is a config; name a library or the id of a policy, as its [policy] does, or see what its bot decides \
             by: bot-runner check {library}"
        );
    }
    let library = Libraries::new(Launch::own(Vec::new()), builtin::libraries())
        .describe(library_named(library))?;
    say(heading(&library));
    for policy in &library.description.policies {
        say(description(policy));
    }
    Ok(success(true))
}

fn heading(library: &Library) -> String {
    let hash = library.hash.map_or_else(
        || "none, it is part of the runner".to_owned(),
        |hash| hash.to_string(),
    );
    format!(
        "library   {}\nbuild     {:?}\nsha256    {hash}\nboundary  {ABI_MAJOR}.{} (this runner: {ABI_MAJOR}.{ABI_MINOR})",
        library.origin, library.description.build_id, library.description.abi_minor
    )
}

fn description(policy: &PolicyInfo) -> String {
    let PolicyInfo {
        id,
        name,
        version,
        summary,
        params,
        ..
    } = policy;
    let (game, games) = (policy.game_name(), policy.plays_with());
    let params = if params.is_empty() {
        "  no parameters".to_owned()
    } else {
        parameters(policy)
    };
    format!(
        "\npolicy {id} {version} ({name})\n  {summary}\n  plays {game}\n  plays with {games}\n{params}"
    )
}

fn parameters(policy: &PolicyInfo) -> String {
    let mut table = TextTable::new(
        ["parameter", "default", "allowed", "tunable", "what it does"],
        [true; 5],
    );
    for param in &policy.params {
        let default = param.default.clone().unwrap_or_else(|| "none".to_owned());
        let tunable = if param.tunable { "yes" } else { "" };
        table.row([
            param.name.clone(),
            default,
            param.kind.to_string(),
            tunable.to_owned(),
            param.help.clone(),
        ]);
    }
    table
        .to_string()
        .lines()
        .map(|line| format!("  {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}
