//! Policies loaded anew while their bots play: by command, by signal, or because a file has changed.

mod bot;
mod watch;

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

pub use bot::ReloadBot;

use crate::control::{Outcome, Reloaded};

/// A wish to have a bot's policy loaded anew, and where to say what came of it.
type Order = oneshot::Sender<Outcome>;

/// The bots of this process whose policies can be loaded anew. What is cloned is about the same bots.
#[derive(Debug, Clone, Default)]
pub struct Reloads(Arc<Vec<(String, mpsc::Sender<Order>)>>);

impl Reloads {
    /// Looks after these bots' policies, in tasks that end with the bots.
    #[must_use]
    pub fn look_after(bots: Vec<ReloadBot>) -> Self {
        let orders = bots.into_iter().map(|bot| {
            let (orders, inbox) = mpsc::channel(4);
            let name = bot.name().to_owned();
            tokio::spawn(bot.look_after(inbox));
            (name, orders)
        });
        Self(Arc::new(orders.collect()))
    }

    /// Loads the policy of one bot anew, or those of all, and says what came of each.
    pub async fn reload(&self, bot: Option<&str>) -> Vec<Reloaded> {
        let meant = self.0.iter().filter(|(name, _)| bot.is_none_or(|bot| bot == name));
        let mut asked = JoinSet::new();
        for (index, (name, orders)) in meant.enumerate() {
            let (name, orders) = (name.clone(), orders.clone());
            asked.spawn(async move {
                let (reply, answer) = oneshot::channel();
                let ended = || Outcome::Kept("the bot has ended".to_owned());
                let outcome = match orders.send(reply).await {
                    Ok(()) => answer.await.unwrap_or_else(|_| ended()),
                    Err(_) => ended(),
                };
                (index, Reloaded { bot: name, outcome })
            });
        }
        let mut reloaded = asked.join_all().await;
        reloaded.sort_by_key(|(index, _)| *index);
        reloaded.into_iter().map(|(_, reloaded)| reloaded).collect()
    }

    /// Loads all policies anew whenever the process gets SIGHUP.
    ///
    /// # Errors
    ///
    /// When the process cannot listen for it.
    pub fn listen(&self) -> std::io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut hangup = signal(SignalKind::hangup())?;
        let reloads = self.clone();
        tokio::spawn(async move {
            while hangup.recv().await.is_some() {
                for Reloaded { bot, outcome } in reloads.reload(None).await {
                    bot::tell(&bot, &outcome);
                }
            }
        });
        Ok(())
    }
}
