//! The states of each config, from the appearance of its file until its bot has left. Read this
//! file from top to bottom.
//!
//! ```text
//! appears -> Checking -> Waiting -> Playing -> Leaving -> Waiting (with the changes), or removed (its file is gone)
//!                 \-> Refused          \-> Ended
//! ```
//! Each bot starts when its own check is done. A change of the `[policy]` section alone is a swap,
//! and leaves the state as it is: [`Reloads`] does it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant as Moment};

use client::Token;
use client::board::{Board, BotChange};
use client::bot::{
    Arena, Bot, BotEvent, BotReport, LifeEnd, NamedBotEvent, Patience, PermitPool, QueueTurns,
};
use client::own_thread::{OwnThreadError, on_own_thread};
use client::place::short;
use client::shutdown::Shutdown;
use client::token_lock::TokenLock;
use config::{AlertsConfig, Problem, Problems, RawConfig, Sources};
use foreign_text::shown_path;
use policy_host::{Libraries, ReloadMode};
use say::output::say;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use toml::Table;

use super::alerts::Alerts;
use super::keeping::{KeptResults, ResultsKeepers, keeper};
use super::ladder::{JudgeLog, LadderCounts, LadderSearch, RatedBot};
use super::prepare::{
    BotIdentity, CheckedConfig, CommandFiles, Purpose, ReadConfig, ReadyBot, ReadySeat, check,
    check_all, duplicate_identities, libraries_for,
};
use super::reload::Reloads;
use super::running::{EndedBot, RunningBots, live};
use super::start::start_policy;
use super::start_places::StartPlaces;
use super::watch::FileChange;

/// Maximum number of policies of one library that start at once: an engine may load for a minute on
/// all cores.
const MAX_STARTS_OF_A_LIBRARY: usize = 8;

/// Maximum wait for the ladder when all bots have played their games; what it lacks then is left to
/// the next run.
const LADDER_TIMEOUT: Duration = Duration::from_secs(20);

/// Time between two bots that begin, milliseconds: an arena need not answer hundreds of handshakes
/// in one moment.
const APART_MS: std::ops::RangeInclusive<u64> = 50..=100;

#[derive(Debug)]
enum ConfigState {
    /// It is checked, and no bot plays by it. At the beginning of a run its bot has a claim to its
    /// name and token, which no bot of a later config takes meanwhile.
    Checking { claim: Option<BotIdentity> },
    /// Something is wrong with it, and no bot plays by it.
    Refused,
    /// It is right, but a bot of another config has the name or the token.
    Waiting(Box<ReadyBot>),
    /// Its bot plays. If the config has changed and a bot of another one has the new name or token,
    /// `next` waits for that.
    Playing {
        bot: PlayingBot,
        next: Option<Box<ReadyBot>>,
    },
    /// Its bot leaves, after its game if it plays. Then comes the next one, if there is one; if the
    /// config is `gone`, there is none.
    Leaving {
        bot: PlayingBot,
        next: Option<Box<ReadyBot>>,
        gone: bool,
    },
    /// Its bot has ended and comes back only when the config changes.
    Ended,
}

/// A bot at work, with all of its config that a change is compared with.
#[derive(Debug, Clone)]
struct PlayingBot {
    name: String,
    /// Its config without the `[policy]` section.
    without_policy: Table,
    arena: Arena,
    reload: ReloadMode,
    /// Ends this bot alone.
    shutdown: Shutdown,
}

impl PlayingBot {
    /// Whether a bot with this config and this token would play the same way, apart from its
    /// policy.
    fn plays_by(&self, without_policy: &Table, token: Option<&Token>) -> bool {
        self.without_policy == *without_policy && self.arena.token() == token
    }
}

/// A config on its way.
#[derive(Debug)]
struct ConfigEntry {
    state: ConfigState,
    /// Number of its newest check; the result of an older one does not count.
    check: u64,
    /// The last reported mistakes, without the config's name.
    reported: Option<String>,
    /// What it waits for, although nothing is wrong with it.
    waits: Option<String>,
    /// Its `[alerts]` section when it was last checked, if that could be read.
    alerts: Option<AlertsConfig>,
    /// Name of the bot that played by it last.
    last_bot: Option<String>,
    /// Number of times in a row that its bot could not begin.
    not_begun: usize,
    /// The time at which a bot that could not begin tries again.
    retry_at: Option<Instant>,
}

impl Default for ConfigEntry {
    fn default() -> Self {
        Self {
            state: ConfigState::Checking { claim: None },
            check: 0,
            reported: None,
            waits: None,
            alerts: None,
            last_bot: None,
            not_begun: 0,
            retry_at: None,
        }
    }
}

impl ConfigEntry {
    const fn bot(&self) -> Option<&PlayingBot> {
        match &self.state {
            ConfigState::Playing { bot, .. } | ConfigState::Leaving { bot, .. } => Some(bot),
            _ => None,
        }
    }

    /// The bot that is checked and waits for its place.
    fn next(&self) -> Option<&ReadyBot> {
        match &self.state {
            ConfigState::Waiting(next) => Some(next),
            ConfigState::Playing { next, .. } | ConfigState::Leaving { next, .. } => {
                next.as_deref()
            }
            _ => None,
        }
    }

    fn set_next(&mut self, ready: Box<ReadyBot>) {
        match &mut self.state {
            ConfigState::Playing { next, .. } | ConfigState::Leaving { next, .. } => {
                *next = Some(ready)
            }
            state => *state = ConfigState::Waiting(ready),
        }
    }

    /// Gives its claim up; whether it had one.
    fn give_up_claim(&mut self) -> bool {
        match &mut self.state {
            ConfigState::Checking { claim } => claim.take().is_some(),
            _ => false,
        }
    }

    /// Reports a config's mistakes, once.
    fn report(&mut self, file: &Path, problems: &Problems) {
        let why = problems.reasons();
        if self.reported.as_ref() == Some(&why) {
            return;
        }
        let what = match &self.state {
            ConfigState::Playing { .. } | ConfigState::Leaving { next: Some(_), .. } => {
                "the bot stays as it is"
            }
            _ => "the bot does not play",
        };
        tracing::error!("{what}: {}: {why}", shown_path(short(file)));
        self.reported = Some(why);
    }

    /// Why no bot has ever played by this config: a mistake, or another bot.
    fn refused(&self) -> Option<&str> {
        let why = self.reported.as_deref().or(self.waits.as_deref());
        why.filter(|_| self.last_bot.is_none())
    }
}

/// What keeps a waiting bot from playing beside the others.
enum Clash {
    /// The other bot stays.
    Stays(Problem),
    /// The bot of this config leaves.
    Leaves(PathBuf),
}

#[derive(Debug)]
enum ConfigCheck {
    /// The running bot would play the same way; [`Reloads`] reports any problem with its policy.
    Unchanged,
    Ready(Box<ReadyBot>),
    Wrong(RefusedConfig),
}

/// A config with mistakes.
#[derive(Debug)]
struct RefusedConfig {
    problems: Vec<Problem>,
    /// Its `[alerts]` section, if that can be read.
    alerts: Option<AlertsConfig>,
}

impl RefusedConfig {
    fn new(file: &Path, key: &str, message: String) -> Self {
        Self {
            problems: vec![Problem::new(file, key, message)],
            alerts: None,
        }
    }
}

impl ConfigCheck {
    fn of(result: Result<ReadyBot, Vec<Problem>>, alerts: Option<AlertsConfig>) -> Self {
        match result {
            Ok(ready) => Self::Ready(Box::new(ready)),
            Err(problems) => Self::Wrong(RefusedConfig { problems, alerts }),
        }
    }
}

/// The state shared by all bots.
#[derive(Debug)]
pub struct RunContext {
    pub libraries: Arc<Libraries>,
    pub reloads: Reloads,
    /// Their status.
    pub board: Board,
    pub alerts: Alerts,
    /// Whether a page may show the rounds that they play.
    pub shows_rounds: bool,
    pub turns: QueueTurns,
    /// Permits for games, if the number of simultaneous games is limited.
    pub permits: Option<PermitPool>,
    /// Number of games for each.
    pub games: Option<u32>,
    /// The ratings at which bots leave.
    pub ratings: RatingLimits,
    /// Judges the logs of ladders.
    pub judge: JudgeLog,
    /// Receives their events.
    pub news: mpsc::UnboundedSender<NamedBotEvent>,
    /// Ends them all.
    pub shutdown: Shutdown,
}

/// The ratings at which a bot leaves after its game.
#[derive(Debug, Clone, Copy, Default)]
pub struct RatingLimits {
    /// It leaves once it has at least this rating.
    pub until: Option<f64>,
    /// It leaves once it has less.
    pub below: Option<f64>,
}

impl RatingLimits {
    /// Why a bot with this rating leaves, if it does.
    fn reached(self, rating: f64) -> Option<String> {
        let until = self.until.filter(|until| rating >= *until);
        let below = self.below.filter(|below| rating < *below);
        until
            .map(|until| format!("its rating is {rating:.1}, at least {until} (--until-rating)"))
            .or_else(|| {
                Some(format!(
                    "its rating is {rating:.1}, below {} (--stop-below)",
                    below?
                ))
            })
    }
}

/// The initial configs: those whose policies are still to be tried out, and those with other
/// mistakes.
pub struct InitialConfigs {
    /// The valid ones so far, in order.
    good: Vec<ReadConfig>,
    pub libraries: Arc<Libraries>,
    /// The mistakes in the others.
    refused: BTreeMap<PathBuf, RefusedConfig>,
}

impl InitialConfigs {
    /// Reads the configs and checks everything except their policies, which takes no process. In a
    /// folder bots come and go, and a mistake in one of its configs affects only that bot.
    /// Policies' processes are kept from these files besides those that the configs name.
    ///
    /// # Errors
    ///
    /// All that is wrong, policies included, when that is with a config that was named itself, or
    /// with all of them.
    pub fn read(sources: &Sources, kept: CommandFiles) -> Result<Self, Problems> {
        let configs: Vec<RawConfig> = sources
            .files()?
            .iter()
            .map(|file| RawConfig::load(file))
            .collect();
        let libraries = libraries_for(&configs, kept.clone());
        let read = configs
            .iter()
            .map(|config| ReadConfig::for_arena(config.clone(), &libraries));
        let (good, wrong): (Vec<_>, Vec<_>) = read.partition(|config| config.problems.is_empty());
        // A config with its own mistakes does not block others through its name or token.
        let duplicates = duplicate_identities(good.iter().map(|config| &config.identity));
        let is_refused = |file: &PathBuf| {
            wrong.iter().any(|config| config.identity.file == *file)
                || duplicates.iter().any(|problem| problem.file == *file)
        };
        let files = || configs.iter().map(|config| &config.file);
        if good.is_empty() || files().any(|file| is_refused(file) && sources.names(file)) {
            // No bot waits for the policies to be checked as well.
            let (_, checked) = check_all(configs, Purpose::Arena, kept);
            let alone = checked
                .into_iter()
                .filter_map(|config| config.result.err())
                .flatten();
            return Err(Problems(alone.chain(duplicates).collect()));
        }
        let refused = wrong.into_iter().map(|config| {
            let alerts = config.alerts().cloned();
            (
                config.identity.file,
                RefusedConfig {
                    problems: config.problems,
                    alerts,
                },
            )
        });
        let refused = refused.collect();
        Ok(Self {
            good,
            libraries,
            refused,
        })
    }

    /// The configs without a `[ladder]` section, whose bots have no rating.
    pub fn without_ladder(&self) -> Vec<&Path> {
        let without = self.good.iter().filter(|config| !config.has_ladder());
        without
            .map(|config| config.identity.file.as_path())
            .collect()
    }
}

/// A config that no bot ever played by.
#[derive(Debug)]
pub struct RefusedBot {
    /// The name of its file.
    pub name: String,
    pub why: String,
}

/// The reports at the end of a run.
#[derive(Debug)]
pub struct RosterEnd {
    /// The reports of the bots, by name.
    pub ends: Vec<EndedBot>,
    pub refused: Vec<RefusedBot>,
    pub results: Vec<KeptResults>,
    /// What was found on ladders; `None` if no bot asks for it.
    pub ladder: Option<LadderCounts>,
}

/// The check of a config: its file, its number among all checks, and its outcome.
type NumberedCheck = (PathBuf, u64, ConfigCheck);

/// The bots, by their configs.
#[derive(Debug)]
pub struct Roster {
    context: Arc<RunContext>,
    entries: BTreeMap<PathBuf, ConfigEntry>,
    running: RunningBots,
    checks: JoinSet<NumberedCheck>,
    /// Number of checks so far.
    checked: u64,
    starting: Arc<StartPlaces>,
    /// The configs of bots whose policy was replaced: a change that had to wait for the policy may
    /// now be possible.
    replaced: mpsc::UnboundedReceiver<PathBuf>,
    /// The reports of the bots that have ended, by name.
    ends: BTreeMap<String, EndedBot>,
    next_start: Instant,
    results: ResultsKeepers,
    ladder: LadderSearch,
    rated: mpsc::UnboundedReceiver<RatedBot>,
}

impl Roster {
    pub fn new(mut context: RunContext) -> Self {
        let (tell_replaced, replaced) = mpsc::unbounded_channel();
        context.reloads.tell_replaced(tell_replaced);
        let (tell_rated, rated) = mpsc::unbounded_channel();
        let ladder = LadderSearch::new(context.board.clone(), context.judge, tell_rated);
        Self {
            context: Arc::new(context),
            entries: BTreeMap::new(),
            running: RunningBots::default(),
            checks: JoinSet::new(),
            checked: 0,
            starting: Arc::new(StartPlaces::new(MAX_STARTS_OF_A_LIBRARY)),
            replaced,
            ends: BTreeMap::new(),
            next_start: Instant::now(),
            results: ResultsKeepers::default(),
            ladder,
            rated,
        }
    }

    /// Whether a bot is at work, or may soon be.
    pub fn is_busy(&self) -> bool {
        !self.running.is_empty()
            || (!self.checks.is_empty() && !self.context.shutdown.is_finishing())
    }

    /// The reports of the bots, by name, and the counts of their results, after a short wait for
    /// these and for alerts.
    pub async fn into_ends(self) -> RosterEnd {
        let refused = self.entries.iter().filter_map(|(file, entry)| {
            let why = entry.refused()?.to_owned();
            Some(RefusedBot {
                name: self.name_of(file),
                why,
            })
        });
        let refused = refused.collect();
        let (results, ladder, alerts) = (self.results, self.ladder, self.context.alerts.clone());
        let for_ladder = if self.context.shutdown.is_finishing() {
            Duration::ZERO
        } else {
            LADDER_TIMEOUT
        };
        let finish = move || {
            let kept = results.finish();
            let found = ladder.finish(for_ladder);
            alerts.finish();
            (kept, found)
        };
        let (results, ladder) = on_own_thread(finish).await.unwrap_or_default();
        RosterEnd {
            ends: self.ends.into_values().collect(),
            refused,
            results,
            ladder,
        }
    }

    /// Adds the initial configs. Of two bots with one name or token, the first one plays.
    pub fn take_in_initial(&mut self, configs: InitialConfigs) {
        let mut refused = Vec::new();
        for (file, RefusedConfig { problems, alerts }) in configs.refused {
            let entry = self.entries.entry(file.clone()).or_default();
            entry.report(&file, &Problems(problems));
            entry.state = ConfigState::Refused;
            entry.alerts = alerts;
            refused.push(file);
        }
        // Names depend on all files.
        for file in refused {
            self.show(&file);
        }
        let asked = Moment::now();
        for config in configs.good {
            let file = config.identity.file.clone();
            let claim = Some(config.identity.clone());
            self.entries.entry(file.clone()).or_default().state = ConfigState::Checking { claim };
            let libraries = Arc::clone(&self.context.libraries);
            let alerts = config.alerts().cloned();
            self.spawn_check(file, move || {
                ConfigCheck::of(config.admit(&libraries, asked), alerts)
            });
        }
    }

    pub fn take_in(&mut self, changes: Vec<FileChange>) {
        for change in changes {
            match change {
                FileChange::Written(file) => self.written(file),
                FileChange::Gone(file) => self.gone(&file),
            }
        }
    }

    /// Waits for the next check, end or new attempt of a bot and takes it in.
    ///
    /// Dropping the future loses nothing.
    pub async fn step(&mut self) {
        tokio::select! {
            Some(ended) = self.running.next_end() => self.ended(ended),
            Some(Ok(checked)) = self.checks.join_next() => self.checked(checked),
            Some(file) = self.replaced.recv() => self.replaced(&file),
            Some(file) = retry_due(&self.entries) => self.written(file),
            Some(rated) = self.rated.recv() => self.rated(&rated),
            else => {}
        }
    }

    /// A game of a bot has ended: the ladder will have it.
    pub fn game_ended(&self, bot: &str) {
        self.ladder.ended(bot);
    }

    /// A bot has this rating now: it may be the one at which it leaves.
    fn rated(&self, RatedBot { bot, rating }: &RatedBot) {
        let is_its = |playing: &&PlayingBot| playing.name == *bot;
        let playing = self.entries.values().filter_map(ConfigEntry::bot);
        if let Some(playing) = playing.into_iter().find(is_its)
            && let Some(why) = self.context.ratings.reached(*rating)
            && !playing.shutdown.is_finishing()
        {
            say(format!(
                "{bot}: {why}; it leaves after its current game, if any"
            ));
            playing.shutdown.finish();
        }
    }

    /// A config has appeared or changed: it is checked.
    fn written(&mut self, file: PathBuf) {
        let asked = Moment::now();
        let entry = self.entries.entry(file.clone()).or_default();
        entry.retry_at = None;
        let had_claim = entry.give_up_claim();
        let playing = match &mut entry.state {
            ConfigState::Playing { bot, .. } => Some(bot.clone()),
            ConfigState::Leaving { gone, .. } => {
                *gone = false;
                None
            }
            _ => None,
        };
        let libraries = Arc::clone(&self.context.libraries);
        let config = file.clone();
        self.spawn_check(file, move || {
            check_changed(&config, playing.as_ref(), &libraries, asked)
        });
        if had_claim {
            self.seat_waiting();
        }
    }

    /// The policy of a config's bot was replaced. The config is checked again: another change in it
    /// may have been refused because the policy was not there yet, or a check that began before may
    /// still refuse it.
    fn replaced(&mut self, file: &Path) {
        if self
            .entries
            .get(file)
            .is_some_and(|entry| matches!(entry.state, ConfigState::Playing { .. }))
        {
            self.written(file.to_owned());
        }
    }

    /// Runs a check on its own thread: the trial of a policy may take a minute.
    fn spawn_check(&mut self, file: PathBuf, check: impl FnOnce() -> ConfigCheck + Send + 'static) {
        self.checked += 1;
        let number = self.checked;
        self.entries.entry(file.clone()).or_default().check = number;
        self.checks.spawn(async move {
            let checked = on_own_thread(check).await;
            let wrong = |fault: OwnThreadError| {
                ConfigCheck::Wrong(RefusedConfig::new(&file, "", fault.to_string()))
            };
            let checked = checked.unwrap_or_else(wrong);
            (file, number, checked)
        });
    }

    fn checked(&mut self, (file, number, checked): NumberedCheck) {
        let Some(entry) = self
            .entries
            .get_mut(&file)
            .filter(|entry| entry.check == number)
        else {
            return;
        };
        let had_claim = entry.give_up_claim();
        if matches!(entry.state, ConfigState::Leaving { gone: true, .. }) {
            return;
        }
        match (checked, &mut entry.state) {
            (ConfigCheck::Ready(ready), _) => {
                entry.alerts = ready.config.alerts.clone();
                entry.set_next(ready);
                entry.reported = None;
                self.seat(&file, had_claim);
            }
            (ConfigCheck::Unchanged, ConfigState::Playing { next, .. }) => {
                *next = None;
                entry.reported = None;
            }
            // The bot that it was compared with has ended meanwhile, or leaves.
            (ConfigCheck::Unchanged, _) => return self.written(file),
            // The earlier valid config still holds, whether its bot plays or is about to.
            (ConfigCheck::Wrong(RefusedConfig { problems, alerts }), state) => {
                if matches!(state, ConfigState::Checking { .. } | ConfigState::Ended) {
                    *state = ConfigState::Refused;
                }
                entry.report(&file, &Problems(problems));
                entry.alerts = alerts;
                if had_claim {
                    self.seat_waiting();
                }
            }
        }
        self.show(&file);
    }

    /// Shows on the board what is wrong with a config. Alerts about it have the name that the board
    /// shows, which other files may have changed since its check.
    fn show(&self, file: &Path) {
        let board = &self.context.board;
        let Some(entry) = self.entries.get(file) else {
            return board.clear_refused(file);
        };
        match (entry.refused(), &entry.last_bot) {
            (Some(why), _) => {
                let name = self.name_of(file);
                self.context.alerts.set(&name, entry.alerts.clone());
                match entry.reported {
                    Some(_) => board.refuse(file, &name, why),
                    None => board.keep_waiting(file, &name, why),
                }
            }
            (None, Some(bot)) => {
                board.clear_refused(file);
                let refused = entry
                    .reported
                    .as_ref()
                    .map(|why| format!("{}: {why}", shown_path(short(file))));
                board.note_change(bot, BotChange::Config, refused.as_deref());
            }
            (None, None) => board.clear_refused(file),
        }
    }

    /// The name for a config in place of a bot's: the file's name, after the folders that tell it
    /// from the other files.
    fn name_of(&self, file: &Path) -> String {
        let shared_with = |other: &PathBuf| {
            let pairs = other.components().rev().zip(file.components().rev());
            pairs.take_while(|(theirs, own)| theirs == own).count()
        };
        let shared = self
            .entries
            .keys()
            .filter(|other| *other != file)
            .map(shared_with)
            .max()
            .unwrap_or(0);
        let parts = file.components().rev().take(shared + 1).collect::<Vec<_>>();
        parts
            .iter()
            .rev()
            .collect::<PathBuf>()
            .to_string_lossy()
            .into_owned()
    }

    /// Gives their places to the bots that wait: a name or a token may be free now.
    fn seat_waiting(&mut self) {
        let waiting = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.next().is_some())
            .map(|(file, _)| file.clone());
        for file in waiting.collect::<Vec<_>>() {
            self.seat(&file, false);
        }
    }

    /// Gives a config's place to the bot that waits for it, if its name and token are free. A bot
    /// of the `beginning` joins without a word.
    fn seat(&mut self, file: &Path, beginning: bool) {
        if self.context.shutdown.is_finishing() {
            return;
        }
        let clash = self.clash(file);
        let Some(entry) = self
            .entries
            .get_mut(file)
            .filter(|entry| entry.next().is_some())
        else {
            return;
        };
        let waited = entry.waits.take();
        match clash {
            None => {}
            Some(Clash::Leaves(other)) => {
                let why = format!(
                    "waits until the bot of {} has left",
                    shown_path(short(&other))
                );
                if waited.as_ref() != Some(&why) {
                    tracing::info!("{} {why}", shown_path(short(file)));
                }
                entry.waits = Some(why);
                return self.show(file);
            }
            Some(Clash::Stays(problem)) => {
                entry.report(file, &Problems(vec![problem]));
                return self.show(file);
            }
        }
        match std::mem::replace(&mut entry.state, ConfigState::Ended) {
            ConfigState::Playing { bot, next } => {
                let same = |next: &ReadyBot| {
                    next.seat
                        .as_ref()
                        .is_some_and(|seat| bot.plays_by(&next.without_policy, seat.arena.token()))
                };
                entry.state = match next.filter(|next| !same(next)) {
                    Some(next) => {
                        let when = "it rejoins with the new settings, after its game if it plays";
                        say(format!("{}: its config has changed; {when}", bot.name));
                        bot.shutdown.finish();
                        ConfigState::Leaving {
                            bot,
                            next: Some(next),
                            gone: false,
                        }
                    }
                    // The policy is up to `Reloads`.
                    None => ConfigState::Playing { bot, next: None },
                };
            }
            ConfigState::Waiting(ready) => {
                let ended = self.ends.get(&ready.config.name);
                if ended.is_some_and(|ended| ended.report.has_played(self.context.games)) {
                    return;
                }
                entry.reported = None;
                if !beginning {
                    say(format!(
                        "{}: joins, by {}",
                        ready.config.name,
                        short(file).display()
                    ));
                }
                self.begin(*ready);
            }
            state => entry.state = state,
        }
    }

    /// The conflict that keeps a waiting bot from playing beside the others.
    fn clash(&self, file: &Path) -> Option<Clash> {
        let entry = self.entries.get(file)?;
        let next = entry.next()?;
        let name = &next.config.name;
        let arena = &next.seat.as_ref()?.arena;
        let key = next.config.arena.as_ref()?.token_key();
        let number = entry.check;
        self.entries.iter().filter(|(other, _)| *other != file).find_map(|(other, entry)| {
            let (same_name, same_token, why) = match &entry.state {
                ConfigState::Playing { bot, .. } | ConfigState::Leaving { bot, .. } => {
                    (bot.name == *name, bot.arena.shares_token(arena), "plays")
                }
                ConfigState::Checking { claim: Some(claim) } if entry.check < number => {
                    let token = claim.token.as_ref().map(|(token, _)| token);
                    (claim.name.as_ref() == Some(name), token.is_some() && arena.token() == token, "comes first")
                }
                _ => return None,
            };
            if matches!(entry.state, ConfigState::Leaving { .. }) {
                return (same_name || same_token).then(|| Clash::Leaves(other.clone()));
            }
            let other = short(other);
            let other = other.display();
            if same_name {
                let message =
                    format!("{other} names its bot {name:?} too, and that one {why}; two bots need two names");
                return Some(Clash::Stays(Problem::new(file, "name", message)));
            }
            let message = format!("this is the token of {other} too, whose bot {why}; each bot needs its own");
            same_token.then(|| Clash::Stays(Problem::new(file, key, message)))
        })
    }

    fn begin(&mut self, ready: ReadyBot) {
        let Some(ReadySeat {
            arena,
            queue_together,
        }) = ready.seat.clone()
        else {
            return;
        };
        let name = ready.config.name.clone();
        // It may have played before, by another config.
        let mut report = self
            .ends
            .remove(&name)
            .map(|ended| ended.report)
            .unwrap_or_default();
        if self.context.shows_rounds {
            let round = report.live.round.get_or_insert_default().clone();
            report.live.seat_round = Some(round);
        }
        self.context.alerts.set(&name, ready.config.alerts.clone());
        self.context.board.clear_refused(&ready.config.file);
        self.context
            .board
            .enter(&name, arena.to_string(), report.live.clone());
        let rules = ready.rules();
        let records = keeper(&ready.config, &arena, rules).unwrap_or_else(|error| {
            tracing::error!("{name} plays without records: {error}");
            None
        });
        let results = self.results.of(&ready).unwrap_or_else(|error| {
            tracing::error!("{name} plays without keeping its results: {error}");
            None
        });
        self.ladder.follow(&ready.config, &arena.to_string());
        let shutdown = self.context.shutdown.part();
        let playing = PlayingBot {
            name: name.clone(),
            without_policy: ready.without_policy.clone(),
            arena: arena.clone(),
            reload: ready.config.policy.reload,
            shutdown: shutdown.clone(),
        };
        let entry = self.entries.entry(ready.config.file.clone()).or_default();
        entry.last_bot = Some(name.clone());
        entry.state = ConfigState::Playing {
            bot: playing,
            next: None,
        };
        let bot = Bot {
            name: name.as_str().into(),
            turn: self.context.turns.at(&arena, ready.players, queue_together),
            arena,
            rules,
            records,
            results,
            permits: self.context.permits.clone(),
            patience: Patience::default(),
            plays_while_set_aside: false,
            news: self.context.news.clone(),
        };
        bot.tell(BotEvent::Starting);
        let start = self.next_start.max(Instant::now());
        self.next_start = start + Duration::from_millis(fastrand::u64(APART_MS));
        let (context, starting) = (Arc::clone(&self.context), Arc::clone(&self.starting));
        let life = live_from(start, context, starting, ready, bot, report, shutdown);
        self.running.spawn(name, Box::pin(life));
    }

    fn ended(&mut self, ended: EndedBot) {
        let event = BotEvent::Ended(ended.end.clone());
        let _ = self.context.news.send(NamedBotEvent {
            bot: ended.name.as_str().into(),
            event,
            receipt: None,
        });
        let is_its = |entry: &ConfigEntry| entry.bot().is_some_and(|bot| bot.name == ended.name);
        if let Some((file, entry)) = self.entries.iter_mut().find(|(_, entry)| is_its(entry)) {
            let renamed = entry
                .next()
                .is_some_and(|next| next.config.name != ended.name);
            let is_refused = entry.reported.is_some();
            let mut leaves_roster = false;
            entry.state = match std::mem::replace(&mut entry.state, ConfigState::Ended) {
                ConfigState::Playing {
                    next: Some(next), ..
                }
                | ConfigState::Leaving {
                    next: Some(next), ..
                } => ConfigState::Waiting(next),
                ConfigState::Leaving { gone: true, .. } => {
                    leaves_roster = true;
                    ConfigState::Ended
                }
                _ if is_refused => ConfigState::Refused,
                // It was removed and exists again.
                ConfigState::Leaving { .. } => ConfigState::Checking { claim: None },
                _ => ConfigState::Ended,
            };
            let begun = !matches!(ended.end, LifeEnd::NotBegun(_));
            entry.not_begun = if begun { 0 } else { entry.not_begun + 1 };
            if !begun && matches!(entry.state, ConfigState::Ended) {
                let pause = self.context.libraries.retry_pauses.after(entry.not_begun);
                entry.retry_at = Some(Instant::now() + pause);
            }
            if renamed {
                entry.last_bot = None;
            }
            if leaves_roster {
                let file = file.clone();
                self.entries.remove(&file);
            }
            if leaves_roster || renamed {
                self.forget(&ended.name);
            }
        }
        self.ends.insert(ended.name.clone(), ended);
        // This one may have been in the way of another.
        self.seat_waiting();
        let refused = self
            .entries
            .iter()
            .filter(|(_, entry)| matches!(entry.state, ConfigState::Refused));
        for file in refused.map(|(file, _)| file.clone()).collect::<Vec<_>>() {
            self.written(file);
        }
    }

    /// A config was removed: its bot leaves.
    fn gone(&mut self, file: &Path) {
        let Some(mut entry) = self.entries.remove(file) else {
            return;
        };
        match entry.state {
            ConfigState::Playing { bot, .. } | ConfigState::Leaving { bot, .. } => {
                say(format!(
                    "{}: its config was removed; it leaves after its current game, if any",
                    bot.name
                ));
                bot.shutdown.finish();
                entry.reported = None;
                entry.state = ConfigState::Leaving {
                    bot,
                    next: None,
                    gone: true,
                };
                self.entries.insert(file.to_owned(), entry);
            }
            _ => {
                if let Some(bot) = entry.last_bot {
                    self.forget(&bot);
                }
                self.show(file);
                self.seat_waiting();
            }
        }
    }

    /// Removes a bot from the output of `status` and `reload`, unless it plays by another config;
    /// the final summary shows its report.
    fn forget(&self, bot: &str) {
        if self
            .entries
            .values()
            .any(|entry| entry.bot().is_some_and(|playing| playing.name == bot))
        {
            return;
        }
        self.context.board.remove(bot);
        self.context.reloads.remove(bot);
    }
}

/// Waits until a bot that could not begin tries again; returns its config. `None` if there is none.
async fn retry_due(entries: &BTreeMap<PathBuf, ConfigEntry>) -> Option<PathBuf> {
    let next = entries
        .iter()
        .filter_map(|(file, entry)| Some((entry.retry_at?, file)));
    let (at, file) = next.min()?;
    sleep_until(at).await;
    Some(file.clone())
}

/// Checks the config of a running bot, if there is one. If only the policy is wrong and nothing
/// else has changed, that is left to [`Reloads`], which reports it.
fn check_changed(
    file: &Path,
    playing: Option<&PlayingBot>,
    libraries: &Libraries,
    asked: Moment,
) -> ConfigCheck {
    let raw = RawConfig::load(file);
    // A token that cannot be had is reported by the check below.
    if let Some(bot) = playing
        && let Ok(token) = raw.token().transpose()
        && bot.plays_by(&raw.without_policy, token.as_ref())
    {
        return ConfigCheck::Unchanged;
    }
    // Without its arena the file cannot be read.
    let can_be_read = raw.arena.is_some();
    let CheckedConfig { result, alerts, .. } = check(raw, Purpose::Arena, libraries, asked);
    let mut checked = ConfigCheck::of(result, alerts);
    if let ConfigCheck::Wrong(RefusedConfig { problems, .. }) = &mut checked
        && playing.is_some_and(|bot| bot.reload != ReloadMode::Off)
    {
        let others: Vec<Problem> = problems
            .iter()
            .filter(|problem| !problem.concerns_policy())
            .cloned()
            .collect();
        if !others.is_empty() {
            *problems = others;
        } else if !can_be_read {
            return ConfigCheck::Unchanged;
        }
    }
    checked
}

/// A bot's life, from its turn to begin, its token and its policy to its end.
async fn live_from(
    start: Instant,
    context: Arc<RunContext>,
    starting: Arc<StartPlaces>,
    ready: ReadyBot,
    bot: Bot,
    report: BotReport,
    shutdown: Shutdown,
) -> (BotReport, LifeEnd) {
    let begin = async {
        sleep_until(start).await;
        let waits = |reason: &str| bot.tell(BotEvent::TokenInUse(reason.to_owned()));
        let lock = TokenLock::wait(&bot.arena, waits)
            .await
            .map_err(|error| error.to_string())?;
        let _place = starting.take(&ready.policy).await;
        let started = start_policy(ready, Arc::clone(&context.libraries), fastrand::u64(..)).await;
        let (bot_policy, reload) =
            started.map_err(|error| format!("its policy does not start: {error}"))?;
        context.reloads.look_after(reload);
        Ok((bot_policy, lock))
    };
    let (bot_policy, _lock) = tokio::select! {
        begun = begin => match begun {
            Ok(begun) => begun,
            Err(why) => return (report, LifeEnd::NotBegun(why)),
        },
        () = shutdown.finishing() => return (report, LifeEnd::Stopped),
    };
    live(bot, bot_policy, report, context.games, shutdown).await
}
