//! Bots set off together and waited for together; what ends one of them ends none of the others.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::bail;
use tokio::task::{Id, JoinSet};
use tracing::Instrument;

use crate::bot::{Bot, BotReport, Brain, LifeEnd};
use crate::config::complete_folder_of;
use crate::plugin::{PolicyThread, StartError, StartOptions};
use crate::setup::{PLAYERS, ReadyBot};
use crate::shutdown::Shutdown;

/// A bot that is done.
#[derive(Debug)]
pub(super) struct Ended {
    /// Its name.
    pub(super) name: String,
    /// What it did.
    pub(super) report: BotReport,
    /// Why it is done.
    pub(super) end: LifeEnd,
}

/// Starts the policies of all bots before any of them plays.
///
/// # Errors
///
/// Every policy that does not start; or that the program is asked to stop meanwhile.
pub(super) async fn start_brains(
    bots: &[ReadyBot],
    seed_of: impl Fn(usize) -> u64,
    shutdown: &Shutdown,
) -> anyhow::Result<Vec<Brain>> {
    let mut starting = JoinSet::new();
    for (index, ready) in bots.iter().enumerate() {
        let (ready, seed) = (ready.clone(), seed_of(index));
        starting.spawn(async move { (index, start_brain(&ready, seed).await) });
    }
    let all = tokio::select! {
        all = starting.join_all() => all,
        () = shutdown.finishing() => bail!("stopped before the policies had started"),
    };
    let mut brains: Vec<(usize, Brain)> = Vec::new();
    let mut failures = Vec::new();
    for (index, result) in all {
        match result {
            Ok(brain) => brains.push((index, brain)),
            Err(error) => failures.push(format!("{}: {error}", bots[index].config.file.display())),
        }
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("\n"));
    }
    brains.sort_by_key(|(index, _)| *index);
    Ok(brains.into_iter().map(|(_, brain)| brain).collect())
}

async fn start_brain(ready: &ReadyBot, seed: u64) -> Result<Brain, StartError> {
    let file = &ready.config.file;
    // The demo bots' configs are no files.
    let config_folder = if file.is_file() { complete_folder_of(file) } else { PathBuf::new() };
    let options = StartOptions { bot: ready.config.name.clone(), players: PLAYERS, config_folder };
    let policy = PolicyThread::start(ready.policy.clone(), options).await?;
    Ok(Brain::new(policy, ready.config.policy.think, ready.config.policy.margin, seed))
}

/// The bots at work.
#[derive(Debug, Default)]
pub(super) struct Crew {
    running: JoinSet<(BotReport, LifeEnd)>,
    names: HashMap<Id, String>,
}

impl Crew {
    /// Sets a bot off to play `games` ranked games, or until stopped.
    pub(super) fn set_off(&mut self, bot: Bot, mut brain: Brain, games: Option<u32>, shutdown: &Shutdown) {
        let (shutdown, name) = (shutdown.clone(), bot.name.clone());
        let span = tracing::info_span!("bot", name);
        let life = async move {
            let outcome = bot.play(games, &mut brain, &shutdown).await;
            brain.end().await;
            outcome
        };
        let task = self.running.spawn(life.instrument(span));
        self.names.insert(task.id(), name);
    }

    /// Waits for the next bot to be done; `None` when all are.
    pub(super) async fn next_end(&mut self) -> Option<Ended> {
        Some(match self.running.join_next_with_id().await? {
            Ok((task, (report, end))) => Ended { name: self.name_of(task), report, end },
            Err(fault) => Ended {
                name: self.name_of(fault.id()),
                report: BotReport::default(),
                end: LifeEnd::GaveUp(format!("a fault of the runner ended it: {fault}")),
            },
        })
    }

    fn name_of(&mut self, task: Id) -> String {
        self.names.remove(&task).unwrap_or_default()
    }
}
