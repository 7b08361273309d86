//! Reloads policies while their bots play: by command, by signal, or because a file has changed.

mod bot;
mod gate;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client::board::Board;
use policy_host::{ReplacementSender, StartOptions};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

pub(super) use bot::KnownPolicies;
pub use bot::ReloadBot;

use super::start_places::StartPlaces;
use super::watch::FileWatcher;
use crate::control::{ReloadOutcome, Reloaded};

/// A request to reload a bot's policy, with a channel for the outcome.
type ReloadOrder = oneshot::Sender<ReloadOutcome>;

/// A bot whose policy can be reloaded.
#[derive(Debug, Clone)]
struct KnownBot {
    orders: mpsc::Sender<ReloadOrder>,
    seat: BotSeat,
}

impl KnownBot {
    fn name(&self) -> &str {
        &self.seat.options.bot
    }
}

/// The seat of a bot, which a person may take over.
#[derive(Debug, Clone)]
pub struct BotSeat {
    /// What a policy at the seat starts with.
    pub options: StartOptions,
    /// Seats a guest, and has it leave.
    pub sender: ReplacementSender,
    /// Whether the bot plays at an arena on another machine.
    pub is_public: bool,
}

/// Maximum number of policies of one library that restart at once: a changed library may be shared
/// by hundreds of bots, and games continue meanwhile.
const MAX_LOADS_OF_A_LIBRARY: usize = 4;

/// The bots of this process whose policies can be reloaded. Clones share the same bots.
#[derive(Debug, Clone)]
pub struct Reloads {
    bots: Arc<Mutex<Vec<KnownBot>>>,
    loading: Arc<StartPlaces>,
    watcher: FileWatcher,
    board: Board,
    replaced: Option<mpsc::UnboundedSender<PathBuf>>,
}

impl Reloads {
    /// Without bots. The watcher watches their files, and the board shows refusals.
    pub fn new(watcher: FileWatcher, board: Board) -> Self {
        let loading = Arc::new(StartPlaces::new(MAX_LOADS_OF_A_LIBRARY));
        Self {
            bots: Arc::default(),
            loading,
            watcher,
            board,
            replaced: None,
        }
    }

    /// Sends the config of each bot that is looked after from now on, whenever another policy is
    /// ready for it.
    pub fn tell_replaced(&mut self, replaced: mpsc::UnboundedSender<PathBuf>) {
        self.replaced = Some(replaced);
    }

    /// Reloads a bot's policy when necessary, in a task that ends with the bot. It replaces an
    /// ended bot of the same name.
    pub fn look_after(&self, mut bot: ReloadBot) {
        bot.replaced.clone_from(&self.replaced);
        let (orders, inbox) = mpsc::channel(4);
        let known = KnownBot {
            orders,
            seat: BotSeat {
                options: bot.options.clone(),
                sender: bot.seat.clone(),
                is_public: bot.is_public,
            },
        };
        tokio::spawn(bot.look_after(
            inbox,
            self.watcher.clone(),
            Arc::clone(&self.loading),
            self.board.clone(),
        ));
        let mut bots = self.bots();
        match bots.iter_mut().find(|other| other.name() == known.name()) {
            Some(place) => *place = known,
            None => bots.push(known),
        }
    }

    pub fn remove(&self, bot: &str) {
        self.bots().retain(|known| known.name() != bot);
    }

    /// The seat of a bot that plays.
    pub fn seat(&self, bot: &str) -> Option<BotSeat> {
        let bots = self.bots();
        let known = bots.iter().find(|known| known.name() == bot)?;
        Some(known.seat.clone())
    }

    /// Reloads the policy of one bot, or of all, and returns each outcome.
    pub async fn reload(&self, bot: Option<&str>) -> Vec<Reloaded> {
        let mut meant = self.bots().clone();
        meant.retain(|known| bot.is_none_or(|bot| bot == known.name()));
        let mut asked = JoinSet::new();
        for (index, known) in meant.into_iter().enumerate() {
            asked.spawn(async move {
                let (name, orders) = (known.name().to_owned(), known.orders);
                let (reply, answer) = oneshot::channel();
                let ended = || ReloadOutcome::Kept("the bot has ended".to_owned());
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

    fn bots(&self) -> MutexGuard<'_, Vec<KnownBot>> {
        self.bots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reloads all policies whenever the process gets SIGHUP.
    ///
    /// # Errors
    ///
    /// If the process cannot handle the signal.
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
