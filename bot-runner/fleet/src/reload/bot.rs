//! One bot's policy, looked after while the bot plays.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use client::board::{Board, BotChange};
use client::own_thread::on_own_thread;
use config::{Problem, Problems, RawConfig};
use futures_util::future::BoxFuture;
use policy_host::{
    Admitted, ChosenPolicy, KnownPolicy, Libraries, MAX_START, Pace, PolicyConfig, PolicyThread,
    ReloadMode, Replacement, ReplacementSender, SetAside, StartOptions,
};
use say::output::say;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep_until, timeout};

use super::ReloadOrder;
use super::gate::pass_gate;
use crate::control::ReloadOutcome;
use crate::of_policy;
use crate::start_places::StartPlaces;
use crate::watch::{FileChange, FileStamps, FileWatcher, stamps_of};

/// Maximum wait for a policy that is ready to take over, before it is reported as ready: it may
/// have to wait for a game to begin, or to end.
const TAKE_OVER_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time for each of two steps: to read, try out and load a policy, and to start it. What
/// can be interrupted has its own shorter limit.
const LOAD_TIMEOUT: Duration = Duration::from_secs(2 * MAX_START.as_secs());

const SAYS_OFF: &str = "its config says reload = \"off\"";
const TURN_ON: &str =
    "set that to \"decision\" or \"game\" for another policy, or start the runner again";

#[derive(Debug)]
pub struct ReloadBot {
    /// Its config's file; `None` when the config is not a file.
    pub file: Option<PathBuf>,
    /// What is known of its policies.
    pub known: KnownPolicies,
    pub options: StartOptions,
    pub libraries: Arc<Libraries>,
    /// Receives a policy that is ready.
    pub seat: ReplacementSender,
    /// Whether its arena is on another machine, and so not the user's own.
    pub is_public: bool,
    /// Receives the config's file whenever another policy is ready.
    pub(crate) replaced: Option<mpsc::UnboundedSender<PathBuf>>,
}

/// What is known of a bot's policies. A policy may be tried again while a change is still on its
/// way, so that both use this.
#[derive(Debug)]
pub struct KnownPolicies(Mutex<PolicyState>);

#[derive(Debug)]
struct PolicyState {
    /// The `[policy]` section as last read; the files that it names may not exist yet.
    section: PolicyConfig,
    /// The last admitted policy: the one that plays, or one that waits to take over.
    admitted: KnownPolicy,
    playing: KnownPolicy,
}

impl KnownPolicies {
    /// Of a bot that plays with this policy.
    pub fn of(playing: KnownPolicy) -> Self {
        Self(Mutex::new(PolicyState {
            section: playing.section.clone(),
            admitted: playing.clone(),
            playing,
        }))
    }

    fn state(&self) -> MutexGuard<'_, PolicyState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn section(&self) -> PolicyConfig {
        self.state().section.clone()
    }
}

/// The outcome of a reload; `None` if there was nothing to do.
type ReloadEnd = Option<ReloadOutcome>;

/// A reload on its way, which may take as long as [`LOAD_TIMEOUT`] allows.
struct OnItsWay<'a> {
    end: BoxFuture<'a, ReloadEnd>,
    /// Receives the outcome; `None` when that is logged.
    order: Option<ReloadOrder>,
}

/// Ready when the reload, if there is one, has ended; takes it out.
async fn ended(reload: &mut Option<OnItsWay<'_>>) -> (ReloadEnd, Option<ReloadOrder>) {
    let end = match reload {
        Some(reload) => (&mut reload.end).await,
        None => std::future::pending().await,
    };
    (end, reload.take().and_then(|reload| reload.order))
}

/// Why a policy is reloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// A request by a user, carried out even if nothing has changed.
    Wanted,
    /// A file looks different.
    Changed,
    /// The policy was set aside, and its pause is over.
    Again,
}

impl ReloadBot {
    pub fn name(&self) -> &str {
        &self.options.bot
    }

    /// Follows orders and watches the bot's files until the bot has ended. A policy is started in a
    /// place of `loading`. While one change is on its way, the next one waits; a policy that is set
    /// aside is shown so and tried again meanwhile.
    pub(super) async fn look_after(
        self,
        mut orders: mpsc::Receiver<ReloadOrder>,
        watcher: FileWatcher,
        loading: Arc<StartPlaces>,
        board: Board,
    ) {
        let watched = Arc::new(Mutex::new(self.known.section()));
        let files = {
            let (file, libraries, watched) = (
                self.file.clone(),
                Arc::clone(&self.libraries),
                Arc::clone(&watched),
            );
            let config_folder = self.options.config_folder.clone();
            move || -> Vec<PathBuf> {
                let section = watched.lock().unwrap_or_else(PoisonError::into_inner);
                let library = libraries.file_of(&section, &config_folder);
                file.iter()
                    .cloned()
                    .chain(library)
                    .chain(section.watched_files())
                    .collect()
            }
        };
        let mut changes = watcher.watch("the policy's files", FileStamps::new(), {
            let files = files.clone();
            move || Ok(files())
        });
        // The stamps of the files when they were last read because of a change: each file is
        // reported separately, and all are read.
        let mut read = FileStamps::new();
        let mut condition = self.seat.condition().changes();
        let mut set_aside = None;
        let (mut change, mut again): (Option<OnItsWay<'_>>, Option<OnItsWay<'_>>) = (None, None);
        loop {
            let (changes_at_once, tries) = (change.is_none(), again.is_none());
            tokio::select! {
                biased;
                // Before the end of the bot, which may come at once.
                changed = condition.next() => {
                    board.note_set_aside(self.name(), changed.as_ref());
                    set_aside = changed;
                    continue;
                }
                () = self.seat.closed() => return,
                (outcome, _) = ended(&mut again) => {
                    match outcome {
                        Some(outcome @ (ReloadOutcome::TookOver(_) | ReloadOutcome::Ready(_))) => {
                            tell(self.name(), &outcome);
                            // Unless the seat has just become empty, it takes over at once.
                            set_aside = None;
                        }
                        Some(ReloadOutcome::Kept(why)) => {
                            self.seat.condition().pause(format!("it was tried again and refused: {why}"));
                        }
                        None => set_aside = None,
                    }
                }
                (outcome, order) = ended(&mut change) => {
                    let decides = |end: &ReloadOutcome| {
                        matches!(end, ReloadOutcome::TookOver(_) | ReloadOutcome::Ready(_))
                    };
                    if outcome.as_ref().is_some_and(decides) {
                        // Another policy decides.
                        again = None;
                    }
                    match (order, outcome) {
                        // The requester may have gone.
                        (Some(order), outcome) => {
                            let same = || ReloadOutcome::Kept("nothing has changed".to_owned());
                            let _ = order.send(outcome.unwrap_or_else(same));
                        }
                        (None, Some(outcome)) => tell(self.name(), &outcome),
                        (None, None) => {}
                    }
                    // Its library is the one to watch, even if it is not there yet.
                    *watched.lock().unwrap_or_else(PoisonError::into_inner) = self.known.section();
                }
                () = retry_due(set_aside.as_ref()), if tries => {
                    again = Some(self.begin(Why::Again, None, &loading, &board));
                }
                order = orders.recv(), if changes_at_once => {
                    let Some(order) = order else { return };
                    change = Some(self.begin(Why::Wanted, Some(order), &loading, &board));
                }
                Some(changes) = changes.recv(), if changes_at_once => {
                    // A missing file is being replaced, or was removed for good; neither requires
                    // an action.
                    if !changes.iter().any(|change| matches!(change, FileChange::Written(_))) {
                        continue;
                    }
                    let files = files.clone();
                    let now = on_own_thread(move || stamps_of(files())).await.unwrap_or_default();
                    if now == read {
                        continue;
                    }
                    read = now;
                    change = Some(self.begin(Why::Changed, None, &loading, &board));
                }
            }
        }
    }

    fn begin<'a>(
        &'a self,
        why: Why,
        order: Option<ReloadOrder>,
        loading: &'a StartPlaces,
        board: &'a Board,
    ) -> OnItsWay<'a> {
        let end = Box::pin(self.reload_and_note(why, loading, board));
        OnItsWay { end, order }
    }

    /// Reloads the policy and notes on the board whether that was refused; `None` if it is the one
    /// that plays already.
    async fn reload_and_note(&self, why: Why, loading: &StartPlaces, board: &Board) -> ReloadEnd {
        let outcome = self.reload(why, loading).await;
        // No change is refused by a policy that fails again.
        if why != Why::Again {
            board.note_change(
                self.name(),
                BotChange::Policy,
                outcome.as_ref().err().map(String::as_str),
            );
        }
        if let Ok(Some(ReloadOutcome::TookOver(_) | ReloadOutcome::Ready(_))) = &outcome
            && let (Some(replaced), Some(file)) = (&self.replaced, &self.file)
        {
            // The receiver is gone when the program ends.
            let _ = replaced.send(file.clone());
        }
        outcome.unwrap_or_else(|why| Some(ReloadOutcome::Kept(why)))
    }

    /// Loads the policy from the current config and library file, and lets it take over; `None` if
    /// it is the one that plays already. A failure changes nothing.
    ///
    /// # Errors
    ///
    /// Why the requested policy cannot play.
    async fn reload(&self, why: Why, loading: &StartPlaces) -> Result<ReloadEnd, String> {
        let asked = Instant::now();
        if why != Why::Again {
            let section = self.read_section().await?;
            self.known.state().section = section;
        }
        let (section, playing) = {
            let mut known = self.known.state();
            if !self.seat.has_waiting() {
                known.playing = known.admitted.clone();
            }
            // A change that was refused remains so when the policy is tried again.
            let section = if why == Why::Again {
                &known.playing.section
            } else {
                &known.section
            };
            (section.clone(), known.playing.clone())
        };
        let is_off = section.reload == ReloadMode::Off;
        if is_off && why != Why::Again {
            let mut known = self.known.state();
            if self.seat.withdraw() {
                known.admitted = playing;
            }
            let was_off = why == Why::Changed && known.admitted.section.reload == ReloadMode::Off;
            return Ok((!was_off).then(|| ReloadOutcome::Kept(format!("{SAYS_OFF}; {TURN_ON}"))));
        }
        // A file system that does not answer, most likely. Its thread is left behind, and the bot
        // plays on.
        let overdue = |_| format!("it was not ready after {} s", LOAD_TIMEOUT.as_secs());
        let Some(policy) = timeout(LOAD_TIMEOUT, self.admit(&section, why, asked))
            .await
            .map_err(overdue)??
        else {
            return Ok(None);
        };
        if is_off && policy.identity().hash != playing.identity.hash {
            return Err(format!(
                "another build is in its place, and {SAYS_OFF}; {TURN_ON}"
            ));
        }
        let new = KnownPolicy::of(section.clone(), &policy);
        if let (Some(gate), Some(file)) = (&section.gate, &self.file)
            && !new.is_version_of(&playing)
        {
            say(format!("{}: its gate tries {}", self.name(), new.identity));
            pass_gate(gate, file, [&playing, &new], &self.options)
                .await
                .map_err(|why| format!("its gate refuses {}: {why}", new.identity))?;
        }
        let place = loading.take(&policy).await;
        let started = timeout(
            LOAD_TIMEOUT,
            PolicyThread::start(policy, self.options.clone()),
        )
        .await
        .map_err(overdue)?;
        let policy = started.map_err(|error| error.to_string())?;
        drop(place);
        let pace = Pace::from(&section);
        let known = KnownPolicy::of(section, policy.policy());
        let (taken, done) = oneshot::channel();
        self.seat.put(Replacement {
            policy,
            pace,
            taken,
        });
        let taken = tokio::select! {
            taken = timeout(TAKE_OVER_TIMEOUT, done) => taken,
            () = self.seat.closed() => return Ok(Some(ReloadOutcome::Kept("the bot has ended".to_owned()))),
        };
        let outcome = match taken {
            Ok(Ok(())) => ReloadOutcome::TookOver(known.identity.to_string()),
            _ => ReloadOutcome::Ready(known.identity.to_string()),
        };
        self.known.state().admitted = known;
        Ok(Some(outcome))
    }

    async fn read_section(&self) -> Result<PolicyConfig, String> {
        let Some(file) = self.file.clone() else {
            return Ok(self.known.section());
        };
        let raw = on_own_thread(move || RawConfig::load(&file))
            .await
            .map_err(|fault| fault.to_string())?;
        // Mistakes in the rest of the file do not concern the policy.
        let problems: Vec<_> = raw
            .problems
            .into_iter()
            .filter(Problem::concerns_policy)
            .collect();
        match raw.policy {
            Some(section) if problems.is_empty() => Ok(section),
            _ => Err(Problems(problems).to_string()),
        }
    }

    /// Has the policy admitted; `None` if it is the one that plays already.
    async fn admit(
        &self,
        section: &PolicyConfig,
        why: Why,
        asked: Instant,
    ) -> Result<Option<ChosenPolicy>, String> {
        let (libraries, options, section) = (
            Arc::clone(&self.libraries),
            self.options.clone(),
            section.clone(),
        );
        let known = (why == Why::Changed).then(|| self.known.state().admitted.clone());
        let file = self.file.clone().unwrap_or_default();
        let admit = move || {
            libraries
                .admit(&section, &options, known.as_ref(), asked)
                .map_err(|problems| {
                    Problems(
                        problems
                            .into_iter()
                            .map(|problem| of_policy(&file, problem))
                            .collect(),
                    )
                    .to_string()
                })
        };
        let admitted = on_own_thread(admit)
            .await
            .map_err(|fault| fault.to_string())?;
        Ok(match admitted? {
            Admitted::Same => None,
            Admitted::Ready(policy) => Some(policy),
        })
    }
}

/// Ready when the policy is to be tried again.
async fn retry_due(set_aside: Option<&SetAside>) {
    match set_aside {
        Some(set_aside) => sleep_until(set_aside.retry_at.into()).await,
        None => std::future::pending().await,
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
    use client::board::{AlertKind, BotAlert, BotTrouble, TroubleKind};
    use client::bot::LiveFigures;
    use policy_host::{GameKind, Launch, LibraryChoice, RetryPauses, SeatedPolicy};
    use tokio::task::JoinHandle;

    use super::*;

    /// A bot at a seat, whose policy takes over only between games.
    async fn seated() -> (ReloadBot, SeatedPolicy) {
        seated_with(RetryPauses::default()).await
    }

    async fn seated_with(retry_pauses: RetryPauses) -> (ReloadBot, SeatedPolicy) {
        let launch = Launch::own(Vec::new());
        let mut libraries = Libraries::new(launch.clone(), builtin::libraries());
        libraries.retry_pauses = retry_pauses;
        let libraries = Arc::new(libraries);
        let config_folder = PathBuf::new();
        let options = StartOptions {
            bot: "kuma".to_owned(),
            game: GameKind::Riichi,
            players: 4,
            config_folder,
            launch,
        };
        let section = PolicyConfig {
            reload: ReloadMode::Game,
            ..PolicyConfig::of(LibraryChoice::Builtin, Some("greedy-tenpai".to_owned()))
        };
        let admitted = libraries
            .admit(&section, &options, None, Instant::now())
            .expect("it is admitted");
        let Admitted::Ready(policy) = admitted else {
            panic!("{admitted:?}")
        };
        let known = KnownPolicy::of(section.clone(), &policy);
        let (policy, seat) = SeatedPolicy::start(
            policy,
            Pace::from(&section),
            options.clone(),
            Arc::clone(&libraries),
        )
        .await
        .expect("it starts");
        (
            ReloadBot {
                file: None,
                known: KnownPolicies::of(known),
                options,
                libraries,
                seat,
                is_public: false,
                replaced: None,
            },
            policy,
        )
    }

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(50);

    /// Looks after a bot with a board.
    fn looked_after(bot: ReloadBot, board: &Board) -> (JoinHandle<()>, mpsc::Sender<ReloadOrder>) {
        board.enter(
            "kuma",
            "ws://127.0.0.1:1".to_owned(),
            LiveFigures::default(),
        );
        let watcher = FileWatcher::start(SHORT).expect("there are threads");
        let (orders, inbox) = mpsc::channel(1);
        let looking = bot.look_after(inbox, watcher, Arc::new(StartPlaces::new(1)), board.clone());
        (tokio::spawn(looking), orders)
    }

    /// Asks questions without a game until the policy, which cannot decide them, is set aside.
    async fn fail_often(seat: &mut SeatedPolicy) {
        while seat.ask(Instant::now() + LONG, |_| {}).is_ok() {
            seat.next(true).await;
        }
        assert!(seat.is_set_aside());
    }

    fn trouble(board: &Board) -> Option<BotTrouble> {
        board.status().remove(0).trouble
    }

    async fn until(holds: impl Fn() -> bool) {
        let waiting = async {
            while !holds() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        timeout(LONG, waiting).await.expect("it holds some time");
    }

    #[tokio::test]
    async fn a_policy_that_is_set_aside_is_tried_again_after_its_pause() {
        let (bot, mut seat) = seated_with(RetryPauses([SHORT; 4])).await;
        let board = Board::default();
        let (looking, _orders) = looked_after(bot, &board);
        let alerts = board.alerts(8);
        for _ in 0..2 {
            let begun = Instant::now();
            fail_often(&mut seat).await;
            let told = || trouble(&board).filter(|trouble| trouble.kind == TroubleKind::SetAside);
            until(|| told().is_some_and(|trouble| trouble.why == "it failed 10 times in one game"))
                .await;
            assert!(told().is_some_and(|trouble| trouble.until.is_some()));
            timeout(LONG, seat.replaced())
                .await
                .expect("it is tried again");
            assert!(begun.elapsed() >= SHORT && !seat.is_set_aside());
            until(|| trouble(&board).is_none()).await;
        }
        let kinds: Vec<AlertKind> = (0..4)
            .filter_map(|_| Some(alerts.next(LONG)?.kind))
            .collect();
        assert_eq!(
            kinds,
            [
                AlertKind::SetAside,
                AlertKind::Returned,
                AlertKind::SetAside,
                AlertKind::Returned
            ]
        );
        drop(seat);
        timeout(LONG, looking)
            .await
            .expect("it ends with its bot")
            .expect("it does not panic");
    }

    #[tokio::test]
    async fn a_policy_that_cannot_be_tried_again_stays_set_aside_for_longer() {
        let (bot, mut seat) = seated_with(RetryPauses([SHORT, LONG, LONG, LONG])).await;
        bot.known.state().admitted.section.id = Some("no-such-policy".to_owned());
        let board = Board::default();
        let (_looking, _orders) = looked_after(bot, &board);
        let alerts = board.alerts(8);
        fail_often(&mut seat).await;
        until(|| {
            trouble(&board).is_some_and(|trouble| trouble.why.contains("tried again and refused"))
        })
        .await;
        let told = trouble(&board).expect("it is set aside");
        assert!(
            told.why.contains("no policy \"no-such-policy\"") && seat.is_set_aside(),
            "{told:?}"
        );
        let reasons: Vec<BotAlert> = (0..2).filter_map(|_| alerts.next(LONG)).collect();
        assert!(
            reasons
                .iter()
                .all(|alert| alert.kind == AlertKind::SetAside),
            "{reasons:?}"
        );
        assert_eq!(
            board.status()[0].refused_change,
            None,
            "nothing was changed"
        );
    }

    #[tokio::test]
    async fn a_policy_is_set_aside_and_tried_again_while_a_change_is_on_its_way() {
        let (bot, mut seat) = seated_with(RetryPauses([SHORT; 4])).await;
        let board = Board::default();
        // The program never says that it is ready.
        let mut slow = PolicyConfig::of(LibraryChoice::Builtin, Some("mjai-engine".to_owned()));
        let (key, command) = ("command".to_owned(), "sleep 30".into());
        slow.params.insert(key, toml::Value::String(command));
        bot.known.state().section = slow;
        let (_looking, orders) = looked_after(bot, &board);
        let (order, mut outcome) = oneshot::channel();
        orders.send(order).await.expect("it is heard");
        until(|| orders.capacity() == orders.max_capacity()).await;
        fail_often(&mut seat).await;
        until(|| trouble(&board).is_some()).await;
        timeout(LONG, seat.replaced())
            .await
            .expect("it is tried again");
        until(|| trouble(&board).is_none()).await;
        let outcome = outcome.try_recv();
        assert!(outcome.is_err(), "it is still on its way: {outcome:?}");
    }

    #[tokio::test]
    async fn a_policy_that_waits_never_takes_over_once_the_config_says_off() {
        let loading = StartPlaces::new(1);
        let (bot, mut seat) = seated().await;
        let first = bot.known.state().admitted.clone();
        bot.known.state().section.id = Some("eight-step".to_owned());
        let ready = bot
            .reload(Why::Changed, &loading)
            .await
            .expect("it is admitted")
            .expect("it is another one");
        assert!(
            matches!(&ready, ReloadOutcome::Ready(policy) if policy.starts_with("eight-step")),
            "{ready:?}"
        );

        bot.known.state().section.reload = ReloadMode::Off;
        let off = bot
            .reload(Why::Changed, &loading)
            .await
            .expect("the config is right");
        assert!(matches!(&off, Some(ReloadOutcome::Kept(_))), "{off:?}");
        let between_games = timeout(Duration::from_millis(10), seat.next(false)).await;
        assert!(between_games.is_err(), "nothing happens at the seat");
        assert_eq!(seat.identity().to_string(), first.identity.to_string());

        // It is admitted again, because it never played.
        bot.known.state().section.reload = ReloadMode::Decision;
        let again = tokio::select! {
            again = bot.reload(Why::Changed, &loading) => again,
            event = seat.next(true) => panic!("{event:?}"),
        };
        assert!(
            matches!(again, Ok(Some(ReloadOutcome::TookOver(_)))),
            "{again:?}"
        );
    }
}
