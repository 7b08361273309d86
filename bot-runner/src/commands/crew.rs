//! Bots set off together and waited for together; what ends one of them ends none of the others.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::bail;
use tokio::task::{Id, JoinSet};
use tracing::Instrument;

use super::board::Board;
use crate::bot::{Bot, BotReport, Brain, LifeEnd};
use crate::control::{Control, Request, Response};
use crate::plugin::{Libraries, Pace, SeatedPolicy, StartError};
use crate::reload::{ReloadBot, Reloads};
use crate::setup::{ReadyBot, start_options};
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
    let reloads = Reloads::default();
    let brains = started.into_iter().map(|(_, (brain, reload))| {
        reloads.look_after(reload);
        brain
    });
    Ok((brains.collect(), reloads))
}

/// Starts a bot's policy; with what can replace it while it plays.
///
/// # Errors
///
/// When it does not start.
pub(super) async fn start_brain(
    ready: ReadyBot,
    libraries: Arc<Libraries>,
    seed: u64,
) -> Result<(Brain, ReloadBot), StartError> {
    let options = start_options(&ready.config, ready.players, &libraries);
    let ReadyBot { config, policy, .. } = ready;
    let (file, config) = (config.file, config.policy);
    let identity = policy.identity();
    let pace = Pace::from(&config);
    let (policy, seat) = SeatedPolicy::start(policy, pace, options.clone(), Arc::clone(&libraries)).await?;
    let file = file.is_file().then_some(file);
    Ok((Brain::new(policy, seed), ReloadBot { file, read: config.clone(), config, identity, options, libraries, seat }))
}

/// Lets the user talk to this process: the control socket, and SIGHUP. Without them bots play all the same.
pub(super) fn listen(reloads: &Reloads, board: &Board) -> Option<Control> {
    if let Err(error) = reloads.listen() {
        tracing::warn!("SIGHUP will not be heard: {error}");
    }
    let (reloads, board) = (reloads.clone(), board.clone());
    let control = Control::open(move |request| {
        let (reloads, board) = (reloads.clone(), board.clone());
        async move {
            match request {
                Request::Reload { bot } => Response::Reloaded(reloads.reload(bot.as_deref()).await),
                Request::Status => Response::Status(board.status()),
            }
        }
    });
    let unheard = "`bot-runner reload` and `bot-runner status` will not reach this process";
    control.inspect_err(|error| tracing::warn!("{unheard}: {error}")).ok()
}

/// Plays ranked games with a bot: so many, with those of its report, or until stopped.
pub(super) async fn live(
    bot: Bot,
    mut brain: Brain,
    report: BotReport,
    games: Option<u32>,
    shutdown: Shutdown,
) -> (BotReport, LifeEnd) {
    let records = bot.records.clone();
    let (mut report, end) = bot.play_on(report, games, &mut brain, &shutdown).await;
    if let Some(records) = &records {
        let mut counts = records.finish().await;
        counts.add(&report.records.unwrap_or_default());
        report.records = Some(counts);
    }
    report.policy = Some(Arc::clone(brain.identity()));
    report.faults.merge(&brain.end().await);
    (report, end)
}

/// The bots at work.
#[derive(Debug, Default)]
pub(super) struct Crew {
    running: JoinSet<(BotReport, LifeEnd)>,
    names: HashMap<Id, String>,
}

impl Crew {
    /// Sets a bot off to live this life.
    pub(super) fn set_off(&mut self, bot: String, life: impl Future<Output = (BotReport, LifeEnd)> + Send + 'static) {
        // Of the level error, so that whose a line is stands in the log on every level.
        let span = tracing::error_span!("bot", bot);
        let task = self.running.spawn(life.instrument(span));
        self.names.insert(task.id(), bot);
    }

    /// Whether nobody is at work.
    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_bot_whose_task_panics_ends_alone_and_is_named() {
        let mut crew = Crew::default();
        crew.set_off("kuma".to_owned(), async { panic!("on purpose") });
        crew.set_off("neko".to_owned(), async { (BotReport::default(), LifeEnd::Done) });
        let mut ends = vec![crew.next_end().await.expect("one"), crew.next_end().await.expect("the other")];
        ends.sort_by(|one, other| one.name.cmp(&other.name));
        assert!(crew.is_empty() && crew.next_end().await.is_none());
        let [kuma, neko] = &ends[..] else { panic!("{ends:?}") };
        assert_eq!((kuma.name.as_str(), neko.name.as_str(), &neko.end), ("kuma", "neko", &LifeEnd::Done));
        assert!(matches!(&kuma.end, LifeEnd::GaveUp(why) if why.contains("a fault of the runner")), "{kuma:?}");
    }
}
