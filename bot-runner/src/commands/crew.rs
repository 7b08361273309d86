//! Bots set off together and waited for together; what ends one of them ends none of the others.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use tokio::task::{Id, JoinSet};
use tracing::Instrument;

use crate::bot::{Bot, BotReport, Brain, LifeEnd};
use crate::config::complete_folder_of;
use crate::control::{Control, Request, Response};
use crate::plugin::{Libraries, Pace, SeatedPolicy, StartError, StartOptions};
use crate::reload::{ReloadBot, Reloads};
use crate::setup::ReadyBot;
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

/// Starts the policies of all bots before any of them plays; each with what can replace it while it plays.
///
/// # Errors
///
/// Every policy that does not start; or that the program is asked to stop meanwhile.
pub(super) async fn start_brains(
    bots: &[ReadyBot],
    libraries: &Arc<Libraries>,
    seed_of: impl Fn(usize) -> u64,
    shutdown: &Shutdown,
) -> anyhow::Result<(Vec<Brain>, Reloads)> {
    let mut starting = JoinSet::new();
    for (index, ready) in bots.iter().enumerate() {
        let (ready, libraries, seed) = (ready.clone(), Arc::clone(libraries), seed_of(index));
        starting.spawn(async move { (index, start_brain(ready, libraries, seed).await) });
    }
    let all = tokio::select! {
        all = starting.join_all() => all,
        () = shutdown.finishing() => bail!("stopped before the policies had started"),
    };
    let mut started: Vec<(usize, (Brain, ReloadBot))> = Vec::new();
    let mut failures = Vec::new();
    for (index, result) in all {
        match result {
            Ok(brain) => started.push((index, brain)),
            Err(error) => failures.push(format!("{}: {error}", bots[index].config.file.display())),
        }
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("\n"));
    }
    started.sort_by_key(|(index, _)| *index);
    let (brains, reloads) = started.into_iter().map(|(_, started)| started).unzip();
    Ok((brains, Reloads::look_after(reloads)))
}

async fn start_brain(ready: ReadyBot, libraries: Arc<Libraries>, seed: u64) -> Result<(Brain, ReloadBot), StartError> {
    let options = start_options(&ready, &libraries);
    let ReadyBot { config, policy, .. } = ready;
    let (file, config) = (config.file, config.policy);
    let identity = policy.identity();
    let pace = Pace::from(&config);
    let (policy, seat) = SeatedPolicy::start(policy, pace, options.clone(), Arc::clone(&libraries)).await?;
    let file = file.is_file().then_some(file);
    Ok((Brain::new(policy, seed), ReloadBot { file, read: config.clone(), config, identity, options, libraries, seat }))
}

/// What a bot's policy is told when it starts.
pub(super) fn start_options(ready: &ReadyBot, libraries: &Libraries) -> StartOptions {
    let file = &ready.config.file;
    StartOptions {
        bot: ready.config.name.clone(),
        players: ready.players,
        // The demo bots' configs are no files.
        config_folder: if file.is_file() { complete_folder_of(file) } else { PathBuf::new() },
        launch: libraries.launch.clone(),
    }
}

/// Lets the user talk to this process: the control socket, and SIGHUP. Without them bots play all the same.
pub(super) fn listen(reloads: &Reloads) -> Option<Control> {
    if let Err(error) = reloads.listen() {
        tracing::warn!("SIGHUP will not be heard: {error}");
    }
    let reloads = reloads.clone();
    let control = Control::open(move |request| {
        let reloads = reloads.clone();
        async move {
            match request {
                Request::Reload { bot } => Response::Reloaded(reloads.reload(bot.as_deref()).await),
            }
        }
    });
    control.inspect_err(|error| tracing::warn!("`bot-runner reload` will not reach this process: {error}")).ok()
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
            let (mut report, end) = bot.play(games, &mut brain, &shutdown).await;
            if let Some(records) = &bot.records {
                report.records = Some(records.finish().await);
            }
            report.policy = Some(Arc::clone(brain.identity()));
            report.faults = brain.end().await;
            (report, end)
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
