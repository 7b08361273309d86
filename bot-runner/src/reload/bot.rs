//! One bot's policy, looked after while the bot plays.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::Order;
use super::trial::{Candidate, Unfit, apart};
use super::watch::{LOOK_EVERY, Look, Watch};
use crate::config::{PolicyConfig, Problem, Problems, RawConfig, ReloadMode};
use crate::control::Outcome;
use crate::output::say;
use crate::plugin::{
    ChosenPolicy, Libraries, Pace, PolicyIdentity, PolicyThread, Replacement, ReplacementSender, StartOptions,
};

/// Longest wait for a policy that is ready to take over before it is said that it is ready: it may have to wait for a
/// game to begin, or to end.
const TAKE_OVER_WITHIN: Duration = Duration::from_secs(5);

/// A bot whose policy can be loaded anew.
#[derive(Debug)]
pub struct ReloadBot {
    /// Its config's file; `None` when the config is no file.
    pub file: Option<PathBuf>,
    /// The `[policy]` section that the policy was last loaded by.
    pub config: PolicyConfig,
    /// The section as it was last read; what it asks for may not be there yet.
    pub read: PolicyConfig,
    /// The policy that was last loaded.
    pub identity: PolicyIdentity,
    /// How policies are started for it.
    pub options: StartOptions,
    /// Where libraries are found.
    pub libraries: Arc<Libraries>,
    /// Where a policy that is ready goes.
    pub seat: ReplacementSender,
}

/// Why a policy is loaded anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// Somebody wants it, so it is done even if nothing has changed.
    Wanted,
    /// A file looks different.
    Changed,
}

impl ReloadBot {
    /// The bot's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.options.bot
    }

    /// Follows orders and watches the files until the bot has ended. A policy is loaded with a permit of `loading`.
    pub(super) async fn look_after(mut self, mut orders: mpsc::Receiver<Order>, loading: Arc<Semaphore>) {
        let mut watch = Watch::default();
        // Hundreds of bots that begin together do not look at the same moment.
        let first = Instant::now() + LOOK_EVERY.mul_f64(fastrand::f64());
        let mut looks = interval_at(first, LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = self.seat.closed() => return,
                order = orders.recv() => {
                    let Some(order) = order else { return };
                    let look = self.look().await;
                    let outcome = self.reload(Why::Wanted, &loading).await;
                    watch.settle(look);
                    // Whoever wanted to know may have gone.
                    let _ = order.send(outcome.unwrap_or_else(|| Outcome::Kept("nothing has changed".to_owned())));
                }
                _ = looks.tick(), if self.config.reload != ReloadMode::Off => {
                    let look = self.look().await;
                    if watch.changed(look.clone()) {
                        if let Some(outcome) = self.reload(Why::Changed, &loading).await {
                            tell(self.name(), &outcome);
                        }
                        watch.settle(look);
                    }
                }
            }
        }
    }

    async fn look(&self) -> Look {
        let (file, libraries, config) = (self.file.clone(), Arc::clone(&self.libraries), self.read.clone());
        let look = move || {
            let config_file = file.unwrap_or_default();
            Look::at(&config_file, libraries.file_of(&config_file, &config))
        };
        apart(look).await.unwrap_or_default()
    }

    /// Loads the policy as its config and its library's file are now, and lets it take over; `None` when it is what
    /// plays already. Any failure leaves everything as it is.
    async fn reload(&mut self, why: Why, loading: &Semaphore) -> Option<Outcome> {
        let config = match self.read_config().await {
            Ok(config) => config,
            Err(why) => return Some(Outcome::Kept(why)),
        };
        // Its library is the one to watch, even if it is not there yet.
        self.read = config.clone();
        if config.reload == ReloadMode::Off {
            return Some(Outcome::Kept("its config says reload = \"off\"".to_owned()));
        }
        let permit = loading.acquire().await;
        let policy = match self.load(&config, why).await {
            Ok(policy) => policy?,
            Err(why) => return Some(Outcome::Kept(why)),
        };
        drop(permit);
        let identity = policy.policy().identity();
        let (taken, done) = oneshot::channel();
        self.seat.put(Replacement { policy, pace: Pace::from(&config), taken });
        let taken = tokio::select! {
            taken = timeout(TAKE_OVER_WITHIN, done) => taken,
            () = self.seat.closed() => return Some(Outcome::Kept("the bot has ended".to_owned())),
        };
        let outcome = match taken {
            Ok(Ok(())) => Outcome::TookOver(identity.to_string()),
            _ => Outcome::Ready(identity.to_string()),
        };
        (self.config, self.identity) = (config, identity);
        Some(outcome)
    }

    async fn read_config(&self) -> Result<PolicyConfig, String> {
        let Some(file) = self.file.clone() else { return Ok(self.config.clone()) };
        let raw = apart(move || RawConfig::load(&file)).await?;
        // What is wrong with the rest of the file is none of the policy's business.
        let problems: Vec<_> = raw.problems.into_iter().filter(Problem::concerns_policy).collect();
        match raw.policy {
            Some(config) if problems.is_empty() => Ok(config),
            _ => Err(Problems(problems).to_string()),
        }
    }

    /// Tries the policy out in a process, then loads and starts it; `None` when it is what plays already.
    async fn load(&self, config: &PolicyConfig, why: Why) -> Result<Option<PolicyThread>, String> {
        let file = self.file.clone().unwrap_or_default();
        let (libraries, options, wanted) = (Arc::clone(&self.libraries), self.options.clone(), config.clone());
        let known = (why == Why::Changed && *config == self.config).then(|| self.identity.clone());
        let find = move || -> Result<Option<ChosenPolicy>, String> {
            if why == Why::Wanted {
                libraries.lift_quarantine(&file, &wanted);
            }
            let words = |unfit: Unfit| unfit.to_string();
            let candidate = Candidate::find(&libraries, &file, &wanted, &options).map_err(words)?;
            if known.is_some_and(|known| known == candidate.identity()) {
                return Ok(None);
            }
            candidate.try_out().map(Some).map_err(words)
        };
        match apart(find).await?? {
            None => Ok(None),
            Some(policy) => match PolicyThread::start(policy, self.options.clone()).await {
                Ok(policy) => Ok(Some(policy)),
                Err(error) => Err(error.to_string()),
            },
        }
    }
}

/// Says what came of a change that nobody waits for.
pub(super) fn tell(bot: &str, outcome: &Outcome) {
    match outcome {
        Outcome::TookOver(policy) | Outcome::Ready(policy) => say(format!("{bot}: now decides: {policy}")),
        Outcome::Kept(why) => tracing::warn!(bot, "the policy stays as it is: {why}"),
    }
}
