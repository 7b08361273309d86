//! A whole tournament: walls shared out among threads, their results taken in order.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use mahjong::{PerSeat, Rules};
use policy_host::{DirectHandle, DirectThread};

use super::clear::{Verdict, Watch};
use super::counts::SeatCounts;
use super::game::{Entrant, GameId, TournamentGameError, play};
use super::seating::Format;
use super::times::DecisionTimes;

/// What to play.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Decides walls and the policies' randomness.
    pub seed: u64,
    /// How the configs are seated.
    pub format: Format,
    /// How many walls at most.
    pub walls: u64,
    /// The rules.
    pub rules: Rules,
    /// How many threads play.
    pub jobs: NonZeroUsize,
    /// Stop when it is clear which config is best.
    pub until_clear: bool,
}

/// What the configs did on one wall, in all its seatings.
#[derive(Debug, Clone)]
pub struct WallResult {
    /// The counts of each config.
    pub counts: Vec<SeatCounts>,
    /// The first decision that failed: which config's, and what was wrong with it.
    pub first_fault: Option<(usize, String)>,
}

impl WallResult {
    /// The mean place of each config.
    #[must_use]
    pub fn mean_places(&self) -> Vec<f64> {
        self.counts.iter().map(|counts| counts.place_sum() as f64 / counts.seats as f64).collect()
    }
}

/// What was played.
#[derive(Debug)]
pub struct PlayedWalls {
    /// The walls that count, in order.
    pub blocks: Vec<WallResult>,
    /// What became clear, where that was watched for.
    pub verdict: Option<Verdict>,
    /// The times of each config's decisions, also of those on walls that do not count.
    pub times: Vec<DecisionTimes>,
}

/// Why a tournament cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// A game cannot be played.
    #[error("wall {} in seating {} cannot be played (seed {}): {error}", .game.wall, .game.seating + 1, .game.seed)]
    Game {
        /// The game.
        game: GameId,
        /// What is wrong.
        error: TournamentGameError,
    },
    /// There are no threads for it.
    #[error("no thread to play on: {0}")]
    Thread(#[from] io::Error),
}

/// How far a tournament has come.
#[derive(Debug)]
pub enum TournamentProgress<'a> {
    /// One more game has ended.
    Game,
    /// One more wall counts.
    Wall(&'a WallResult),
}

/// What the threads say.
enum WorkerMessage {
    Game,
    Wall(u64, WallResult),
    Failed(TournamentError),
}

/// Plays a tournament on threads of its own, which have ended when this returns. `stop` ends it after the games that
/// are on; walls before the first one that is not complete count.
///
/// # Errors
///
/// When a game cannot be played out.
pub fn run(
    entrants: &[Entrant],
    plan: &Plan,
    stop: &AtomicBool,
    mut progress: impl FnMut(TournamentProgress<'_>),
) -> Result<PlayedWalls, TournamentError> {
    let next = AtomicU64::new(1);
    let enough = AtomicBool::new(false);
    let (sender, messages) = channel();
    thread::scope(|scope| {
        let mut workers: Vec<DirectHandle<'_, Vec<DecisionTimes>>> = Vec::new();
        for _ in 0..plan.jobs.get() {
            let worker = WallWorker {
                entrants,
                plan,
                next: &next,
                stop,
                enough: &enough,
                messages: sender.clone(),
                times: vec![DecisionTimes::default(); entrants.len()],
            };
            let spawned = DirectThread::spawn(scope, "tournament", move |thread| worker.run(thread));
            workers.push(spawned.inspect_err(|_| enough.store(true, Ordering::Relaxed))?);
        }
        drop(sender);
        let collected = collect(plan, &messages, &mut progress);
        enough.store(true, Ordering::Relaxed);
        let mut times = vec![DecisionTimes::default(); entrants.len()];
        for worker in workers {
            let theirs = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            for (sum, times) in times.iter_mut().zip(&theirs) {
                sum.add(times);
            }
        }
        let (blocks, verdict) = collected?;
        Ok(PlayedWalls { blocks, verdict, times })
    })
}

/// Takes walls in their order until all have come, no more will come, or it is clear who is best.
fn collect(
    plan: &Plan,
    messages: &Receiver<WorkerMessage>,
    progress: &mut impl FnMut(TournamentProgress<'_>),
) -> Result<(Vec<WallResult>, Option<Verdict>), TournamentError> {
    let mut blocks: Vec<WallResult> = Vec::new();
    let mut early: BTreeMap<u64, WallResult> = BTreeMap::new();
    let mut watch = plan.until_clear.then(|| Watch::new(plan.format.entrants()));
    for message in messages {
        match message {
            WorkerMessage::Game => progress(TournamentProgress::Game),
            WorkerMessage::Failed(error) => return Err(error),
            WorkerMessage::Wall(wall, block) => {
                early.insert(wall, block);
                while let Some(block) = early.remove(&(blocks.len() as u64 + 1)) {
                    let verdict = watch.as_mut().and_then(|watch| watch.add(&block.mean_places()));
                    progress(TournamentProgress::Wall(&block));
                    blocks.push(block);
                    if verdict.is_some() {
                        return Ok((blocks, verdict));
                    }
                }
            }
        }
    }
    Ok((blocks, None))
}

/// A thread that plays one wall after another.
struct WallWorker<'a> {
    entrants: &'a [Entrant],
    plan: &'a Plan,
    /// The next wall that nobody plays.
    next: &'a AtomicU64,
    stop: &'a AtomicBool,
    enough: &'a AtomicBool,
    messages: Sender<WorkerMessage>,
    times: Vec<DecisionTimes>,
}

impl WallWorker<'_> {
    fn run(mut self, thread: &DirectThread) -> Vec<DecisionTimes> {
        loop {
            let wall = self.next.fetch_add(1, Ordering::Relaxed);
            if wall > self.plan.walls {
                return self.times;
            }
            let message = match self.wall(thread, wall) {
                Ok(Some(block)) => WorkerMessage::Wall(wall, block),
                Ok(None) => return self.times,
                Err(error) => WorkerMessage::Failed(error),
            };
            // Nobody listens any more when enough has been played.
            let _ = self.messages.send(message);
        }
    }

    /// Plays a wall in all seatings; `None` when asked to stop meanwhile.
    fn wall(&mut self, thread: &DirectThread, wall: u64) -> Result<Option<WallResult>, TournamentError> {
        let mut block = WallResult { counts: vec![SeatCounts::default(); self.entrants.len()], first_fault: None };
        for (number, seating) in self.plan.format.seatings().iter().enumerate() {
            if self.stop.load(Ordering::Relaxed) || self.enough.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let id = GameId { seed: self.plan.seed, wall, seating: number };
            let entrants = PerSeat::from_fn(self.plan.rules.players, |seat| {
                let config = seating[seat.index()];
                (config, &self.entrants[config])
            });
            let played = play(thread, entrants, self.plan.rules, id, &mut self.times, |_| {})
                .map_err(|error| TournamentError::Game { game: id, error })?;
            for (seat, counts) in played.seats.iter() {
                block.counts[seating[seat.index()]].add(counts);
            }
            let fault = played.first_fault.map(|(seat, fault)| (seating[seat.index()], fault));
            block.first_fault = block.first_fault.or(fault);
            let _ = self.messages.send(WorkerMessage::Game);
        }
        Ok(Some(block))
    }
}
