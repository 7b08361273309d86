//! Bots that are started and awaited together; the end of one does not end the others.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::task::{Id, JoinSet};
use tracing::Instrument;

use client::bot::{Bot, BotPolicy, BotReport, LifeEnd};
use client::shutdown::Shutdown;

#[derive(Debug)]
pub struct EndedBot {
    pub name: String,
    pub report: BotReport,
    pub end: LifeEnd,
}

/// It is boxed so that each life is compiled once, in the crate that writes it.
pub(crate) type BotLife = BoxFuture<'static, (BotReport, LifeEnd)>;

/// Plays ranked games with a bot: this many, including those in its report, or until stopped.
pub fn live(
    bot: Bot,
    mut bot_policy: BotPolicy,
    report: BotReport,
    games: Option<u32>,
    shutdown: Shutdown,
) -> BotLife {
    Box::pin(async move {
        let records = bot.records.clone();
        let (mut report, end) = bot.resume(report, games, &mut bot_policy, &shutdown).await;
        if let Some(records) = &records {
            let mut counts = records.finish().await;
            counts.add(&report.records.unwrap_or_default());
            report.records = Some(counts);
        }
        report.policy = Some(Arc::clone(bot_policy.identity()));
        report.set_aside = bot_policy.set_aside().map(|set_aside| set_aside.why);
        report.faults.merge(&bot_policy.end().await);
        (report, end)
    })
}

#[derive(Debug, Default)]
pub struct RunningBots {
    running: JoinSet<(BotReport, LifeEnd)>,
    names: HashMap<Id, String>,
}

impl RunningBots {
    pub fn spawn(&mut self, bot: String, life: BotLife) {
        // At error level, so that log lines of every level carry the bot's name.
        let span = tracing::error_span!("bot", bot);
        let task = self.running.spawn(life.instrument(span));
        self.names.insert(task.id(), bot);
    }

    pub fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// Waits for the next bot to be done; `None` when all are.
    pub async fn next_end(&mut self) -> Option<EndedBot> {
        Some(match self.running.join_next_with_id().await? {
            Ok((task, (report, end))) => EndedBot {
                name: self.name_of(task),
                report,
                end,
            },
            Err(fault) => EndedBot {
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
        let mut bots = RunningBots::default();
        bots.spawn("kuma".to_owned(), Box::pin(async { panic!("on purpose") }));
        bots.spawn(
            "neko".to_owned(),
            Box::pin(async { (BotReport::default(), LifeEnd::Done) }),
        );
        let mut ends = vec![
            bots.next_end().await.expect("one"),
            bots.next_end().await.expect("the other"),
        ];
        ends.sort_by(|one, other| one.name.cmp(&other.name));
        assert!(bots.is_empty() && bots.next_end().await.is_none());
        let [kuma, neko] = &ends[..] else {
            panic!("{ends:?}")
        };
        assert_eq!(
            (kuma.name.as_str(), neko.name.as_str(), &neko.end),
            ("kuma", "neko", &LifeEnd::Done)
        );
        assert!(
            matches!(&kuma.end, LifeEnd::GaveUp(why) if why.contains("a fault of the runner")),
            "{kuma:?}"
        );
    }
}
