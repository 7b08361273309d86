//! Many walls, on several threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use policy_host::{DirectHandle, DirectThread};

use crate::game::{Entrant, Game, GameError, GameId, SeatPlayer, play};

/// Why a game cannot be played out.
#[derive(Debug, thiserror::Error)]
pub enum DuplicateError {
    /// A game cannot be played.
    #[error(transparent)]
    Game(#[from] GameError),
    /// No thread could be had.
    #[error("no thread for the games: {0}")]
    Thread(#[from] std::io::Error),
}

/// What to play.
#[derive(Debug)]
pub struct DuplicatePlan {
    /// Decides walls and the policies' randomness.
    pub seed: u64,
    /// The bots.
    pub entrants: Vec<Entrant>,
    /// The seatings that each wall is played in.
    pub seatings: Vec<Vec<usize>>,
    /// How many walls, numbered from 1.
    pub walls: u64,
    /// How many games are played at the same time.
    pub jobs: NonZeroUsize,
}

/// What became of the bots on one wall, config by config.
#[derive(Debug, Clone, PartialEq)]
pub struct WallScores {
    /// The wall's number, from 1.
    pub wall: u64,
    /// The average score of a seat in a game.
    pub scores: Vec<f64>,
    /// How many seats were taken, in all games together.
    pub seats: Vec<u64>,
    /// How many of them won.
    pub wins: Vec<u64>,
    /// Decisions that their policies were asked for.
    pub decisions: Vec<u64>,
    /// How many of them they did not make.
    pub faults: Vec<u64>,
    /// The first that failed, with the config's number.
    pub first_fault: Option<(usize, String)>,
}

/// Plays all walls; `told` hears of each as it is done, in any order. The walls in their order: fewer when `stop` was set.
///
/// # Errors
///
/// When a game cannot be played out.
pub fn run<G: Game>(
    plan: &DuplicatePlan,
    stop: &AtomicBool,
    told: impl Fn(&WallScores) + Sync,
) -> Result<Vec<WallScores>, DuplicateError> {
    let next = AtomicU64::new(1);
    let done = Mutex::new(Vec::new());
    let work = |thread: &DirectThread| -> Result<(), DuplicateError> {
        loop {
            let wall = next.fetch_add(1, Ordering::Relaxed);
            if wall > plan.walls || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            match play_wall::<G>(thread, plan, wall) {
                Ok(scores) => {
                    told(&scores);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push(scores);
                }
                Err(error) => {
                    // The others need not go on.
                    next.store(plan.walls + 1, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    };
    thread::scope(|scope| -> Result<(), DuplicateError> {
        let jobs = plan.jobs.get().min(plan.walls.try_into().unwrap_or(usize::MAX));
        let threads = (0..jobs)
            .map(|job| DirectThread::spawn(scope, &format!("games {job}"), work))
            .collect::<Result<Vec<DirectHandle<'_, _>>, _>>()?;
        for thread in threads {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        Ok(())
    })?;
    let mut walls = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    walls.sort_unstable_by_key(|scores: &WallScores| scores.wall);
    Ok(walls)
}

fn play_wall<G: Game>(thread: &DirectThread, plan: &DuplicatePlan, wall: u64) -> Result<WallScores, DuplicateError> {
    let configs = plan.entrants.len();
    let none = || vec![0; configs];
    let mut result = WallScores {
        wall,
        scores: vec![0.0; configs],
        seats: none(),
        wins: none(),
        decisions: none(),
        faults: none(),
        first_fault: None,
    };
    for (number, seating) in plan.seatings.iter().enumerate() {
        let players = seating.iter().map(|&config| SeatPlayer::Bot(thread, &plan.entrants[config]));
        let id = GameId { seed: plan.seed, wall, seating: number };
        let played = play::<G>(G::usual_rules(seating.len() as u8), id, players, |_| {})?;
        let winners = played.end.winners();
        for (seat, &config) in seating.iter().enumerate() {
            result.scores[config] += played.end.scores[seat];
            result.seats[config] += 1;
            result.wins[config] += u64::from(winners.contains(&seat));
            result.decisions[config] += played.seats[seat].decisions;
            result.faults[config] += played.seats[seat].faults();
        }
        let fault = played.first_fault.map(|(seat, fault)| (seating[seat], fault));
        result.first_fault = result.first_fault.or(fault);
    }
    for (score, &seats) in result.scores.iter_mut().zip(&result.seats) {
        *score /= seats as f64;
    }
    Ok(result)
}
