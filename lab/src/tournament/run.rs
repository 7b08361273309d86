//! Runs a tournament: walls are shared among threads, and results collected in order.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use arrayvec::ArrayVec;
use lab_stats::SeatCounts;
use policy_host::{DirectHandle, DirectThread, Measure};
use riichi::MAX_PLAYERS;
use serde::{Deserialize, Serialize};

use super::clear::{ClearAfter, Watch};
use super::game::{TakenDown, TournamentGame, play_by};
use super::seating::Schedule;
use super::sprt::SprtWatch;
use super::times::DecisionTimes;
use super::wall::WallResult;
use crate::game::{Entrant, GameError, GameId, GameRules};
use crate::part::Shard;

#[derive(Debug, Clone)]
pub struct Plan {
    /// Determines walls and the policies' randomness.
    pub seed: u64,
    /// The seating of the configs.
    pub schedule: Schedule,
    /// Maximum number of walls, over all shards.
    pub walls: u64,
    /// The walls that are played here.
    pub shard: Shard,
    pub rules: GameRules,
    /// Number of threads.
    pub jobs: NonZeroUsize,
    /// The rule for stopping before that. Only for a tournament that is played whole.
    pub until_clear: Option<UntilClear>,
    /// Stops when one of these differences in Elo of the first config over the second is shown to
    /// be more likely than the other.
    pub sprt: Option<[f64; 2]>,
    pub taken_down: TakenDown,
}

/// The conditions that end a tournament early.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct UntilClear {
    /// It also ends when no two configs differ by this much in average place, or in average points
    /// of a seat in a game.
    pub by: Option<f64>,
    /// Whether the test is of differences that are adjusted for luck, where that is taken down. As
    /// of points, no more than a cap of them counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjusted: bool,
}

impl UntilClear {
    /// The test before the first wall.
    pub(super) fn watch(&self, schedule: &Schedule) -> Watch {
        let watch = Watch::new(schedule, self.by);
        if self.adjusted {
            watch.adjusted()
        } else {
            watch
        }
    }
}

/// The played walls of a tournament, by number.
pub type Walls = BTreeMap<u64, WallResult>;

#[derive(Debug)]
pub struct PlayedWalls {
    /// The walls that count.
    pub walls: Walls,
    /// The verdict, if a rule for stopping was set.
    pub verdict: Option<ClearAfter>,
    /// The times of each config's decisions, including those on walls that do not count.
    pub times: Vec<DecisionTimes>,
}

/// The reason why a tournament cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// A game cannot be played.
    #[error("wall {} in seating {} cannot be played (seed {}): {error}", .game.wall, .game.seating + 1, .game.seed)]
    Game { game: GameId, error: GameError },
    /// A thread cannot be started.
    #[error("no thread to play on")]
    Thread(#[from] io::Error),
}

#[derive(Debug)]
pub enum TournamentProgress<'a> {
    /// A game has ended.
    Game(GameId, &'a mut TournamentGame),
    /// A wall has been played in all seatings. The number is the wall's. Walls come in any order,
    /// but with a rule for stopping in theirs, because a wall counts only if the tournament has not
    /// ended before it.
    Wall(u64, &'a WallResult),
}

enum WorkerMessage {
    Game(GameId, Box<TournamentGame>),
    Wall(u64, WallResult),
    Failed(TournamentError),
}

/// Plays a tournament on its own threads, which have ended when this returns. `known` are walls
/// that were played before and are not played again. `stop` ends it after the games in progress;
/// walls before the first incomplete one count.
///
/// # Errors
///
/// If a game cannot be finished.
pub fn run(
    entrants: &[Entrant],
    plan: &Plan,
    known: Walls,
    stop: &AtomicBool,
    mut progress: impl FnMut(TournamentProgress<'_>),
) -> Result<PlayedWalls, TournamentError> {
    let mut times = vec![DecisionTimes::default(); entrants.len()];
    let earlier: BTreeSet<u64> = known.keys().copied().collect();
    let is_complete = plan
        .shard
        .items(plan.walls)
        .all(|wall| earlier.contains(&wall));
    let mut collected = Collected::new(plan);
    collected.add(known, |_, _| ());
    if is_complete || collected.verdict.is_some() {
        return Ok(PlayedWalls {
            walls: collected.walls,
            verdict: collected.verdict,
            times,
        });
    }
    let next = AtomicU64::new(0);
    let enough = AtomicBool::new(false);
    let (sender, messages) = channel();
    thread::scope(|scope| {
        let mut workers: Vec<DirectHandle<'_, Vec<DecisionTimes>>> = Vec::new();
        for _ in 0..plan.jobs.get() {
            let worker = WallWorker {
                entrants,
                plan,
                earlier: &earlier,
                next: &next,
                stop,
                enough: &enough,
                messages: sender.clone(),
                times: vec![DecisionTimes::default(); entrants.len()],
            };
            let spawned =
                DirectThread::spawn(scope, "tournament", move |thread| worker.run(thread));
            workers.push(spawned.inspect_err(|_| enough.store(true, Ordering::Relaxed))?);
        }
        drop(sender);
        let ended = collect(&mut collected, &earlier, &messages, &mut progress);
        enough.store(true, Ordering::Relaxed);
        for worker in workers {
            let theirs = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            for (sum, times) in times.iter_mut().zip(&theirs) {
                sum.add(times);
            }
        }
        ended?;
        Ok(PlayedWalls {
            walls: collected.walls,
            verdict: collected.verdict,
            times,
        })
    })
}

/// Collects walls until no more will come or a verdict is reached.
fn collect(
    collected: &mut Collected,
    earlier: &BTreeSet<u64>,
    messages: &Receiver<WorkerMessage>,
    progress: &mut impl FnMut(TournamentProgress<'_>),
) -> Result<(), TournamentError> {
    for message in messages {
        match message {
            WorkerMessage::Game(id, mut game) => progress(TournamentProgress::Game(id, &mut game)),
            WorkerMessage::Failed(error) => return Err(error),
            WorkerMessage::Wall(wall, result) => {
                let in_order = collected.rule.is_some();
                if !in_order {
                    progress(TournamentProgress::Wall(wall, &result));
                }
                collected.add([(wall, result)], |wall, result| {
                    if in_order && !earlier.contains(&wall) {
                        progress(TournamentProgress::Wall(wall, result));
                    }
                });
                if collected.verdict.is_some() {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Walls collected in order, regardless of the order of arrival.
struct Collected {
    shard: Shard,
    /// Number of walls over all shards.
    of: u64,
    /// The walls before the first missing one.
    walls: Walls,
    early: Walls,
    rule: Option<StopRule>,
    verdict: Option<ClearAfter>,
}

/// The reasons for ending a tournament before all its walls are played.
enum StopRule {
    Clear(Watch),
    Sprt(SprtWatch),
}

impl StopRule {
    fn of(plan: &Plan) -> Option<Self> {
        let clear = plan
            .until_clear
            .map(|until| Self::Clear(until.watch(&plan.schedule)));
        clear.or_else(|| Some(Self::Sprt(SprtWatch::new(&plan.schedule, plan.sprt?))))
    }

    fn add(&mut self, wall: &WallResult) -> Option<ClearAfter> {
        match self {
            Self::Clear(watch) => watch.add(wall),
            Self::Sprt(watch) => watch.add(wall),
        }
    }
}

impl Collected {
    fn new(plan: &Plan) -> Self {
        Self {
            shard: plan.shard,
            of: plan.walls,
            walls: Walls::new(),
            early: Walls::new(),
            rule: StopRule::of(plan),
            verdict: None,
        }
    }

    /// Adds walls, up to the one with which a verdict is reached; `counted` gets each that now
    /// counts, in order.
    fn add(
        &mut self,
        walls: impl IntoIterator<Item = (u64, WallResult)>,
        mut counted: impl FnMut(u64, &WallResult),
    ) {
        self.early.extend(walls);
        while self.verdict.is_none()
            && let Some(next) = self.shard.item(self.walls.len() as u64, self.of)
            && let Some(result) = self.early.remove(&next)
        {
            self.verdict = self.rule.as_mut().and_then(|rule| rule.add(&result));
            counted(next, &result);
            self.walls.insert(next, result);
        }
    }
}

/// The walls that count: those before the first missing one, up to the verdict; and the verdict.
pub(super) fn counting(plan: &Plan, walls: Walls) -> (Walls, Option<ClearAfter>) {
    let mut collected = Collected::new(plan);
    collected.add(walls, |_, _| ());
    (collected.walls, collected.verdict)
}

/// A thread that plays one wall after another.
struct WallWorker<'a> {
    entrants: &'a [Entrant],
    plan: &'a Plan,
    /// Numbers of the walls that were played before.
    earlier: &'a BTreeSet<u64>,
    /// Place of the first wall of the shard without a worker.
    next: &'a AtomicU64,
    stop: &'a AtomicBool,
    enough: &'a AtomicBool,
    messages: Sender<WorkerMessage>,
    times: Vec<DecisionTimes>,
}

impl WallWorker<'_> {
    fn run(mut self, thread: &DirectThread) -> Vec<DecisionTimes> {
        loop {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(wall) = self.plan.shard.item(place, self.plan.walls) else {
                return self.times;
            };
            if self.earlier.contains(&wall) {
                continue;
            }
            let message = match self.wall(thread, wall) {
                Ok(Some(result)) => WorkerMessage::Wall(wall, result),
                Ok(None) => return self.times,
                Err(error) => WorkerMessage::Failed(error),
            };
            // The receiver is dropped when no more walls are needed.
            let _ = self.messages.send(message);
        }
    }

    /// Plays a wall in all seatings; `None` if it was asked to stop meanwhile.
    fn wall(
        &mut self,
        thread: &DirectThread,
        wall: u64,
    ) -> Result<Option<WallResult>, TournamentError> {
        let mut result = WallResult {
            games: Vec::new(),
            luck: Vec::new(),
            counts: vec![SeatCounts::default(); self.entrants.len()],
            first_fault: None,
        };
        for (number, seating) in self.plan.schedule.seatings().iter().enumerate() {
            if self.stop.load(Ordering::Relaxed) || self.enough.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let id = GameId {
                seed: self.plan.seed,
                wall,
                seating: number,
            };
            let seated: ArrayVec<_, MAX_PLAYERS> = seating
                .iter()
                .map(|&config| (config, &self.entrants[config]))
                .collect();
            let played = play_by(
                self.plan.rules,
                self.plan.taken_down,
                thread,
                id,
                &seated,
                &mut self.times,
            )
            .map_err(|error| TournamentError::Game { game: id, error })?;
            for (&config, counts) in seating.iter().zip(&played.seats) {
                result.counts[config].add(counts);
            }
            result.games.push(match self.plan.schedule.measure() {
                Measure::Places => played
                    .end
                    .places
                    .iter()
                    .map(|&place| place.into())
                    .collect(),
                Measure::Points { .. } => played
                    .seats
                    .iter()
                    .map(|counts| counts.points as i32)
                    .collect(),
            });
            if self.plan.taken_down.luck {
                result.luck.push(played.luck.clone());
            }
            let fault = played
                .first_fault
                .as_ref()
                .map(|(seat, fault)| (seating[*seat], fault.clone()));
            result.first_fault = result.first_fault.or(fault);
            let _ = self
                .messages
                .send(WorkerMessage::Game(id, Box::new(played)));
        }
        Ok(Some(result))
    }
}

#[cfg(test)]
mod tests {
    use policy_host::GameKind;

    use super::super::Format;
    use super::super::tests::wall;
    use super::*;

    /// The walls that are passed on of these, which come in this order.
    fn passed_on(until_clear: Option<UntilClear>, coming: &[u64]) -> Vec<u64> {
        let schedule =
            Schedule::new(GameKind::Riichi, Format::TwoAgainstTwo, 2, 4).expect("two can sit");
        let (sender, messages) = channel();
        for &number in coming {
            let result = wall(&schedule, |_| vec![1, 2, 3, 4]);
            sender
                .send(WorkerMessage::Wall(number, result))
                .expect("it is received");
        }
        drop(sender);
        let plan = Plan {
            seed: 1,
            schedule,
            walls: 10,
            shard: Shard::WHOLE,
            rules: GameRules::usual(GameKind::Riichi, 4),
            jobs: NonZeroUsize::MIN,
            until_clear,
            sprt: None,
            taken_down: TakenDown::default(),
        };
        let mut passed = Vec::new();
        collect(
            &mut Collected::new(&plan),
            &BTreeSet::new(),
            &messages,
            &mut |progress| {
                if let TournamentProgress::Wall(wall, _) = progress {
                    passed.push(wall);
                }
            },
        )
        .expect("no game failed");
        passed
    }

    #[test]
    fn with_a_rule_for_stopping_a_wall_is_passed_on_after_those_before_it() {
        let rule = Some(UntilClear {
            by: None,
            adjusted: false,
        });
        assert_eq!(passed_on(rule, &[2, 3, 1, 5]), [1, 2, 3]);
        assert_eq!(passed_on(None, &[2, 3, 1, 5]), [2, 3, 1, 5]);
    }
}
