//! A bot's running policy, with the handle for replacing it while the bot plays.

use std::sync::Arc;

use anyhow::bail;
use client::bot::BotPolicy;
use client::place::short;
use client::shutdown::Shutdown;
use config::ArenaAddress;
use futures_util::future::BoxFuture;
use policy_host::{KnownPolicy, Libraries, Pace, SeatedPolicy, StartError};
use tokio::task::JoinSet;

use super::prepare::ReadyBot;
use super::reload::{KnownPolicies, ReloadBot, Reloads};

/// Starts the policies of all bots before any of them plays, and prepares them for reloads.
///
/// # Errors
///
/// All policies that cannot be started, or a request to stop meanwhile.
///
/// The future is boxed so that this crate compiles it, once, and not each crate that awaits it.
pub fn start_policies<'a>(
    bots: &'a [ReadyBot],
    libraries: &Arc<Libraries>,
    reloads: &'a Reloads,
    seed_of: impl Fn(usize) -> u64,
    shutdown: &'a Shutdown,
) -> BoxFuture<'a, anyhow::Result<Vec<BotPolicy>>> {
    let seeds = (0..bots.len()).map(seed_of).collect();
    Box::pin(start_with(
        bots,
        Arc::clone(libraries),
        reloads,
        seeds,
        shutdown,
    ))
}

async fn start_with(
    bots: &[ReadyBot],
    libraries: Arc<Libraries>,
    reloads: &Reloads,
    seeds: Vec<u64>,
    shutdown: &Shutdown,
) -> anyhow::Result<Vec<BotPolicy>> {
    let mut starting = JoinSet::new();
    for (index, (ready, seed)) in bots.iter().zip(seeds).enumerate() {
        let (ready, libraries) = (ready.clone(), Arc::clone(&libraries));
        starting.spawn(async move { (index, start_policy(ready, libraries, seed).await) });
    }
    let all = tokio::select! {
        all = starting.join_all() => all,
        () = shutdown.finishing() => bail!("stopped before the policies had started"),
    };
    let mut started: Vec<(usize, (BotPolicy, ReloadBot))> = Vec::new();
    let mut failures = Vec::new();
    for (index, result) in all {
        match result {
            Ok(bot_policy) => started.push((index, bot_policy)),
            Err(error) => failures.push(format!(
                "{}: {error}",
                short(&bots[index].config.file).display()
            )),
        }
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("\n"));
    }
    started.sort_by_key(|(index, _)| *index);
    let bot_policies = started.into_iter().map(|(_, (bot_policy, reload))| {
        reloads.look_after(reload);
        bot_policy
    });
    Ok(bot_policies.collect())
}

/// Starts a bot's policy; returns it with the handle for replacing it.
///
/// # Errors
///
/// If it cannot be started.
pub(super) async fn start_policy(
    ready: ReadyBot,
    libraries: Arc<Libraries>,
    seed: u64,
) -> Result<(BotPolicy, ReloadBot), StartError> {
    let options = ready.start_options(&libraries);
    let ReadyBot {
        config,
        policy,
        seat,
        ..
    } = ready;
    let address = config
        .arena
        .as_ref()
        .and_then(|arena| arena.address.as_ref());
    let is_public = seat.is_some() && !address.is_some_and(ArenaAddress::is_loopback);
    let (file, section) = (config.file, config.policy);
    let pace = Pace::from(&section);
    let known = KnownPolicy::of(section, &policy);
    let (policy, seat) =
        SeatedPolicy::start(policy, pace, options.clone(), Arc::clone(&libraries)).await?;
    let file = file.is_file().then_some(file);
    Ok((
        BotPolicy::new(policy, seed),
        ReloadBot {
            file,
            known: KnownPolicies::of(known),
            options,
            libraries,
            seat,
            is_public,
            replaced: None,
        },
    ))
}
