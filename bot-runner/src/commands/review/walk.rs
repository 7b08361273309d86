//! Goes through logs on several threads, and asks policies about their games.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{anyhow, bail};
use doudizhu::DouDizhuGame;
use foreign_text::shown;
use lab::advisor::{Advisor, NoAdvice};
use lab::course::RecordedCourse;
use lab::game::Entrant;
use lab::record::names_of;
use lab::replay::{judge_course, whole_courses};
use lab::replayed::ReplayedGame;
use mcr::McrGame;
use policy_host::{DirectThread, GameKind};
use protocol::game_record::RecordStart;
use riichi::game::RiichiGame;
use riichi::rules::Length;
use say::screen::note;

use super::super::entrants::entrant_of;
use super::super::logs::{NamedLog, each_named_log, games_of};
use super::super::view::ViewedGame;

/// Logs that wait for a thread, for each thread.
const WAITING_LOGS: usize = 2;
/// Logs between the last that was taken in its order and the last that began, for each thread: what
/// is found in those behind a slow one is held in memory.
const LOGS_AHEAD: usize = 16;

/// The logs, and the policies that are asked.
pub(super) struct ReviewWalk<'a> {
    pub(super) files: &'a [PathBuf],
    pub(super) configs: &'a [PathBuf],
    pub(super) jobs: NonZeroUsize,
    /// The length of games whose rounds do not show it.
    pub(super) length: Option<Length>,
    /// A name, a seat from 0, or `all`.
    pub(super) player: &'a str,
    /// How many logs are done already, and the name of the last of them.
    pub(super) done: Option<(u64, String)>,
    /// No log begins after it.
    pub(super) until: Option<Instant>,
}

/// A game of a log, with the seats whose decisions are wanted.
pub(super) struct WalkedGame<'a, G: ReplayedGame> {
    /// The log, as it is shown, with the number of the game unless it is the first.
    pub(super) log: &'a str,
    /// The name of the log without folder and ending.
    pub(super) stem: &'a str,
    /// Numbers of the log, and of the game in it, from 1.
    pub(super) log_number: u64,
    pub(super) number: usize,
    pub(super) course: &'a RecordedCourse<G>,
    pub(super) record: Arc<str>,
    pub(super) players: &'a [String],
    pub(super) seats: &'a [usize],
}

/// A policy that is asked.
pub(super) struct NamedAdvisor<'t> {
    /// Its name and version.
    pub(super) name: String,
    pub(super) advisor: Advisor<'t>,
}

/// What is done with each game.
pub(super) trait GameWork: Sync {
    type Found: Default + Send;

    /// # Errors
    ///
    /// If a policy does not start again after a fault, or something cannot be written.
    fn game<G: ViewedGame>(
        &self,
        game: &WalkedGame<'_, G>,
        advisors: &mut [NamedAdvisor<'_>],
        found: &mut Self::Found,
    ) -> anyhow::Result<()>;
}

/// What was found in a log.
pub(super) struct WalkedLog<F> {
    pub(super) name: String,
    pub(super) found: F,
    pub(super) games: u64,
    /// Number of logs and games that are left out.
    pub(super) left_out: u64,
    /// Why, but for games of a kind that a policy does not play: that is said once.
    pub(super) bad: Vec<String>,
}

impl<F> WalkedLog<F> {
    /// Says why logs and games are left out; `about` says of which logs.
    pub(super) fn say_bad(&self, about: &str) {
        for why in &self.bad {
            note(format!("bot-runner: {about}{why}"));
        }
    }

    fn leave_out(&mut self, why: Option<String>) {
        self.left_out += 1;
        self.bad.extend(why);
    }
}

/// A game, and its number of players: what a policy is started for.
type PolicyKind = (GameKind, u8);

/// The policies that play a kind of game; `None` if one of them does not play it.
type ReadyPolicies = (PolicyKind, Option<Arc<Vec<Entrant>>>);

/// The policies of the configs, ready for each kind of game that was met.
struct Entrants<'a> {
    configs: &'a [PathBuf],
    ready: Mutex<Vec<ReadyPolicies>>,
}

impl Entrants<'_> {
    /// The policies for a kind of game, or why one of them does not play it, said once.
    fn of(&self, kind: PolicyKind) -> Result<Arc<Vec<Entrant>>, Option<String>> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = ready.iter().find(|(known, _)| *known == kind) {
            return found.clone().ok_or(None);
        }
        let found: anyhow::Result<Vec<Entrant>> = self
            .configs
            .iter()
            .map(|config| Ok(entrant_of(config.clone(), kind.0, kind.1)?.0))
            .collect();
        let found = found.map(Arc::new);
        ready.push((kind, found.as_ref().ok().cloned()));
        found.map_err(|why| Some(format!("{why:#}")))
    }
}

/// The number of a log, from 0, and what was found in it.
type NumberedLog<W> = (u64, anyhow::Result<WalkedLog<<W as GameWork>::Found>>);

struct LogJob {
    /// Number of the log, from 0.
    number: u64,
    log: Result<NamedLog, String>,
}

/// Goes through the logs; `take` gets what is found in their order. Returns how many files were not
/// begun because the time was over.
///
/// # Errors
///
/// If a policy does not start again after a fault, the logs are not those that were done before, or
/// `take` fails.
pub(super) fn walk<W: GameWork>(
    plan: &ReviewWalk<'_>,
    work: &W,
    mut take: impl FnMut(WalkedLog<W::Found>) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
    let threads = plan.jobs;
    let (to_threads, jobs) = sync_channel::<LogJob>(WAITING_LOGS * threads.get());
    // It is gone with the last worker, so that the reader does not wait for nothing.
    let jobs = Arc::new(Mutex::new(jobs));
    let (found, founds) = channel();
    let (begin, begun) = sync_channel::<()>(LOGS_AHEAD * threads.get());
    let entrants = Entrants {
        configs: plan.configs,
        ready: Mutex::default(),
    };
    thread::scope(|scope| {
        let reader = scope.spawn(|| read_logs(plan, to_threads, begin));
        let mut workers = Vec::new();
        for _ in 0..threads.get() {
            let (found, jobs, entrants) = (found.clone(), Arc::clone(&jobs), &entrants);
            let worker = move |thread: &DirectThread| {
                let mut worker = WalkWorker {
                    thread,
                    plan,
                    work,
                    entrants,
                    advisors: Vec::new(),
                };
                worker.run(&jobs, &found);
            };
            workers.push(DirectThread::spawn(scope, "review", worker)?);
        }
        drop((found, jobs));
        let mut waiting = BTreeMap::new();
        let mut next = plan.done.as_ref().map_or(0, |(done, _)| *done);
        let mut failed = None;
        'found: for (number, log) in founds {
            waiting.insert(number, log);
            while let Some(log) = waiting.remove(&next) {
                next += 1;
                // The threads end once nothing takes what they find.
                if let Err(why) = log.and_then(&mut take) {
                    failed = Some(why);
                    break 'found;
                }
                // Every log that is found has begun.
                let _ = begun.try_recv();
            }
        }
        // The reader ends, too.
        drop(begun);
        for worker in workers {
            let worked = worker.join();
            worked.map_err(|_| anyhow!("a thread of the review panicked"))?;
        }
        let read = reader.join();
        let read = read.map_err(|_| anyhow!("the thread that reads logs panicked"))?;
        match failed {
            Some(why) => Err(why),
            None => read,
        }
    })
}

/// Sends the logs to the threads, until none of them listens or the time is over. Returns the
/// number of files that were not begun.
fn read_logs(
    plan: &ReviewWalk<'_>,
    to_threads: SyncSender<LogJob>,
    begin: SyncSender<()>,
) -> anyhow::Result<usize> {
    /// Why no more is read.
    #[derive(Debug, thiserror::Error)]
    enum ReadingEnd {
        #[error("all threads have ended")]
        NoThread,
        #[error("the time is over")]
        TimeOver,
    }
    let is_over = || plan.until.is_some_and(|until| Instant::now() >= until);
    let mut number = 0;
    for (place, file) in plan.files.iter().enumerate() {
        if is_over() {
            return Ok(plan.files.len() - place);
        }
        let sent = each_named_log(file, &mut |log| {
            let own = number;
            number += 1;
            if let Some((done, last)) = &plan.done
                && own < *done
            {
                let name = log
                    .as_ref()
                    .map_or_else(Clone::clone, |log| log.name.clone());
                if own + 1 == *done && name != *last {
                    return Err(anyhow!(
                        "the logs are not those of the review to resume: log {done} was {last}, and is {name}"
                    ));
                }
                return Ok(());
            }
            begin.send(()).map_err(|_| ReadingEnd::NoThread)?;
            if is_over() {
                return Err(ReadingEnd::TimeOver.into());
            }
            let sent = to_threads.send(LogJob { number: own, log });
            sent.map_err(|_| ReadingEnd::NoThread.into())
        });
        if let Err(why) = sent {
            return match why.downcast_ref::<ReadingEnd>() {
                Some(ReadingEnd::TimeOver) => Ok(plan.files.len() - place),
                Some(ReadingEnd::NoThread) => Ok(0),
                None => Err(why),
            };
        }
    }
    match &plan.done {
        Some((done, last)) if number < *done => bail!(
            "the logs are not those of the review to resume: log {done} was {last}, and there are {number}"
        ),
        _ => Ok(0),
    }
}

struct WalkWorker<'w, 't, W> {
    thread: &'t DirectThread,
    plan: &'w ReviewWalk<'w>,
    work: &'w W,
    entrants: &'w Entrants<'w>,
    /// The policies that were started on this thread.
    advisors: Vec<(PolicyKind, Vec<NamedAdvisor<'t>>)>,
}

impl<W: GameWork> WalkWorker<'_, '_, W> {
    /// Takes jobs until there is none, or nothing takes what is found.
    fn run(&mut self, jobs: &Mutex<Receiver<LogJob>>, found: &Sender<NumberedLog<W>>) {
        loop {
            let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(LogJob { number, log }) = next else {
                return;
            };
            if found.send((number, self.walked(log, number))).is_err() {
                return;
            }
        }
    }

    fn walked(
        &mut self,
        log: Result<NamedLog, String>,
        number: u64,
    ) -> anyhow::Result<WalkedLog<W::Found>> {
        let mut walked = WalkedLog {
            name: String::new(),
            found: W::Found::default(),
            games: 0,
            left_out: 0,
            bad: Vec::new(),
        };
        match log {
            Err(why) => {
                walked.name.clone_from(&why);
                walked.leave_out(Some(why));
            }
            Ok(log) => {
                walked.name.clone_from(&log.name);
                self.log(&log, number, &mut walked)?;
            }
        }
        Ok(walked)
    }

    fn log(
        &mut self,
        log: &NamedLog,
        log_number: u64,
        walked: &mut WalkedLog<W::Found>,
    ) -> anyhow::Result<()> {
        for (place, text) in games_of(&log.lines).into_iter().enumerate() {
            let number = place + 1;
            let name = match place {
                0 => log.name.clone(),
                _ => format!("{}, game {number}", log.name),
            };
            let game = LoggedGame {
                log: &name,
                stem: &log.stem,
                log_number: log_number + 1,
                number,
                text,
            };
            match game.kind() {
                GameKind::Riichi => self.game::<RiichiGame>(&game, walked)?,
                GameKind::Mcr => self.game::<McrGame>(&game, walked)?,
                GameKind::DouDizhu => self.game::<DouDizhuGame>(&game, walked)?,
            }
        }
        Ok(())
    }

    fn game<G: ViewedGame>(
        &mut self,
        game: &LoggedGame<'_>,
        walked: &mut WalkedLog<W::Found>,
    ) -> anyhow::Result<()> {
        let mut leave_out = |why: String| {
            walked.leave_out(Some(format!("{}: {why}", game.log)));
        };
        let mut courses = match courses::<G>(game.text) {
            Ok(courses) => courses,
            Err(why) => {
                leave_out(shown(&why));
                return Ok(());
            }
        };
        let Some(course) = courses.first_mut().filter(|course| course.dealt > 0) else {
            leave_out("there is no round in it".to_owned());
            return Ok(());
        };
        if let Some(length) = self.plan.length {
            course.rules = G::with_length(course.rules, length);
        }
        if let Some(wrong) = judge_course::<G>(course, None).impossible() {
            leave_out(format!("contradiction at {wrong}"));
            return Ok(());
        }
        let kind = (G::KIND, course.players() as u8);
        if let Err(why) = self.start(kind)? {
            walked.leave_out(why.map(|why| format!("{} and others like it: {why}", game.log)));
            return Ok(());
        }
        let names = names_of(&mut game.text.as_bytes());
        let players: Vec<String> = (0..course.players())
            .map(|seat| {
                let own = names.get(seat).filter(|name| !name.is_empty());
                own.map_or_else(|| format!("seat {seat}"), |name| shown(name))
            })
            .collect();
        let wanted = self.plan.player;
        let seats: Vec<usize> = course
            .known
            .iter()
            .copied()
            .filter(|seat| {
                wanted == "all" || players[*seat] == wanted || wanted == seat.to_string()
            })
            .collect();
        walked.games += 1;
        let advisors = self.advisors.iter_mut().find(|(known, _)| *known == kind);
        let Some((_, advisors)) = advisors.filter(|_| !seats.is_empty()) else {
            return Ok(());
        };
        let game = WalkedGame {
            log: game.log,
            stem: game.stem,
            log_number: game.log_number,
            number: game.number,
            course,
            record: Arc::from(game.text),
            players: &players,
            seats: &seats,
        };
        self.work.game(&game, advisors, &mut walked.found)
    }

    /// Starts the policies for a kind of game, unless they are; the inner error says why one does
    /// not play it, once.
    fn start(&mut self, kind: PolicyKind) -> Result<Result<(), Option<String>>, NoAdvice> {
        if self.advisors.iter().any(|(known, _)| *known == kind) {
            return Ok(Ok(()));
        }
        let entrants = match self.entrants.of(kind) {
            Ok(entrants) => entrants,
            Err(why) => return Ok(Err(why)),
        };
        let mut started = Vec::new();
        for entrant in entrants.iter() {
            let identity = entrant.policy.identity();
            started.push(NamedAdvisor {
                name: format!("{} {}", identity.id, identity.version),
                advisor: Advisor::start(self.thread, entrant)?,
            });
        }
        self.advisors.push((kind, started));
        Ok(Ok(()))
    }
}

/// The text of a game in a log.
struct LoggedGame<'a> {
    log: &'a str,
    stem: &'a str,
    log_number: u64,
    number: usize,
    text: &'a str,
}

impl LoggedGame<'_> {
    fn kind(&self) -> GameKind {
        let mut lines = self.text.lines();
        let first = lines.find(|line| !line.trim().is_empty());
        first
            .and_then(RecordStart::read)
            .and_then(|start| start.game.parse().ok())
            .unwrap_or(GameKind::Riichi)
    }
}

fn courses<G: ReplayedGame>(game: &str) -> Result<Vec<RecordedCourse<G>>, String> {
    whole_courses::<G>(Box::new(Cursor::new(game.to_owned()))).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    const THREADS: usize = 2;
    const AHEAD: usize = LOGS_AHEAD * THREADS;
    const FILES: usize = AHEAD + 20;

    /// A round in which all seats have the same hand.
    fn game() -> String {
        let hand = r#"["1m","2m","3m","4m","5m","6m","7m","8m","9m","1p","2p","3p","4p"]"#;
        let hands = [hand; 4].join(",");
        [
            r#"{"type":"start_game"}"#.to_owned(),
            format!(
                r#"{{"type":"start_kyoku","bakaze":"E","dora_marker":"N","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"scores":[25000,25000,25000,25000],"tehais":[{hands}]}}"#
            ),
            r#"{"type":"tsumo","actor":0,"pai":"9s"}"#.to_owned(),
        ]
        .join("\n")
    }

    /// The first log ends only when all have begun that may, and a while later.
    #[derive(Default)]
    struct SlowFirstLog {
        begun: AtomicUsize,
        taken: AtomicUsize,
        max_ahead: AtomicUsize,
    }

    impl GameWork for SlowFirstLog {
        type Found = ();

        fn game<G: ViewedGame>(
            &self,
            game: &WalkedGame<'_, G>,
            _: &mut [NamedAdvisor<'_>],
            (): &mut (),
        ) -> anyhow::Result<()> {
            let begun = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
            let ahead = begun - self.taken.load(Ordering::SeqCst);
            self.max_ahead.fetch_max(ahead, Ordering::SeqCst);
            if game.log_number == 1 {
                let until = Instant::now() + Duration::from_secs(60);
                while self.begun.load(Ordering::SeqCst) < AHEAD {
                    anyhow::ensure!(Instant::now() < until, "the other logs do not begin");
                    thread::sleep(Duration::from_millis(1));
                }
                thread::sleep(Duration::from_millis(200));
            }
            Ok(())
        }
    }

    #[test]
    fn only_so_many_logs_begin_behind_one_that_is_slow() {
        let folder = tempfile::tempdir().expect("a folder");
        let files: Vec<PathBuf> = (0..FILES)
            .map(|number| folder.path().join(format!("{number}.jsonl")))
            .collect();
        for file in &files {
            fs::write(file, game()).expect("it is written");
        }
        let plan = ReviewWalk {
            files: &files,
            configs: &[],
            jobs: NonZeroUsize::new(THREADS).expect("there are some"),
            length: None,
            player: "all",
            done: None,
            until: None,
        };
        let work = SlowFirstLog::default();
        let mut names = Vec::new();
        let not_begun = walk(&plan, &work, |log| {
            assert!(log.bad.is_empty(), "{:?}", log.bad);
            names.push(log.name);
            work.taken.fetch_add(1, Ordering::SeqCst);
            Ok(())
        });
        assert_eq!(not_begun.expect("it ends"), 0);
        assert_eq!(
            names,
            files
                .iter()
                .map(|file| file.display().to_string())
                .collect::<Vec<_>>()
        );
        assert_eq!(work.max_ahead.load(Ordering::SeqCst), AHEAD);
    }
}
