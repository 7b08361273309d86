//! Who plays: a bot for each config, from its appearance to its leaving.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant as Moment};

use client::bot::{Bot, BotEvent, NamedBotEvent, Patience, PermitPool, QueueTurns};
use client::own_thread::on_own_thread;
use client::place::short;
use client::shutdown::Shutdown;
use policy_host::Libraries;
use riichi::Rules;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::begin::BeginningBot;
use super::board::{Board, BotChange};
use super::entry::{ConfigCheck, ConfigEntry, PlayTerms, PlayingBot, check_changed};
use super::initial::InitialConfigs;
use super::keeping::{KeptResults, ResultsKeepers, keeper};
use super::prepare::{ReadConfig, ReadyBot, ReadySeat};
use super::reload::Reloads;
use super::running::{EndedBot, RunningBots};
use super::start_places::StartPlaces;
use super::watch::FileChange;
use crate::config::{Problem, Problems};
use crate::output::say;

/// How many policies of one library start at once: an engine may load for a minute on all cores.
const MAX_STARTS_OF_A_LIBRARY: usize = 8;

/// Time between two bots that begin, milliseconds: an arena need not answer hundreds of handshakes in one moment.
const APART_MS: std::ops::RangeInclusive<u64> = 50..=100;

/// What all bots have in common.
#[derive(Debug)]
pub struct RunContext {
    /// Where their policies come from.
    pub libraries: Arc<Libraries>,
    /// Who loads them anew.
    pub reloads: Reloads,
    /// Where it stands how they are doing.
    pub board: Board,
    /// Whether somebody may look at the rounds that they play.
    pub shows_rounds: bool,
    /// Whose turn it is to queue.
    pub turns: QueueTurns,
    /// Permits for games, where there is a limit of those that are on at once.
    pub permits: Option<PermitPool>,
    /// How many games each plays.
    pub games: Option<u32>,
    /// Where they tell what happens.
    pub news: mpsc::UnboundedSender<NamedBotEvent>,
    /// What ends them all.
    pub shutdown: Shutdown,
}

/// The check of a config: its file, its number among all checks, and what came of it.
type NumberedCheck = (PathBuf, u64, ConfigCheck);

/// The bots, by their configs.
#[derive(Debug)]
pub struct Roster {
    context: RunContext,
    entries: BTreeMap<PathBuf, ConfigEntry>,
    running: RunningBots,
    checks: JoinSet<NumberedCheck>,
    /// How many checks there have been.
    checked: u64,
    starting: Arc<StartPlaces>,
    /// What the bots that have ended did, by their names.
    ends: BTreeMap<String, EndedBot>,
    /// When the next bot may begin.
    next_start: Instant,
    /// Who keeps their results.
    results: ResultsKeepers,
}

impl Roster {
    /// Nobody yet.
    pub fn new(context: RunContext) -> Self {
        Self {
            context,
            entries: BTreeMap::new(),
            running: RunningBots::default(),
            checks: JoinSet::new(),
            checked: 0,
            starting: Arc::new(StartPlaces::new(MAX_STARTS_OF_A_LIBRARY)),
            ends: BTreeMap::new(),
            next_start: Instant::now(),
            results: ResultsKeepers::default(),
        }
    }

    /// Whether somebody is at work, or may soon be.
    pub fn is_busy(&self) -> bool {
        !self.running.is_empty() || (!self.checks.is_empty() && !self.context.shutdown.is_finishing())
    }

    /// Whether the bot of a config never played because of what is wrong with it.
    pub fn has_refused(&self) -> bool {
        self.entries.values().any(ConfigEntry::never_played)
    }

    /// What the bots did, by name, and what has become of their results, which is waited for a little.
    pub async fn into_ends(self) -> (Vec<EndedBot>, Vec<KeptResults>) {
        let results = self.results;
        let kept = on_own_thread(move || results.finish()).await.unwrap_or_default();
        (self.ends.into_values().collect(), kept)
    }

    /// Takes in the configs of the beginning: each bot begins as soon as its own policy has been tried out. Of two
    /// bots with one name or token that of the first config plays.
    pub fn take_in_initial(&mut self, configs: InitialConfigs) {
        for (file, problems) in configs.refused {
            self.entries.entry(file).or_default().tell(&Problems(problems).to_string());
        }
        let asked = Moment::now();
        for config in configs.good {
            self.check_policy(config, asked);
        }
    }

    /// Waits for the next thing that happens and deals with it; must not be called when nothing can.
    ///
    /// Dropping the future loses nothing.
    pub async fn step(&mut self) {
        tokio::select! {
            Some(ended) = self.running.next_end() => self.ended(ended),
            Some(Ok(checked)) = self.checks.join_next() => self.checked(checked),
            else => {}
        }
    }

    /// Deals with configs that have changed.
    pub fn take_in(&mut self, changes: Vec<FileChange>) {
        for change in changes {
            match change {
                FileChange::Written(file) => self.check(file),
                FileChange::Gone(file) => self.gone(&file),
            }
        }
    }

    /// Has a config checked on a thread of its own: its policy may take a minute to be tried out.
    fn check(&mut self, file: PathBuf) {
        let asked = Moment::now();
        let entry = self.entries.entry(file.clone()).or_default();
        entry.gone = false;
        let claimed = entry.claim.take().is_some();
        let playing = entry.playing.as_ref().filter(|playing| playing.stays()).map(|playing| playing.terms.clone());
        let libraries = Arc::clone(&self.context.libraries);
        let config = file.clone();
        self.spawn_check(file, move || check_changed(&config, playing, &libraries, asked));
        if claimed {
            self.fill_waiting();
        }
    }

    /// Has the policy of a config of the beginning tried out.
    fn check_policy(&mut self, config: ReadConfig, asked: Moment) {
        let file = config.identity.file.clone();
        self.entries.entry(file.clone()).or_default().claim = Some(config.identity.clone());
        let libraries = Arc::clone(&self.context.libraries);
        self.spawn_check(file, move || match config.admit(&libraries, asked) {
            Ok(ready) => ConfigCheck::Ready(Box::new(ready)),
            Err(problems) => ConfigCheck::Wrong(problems),
        });
    }

    fn spawn_check(&mut self, file: PathBuf, check: impl FnOnce() -> ConfigCheck + Send + 'static) {
        self.checked += 1;
        let number = self.checked;
        self.entries.entry(file.clone()).or_default().check = number;
        self.checks.spawn(async move {
            let checked = on_own_thread(check).await;
            let checked = checked.unwrap_or_else(|fault| ConfigCheck::Wrong(vec![Problem::new(&file, "", fault)]));
            (file, number, checked)
        });
    }

    fn checked(&mut self, (file, number, checked): NumberedCheck) {
        let Some(entry) = self.entries.get_mut(&file).filter(|entry| entry.check == number && !entry.gone) else {
            return;
        };
        let claimed = entry.claim.take().is_some();
        if let Some(playing) = &entry.playing {
            let refused = match &checked {
                ConfigCheck::Wrong(problems) => Some(Problems(problems.clone()).to_string()),
                ConfigCheck::Ready(_) | ConfigCheck::Unchanged => None,
            };
            self.context.board.note_change(&playing.name, BotChange::Config, refused.as_deref());
        }
        match checked {
            ConfigCheck::Ready(ready) => {
                entry.next = Some(*ready);
                entry.told = None;
                self.fill(&file, claimed);
            }
            // The bot that it was compared with has ended meanwhile.
            ConfigCheck::Unchanged if entry.playing.is_none() => self.check(file),
            ConfigCheck::Unchanged => (entry.next, entry.told) = (None, None),
            // What was right before it still stands, be it the bot that plays or the one that is to come after it.
            ConfigCheck::Wrong(problems) => {
                entry.tell(&Problems(problems).to_string());
                if claimed {
                    self.fill_waiting();
                }
            }
        }
    }

    /// Gives their places to the bots that wait, of which one may have waited for a name or token that is free now.
    fn fill_waiting(&mut self) {
        let waiting: Vec<PathBuf> =
            self.entries.iter().filter(|(_, entry)| entry.next.is_some()).map(|(file, _)| file.clone()).collect();
        for file in waiting {
            self.fill(&file, false);
        }
    }

    /// Gives a config's place to the bot that waits for it, once it is free. A bot of the `beginning` joins without a
    /// word.
    fn fill(&mut self, file: &Path, beginning: bool) {
        if self.context.shutdown.is_finishing() {
            return;
        }
        let clash = self.clash(file);
        let Some(entry) = self.entries.get_mut(file) else { return };
        let Some(next) = &entry.next else { return };
        if let Some(clash) = clash {
            return entry.tell(&clash.to_string());
        }
        match &entry.playing {
            // What is beside it is as it was, and the policy is looked after by others.
            Some(playing) if playing.stays() && playing.plays_by(next) => entry.next = None,
            Some(playing) if playing.stays() => {
                say(format!(
                    "{}: its config has changed; it comes back with it, after its game if it plays",
                    playing.name
                ));
                playing.shutdown.finish();
            }
            Some(_) => {}
            None => {
                let games = self.context.games;
                let has_played = |next: &ReadyBot| {
                    self.ends.get(&next.config.name).is_some_and(|ended| ended.report.has_played(games))
                };
                if let Some(ready) = entry.next.take().filter(|next| !has_played(next)) {
                    entry.told = None;
                    if !beginning {
                        say(format!("{}: joins, by {}", ready.config.name, short(file).display()));
                    }
                    self.begin(ready);
                }
            }
        }
    }

    /// What keeps the bot that waits for a config's place from playing beside the others.
    fn clash(&self, file: &Path) -> Option<Problem> {
        let next = self.entries.get(file)?.next.as_ref()?;
        let mut others = self.entries.iter().filter(|(other, _)| *other != file);
        let name = &next.config.name;
        let arena = &next.seat.as_ref()?.arena;
        let key = next.config.arena.as_ref()?.token_key();
        let number = self.entries.get(file)?.check;
        others.find_map(|(other, entry)| {
            let other = short(other).display();
            if let Some(playing) = &entry.playing {
                if playing.name == *name {
                    let message =
                        format!("{other} names its bot {name:?} too, and that one plays; two bots need two names");
                    return Some(Problem::new(file, "name", message));
                }
                if playing.terms.arena.shares_token(arena) {
                    let message = format!("this is the token of {other} too, whose bot plays; each bot needs its own");
                    return Some(Problem::new(file, key, message));
                }
            }
            let claim = entry.claim.as_ref().filter(|_| entry.check < number)?;
            if claim.name.as_ref() == Some(name) {
                let message =
                    format!("{other} names its bot {name:?} too, and that one comes first; two bots need two names");
                return Some(Problem::new(file, "name", message));
            }
            let (token, _) = claim.token.as_ref()?;
            let message = format!("this is the token of {other} too, whose bot comes first; each bot needs its own");
            (arena.token() == Some(token)).then(|| Problem::new(file, key, message))
        })
    }

    fn gone(&mut self, file: &Path) {
        let Some(entry) = self.entries.get_mut(file) else { return };
        (entry.gone, entry.next, entry.claim, entry.told) = (true, None, None, None);
        match &entry.playing {
            Some(playing) => {
                say(format!("{}: its config is gone; it leaves, after its game if it plays", playing.name));
                playing.shutdown.finish();
            }
            None => {
                if let Some(bot) = self.entries.remove(file).and_then(|entry| entry.bot) {
                    self.forget(&bot);
                }
                self.fill_waiting();
            }
        }
    }

    /// Has nobody ask about a bot any more that has left, unless it plays by another config; what it did is told at the end.
    fn forget(&self, bot: &str) {
        if self.entries.values().any(|entry| entry.playing.as_ref().is_some_and(|playing| playing.name == bot)) {
            return;
        }
        self.context.board.remove(bot);
        self.context.reloads.remove(bot);
    }

    /// Lets a bot begin.
    fn begin(&mut self, ready: ReadyBot) {
        let Some(ReadySeat { arena, queue_together }) = ready.seat.clone() else { return };
        let RunContext { libraries, reloads, board, shows_rounds, turns, permits, games, news, shutdown } =
            &self.context;
        let name = ready.config.name.clone();
        let without_policy = ready.without_policy.clone();
        // It may have played before, by another config.
        let mut report = self.ends.remove(&name).map(|ended| ended.report).unwrap_or_default();
        if *shows_rounds {
            report.live.round.get_or_insert_default();
        }
        board.enter(&name, arena.to_string(), report.live.clone());
        let shutdown = shutdown.part();
        let rules = Rules::TENHOU_HALF.with_players(ready.players);
        let records = keeper(&ready.config, &arena, rules).unwrap_or_else(|error| {
            tracing::error!("{name} plays without records: {error}");
            None
        });
        let results = self.results.of(&ready).unwrap_or_else(|error| {
            tracing::error!("{name} plays without its results being kept: {error}");
            None
        });
        let bot = Bot {
            name: name.as_str().into(),
            turn: turns.at(&arena, ready.players, queue_together),
            arena: arena.clone(),
            rules,
            records,
            results,
            permits: permits.clone(),
            patience: Patience::default(),
            plays_while_set_aside: false,
            news: news.clone(),
        };
        let start = self.next_start.max(Instant::now());
        self.next_start = start + Duration::from_millis(fastrand::u64(APART_MS));
        let entry = self.entries.entry(ready.config.file.clone()).or_default();
        let (reload, ended) = (ready.config.policy.reload, shutdown.clone());
        entry.bot = Some(name.clone());
        entry.playing =
            Some(PlayingBot { name: name.clone(), terms: PlayTerms { without_policy, arena, reload }, shutdown });
        bot.tell(BotEvent::Starting);
        let (libraries, starting) = (Arc::clone(libraries), Arc::clone(&self.starting));
        let beginning = BeginningBot { ready, libraries, reloads: reloads.clone(), starting, start };
        self.running.spawn(name, beginning.live(bot, report, *games, ended));
    }

    fn ended(&mut self, ended: EndedBot) {
        let event = BotEvent::Ended(ended.end.clone());
        let _ = self.context.news.send(NamedBotEvent { bot: ended.name.as_str().into(), event, receipt: None });
        let is_its = |entry: &ConfigEntry| entry.playing.as_ref().is_some_and(|playing| playing.name == ended.name);
        if let Some((file, entry)) = self.entries.iter_mut().find(|(_, entry)| is_its(entry)) {
            entry.playing = None;
            let renamed = entry.next.as_ref().is_some_and(|next| next.config.name != ended.name);
            if entry.gone {
                let file = file.clone();
                self.entries.remove(&file);
                self.forget(&ended.name);
            } else if renamed {
                self.forget(&ended.name);
            }
        }
        self.ends.insert(ended.name.clone(), ended);
        // One that was in somebody's way may have been this one.
        self.fill_waiting();
        let refused = self.entries.iter().filter(|(_, entry)| entry.is_refused()).map(|(file, _)| file.clone());
        for file in refused.collect::<Vec<_>>() {
            self.check(file);
        }
    }
}
