//! What comes before a bot's first connection: its turn to begin, its token, its policy.

use std::sync::Arc;

use client::bot::{Bot, BotEvent, BotPolicy, BotReport, LifeEnd};
use client::shutdown::Shutdown;
use client::token_lock::TokenLock;
use policy_host::Libraries;
use tokio::time::{Instant, sleep_until};

use super::prepare::ReadyBot;
use super::reload::Reloads;
use super::running::live;
use super::start::start_brain;
use super::start_places::StartPlaces;

/// A bot before its first connection.
pub(super) struct BeginningBot {
    /// The bot.
    pub(super) ready: ReadyBot,
    /// Where its policy comes from.
    pub(super) libraries: Arc<Libraries>,
    /// Who loads it anew.
    pub(super) reloads: Reloads,
    /// Places for policies that start.
    pub(super) starting: Arc<StartPlaces>,
    /// When it may connect.
    pub(super) start: Instant,
}

impl BeginningBot {
    /// Lives the bot's life, from here to its end.
    pub(super) async fn live(
        self,
        bot: Bot,
        report: BotReport,
        games: Option<u32>,
        shutdown: Shutdown,
    ) -> (BotReport, LifeEnd) {
        let start = self.start;
        let ready = async {
            sleep_until(start).await;
            let waits = |reason: &str| bot.tell(BotEvent::TokenInUse(reason.to_owned()));
            let lock = TokenLock::wait(&bot.arena, waits).await.map_err(|error| error.to_string())?;
            self.brain().await.map(|brain| (brain, lock))
        };
        let (mut brain, _lock) = tokio::select! {
            ready = ready => match ready {
                Ok(ready) => ready,
                Err(why) => return (report, LifeEnd::GaveUp(why)),
            },
            () = shutdown.finishing() => return (report, LifeEnd::Stopped),
        };
        if bot.records.is_some() {
            brain.keep_notes();
        }
        live(bot, brain, report, games, shutdown).await
    }

    async fn brain(self) -> Result<BotPolicy, String> {
        let _place = self.starting.take(&self.ready.policy).await;
        match start_brain(self.ready, self.libraries, fastrand::u64(..)).await {
            Ok((brain, reload)) => {
                self.reloads.look_after(reload);
                Ok(brain)
            }
            Err(error) => Err(format!("its policy does not start: {error}")),
        }
    }
}
