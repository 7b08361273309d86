//! One bot's policy, looked after while the bot plays.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use client::board::{Board, BotChange};
use client::own_thread::on_own_thread;
use config::{Problem, Problems, RawConfig};
use policy_host::{
    Admitted, ChosenPolicy, KnownPolicy, Libraries, Pace, PolicyConfig, PolicyThread, ReloadMode, Replacement,
    ReplacementSender, StartOptions,
};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use view::output::say;

use super::ReloadOrder;
use crate::control::ReloadOutcome;
use crate::of_policy;
use crate::start_places::StartPlaces;
use crate::watch::{FileChange, FileStamps, FileWatcher, stamps_of};

/// Maximum wait for a policy that is ready to take over, before it is reported as ready: it may have to wait for a game
/// to begin, or to end.
const TAKE_OVER_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time to read, try out, load and start a policy. Each step that can be interrupted has its own shorter limit.
const LOAD_TIMEOUT: Duration = Duration::from_secs(180);

#[derive(Debug)]
pub struct ReloadBot {
    /// Its config's file; `None` when the config is not a file.
    pub file: Option<PathBuf>,
    /// The `[policy]` section as last read; the files that it names may not exist yet.
    pub section: PolicyConfig,
    /// The last admitted policy: the one that plays, or one that waits to take over.
    pub known: KnownPolicy,
    pub playing: KnownPolicy,
    pub options: StartOptions,
    pub libraries: Arc<Libraries>,
    /// Receives a policy that is ready.
    pub seat: ReplacementSender,
    /// Receives the config's file whenever another policy is ready.
    pub(crate) replaced: Option<mpsc::UnboundedSender<PathBuf>>,
}

/// Why a policy is reloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// A request by a user, carried out even if nothing has changed.
    Wanted,
    /// A file looks different.
    Changed,
}

impl ReloadBot {
    #[must_use]
    pub fn name(&self) -> &str {
        &self.options.bot
    }

    /// Follows orders and watches the bot's files until the bot has ended. A policy is started in a place of
    /// `loading`.
    pub(super) async fn look_after(
        mut self,
        mut orders: mpsc::Receiver<ReloadOrder>,
        watcher: FileWatcher,
        loading: Arc<StartPlaces>,
        board: Board,
    ) {
        let watched = Arc::new(Mutex::new(self.section.clone()));
        let files = {
            let (file, libraries, watched) = (self.file.clone(), Arc::clone(&self.libraries), Arc::clone(&watched));
            let config_folder = self.options.config_folder.clone();
            move || -> Vec<PathBuf> {
                let section = watched.lock().unwrap_or_else(PoisonError::into_inner);
                let library = libraries.file_of(&section, &config_folder);
                file.iter().cloned().chain(library).chain(section.watched_files()).collect()
            }
        };
        let mut changes = watcher.watch("the policy's files", FileStamps::new(), {
            let files = files.clone();
            move || Ok(files())
        });
        // The stamps of the files when they were last read because of a change: each file is reported separately, and
        // all are read.
        let mut read = FileStamps::new();
        loop {
            tokio::select! {
                () = self.seat.closed() => return,
                order = orders.recv() => {
                    let Some(order) = order else { return };
                    let outcome = self.reload_and_note(Why::Wanted, &loading, &board).await;
                    // The requester may have gone.
                    let _ = order.send(outcome.unwrap_or_else(|| ReloadOutcome::Kept("nothing has changed".to_owned())));
                }
                Some(changes) = changes.recv() => {
                    // A missing file is being replaced, or was removed for good; neither requires an action.
                    if !changes.iter().any(|change| matches!(change, FileChange::Written(_))) {
                        continue;
                    }
                    let files = files.clone();
                    let now = on_own_thread(move || stamps_of(files())).await.unwrap_or_default();
                    if now == read {
                        continue;
                    }
                    read = now;
                    if let Some(outcome) = self.reload_and_note(Why::Changed, &loading, &board).await {
                        tell(self.name(), &outcome);
                    }
                }
            }
            // Its library is the one to watch, even if it is not there yet.
            watched.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&self.section);
        }
    }

    /// Reloads the policy and notes on the board whether that was refused; `None` if it is the one that plays already.
    async fn reload_and_note(&mut self, why: Why, loading: &StartPlaces, board: &Board) -> Option<ReloadOutcome> {
        let outcome = self.reload(why, loading).await;
        board.note_change(self.name(), BotChange::Policy, outcome.as_ref().err().map(String::as_str));
        if let Ok(Some(ReloadOutcome::TookOver(_) | ReloadOutcome::Ready(_))) = &outcome
            && let (Some(replaced), Some(file)) = (&self.replaced, &self.file)
        {
            // The receiver is gone when the program ends.
            let _ = replaced.send(file.clone());
        }
        outcome.unwrap_or_else(|why| Some(ReloadOutcome::Kept(why)))
    }

    /// Loads the policy from the current config and library file, and lets it take over; `None` if it is the one that
    /// plays already. A failure changes nothing.
    ///
    /// # Errors
    ///
    /// Why the requested policy cannot play.
    async fn reload(&mut self, why: Why, loading: &StartPlaces) -> Result<Option<ReloadOutcome>, String> {
        let asked = Instant::now();
        self.section = self.read_section().await?;
        if !self.seat.has_waiting() {
            self.playing = self.known.clone();
        }
        if self.section.reload == ReloadMode::Off {
            if self.seat.withdraw() {
                self.known = self.playing.clone();
            }
            let was_off = why == Why::Changed && self.known.section.reload == ReloadMode::Off;
            return Ok((!was_off).then(|| ReloadOutcome::Kept("its config says reload = \"off\"".to_owned())));
        }
        // A file system that does not answer, most likely. Its thread is left behind, and the bot plays on.
        let overdue = |_| format!("it was not ready after {} s", LOAD_TIMEOUT.as_secs());
        let Some(policy) = timeout(LOAD_TIMEOUT, self.admit(why, asked)).await.map_err(overdue)?? else {
            return Ok(None);
        };
        let place = loading.take(&policy).await;
        let started =
            timeout(LOAD_TIMEOUT, PolicyThread::start(policy, self.options.clone())).await.map_err(overdue)?;
        let policy = started.map_err(|error| error.to_string())?;
        drop(place);
        let known = KnownPolicy { section: self.section.clone(), identity: policy.policy().identity() };
        let (taken, done) = oneshot::channel();
        self.seat.put(Replacement { policy, pace: Pace::from(&self.section), taken });
        let taken = tokio::select! {
            taken = timeout(TAKE_OVER_TIMEOUT, done) => taken,
            () = self.seat.closed() => return Ok(Some(ReloadOutcome::Kept("the bot has ended".to_owned()))),
        };
        let outcome = match taken {
            Ok(Ok(())) => ReloadOutcome::TookOver(known.identity.to_string()),
            _ => ReloadOutcome::Ready(known.identity.to_string()),
        };
        self.known = known;
        Ok(Some(outcome))
    }

    async fn read_section(&self) -> Result<PolicyConfig, String> {
        let Some(file) = self.file.clone() else { return Ok(self.section.clone()) };
        let raw = on_own_thread(move || RawConfig::load(&file)).await?;
        // Mistakes in the rest of the file do not concern the policy.
        let problems: Vec<_> = raw.problems.into_iter().filter(Problem::concerns_policy).collect();
        match raw.policy {
            Some(section) if problems.is_empty() => Ok(section),
            _ => Err(Problems(problems).to_string()),
        }
    }

    /// Has the policy admitted; `None` if it is the one that plays already.
    async fn admit(&self, why: Why, asked: Instant) -> Result<Option<ChosenPolicy>, String> {
        let (libraries, options, section) = (Arc::clone(&self.libraries), self.options.clone(), self.section.clone());
        let known = (why == Why::Changed).then(|| self.known.clone());
        let file = self.file.clone().unwrap_or_default();
        let admit = move || {
            if known.is_none() {
                libraries.quarantine.lift(&options.bot);
            }
            libraries.admit(&section, &options, known.as_ref(), asked).map_err(|problems| {
                Problems(problems.into_iter().map(|problem| of_policy(&file, problem)).collect()).to_string()
            })
        };
        Ok(match on_own_thread(admit).await?? {
            Admitted::Same => None,
            Admitted::Ready(policy) => Some(policy),
        })
    }
}

/// Logs the outcome of a change that no request waits for.
pub(super) fn tell(bot: &str, outcome: &ReloadOutcome) {
    match outcome {
        ReloadOutcome::TookOver(policy) => say(format!("{bot}: now decides: {policy}")),
        ReloadOutcome::Ready(_) => say(format!("{bot}: {outcome}")),
        ReloadOutcome::Kept(_) => tracing::warn!(bot, "{outcome}"),
    }
}

#[cfg(test)]
mod tests {
    use policy_host::{GameKind, Launch, LibraryChoice, SeatedPolicy};

    use super::*;

    /// A bot at a seat, whose policy takes over only between games.
    async fn seated() -> (ReloadBot, SeatedPolicy) {
        let launch = Launch::own(Vec::new());
        let libraries = Arc::new(Libraries::new(launch.clone(), builtin::libraries()));
        let config_folder = PathBuf::new();
        let options =
            StartOptions { bot: "kuma".to_owned(), game: GameKind::Riichi, players: 4, config_folder, launch };
        let section = PolicyConfig {
            reload: ReloadMode::Game,
            ..PolicyConfig::of(LibraryChoice::Builtin, Some("greedy-tenpai".to_owned()))
        };
        let admitted = libraries.admit(&section, &options, None, Instant::now()).expect("it is admitted");
        let Admitted::Ready(policy) = admitted else { panic!("{admitted:?}") };
        let known = KnownPolicy { section: section.clone(), identity: policy.identity() };
        let (policy, seat) = SeatedPolicy::start(policy, Pace::from(&section), options.clone(), Arc::clone(&libraries))
            .await
            .expect("it starts");
        (
            ReloadBot { file: None, section, playing: known.clone(), known, options, libraries, seat, replaced: None },
            policy,
        )
    }

    #[tokio::test]
    async fn a_policy_that_waits_never_takes_over_once_the_config_says_off() {
        let loading = StartPlaces::new(1);
        let (mut bot, mut seat) = seated().await;
        let first = bot.known.clone();
        bot.section.id = Some("eight-step".to_owned());
        let ready = bot.reload(Why::Changed, &loading).await.expect("it is admitted").expect("it is another one");
        assert!(matches!(&ready, ReloadOutcome::Ready(policy) if policy.starts_with("eight-step")), "{ready:?}");

        bot.section.reload = ReloadMode::Off;
        let off = bot.reload(Why::Changed, &loading).await.expect("the config is right");
        assert!(matches!(&off, Some(ReloadOutcome::Kept(_))), "{off:?}");
        let between_games = timeout(Duration::from_millis(10), seat.next(false)).await;
        assert!(between_games.is_err(), "nothing happens at the seat");
        assert_eq!(seat.identity().to_string(), first.identity.to_string());

        // It is admitted again, because it never played.
        bot.section.reload = ReloadMode::Decision;
        let again = tokio::select! {
            again = bot.reload(Why::Changed, &loading) => again,
            event = seat.next(true) => panic!("{event:?}"),
        };
        assert!(matches!(again, Ok(Some(ReloadOutcome::TookOver(_)))), "{again:?}");
    }
}
