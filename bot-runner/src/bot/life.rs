//! A bot's life: one attempt at a game after another, until it has played what it should.

use std::sync::Arc;
use std::time::Duration;

use mahjong::{Event, Rules};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::sleep;

use super::arena::Arena;
use super::attempt::Next;
use super::backoff::Patience;
use super::brain::Brain;
use super::event::{BotEvent, BotNews, LifeEnd};
use super::report::BotReport;
use super::retry::Retries;
use super::turns::QueueTurn;
use crate::records::Keeper;
use crate::shutdown::Shutdown;

/// A bot at an arena.
#[derive(Debug, Clone)]
pub struct Bot {
    /// Its name.
    pub name: Arc<str>,
    /// The arena.
    pub arena: Arena,
    /// The rules played there.
    pub rules: Rules,
    /// The turn to queue, where bots of this process must not queue together.
    pub turn: Option<QueueTurn>,
    /// Who keeps the records of its ranked games, if somebody does.
    pub records: Option<Keeper>,
    /// Permits for games, where their number at one time is limited: one is held from before the bot queues until its
    /// connection has ended, however that ends.
    pub permits: Option<Arc<Semaphore>>,
    /// How long it waits for what does not come.
    pub patience: Patience,
    /// Whether it goes on to further games when its policy has been set aside: a table of `play` needs all its bots.
    pub plays_while_set_aside: bool,
    /// Where to tell what happens to it.
    pub news: mpsc::UnboundedSender<BotNews>,
    /// Where to tell every event of its games, if somebody wants to know.
    pub events: Option<mpsc::UnboundedSender<Event>>,
}

impl Bot {
    /// Plays ranked games: `games` of them, or until asked to stop. What the bot did before is in the report and counts.
    pub async fn resume(
        &self,
        mut report: BotReport,
        games: Option<u32>,
        brain: &mut Brain,
        shutdown: &Shutdown,
    ) -> (BotReport, LifeEnd) {
        let mut retries = Retries::new(self.patience);
        let end = loop {
            if report.has_played(games) {
                break LifeEnd::Done;
            }
            if shutdown.is_finishing() {
                break LifeEnd::Stopped;
            }
            if brain.is_set_aside() && !self.plays_while_set_aside {
                if !brain.may_be_replaced() {
                    let why = "its policy is set aside, and its config says reload = \"off\"";
                    break LifeEnd::GaveUp(why.to_owned());
                }
                self.tell(BotEvent::SetAside);
                tokio::select! {
                    () = brain.replaced() => {}
                    () = shutdown.finishing() => {}
                }
                continue;
            }
            match self.attempt(brain, &mut report, &mut retries, shutdown).await {
                Next::End(end) => break end,
                Next::Again => {}
                Next::After { reason, wait } => {
                    if !report.has_played(games) {
                        self.wait(reason, wait, brain, shutdown).await;
                    }
                }
            }
        };
        (report, end)
    }

    async fn wait(&self, reason: String, wait: Duration, brain: &mut Brain, shutdown: &Shutdown) {
        self.tell(BotEvent::Waiting { reason, wait });
        tokio::select! {
            () = brain.while_waiting_for(sleep(wait)) => {}
            () = shutdown.finishing() => {}
        }
    }

    /// Tells what happens to the bot.
    pub fn tell(&self, event: BotEvent) {
        // Nobody listening is no reason to stop playing.
        let _ = self.news.send(BotNews { bot: Arc::clone(&self.name), event });
    }
}
