//! A bot's life: one attempt at a game after another, until it has played its games.

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::sleep;

use super::arena::Arena;
use super::attempt::Next;
use super::event::{BotEvent, LifeEnd};
use super::policy::BotPolicy;
use super::report::BotReport;
use super::retry::Retries;
use super::setup::Bot;
use crate::shutdown::Shutdown;

impl Bot {
    /// Plays ranked games: `games` of them, or until asked to stop. The report and the counts
    /// contain the bot's earlier games.
    ///
    /// The future is boxed so that this crate compiles it, once, and not each crate that awaits it.
    pub fn resume<'a>(
        &'a self,
        report: BotReport,
        games: Option<u32>,
        bot_policy: &'a mut BotPolicy,
        shutdown: &'a Shutdown,
    ) -> BoxFuture<'a, (BotReport, LifeEnd)> {
        Box::pin(self.play_games(report, games, bot_policy, shutdown))
    }

    async fn play_games(
        &self,
        mut report: BotReport,
        games: Option<u32>,
        bot_policy: &mut BotPolicy,
        shutdown: &Shutdown,
    ) -> (BotReport, LifeEnd) {
        if let Arena::Botzone { site, seat } = &self.arena {
            let end = self
                .poll(site, seat, &mut report, games, bot_policy, shutdown)
                .await;
            return (report, end);
        }
        let mut retries = Retries::new(self.patience);
        let end = loop {
            if report.has_played(games) {
                break LifeEnd::Done;
            }
            if shutdown.is_finishing() {
                break LifeEnd::Stopped;
            }
            if bot_policy.is_set_aside() && !self.plays_while_set_aside {
                self.tell(BotEvent::AwaitsPolicy);
                tokio::select! {
                    () = bot_policy.replaced() => {}
                    () = shutdown.finishing() => {}
                }
                continue;
            }
            match self
                .attempt(bot_policy, &mut report, &mut retries, shutdown)
                .await
            {
                Next::End(end) => break end,
                Next::Again => {}
                Next::After { reason, wait } => {
                    if !report.has_played(games) {
                        self.wait(reason, wait, bot_policy, shutdown).await;
                    }
                }
            }
        };
        (report, end)
    }

    async fn wait(
        &self,
        reason: String,
        wait: Duration,
        bot_policy: &mut BotPolicy,
        shutdown: &Shutdown,
    ) {
        self.tell(BotEvent::Waiting { reason, wait });
        tokio::select! {
            () = bot_policy.while_waiting_for(sleep(wait)) => {}
            () = shutdown.finishing() => {}
        }
    }
}
