//! Who plays: a bot for each config, from its appearance to its leaving.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mahjong::Rules;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::super::board::Board;
use super::super::crew::{Crew, Ended};
use super::beginning::Beginning;
use super::changes::Change;
use super::keeping::keeper;
use super::post::{Member, Post, Recruit, Terms, check};
use crate::bot::{Bot, BotEvent, Patience, QueueTurns};
use crate::config::{Login, Problem, Problems};
use crate::output::say;
use crate::plugin::Libraries;
use crate::reload::{Reloads, apart};
use crate::setup::ReadySeat;
use crate::shutdown::Shutdown;

/// How many configs are checked at once, each with a process that tries its policy out.
const CHECKS_AT_ONCE: usize = 4;

/// How many policies start at once: an engine may load for a minute on all cores.
const STARTS_AT_ONCE: usize = 8;

/// Time between two bots that begin, milliseconds: an arena need not answer hundreds of handshakes in one moment.
const APART_MS: std::ops::RangeInclusive<u64> = 50..=100;

/// What all bots have in common.
#[derive(Debug)]
pub(super) struct Ground {
    /// Where their policies come from.
    pub(super) libraries: Arc<Libraries>,
    /// Who loads them anew.
    pub(super) reloads: Reloads,
    /// Where it stands how they are doing.
    pub(super) board: Board,
    /// Whose turn it is to queue.
    pub(super) turns: QueueTurns,
    /// Permits for games, where there is a limit of those that are on at once.
    pub(super) permits: Option<Arc<Semaphore>>,
    /// How many games each plays.
    pub(super) games: Option<u32>,
    /// Where they tell what happens.
    pub(super) news: mpsc::UnboundedSender<(String, BotEvent)>,
    /// What ends them all.
    pub(super) shutdown: Shutdown,
}

/// What came of a check: of which config, the how manyth, and the bot or what is wrong.
type Checked = (PathBuf, u64, Result<Recruit, Vec<Problem>>);

/// The bots, by their configs.
#[derive(Debug)]
pub(super) struct Roster {
    ground: Ground,
    posts: BTreeMap<PathBuf, Post>,
    crew: Crew,
    checks: JoinSet<Checked>,
    /// How many checks there have been.
    checked: u64,
    checking: Arc<Semaphore>,
    starting: Arc<Semaphore>,
    /// What the bots that have ended did, by their names.
    ends: BTreeMap<String, Ended>,
    /// When the next bot may begin.
    next_start: Instant,
}

impl Roster {
    /// Nobody yet.
    pub(super) fn new(ground: Ground) -> Self {
        Self {
            ground,
            posts: BTreeMap::new(),
            crew: Crew::default(),
            checks: JoinSet::new(),
            checked: 0,
            checking: Arc::new(Semaphore::new(CHECKS_AT_ONCE)),
            starting: Arc::new(Semaphore::new(STARTS_AT_ONCE)),
            ends: BTreeMap::new(),
            next_start: Instant::now(),
        }
    }

    /// Whether somebody is at work, or may soon be.
    pub(super) fn is_busy(&self) -> bool {
        !self.crew.is_empty() || (!self.checks.is_empty() && !self.ground.shutdown.is_finishing())
    }

    /// Whether the bot of a config never played because of what is wrong with it.
    pub(super) fn has_refused(&self) -> bool {
        self.posts.values().any(|post| post.bot.is_none() && post.is_refused())
    }

    /// What the bots did, by name.
    pub(super) fn into_ends(self) -> Vec<Ended> {
        self.ends.into_values().collect()
    }

    /// Says what is wrong with a config, whose bot does not play until that has changed.
    pub(super) fn refuse(&mut self, file: PathBuf, problems: Vec<Problem>) {
        self.posts.entry(file).or_default().tell(&Problems(problems).to_string());
    }

    /// Waits for the next thing that happens and deals with it; must not be called when nothing can.
    ///
    /// Dropping the future loses nothing.
    pub(super) async fn step(&mut self) {
        tokio::select! {
            Some(ended) = self.crew.next_end() => self.ended(ended),
            Some(Ok(checked)) = self.checks.join_next() => self.checked(checked),
            else => {}
        }
    }

    /// Deals with configs that have changed.
    pub(super) fn take_in(&mut self, changes: Vec<Change>) {
        for change in changes {
            match change {
                Change::Written(file) => self.check(file),
                Change::Gone(file) => self.gone(&file),
            }
        }
    }

    /// Has a config checked, apart: its policy may take a minute to be tried out.
    fn check(&mut self, file: PathBuf) {
        let post = self.posts.entry(file.clone()).or_default();
        post.gone = false;
        self.checked += 1;
        post.check = self.checked;
        let (number, checking) = (self.checked, Arc::clone(&self.checking));
        let playing = post.member.as_ref().filter(|member| member.stays()).map(|member| member.terms.clone());
        let libraries = Arc::clone(&self.ground.libraries);
        self.checks.spawn(async move {
            let _permit = checking.acquire_owned().await;
            let config = file.clone();
            let checked = apart(move || check(&config, playing, &libraries)).await;
            let checked = checked.unwrap_or_else(|fault| Err(vec![Problem::new(&file, "", fault)]));
            (file, number, checked)
        });
    }

    fn checked(&mut self, (file, number, checked): Checked) {
        let Some(post) = self.posts.get_mut(&file).filter(|post| post.check == number && !post.gone) else { return };
        match checked {
            Ok(recruit) => {
                post.next = Some(recruit);
                post.told = None;
                self.fill(&file);
            }
            // It has ended meanwhile.
            Err(problems) if problems.is_empty() && post.member.is_none() => self.check(file),
            Err(problems) if problems.is_empty() => (post.next, post.told) = (None, None),
            // What was right before it still stands, be it the bot that plays or the one that is to come after it.
            Err(problems) => post.tell(&Problems(problems).to_string()),
        }
    }

    /// Gives a config's place to the bot that waits for it, once it is free.
    fn fill(&mut self, file: &Path) {
        if self.ground.shutdown.is_finishing() {
            return;
        }
        let clash = self.clash(file);
        let Some(post) = self.posts.get_mut(file) else { return };
        let Some(next) = &post.next else { return };
        if let Some(clash) = clash {
            return post.tell(&clash.to_string());
        }
        match &post.member {
            // What is beside it is as it was, and the policy is looked after by others.
            Some(member) if member.stays() && member.plays_by(next) => post.next = None,
            Some(member) if member.stays() => {
                say(format!(
                    "{}: its config has changed; it comes back with it, after its game if it plays",
                    member.name
                ));
                member.shutdown.finish();
            }
            Some(_) => {}
            None => {
                let games = self.ground.games;
                let has_played = |next: &Recruit| {
                    self.ends.get(&next.ready.config.name).is_some_and(|ended| ended.report.has_played(games))
                };
                if let Some(recruit) = post.next.take().filter(|next| !has_played(next)) {
                    say(format!("{}: joins, by {}", recruit.ready.config.name, file.display()));
                    self.begin(recruit);
                }
            }
        }
    }

    /// What keeps the bot that waits for a config's place from playing beside the others.
    fn clash(&self, file: &Path) -> Option<Problem> {
        let next = self.posts.get(file)?.next.as_ref()?;
        let others = self.posts.iter().filter(|(other, _)| *other != file);
        let mut others = others.filter_map(|(other, post)| Some((other, post.member.as_ref()?)));
        let name = &next.ready.config.name;
        let arena = &next.ready.seat.as_ref()?.arena;
        let key = match &next.ready.config.arena.as_ref()?.login {
            Login::Riichilab { token, .. } => token.key(),
            Login::Mjsonp(_) => "arena",
        };
        others.find_map(|(other, member)| {
            let other = other.display();
            if member.name == *name {
                let message =
                    format!("{other} names its bot {name:?} too, and that one plays; two bots need two names");
                return Some(Problem::new(file, "name", message));
            }
            let message = format!("this is the token of {other} too, whose bot plays; each bot needs its own");
            member.terms.arena.shares_token(arena).then(|| Problem::new(file, key, message))
        })
    }

    fn gone(&mut self, file: &Path) {
        let Some(post) = self.posts.get_mut(file) else { return };
        (post.gone, post.next, post.told) = (true, None, None);
        match &post.member {
            Some(member) => {
                say(format!("{}: its config is gone; it leaves, after its game if it plays", member.name));
                member.shutdown.finish();
            }
            None => {
                if let Some(bot) = self.posts.remove(file).and_then(|post| post.bot) {
                    self.forget(&bot);
                }
            }
        }
    }

    /// Has nobody ask about a bot any more that has left, unless it plays by another config; what it did is told at the end.
    fn forget(&self, bot: &str) {
        if self.posts.values().any(|post| post.member.as_ref().is_some_and(|member| member.name == bot)) {
            return;
        }
        self.ground.board.remove(bot);
        self.ground.reloads.remove(bot);
    }

    /// Lets a bot begin.
    pub(super) fn begin(&mut self, recruit: Recruit) {
        let Recruit { ready, beside } = recruit;
        let Some(ReadySeat { arena, queue_together }) = ready.seat.clone() else { return };
        let Ground { libraries, reloads, board, turns, permits, games, news, shutdown } = &self.ground;
        let name = ready.config.name.clone();
        // It may have played before, by another config.
        let report = self.ends.remove(&name).map(|ended| ended.report).unwrap_or_default();
        board.enter(&name, arena.to_string(), report.live.clone());
        let shutdown = shutdown.part();
        let rules = Rules::TENHOU_HALF.with_players(ready.players);
        let records = keeper(&ready.config, &arena, rules).unwrap_or_else(|error| {
            tracing::error!("{name} plays without records: {error}");
            None
        });
        let bot = Bot {
            name: name.clone(),
            turn: turns.at(&arena, ready.players, queue_together),
            arena: arena.clone(),
            rules,
            records,
            permits: permits.clone(),
            patience: Patience::default(),
            plays_on: false,
            news: news.clone(),
        };
        let start = self.next_start.max(Instant::now());
        self.next_start = start + Duration::from_millis(fastrand::u64(APART_MS));
        let post = self.posts.entry(ready.config.file.clone()).or_default();
        let (reload, ended) = (ready.config.policy.reload, shutdown.clone());
        post.bot = Some(name.clone());
        post.member = Some(Member { name: name.clone(), terms: Terms { beside, arena, reload }, shutdown });
        let _ = news.send((name.clone(), BotEvent::Starting));
        let (libraries, starting) = (Arc::clone(libraries), Arc::clone(&self.starting));
        let beginning = Beginning { ready, libraries, reloads: reloads.clone(), starting, start };
        self.crew.set_off(name, beginning.live(bot, report, *games, ended));
    }

    fn ended(&mut self, ended: Ended) {
        let _ = self.ground.news.send((ended.name.clone(), BotEvent::Ended(ended.end.clone())));
        let is_its = |post: &Post| post.member.as_ref().is_some_and(|member| member.name == ended.name);
        if let Some((file, post)) = self.posts.iter_mut().find(|(_, post)| is_its(post)) {
            post.member = None;
            let renamed = post.next.as_ref().is_some_and(|next| next.ready.config.name != ended.name);
            if post.gone {
                let file = file.clone();
                self.posts.remove(&file);
                self.forget(&ended.name);
            } else if renamed {
                self.forget(&ended.name);
            }
        }
        self.ends.insert(ended.name.clone(), ended);
        // One that was in somebody's way may have been this one.
        let waiting: Vec<PathBuf> =
            self.posts.iter().filter(|(_, post)| post.next.is_some()).map(|(file, _)| file.clone()).collect();
        for file in waiting {
            self.fill(&file);
        }
        let refused = self.posts.iter().filter(|(_, post)| post.is_refused()).map(|(file, _)| file.clone());
        for file in refused.collect::<Vec<_>>() {
            self.check(file);
        }
    }
}
